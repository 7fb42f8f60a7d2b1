import Foundation
import GalleryTestSupport
import Testing

@testable import Basics

@Suite struct SpilledTextTests {
    /// Lines of which some are empty, some longer than what is read at once, and some begin alike.
    private static func lines(_ count: Int) -> [[UInt8]] {
        var generator = SeededGenerator(seed: 3)
        return (0..<count).map { number in
            let length = number % 97 == 0 ? 5_000 : Int.random(in: 0...60, using: &generator)
            return (0..<length).map { _ in "ab\t é".utf8.randomElement(using: &generator) ?? 0 }
        }
    }

    private static func all(_ text: SpilledText, _ range: Range<Int64>? = nil) -> [[UInt8]] {
        var (lines, all) = (text.lines(range), [[UInt8]]())
        while let line = text.next(&lines) { all.append(Array(line)) }
        return all
    }

    @Test(arguments: [0, 1, 100, Thorough.size(10_000, small: 2_000)])
    func `text is as it was appended`(count: Int) throws {
        let (text, lines) = (SpilledText(), Self.lines(count))
        var offsets: [Int64] = []
        for line in lines {
            offsets.append(text.count)
            text.append(line + [0x0A])
        }
        #expect(Self.all(text) == lines)
        #expect(zip(offsets, lines).allSatisfy { Array(text.line(at: $0)) == $1 })
        var joined: [UInt8] = []
        try text.forEach { joined += $0 }
        let expected: [UInt8] = lines.flatMap { (line: [UInt8]) -> [UInt8] in line + [0x0A] }
        #expect(joined == expected)
        for place in stride(from: 0, to: count, by: 1 + count / 7) {
            #expect(Self.all(text, offsets[place]..<text.count) == Array(lines[place...]))
            #expect(Self.all(text, 0..<offsets[place]) == Array(lines[..<place]))
        }
    }

    @Test func `a copy goes its own way`() {
        let (text, lines) = (SpilledText(), Self.lines(5_000))
        for line in lines { text.append(line + [0x0A]) }
        let copy = text.copy()
        text.append("one\n".utf8)
        copy.append("other\n".utf8)
        #expect(Self.all(text) == lines + [Array("one".utf8)])
        #expect(Self.all(copy) == lines + [Array("other".utf8)])
    }

    @Test(arguments: [0, 1, 1_000, Thorough.size(60_000, small: 6_000)], [0, 3])
    func `lines come in the order of their bytes, whether in one piece or in several`(count: Int, start: Int)
    {
        let lines = Self.lines(count).filter { $0.count > start }
        var sorted = SortedLines(from: start)
        for line in lines { sorted.add(line[...]) }
        var found: [[UInt8]] = []
        sorted.forEach { found.append(Array($0)) }
        func key(_ line: [UInt8]) -> ArraySlice<UInt8> { line.dropFirst(start) }
        #expect(zip(found, found.dropFirst()).allSatisfy { !key($1).lexicographicallyPrecedes(key($0)) })
        func counts(_ lines: [[UInt8]]) -> [[UInt8]: Int] {
            Dictionary(lines.map { ($0, 1) }, uniquingKeysWith: +)
        }
        #expect(counts(found) == counts(lines.map { $0 + [0x0A] }))
        #expect(sorted.fault == nil)
    }
}

@Suite struct FileLinesTests {
    @Test func `lines of any length are read, and what does not end is left`() throws {
        try withTemporaryDirectory { folder in
            let lines = [0, 1, 65_535, 65_536, 65_537, 300_000, 0, 12].map {
                [UInt8](repeating: 0x61, count: $0)
            }
            let file = folder.appending(path: "file")
            try Data(lines.flatMap { $0 + [0x0A] } + "rest".utf8).write(to: file)
            let opened = try SystemCall.open(file.path, O_RDONLY)
            var (reader, offset) = (FileLines(of: opened), Int64(0))
            for line in lines {
                #expect(reader.offset == offset)
                #expect(try reader.next().map(Array.init) == line)
                offset += Int64(line.count + 1)
            }
            #expect(try reader.next() == nil)
            #expect(Array(reader.rest) == Array("rest".utf8))
            var part = FileLines(of: opened, from: 1, to: 3, then: Array("b\nc\nd".utf8))
            #expect(try part.next() == [0x61])
            #expect(try part.next() == [0x62])
            #expect(try part.next() == [0x63])
            #expect(try part.next() == nil)
            #expect(part.rest == [0x64])
        }
    }
}
