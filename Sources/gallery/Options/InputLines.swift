import Foundation

/// Takes bytes apart into lines as they come, and looks at each byte once. Pure.
struct InputLines: Sendable {
    /// A line that has come whole.
    struct Line: Equatable, Sendable {
        /// From 1.
        let number: Int
        /// Without its end; `nil` for one longer than ``InputLines/longest``, which is passed over.
        let text: Data?
    }

    /// The most bytes of a line: no photo needs as many, and all of them are held at once.
    static let longest = 16 << 20

    private let longest: Int
    private var number = 0
    /// What has come of the line that has not ended.
    private var partial = Data()
    private var isTooLong = false

    /// - Parameter longest: bytes of a line without its end, at most.
    init(longest: Int = longest) {
        self.longest = longest
    }

    /// The lines that end in `bytes`, which go on where the last ones ended.
    mutating func take(_ bytes: Data) -> [Line] {
        var lines: [Line] = []
        var rest = bytes
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            add(rest[..<end])
            lines.append(finish())
            rest = rest[(end + 1)...]
        }
        add(rest)
        return lines
    }

    /// The line that the end of input ends; `nil` where nothing stands behind the last line's end.
    mutating func end() -> Line? { partial.isEmpty && !isTooLong ? nil : finish() }

    private mutating func add(_ bytes: Data) {
        if partial.count + bytes.count > longest { isTooLong = true }
        if isTooLong { partial = Data() } else { partial += bytes }
    }

    private mutating func finish() -> Line {
        number += 1
        defer {
            partial = Data()
            isTooLong = false
        }
        return Line(number: number, text: isTooLong ? nil : partial)
    }
}
