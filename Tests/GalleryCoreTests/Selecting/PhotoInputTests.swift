import Foundation
import Testing

@testable import GalleryCore

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
