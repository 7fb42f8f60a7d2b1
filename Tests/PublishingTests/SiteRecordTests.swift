import Foundation
import GalleryCore
import GalleryTestSupport
import PictureFiles
import Testing

@testable import Publishing

@Suite struct SiteRecordTests {
    private static func path(_ number: Int) -> String { "thumbs/\(number) ä.jpg" }
    private static func digest(_ number: Int) -> String { SiteRecord.digest("\(number)") }
    private static func key(_ number: Int) -> String { SiteRecord.digest("key \(number)") }

    private static func picture(_ number: Int, _ origin: Int? = nil) -> SiteRecord.Picture {
        SiteRecord.Picture(
            path: path(number), origin: digest(origin ?? number), metadata: number % 2 == 0 ? .keep : .safe,
            isIntact: number % 3 == 0)
    }

    private static func record(of numbers: some Sequence<Int>) -> SiteRecord {
        var record = SiteRecord()
        for number in numbers {
            record.add(
                lines: SiteRecord.lines(of: path(number), digest(number), key(number), picture(number)))
        }
        return record
    }

    private static func lines(_ record: SiteRecord) -> [String] {
        Self.lines(record.text())
    }

    private static func lines(_ text: [UInt8]) -> [String] {
        String(decoding: text, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    @Test(arguments: [0, 1, 3, 500])
    func `a record says the same when it is read again, in whatever order it was made`(count: Int) throws {
        var generator = SeededGenerator(seed: 1)
        let record = Self.record(of: (0..<count).shuffled(using: &generator))
        let lines = Self.lines(record)
        let files = (0..<count).sorted { Self.path($0).utf8.lexicographicallyPrecedes(Self.path($1).utf8) }
        #expect(lines.first == PageMark.title)
        #expect(Array(lines.dropFirst().prefix(count)) == files.map { "\(Self.digest($0)) \(Self.path($0))" })
        let pictures = Array(lines.dropFirst(1 + count))
        #expect(
            pictures.count == count
                && pictures == pictures.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) })
        try withTemporaryDirectory { url in
            // Without the last line's end, as a run that was killed may leave it.
            try Data(lines.joined(separator: "\n").utf8).write(to: url.appending(path: SiteRecord.name))
            let again = try SiteRecord(of: try DestinationFolder(existing: url))
            let isAllThere = (0..<count).allSatisfy { number in
                again.has(Self.path(number), Self.digest(number)) && again.hasFile(at: Self.path(number))
                    && again.picture(of: Self.key(number)) == Self.picture(number)
                    && again.picture(at: Self.path(number)) == Self.picture(number)
            }
            #expect(isAllThere)
            #expect(!again.has(Self.path(0), Self.digest(1)) && !again.hasFile(at: Self.path(-1)))
            #expect(Self.lines(again) == lines)
        }
    }

    @Test func `the text of two has what either says, and of a picture what the first says`() {
        let first = Self.record(of: 0..<4)
        var other = Self.record(of: 2..<8)
        // It says another thing of a picture that the first knows.
        other.add(Self.picture(2, 7), Self.key(2))
        #expect(first.picture(of: Self.key(2)) == Self.picture(2))
        #expect(other.picture(of: Self.key(2)) == Self.picture(2, 7))
        #expect(Self.lines(first.text(with: other)) == Self.lines(Self.record(of: 0..<8)))
    }

    @Test func `the first day of a photo stays, and the site's own counts more than another's`() {
        var (record, other) = (SiteRecord(), SiteRecord())
        for day in ["1", "2"] { record.add(date: day, of: "a") }
        for id in ["a", "b"] { other.add(date: "3", of: id) }
        record.addDates(of: other)
        #expect(record.dates == ["a": "1", "b": "3"])
    }

    @Test func `a file is the site's in every form that it was written in`() {
        var record = SiteRecord()
        for number in [1, 2, 1] { record.add(Self.path(1), Self.digest(number)) }
        #expect([1, 2, 3].map { record.has(Self.path(1), Self.digest($0)) } == [true, true, false])
    }

    @Test func `the file that a picture had before goes without the picture`() {
        var record = Self.record(of: [1])
        record.add(Self.picture(2, 1), Self.key(1))
        record.remove(Self.path(1))
        #expect(record.picture(of: Self.key(1)) == Self.picture(2, 1))
    }
}
