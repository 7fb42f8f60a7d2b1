import Basics
import Foundation
import GalleryTestSupport
import Testing

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
            var part = FileLines(of: opened, from: 1, to: 4)
            #expect(try part.next() == [0x61])
            #expect(try part.next() == nil)
            #expect(part.rest == [0x61])
        }
    }
}
