import Foundation
import GalleryTestSupport
import Testing

@testable import GalleryCore

/// A recorded reply, and who reads it.
struct MutationTarget: Sendable, CustomTestStringConvertible {
    /// A photo that was read, as it is printed: with its details, where they were read.
    struct Reading {
        let photo: IndexedPhoto
        var detail: PhotoDetail?

        var text: String { detail.map { photo.json(with: $0).text } ?? photo.json.text }
    }

    /// Reads a reply as its service does, to the end: photos, or the service's error.
    typealias Reader = @Sendable (Data) throws -> [Reading]

    /// The recording's name below `fixtures`.
    let name: String
    /// What it is read as, where it can be several things.
    var use = ""
    /// Which of its service's readers reads it, where it has several.
    var reader = ""
    /// What stood around a recording of one photo.
    var envelope: (before: String, after: String) = ("", "")
    /// Whether photos cannot do without this reply.
    var isNeeded = true
    let read: Reader

    var testDescription: String { use.isEmpty ? name : "\(name) as \(use)" }

    /// The same for all recordings that the same code reads.
    var readBy: String { "\(name.prefix { $0 != "/" }) \(use) \(reader)" }

    /// The recording with two elements of each list: its structure, and little else.
    func recording() throws -> Data {
        // One recording is but a member of a photo: its brace is the envelope's.
        let data = try Fixture.data(name).dropFirst(envelope.before.hasSuffix(",") ? 1 : 0)
        let whole = Data(envelope.before.utf8) + data + Data(envelope.after.utf8)
        // What is no JSON was recorded as such, and stays so.
        guard var value = try? JSONSerialization.jsonObject(with: whole) else {
            return Data(whole.reversed().drop { UnicodeScalar($0).properties.isWhitespace }.reversed())
        }
        if name.hasPrefix("commons/"), var batch = value as? [String: Any] {
            // A part of a batch, as if it were the last: for more parts the wiki would be asked again.
            batch["batchcomplete"] = true
            value = batch
        }
        // The one work of several pages has three.
        let rows = Recording.shortened(value, to: name.contains("_pages") ? 3 : 2)
        return try JSONSerialization.data(withJSONObject: rows, options: .sortedKeys)
    }

    /// Every recording of every service.
    static func all() throws -> [MutationTarget] {
        try Fixture.names(in: "500px").flatMap(fiveHundredPixels)
            + Fixture.names(in: "flickr").map(flickr)
            + Fixture.names(in: "commons").flatMap(commons)
            + Fixture.names(in: "pixiv").map(pixiv)
            + SourceDefinition.bundled.flatMap { definition in
                try Fixture.names(in: definition.name).filter { $0.hasSuffix(".json") }
                    .map { source($0, definition) }
            }
            + Fixture.names(in: "feeds").map(feed)
            + Fixture.names(in: "iiif").map(iiif)
            + ["sample/photos.json", "sample/photos/1001.json"].map(sample)
    }

    /// Whether it was recorded as JSON, with a callback around it or not.
    var isJSON: Bool { !name.contains(".INVALID.") && !name.hasSuffix(".xml") }

    private static func conversation(
        _ body: Data, status: Int = 200, _ talk: (inout Conversation) throws -> [Reading]
    ) throws -> [Reading] {
        // To every request the same.
        var conversation = Conversation((suffix: "/", status: status, body: body))
        return try talk(&conversation)
    }

    private static func details(
        _ results: DetailResults
    ) throws -> [Reading] {
        let found = results.values.compactMap { try? $0.get() }
        if found.isEmpty, let first = results.values.first { _ = try first.get() }
        return found.map { Reading(photo: IndexedPhoto(index: nil, photo: $0.photo), detail: $0) }
    }

    private static func page(
        of feed: Feed, _ service: some PhotoService, _ conversation: inout Conversation
    ) throws -> [Reading] {
        try conversation.run(service.page(slice, of: feed, cursor: nil)).photos.map { Reading(photo: $0) }
    }

    private static func ids(_ service: String, _ values: String...) -> [PhotoID] {
        values.map { PhotoID(service: service, value: $0) }
    }

    private static let slice = PageSlice(number: 1, size: 10)

    // MARK: - Services

    private static func fiveHundredPixels(_ name: String) -> [MutationTarget] {
        let service = FiveHundredPixels(base: URL(string: "http://127.0.0.1/v1"), key: nil)
        let envelope =
            name.contains("image_url")
            ? (#"{"photos":[{"id":1,"name":"x","#, "]}")
            : name.contains("record") ? (#"{"total_pages":3,"photos":["#, "]}") : ("", "")
        let status = name.contains("401") ? 401 : 200
        let list = MutationTarget(name: name, reader: "\(status)", envelope: envelope) { body in
            try conversation(body, status: status) { try page(of: .popular(), service, &$0) }
        }
        // As a batch, and what the batch does not bring as one photo.
        let photos = MutationTarget(
            name: name, use: "details", reader: "\(status)", envelope: envelope
        ) { body in
            try conversation(body, status: status) {
                try details($0.run(service.details(of: ids("500px", "1", "2", "105106007", "165862179"))))
            }
        }
        return [list, photos]
    }

    private static func flickr(_ name: String) -> MutationTarget {
        let service = Flickr(base: URL(string: "http://127.0.0.1/rest"), key: Secret("hush"))
        guard name.contains("getInfo") || name.contains("getSizes") else {
            let envelope =
                name.contains("_record_") ? (#"{"photos":{"pages":5,"photo":["#, "]}}") : ("", "")
            // Users are looked up first, in the same reply.
            let feed = name.contains("ser") ? Feed.user("someone") : .search("sea")
            return MutationTarget(name: name, reader: "\(feed)", envelope: envelope) { body in
                try conversation(body) { try page(of: feed, service, &$0) }
            }
        }
        let other = Data(#"{"photo":{"id":"1"},"sizes":{"size":[]}}"#.utf8)
        let isInfo = name.contains("getInfo")
        return MutationTarget(name: name, reader: isInfo ? "info" : "sizes") { body in
            var conversation = Conversation(
                (suffix: "getInfo", status: 200, body: isInfo ? body : other),
                (suffix: "getSizes", status: 200, body: isInfo ? other : body))
            return try details(conversation.run(service.details(of: ids("flickr", "1"))))
        }
    }

    private static func commons(_ name: String) -> [MutationTarget] {
        let service = Commons(base: URL(string: "http://127.0.0.1/api.php"))
        let envelope = name.contains("page") ? (#"{"query":{"pages":["#, "]}}") : ("", "")
        let list = MutationTarget(name: name, envelope: envelope) { body in
            try conversation(body) { try page(of: .user("x"), service, &$0) }
        }
        let photo = MutationTarget(name: name, use: "details", envelope: envelope) { body in
            try conversation(body) { try details($0.run(service.details(of: ids("commons", "18263872")))) }
        }
        return [list, photo]
    }

    private static func pixiv(_ name: String) -> MutationTarget {
        let file = name.replacing("pixiv/", with: "")
        let status = file.contains("404") ? 404 : file.contains("400_") ? 400 : 200
        /// The answers there are besides, and what is asked.
        let place: (path: String, others: [String: PixivTape.Answer], feed: Feed?)
        switch file {
        case _ where file.contains("ranking"): place = ("ranking.php", [:], .popular())
        case _ where file.contains("search"): place = ("ajax/search/artworks/sea", [:], .search("sea"))
        case _ where file.contains("bookmarks"):
            place = ("ajax/user/31415926/illusts/bookmarks", [:], .favorites(of: nil))
        case "made_user_illusts.json":
            place = (
                "ajax/user/7/profile/illusts", ["ajax/user/7/profile/all": "ajax_user_profile_all_2022"],
                .user("7")
            )
        case _ where file.contains("user"):
            place = (
                "ajax/user/7/profile/all", ["ajax/user/7/profile/illusts": "made_user_illusts"], .user("7")
            )
        case "made_illust_pages_pages.json":
            place = ("ajax/illust/87598468/pages", ["ajax/illust/87598468": "made_illust_pages"], nil)
        case _ where file.contains("_pages") && file != "made_illust_pages.json":
            place = ("ajax/illust/87598468/pages", ["ajax/illust/87598468": "made_illust_ugoira"], nil)
        default:
            place = ("ajax/illust/87598468", ["ajax/illust/87598468/pages": "made_illust_pages_pages"], nil)
        }
        // The files of a work of one page are known without a list of them.
        let isNeeded =
            place.others.values.first?.body != PixivTape.Answer(stringLiteral: "made_illust_ugoira").body
        return MutationTarget(
            name: name, reader: "\(place.path) \(status) \(isNeeded)", isNeeded: isNeeded
        ) { body in
            var answers = place.others
            var answer = PixivTape.Answer(status, "")
            answer.body = body
            answers[place.path] = answer
            let tape = PixivTape(answers, session: PixivTape.session)
            if let feed = place.feed { return try tape.page(feed).photos.map { Reading(photo: $0) } }
            let detail = try tape.detail("87598468")
            return [Reading(photo: IndexedPhoto(index: nil, photo: detail.photo), detail: detail)]
        }
    }

    /// As a list, or as what a photo's own request answers.
    private static func source(_ name: String, _ definition: SourceDefinition) -> MutationTarget {
        let service = DefinedService(definition: definition, api: definition.entry.api())
        let status = name.contains("40") && name.contains("error") ? 404 : 200
        let isDetail = ["/asset", "detail_", "/object_", "/artwork_", "_info_"].contains { name.contains($0) }
        return MutationTarget(name: name, reader: "\(status) \(isDetail)") { body in
            try conversation(body, status: status) {
                isDetail
                    ? try details($0.run(service.details(of: ids(definition.name, "1"))))
                    : try page(of: .popular(), service, &$0)
            }
        }
    }

    private static func feed(_ name: String) -> MutationTarget {
        let service = WebFeed(api: WebAPI("feed", at: URL(string: "http://127.0.0.1/")))
        let isJSON = name.hasSuffix("json")
        // Of XML that is cut short, the items before are read.
        return MutationTarget(name: name, reader: isJSON ? "json" : "xml", isNeeded: isJSON) { body in
            try conversation(body) { try page(of: .popular(), service, &$0) }
        }
    }

    private static func iiif(_ name: String) -> MutationTarget {
        let service = IIIF(api: WebAPI("iiif", at: URL(string: "http://127.0.0.1/")))
        return MutationTarget(name: name) { body in
            try conversation(body) { try page(of: .popular(), service, &$0) }
        }
    }

    private static func sample(_ name: String) -> MutationTarget {
        let service = GalleryCore.Sample(catalog: Fixture.url("sample"))
        return MutationTarget(name: name, reader: "\(name.contains("photos/"))") { body in
            try conversation(body) {
                name.contains("photos/")
                    ? try details($0.run(service.details(of: ids("sample", "1001"))))
                    : try page(of: .popular(), service, &$0)
            }
        }
    }
}

/// What a damaged reply may come to: photos that can be shown, each in its own place, or an error with a status.
extension MutationTarget {
    /// Reads so many damaged replies, and records an issue for each that is read wrongly.
    func expectAnswers(_ count: Int, _ damaged: (Int) -> Data) {
        for number in 0..<count {
            let body = damaged(number)
            if let complaint = complaint(about: body) {
                let text = String(decoding: body.prefix(2000), as: UTF8.self)
                Issue.record("damage \(number): \(complaint)\n\(text)")
            }
        }
    }

    /// What is wrong with how a reply was read; `nil` where nothing is.
    func complaint(about body: Data) -> String? {
        do {
            let photos = try read(body)
            let indexes = photos.compactMap(\.photo.index)
            guard indexes == indexes.sorted(), Set(indexes).count == indexes.count else {
                return "places that are no order: \(indexes)"
            }
            for photo in photos {
                if photo.photo.photo.id.value.isEmpty { return "a photo without an id" }
                if !isPlain(photo.text) {
                    return "a photo that is not one line: \(photo.text.debugDescription)"
                }
            }
            return nil
        } catch let error as ServiceError {
            let text = error.description + (error.hint ?? "")
            guard [65, 66, 69, 75, 77].contains(error.exitStatus) else {
                return "status \(error.exitStatus): \(text)"
            }
            return isPlain(text) ? nil : "an error that is not one line: \(text.debugDescription)"
        } catch {
            return "another error: \(error)"
        }
    }

    private func isPlain(_ text: String) -> Bool {
        text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
    }
}
