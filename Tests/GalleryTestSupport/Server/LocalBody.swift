import Foundation

/// A reply's body: bytes in memory, or generated as they are sent.
public struct LocalBody: Sendable, ExpressibleByStringLiteral {
    /// The length in bytes.
    public let count: Int
    private let read: @Sendable (Range<Int>) -> Data

    /// Creates a body from bytes in memory.
    public init(_ data: Data) {
        count = data.count
        read = { data.dropFirst($0.lowerBound).prefix($0.count) }
    }

    /// Creates a body from text, as UTF-8.
    public init(stringLiteral text: String) {
        self.init(Data(text.utf8))
    }

    /// Creates a body from bytes generated on demand, so that gigabytes need no memory.
    ///
    /// - Parameter read: Returns the bytes of a range; must return equal bytes for equal ranges.
    public init(count: Int, read: @escaping @Sendable (Range<Int>) -> Data) {
        self.count = count
        self.read = read
    }

    /// All bytes at once.
    public var data: Data { read(0..<count) }

    func slice(_ range: Range<Int>) -> LocalBody {
        LocalBody(count: range.count) { [read] part in
            read(range.lowerBound + part.lowerBound..<range.lowerBound + part.upperBound)
        }
    }

    /// The whole body, in pieces small enough for memory.
    public var pieces: some Sequence<Data> {
        stride(from: 0, to: count, by: Self.pieceSize).lazy.map { [read, count] start in
            read(start..<min(start + Self.pieceSize, count))
        }
    }

    var pieceCount: Int { (count + Self.pieceSize - 1) / Self.pieceSize }

    private static let pieceSize = 65536
}
