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

    private static func lines(_ record: SiteRecord) throws -> [String] {
        var lines: [String] = []
        try record.text.forEach { lines.append(String(decoding: $0.dropLast(), as: UTF8.self)) }
        return lines
    }

    /// Of few files, and of so many that no more than a part is in memory.
    @Test(arguments: [0, 1, 3, Thorough.size(9_000, small: 900)])
    func `a record says the same when it is read again, in whatever order it was made`(count: Int) throws {
        var generator = SeededGenerator(seed: 1)
        let record = Self.record(of: (0..<count).shuffled(using: &generator))
        let lines = try Self.lines(record)
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
            #expect(try Self.lines(again) == lines)
        }
    }

    @Test(arguments: [4, Thorough.size(9_000, small: 900)])
    func `records are merged, and what is added to one is not in its copy`(count: Int) throws {
        let first = Self.record(of: 0..<count)
        var other = Self.record(of: count / 2..<2 * count)
        // It says another thing of a picture that the first knows.
        other.add(Self.picture(count / 2, 7), Self.key(count / 2))
        let merged = first.merging(other)
        #expect(merged.picture(of: Self.key(count / 2)) == Self.picture(count / 2))
        #expect(other.picture(of: Self.key(count / 2)) == Self.picture(count / 2, 7))
        #expect(try Self.lines(merged) == Self.lines(Self.record(of: 0..<2 * count)))
        #expect(try Self.lines(first) == Self.lines(Self.record(of: 0..<count)))
        var copy = first
        copy.add(Self.path(-1), Self.digest(-1))
        #expect(copy.hasFile(at: Self.path(-1)) && !first.hasFile(at: Self.path(-1)))
        #expect(try Self.lines(copy).count == Self.lines(first).count + 1)
    }
}
