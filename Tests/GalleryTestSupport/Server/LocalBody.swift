import Foundation

/// A reply's body: bytes in memory, or made piece by piece as they go out.
public struct LocalBody: Sendable, ExpressibleByStringLiteral {
    /// Length in bytes.
    public let count: Int
    private let read: @Sendable (Range<Int>) -> Data

    /// Bytes in memory.
    public init(_ data: Data) {
        count = data.count
        read = { data.dropFirst($0.lowerBound).prefix($0.count) }
    }

    /// Text as UTF-8.
    public init(stringLiteral text: String) {
        self.init(Data(text.utf8))
    }

    /// Bytes made on demand, so that gigabytes need no memory.
    ///
    /// - Parameter read: Must give equal bytes for equal ranges.
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

    /// The whole in pieces small enough for memory.
    var pieces: some Sequence<Data> {
        stride(from: 0, to: count, by: Self.pieceSize).lazy.map { [read, count] start in
            read(start..<min(start + Self.pieceSize, count))
        }
    }

    var pieceCount: Int { (count + Self.pieceSize - 1) / Self.pieceSize }

    private static let pieceSize = 65536
}
