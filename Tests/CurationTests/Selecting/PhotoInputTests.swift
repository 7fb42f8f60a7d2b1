import Foundation
import GalleryCore
import GalleryTestSupport
import Testing

@testable import Curation

@Suite struct InputLinesTests {
    private func lines(_ text: String, pieces size: Int, longest: Int = 100) -> [String] {
        var lines = InputLines(longest: longest)
        let data = Data(text.utf8)
        var found: [InputLines.Line] = []
        for start in stride(from: 0, to: data.count, by: size) {
            found += lines.take(data[start..<min(data.count, start + size)])
        }
        if let last = lines.end() { found.append(last) }
        #expect(found.map(\.number) == Array(1..<found.count + 1))
        return found.map { line in line.text.map { String(decoding: $0, as: UTF8.self) } ?? "too long" }
    }

    @Test(arguments: [
        ("", []), ("\n", [""]), ("a", ["a"]), ("a\n", ["a"]), ("a\n\nbc\nd", ["a", "", "bc", "d"]),
        ("a\r\nb", ["a\r", "b"]), ("\n\nx\n", ["", "", "x"]),
    ])
    func `lines are the same in whatever pieces they come`(text: String, expected: [String]) {
        for size in 1...8 { #expect(lines(text, pieces: size) == expected) }
    }

    @Test(arguments: [
        ("abcd\nabcde\nf", ["abcd", "too long", "f"]), ("abcdefghijkl\n\nx\n", ["too long", "", "x"]),
        ("x\nabcde", ["x", "too long"]), ("abcde\n", ["too long"]), ("abcd", ["abcd"]),
    ])
    func `a line that is too long is passed over, and counted`(text: String, expected: [String]) {
        for size in 1...8 { #expect(lines(text, pieces: size, longest: 4) == expected) }
    }
}

@Suite struct PhotoInputTests {
    /// What is read of `text`, which comes in pieces: ids of photos, addresses, and the names of bad lines.
    private func read(_ text: String, pieces size: Int) async throws -> [String] {
        let rest = Locked(Data(text.utf8))
        var input = PhotoInput {
            rest.withLock { rest in
                defer { rest = rest.dropFirst(size) }
                return Data(rest.prefix(size))
            }
        }
        var found: [String] = []
        while let batch = try await input.next() {
            found += batch.map { entry in
                switch entry {
                case .photo(let photo): photo.entry.photo.id.value
                case .address(let url, let line): "\(line): \(url)"
                case .failure(let failure): failure.name
                }
            }
        }
        return found
    }

    @Test func `an array without an end is given up, and named`() async throws {
        let piece = Data("[".utf8) + Data(repeating: UInt8(ascii: " "), count: 1 << 20)
        let error = await #expect(throws: SelectionError.self) {
            var input = PhotoInput { piece }
            _ = try await input.next()
        }
        #expect(error?.description == "The array in standard input is longer than 64 MiB.")
    }

    @Test func `a line without an end is given up, and named`() async throws {
        let piece = Data(repeating: UInt8(ascii: "x"), count: 1 << 20)
        let error = await #expect(throws: SelectionError.self) {
            var input = PhotoInput { piece }
            _ = try await input.next()
        }
        #expect(error?.description == "A line of standard input is longer than 16 MiB.")
    }

    private static let one = #"{"index":1,"service":"s","id":"1","title":""}"#
    private static let two = #"{"index":2,"service":"s","id":"2","title":""}"#

    @Test(arguments: ["", "\u{FEFF}"], ["\n", "\r\n"])
    func `lines are read whatever stands before and between them`(mark: String, end: String) async throws {
        let text = mark + [Self.one, "https://flic.kr/p/abc", "nonsense", Self.two].joined(separator: end)
        for size in [1, 2, 3, 4096] {
            let found = try await read(text, pieces: size)
            #expect(found == ["1", "2: https://flic.kr/p/abc", "line 3", "2"], "\(size)")
            let address = mark + "https://flic.kr/p/abc" + end + Self.two
            #expect(try await read(address, pieces: size) == ["1: https://flic.kr/p/abc", "2"])
            #expect(try await read(mark + "[\(Self.one),\(end)\(Self.two)]", pieces: size) == ["1", "2"])
        }
    }
}
