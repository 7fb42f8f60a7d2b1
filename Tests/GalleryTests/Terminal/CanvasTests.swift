import Testing

@testable import gallery

struct CanvasTests {
    /// What lines of these widths write after others of ten and of fifty columns in a window of fifty.
    private func written(_ widths: [Int], columns: Int) throws -> String {
        let pipe = try #require(ProcessPipe())
        let canvas = Canvas(Terminal(output: pipe.write, messages: pipe.write))
        canvas.draw([10, 50].map(line), columns: 50)
        var bytes: [UInt8] = []
        _ = pipe.read(into: &bytes)
        bytes = []
        canvas.draw(widths.map(line), columns: columns)
        _ = pipe.read(into: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    private func line(_ width: Int) -> String { String(repeating: "x", count: width) }

    @Test(arguments: [
        // columns, widths → rows up, rows to erase below
        (50, [10, 50], 2, 0), (80, [10, 50], 2, 0), (50, [10], 2, 1),
        // The second line has wrapped, once or more often.
        (49, [10, 49], 3, 1), (25, [10, 25], 3, 1), (10, [10, 10], 6, 4), (9, [9, 9], 8, 6),
        (34, [10, 34, 5], 3, 0),
    ])
    func `what has wrapped in a narrower window is taken away`(
        columns: Int, widths: [Int], up: Int, below: Int
    ) throws {
        let lines = widths.map { line($0) + "\u{1B}[K\n" }.joined()
        let erasure =
            below > 0 ? String(repeating: "\u{1B}[K\n", count: below) + "\u{1B}[\(below)A" : ""
        #expect(try written(widths, columns: columns) == "\u{1B}[\(up)A\r" + lines + erasure)
    }
}
