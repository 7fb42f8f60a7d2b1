import Foundation
import GalleryTestSupport
import Testing

@testable import GalleryCore

/// Recorded answers, damaged field by field.
@Suite struct FlickrDamageTests {
    private let service = Flickr(base: URL(string: "http://127.0.0.1/rest"), key: Secret("hush"))

    private func read(_ body: Data, of fixture: String) {
        if fixture.contains("getInfo") || fixture.contains("getSizes") {
            let other = Data(#"{"photo":{"id":"1"},"sizes":{"size":[]}}"#.utf8)
            let isInfo = fixture.contains("getInfo")
            var conversation = Conversation(
                (suffix: "getInfo", status: 200, body: isInfo ? body : other),
                (suffix: "getSizes", status: 200, body: isInfo ? other : body))
            let id = PhotoID(service: "flickr", value: "1")
            expectAnswer { () throws(ServiceError) in
                try [conversation.run(service.details(of: [id]))[id]].compactMap { $0 }
                    .map { (result) throws(ServiceError) in
                        IndexedPhoto(index: 1, photo: try result.get().photo)
                    }
            }
        } else {
            var conversation = Conversation((suffix: "method=", status: 200, body: body))
            let feed = fixture.contains("ser") ? Feed.user("someone") : .search("sea")
            expectAnswer { () throws(ServiceError) in
                try conversation.run(service.page(PageSlice(number: 1, size: 10), of: feed, cursor: nil))
                    .photos
            }
        }
    }

    @Test(arguments: try Fixture.names(in: "flickr"))
    func `every field replaced or removed gives photos or an error`(fixture: String) throws {
        let recording = try Recording(
            FlickrImporter.withoutCallback(Fixture.data(fixture)),
            in: fixture.contains("_record_") ? { ["photos": ["pages": 5, "photo": [$0]]] } : { $0 })
        for body in recording.damagedOnce() { read(body, of: fixture) }
        for body in recording.damagedOften(20, seed: 0xF11C) { read(body, of: fixture) }
    }

    @Test(arguments: try Fixture.names(in: "flickr"))
    func `an answer cut anywhere gives an error`(fixture: String) throws {
        let whole = try Fixture.data(fixture)
        for length in stride(from: 0, to: whole.count, by: max(1, whole.count / 40)) {
            read(whole.prefix(length), of: fixture)
        }
    }
}

/// A recorded answer with fewer of the same, so that every way to damage it can be tried.
///
/// Damage is done to the text: to build each damaged answer anew would take longer than to read it.
struct Recording {
    private var text: [UInt8] = []
    /// Where each value stands, and each member of an object with its name.
    private var values: [Range<Int>] = []
    private var members: [Range<Int>] = []

    /// - Parameter envelope: what stood around a recording of one photo.
    init(_ body: Data, in envelope: (Any) -> Any = { $0 }) throws {
        let whole = Self.shortened(envelope(try JSONSerialization.jsonObject(with: body)))
        text = Array(try JSONSerialization.data(withJSONObject: whole))
        _ = scan(from: 0)
    }

    /// The answer with each of its values in turn replaced by another kind of value, or removed.
    func damagedOnce() -> [Data] {
        values.flatMap { place in Self.kinds.map { replacing([(place, $0)]) } }
            + members.map { replacing([($0, #""gone":0"#)]) }
    }

    /// Answers with up to three such damages each.
    func damagedOften(_ count: Int, seed: UInt64) -> [Data] {
        var chance = SeededGenerator(seed: seed)
        return (0..<count).map { _ in
            var damages: [(Range<Int>, String)] = []
            for _ in 0..<3 {
                guard let place = values.randomElement(using: &chance),
                    let other = (Self.kinds + Self.edges).randomElement(using: &chance),
                    !damages.contains(where: { $0.0.overlaps(place) })
                else { continue }
                damages.append((place, other))
            }
            return replacing(damages)
        }
    }

    /// Another kind of value each; and, where there is only time for some, those at their kind's edge.
    private static let kinds = ["null", #""text""#, "-1", "[]", #"{"_content":7}"#]
    private static let edges = ["true", #""""#, "1e300", "9223372036854775807", #""99999999999999999999""#]

    private func replacing(_ damages: [(Range<Int>, String)]) -> Data {
        var damaged = text
        for (place, other) in damages.sorted(by: { $0.0.lowerBound > $1.0.lowerBound }) {
            damaged.replaceSubrange(place, with: other.utf8)
        }
        return Data(damaged)
    }

    /// The same with at most `count` elements of each list, and of objects that are lists by number:
    /// one row shows what twenty would.
    static func shortened(_ value: Any, to count: Int = 1) -> Any {
        switch value {
        case let list as [Any]: list.prefix(count).map { shortened($0, to: count) }
        case let object as [String: Any] where object.keys.allSatisfy { Int($0) != nil }:
            object.filter { object.keys.sorted().prefix(count).contains($0.key) }
                .mapValues { shortened($0, to: count) }
        case let object as [String: Any]: object.mapValues { shortened($0, to: count) }
        default: value
        }
    }

    /// Notes the value that starts at `start`, and those in it; returns where it ends. The text has no spaces.
    private mutating func scan(from start: Int) -> Int {
        var end = start + 1
        switch text[start] {
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            while text[end] != UInt8(ascii: "}"), text[end] != UInt8(ascii: "]") {
                let first = end
                if text[start] == UInt8(ascii: "{") { end = endOfString(at: end) + 1 }
                end = scan(from: end)
                if text[start] == UInt8(ascii: "{") { members.append(first..<end) }
                if text[end] == UInt8(ascii: ",") { end += 1 }
            }
            end += 1
        case UInt8(ascii: "\""): end = endOfString(at: start)
        default:
            let ends = Array(",]}".utf8)
            while end < text.count, !ends.contains(text[end]) { end += 1 }
        }
        values.append(start..<end)
        return end
    }

    private func endOfString(at start: Int) -> Int {
        var end = start + 1
        while text[end] != UInt8(ascii: "\"") { end += text[end] == UInt8(ascii: "\\") ? 2 : 1 }
        return end + 1
    }
}

/// Photos that can be printed, each in its own place, or an error that can be.
func expectAnswer(_ read: () throws(ServiceError) -> [IndexedPhoto]) {
    do {
        let photos = try read()
        let indexes = photos.compactMap(\.index)
        #expect(indexes == indexes.sorted() && Set(indexes).count == indexes.count)
        for photo in photos {
            #expect(!photo.photo.id.value.isEmpty)
            #expect(!photo.json.text.contains("\n"))
        }
    } catch {
        #expect(PlainText.line(error.description) == error.description)
    }
}
