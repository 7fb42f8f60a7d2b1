import Foundation

/// The lines of an open file, read a piece at a time.
package struct FileLines: Sendable {
    /// In bytes: no line of the program's own is nearly as long.
    static let longest = 64 << 20

    /// Where the next line begins, in bytes.
    package private(set) var offset: Int64
    private let file: Descriptor?
    private let end: Int64
    /// What has been read from `offset` on is this from `start` on.
    private var piece: [UInt8] = []
    private var start = 0

    /// The lines of `file` from the one that begins at `offset` to `end`, in bytes.
    package init(of file: Descriptor?, from offset: Int64 = 0, to end: Int64 = .max) {
        (self.file, self.offset, self.end) = (file, offset, end)
    }

    /// What is left: at the end, a last line that does not end.
    package var rest: ArraySlice<UInt8> { piece[start...] }

    /// The next line, without its end; `nil` where no further one ends.
    package mutating func next() throws(SystemCall.Failure) -> ArraySlice<UInt8>? {
        while true {
            if let feed = rest.firstIndex(of: 0x0A) {
                defer { (offset, start) = (offset + Int64(feed + 1 - start), feed + 1) }
                return piece[start..<feed]
            }
            let next = offset + Int64(rest.count)
            guard rest.count <= Self.longest else { throw SystemCall.Failure(code: EOVERFLOW) }
            // More at a time of a line that is long, which is looked through again.
            let most = min(end - next, Int64(max(65_536, rest.count)))
            guard let file, most > 0 else { return nil }
            let more = try SystemCall.read(file, at: next, count: Int(most))
            guard !more.isEmpty else { return nil }
            (piece, start) = (rest + more, 0)
        }
    }
}
