import Foundation
import GalleryTestSupport
import PictureFiles
import ProductTestSupport
import Testing

@testable import Curation
@testable import GalleryCore

/// Numbers that nobody means, wherever somebody else writes one: a reader gives what it can or says what is wrong.
/// One that reckons with them unchecked ends the process, and this with it.
@Suite("Extreme numbers, for each reader", .fewAtOnce, .timeLimit(.minutes(30))) struct ExtremeNumberTests {
    private static let numbers = [
        "-9223372036854775808", "9223372036854775807", "9223372036854775808", "18446744073709551615",
        "99999999999999999999", "2147483647", "2147483648", "4294967296", "9007199254740991",
        "9007199254740993", "-0", "-1", "0", "1e308", "-1e308", "1e999", "0.1e-400", "NaN", "-inf",
    ]

    struct Reader: CustomTestStringConvertible {
        let testDescription: String
        let text: String
        let read: @Sendable (Data) async throws -> Void

        init(_ name: String, _ text: String, read: @escaping @Sendable (Data) async throws -> Void) {
            (testDescription, self.text, self.read) = (name, text, read)
        }

        static func file(
            _ name: String, _ text: String, read: @escaping @Sendable (URL) async throws -> Void
        ) -> Reader {
            Reader(name, text) { data in
                try await withTemporaryDirectory { folder in
                    try data.write(to: folder.appending(path: ".gallery.jsonl"))
                    try await read(folder.appending(path: ".gallery.jsonl"))
                }
            }
        }
    }

    /// The text with one run of digits at a time replaced by each number in turn, and with all of them replaced.
    private static func replaced(_ text: Data, each: Bool) -> [Data] {
        let bytes = [UInt8](text)
        var places: [Range<Int>] = []
        var index = 0
        while index < bytes.count {
            let start = index
            if bytes[index] == UInt8(ascii: "-") { index += 1 }
            let first = index
            while index < bytes.count, "0123456789.".utf8.contains(bytes[index]) { index += 1 }
            if index == first { index = start + 1 } else { places.append(start..<index) }
        }
        func with(_ number: String, at places: ArraySlice<Range<Int>>) -> Data {
            var result = bytes
            for place in places.reversed() { result.replaceSubrange(place, with: number.utf8) }
            return Data(result)
        }
        let all = numbers.map { with($0, at: places[...]) }
        return all
            + places.indices.flatMap { place -> [Data] in
                let some = each ? numbers : [numbers[place % numbers.count]]
                return some.map { with($0, at: places[place...place]) }
            }
    }

    @Test(.thorough, arguments: try MutationTarget.all())
    func `in a reply`(target: MutationTarget) throws {
        let bodies = Self.replaced(try target.recording(), each: false)
        target.expectAnswers(bodies.count) { bodies[$0] }
    }

    private static let photo =
        #"{"index":1,"service":"s","id":"1","title":"","width":3,"height":2,"likes":1,"views":2,"rating":3.5,"pages":2,"taken":"2020-01-02T03:04:05","published":"2020-01-02T03:04:05Z","full":{"url":"http://127.0.0.1:80/a.jpg","width":3,"height":2},"latitude":1.5,"longitude":2.5,"iso":"100","thumbnail":{"url":"http://127.0.0.1/b.jpg","width":1,"height":1}}"#

    private static let manifest = """
        {"file":"a.jpg","service":"s","id":"1","page":0,"size":"full","bytes":5,"width":7,"height":5,"digest":"0123456789abcdef"}
        {"leftOut":"full 0 s:2","sameAs":"a.jpg","bytes":5,"digest":"0123456789abcdef"}
        {"broken":"full 0 s:3","source":"http://h/3","bytes":5,"digest":"0123456789abcdef","reason":"cut","transfers":2,"validator":null,"day":20000}
        {"complete":"s popular","newest":["s:1","s:2"]}
        {"walked":"s popular","runs":3,"day":20000}
        {"had":"full 0 s:4"}
        {"synced":"01234567-89"}

        """

    private static let readers = [
        Reader("photos on standard input", photo) { data in
            for text in [data, Data("[".utf8) + data + Data("]".utf8)] {
                let reads = Counter()
                var input = PhotoInput { reads.increment() == 1 ? text : Data() }
                while let entries = try? await input.next() {
                    for case .photo(let found) in entries { _ = "\(found)" }
                }
            }
        },
        Reader("a photo's words", photo) { data in
            guard let found = try? JSONDecoder().decode(DescribedPhoto.self, from: data) else { return }
            _ = "\(found)"
        },
        .file("a manifest", manifest) { file in
            let folder = TargetFolder(file.deletingLastPathComponent())
            try Pictures.jpeg(bytes: 900).write(to: folder.url.appending(path: "a.jpg"))
            _ = try? FolderRecord(
                of: folder.existing(), named: .standard, size: .full, looksForFiles: true)
            try? await FolderCheck(of: folder).forEachFinding { _ = "\($0)" }
            let item = item(3, at: URL(filePath: "/3"), name: "3")
            _ = try folder.existing()?.manifest.last(BrokenEntry.self, about: item.key)?
                .step(for: item, today: 20_001)
            await folder.clearLeftovers()
        },
        .file("an archive", manifest) { file in
            var history = DownloadHistory()
            try? DownloadArchive(file).add(to: &history, .full)
        },
        .file("marks", photo) { _ = try? await MarkStore(file: $0).marks() },
        .file("ratings", #"{"service":"s","id":"1","stars":3}"#) { file in
            _ = try? await RatingStore(file: file).ratings()
        },
        .file("definitions", definition) { file in
            guard let found = try? SourceDefinition(Data(contentsOf: file), file: "sea.json") else { return }
            let service = DefinedService(definition: found, api: found.entry.api())
            for slice in [PageSlice(number: 1, size: 10), PageSlice(number: 1 << 40, size: 1)] {
                _ = try? service.page(slice, of: .popular(), cursor: nil)
            }
        },
        Reader("header fields", "Retry-After: 5\nContent-Length: 7\nContent-Range: bytes 0-6/7") { data in
            let lines = String(decoding: data, as: UTF8.self).split(separator: "\n")
                .map {
                    $0.split(separator: ":", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
                }
            let fields = Dictionary(lines.map { ($0[0], $0.last ?? "") }) { $1 }
            for status in [200, 206, 416, 429, 503] {
                let head = HTTPHead(status: status, url: URL(filePath: "/"), headers: fields)
                let asked = head.secondsAsked(now: Date())
                _ = RetryPolicy.delay(failures: 1, of: 4, asked: asked, chance: 0.5)
                _ = head.contentLength
                for offer in [nil, ResumeOffer(length: 5, validator: "\"a\"", total: 7)] {
                    _ = ResumeDecision(head, offer: offer)
                }
            }
        },
        Reader("dates", "Sun, 06 Nov 1994 08:49:37 GMT") { data in
            _ = HTTPDate.parse(String(decoding: data, as: UTF8.self))
        },
        Reader("XMP", xmp) { data in
            _ = XMP([UInt8](data)).metadata
            _ = XMPSidecar.setting(3, in: [UInt8](data))
        },
    ]

    private static let xmp =
        #"<x:xmpmeta><rdf:RDF><rdf:Description xmp:Rating="3" exif:DateTimeOriginal="2012-01-02T03:04:05.6-05:00" exif:FNumber="28/10" exif:ExposureTime="1/640" exif:FocalLength="50/1" tiff:Orientation="6" exif:GPSLatitude="48,30.5N"><xmp:Rating>3</xmp:Rating><dc:title>&#233;</dc:title></rdf:Description></rdf:RDF></x:xmpmeta>"#

    private static let definition: String = {
        let names = (try? Fixture.names(in: "sources").filter { $0.hasSuffix(".json") }) ?? []
        return names.compactMap { try? String(decoding: Fixture.data($0), as: UTF8.self) }
            .max {
                $0.utf8.count { (0x30...0x39).contains($0) } < $1.utf8.count { (0x30...0x39).contains($0) }
            }
            ?? ""
    }()

    @Test(.thorough, arguments: readers)
    func `in a text`(reader: Reader) async throws {
        #expect(reader.text.contains { $0.isNumber })
        for body in Self.replaced(Data(reader.text.utf8), each: true) { try await reader.read(body) }
    }

    /// Which place a browser was left at is kept in a file, too.
    @Test func `a place beyond all lists is none`() throws {
        let key = BrowsePositions.FeedKey(service: "test", base: nil, feed: .feed(.popular()))
        try withTemporaryDirectory { folder in
            let file = folder.appending(path: "positions.jsonl")
            let store = BrowsePositions(file: file)
            for index in [.min, 0, .max, 7] as [Int] {
                try store.keep(.init(index: index, photo: PhotoID(service: "test", value: "1")), in: key)
                #expect(store.position(in: key)?.index == (index == 7 ? 7 : nil))
            }
        }
    }

    @Test(.thorough, arguments: SmallPicture.all)
    func `in a picture`(picture: SmallPicture) {
        let patterns: [(first: UInt8, rest: UInt8)] = [(0, 0), (0xFF, 0xFF), (0x7F, 0xFF), (0x80, 0)]
        for offset in 0..<min(picture.bytes.count, 1200) {
            for width in [1, 2, 4, 8] where offset + width <= picture.bytes.count {
                for pattern in patterns {
                    var bytes = picture.bytes
                    for place in 0..<width {
                        bytes[offset + place] = place == 0 ? pattern.first : pattern.rest
                    }
                    // As little-endian numbers have it.
                    if pattern.first != pattern.rest, offset % 2 == 1 {
                        bytes[offset..<offset + width].reverse()
                    }
                    _ = PictureFile.examine(PictureBytes(bytes), named: "a")
                    _ = PictureMetadata(PictureBytes(bytes), picture.type)
                    if width == 4 { _ = PublishedMetadata.safe.applied(to: bytes, picture.type) }
                }
            }
        }
    }
}
