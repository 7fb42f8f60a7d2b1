import Foundation
import Synchronization

/// A picture ready to be written to the terminal.
struct PaintedPicture: Sendable {
    /// The cells it takes, at most those of its box.
    let columns: Int
    let rows: Int

    /// The sequence that removes it, to be written at its upper left cell; does not move the cursor.
    let clearing: [UInt8]

    /// Bytes around the content.
    let before: [UInt8]
    let after: [UInt8]
    let content: Content?

    /// A file or bytes, to be sent as base64 in frames.
    struct Content: Sendable {
        let framing: PictureFraming
        let source: Source
    }

    /// The source of the bytes.
    enum Source: Sendable {
        /// A whole file.
        case file(InspectedPicture)
        case bytes([UInt8])

        fileprivate var count: Int {
            switch self {
            case .file(let file): file.length
            case .bytes(let bytes): bytes.count
            }
        }

        fileprivate func bytes(at offset: Int, count: Int) -> [UInt8] {
            switch self {
            case .file(let file): PictureBytesOnDisk(file.descriptor).bytes(at: offset, count: count)
            case .bytes(let bytes): Array(bytes[offset..<offset + count])
            }
        }
    }

    /// About how much memory it takes, in bytes.
    var size: Int {
        let pixels = if case .bytes(let bytes)? = content?.source { bytes.count } else { 0 }
        return before.count + after.count + pixels
    }

    /// The most bytes given to a sink at once.
    static let pieceLength = 1 << 16

    /// Passes the terminal's bytes to `sink`, in order and at most 64 KiB at a time.
    ///
    /// The cursor is at the upper left cell before and after; the saved cursor (DECSC) is overwritten. A file
    /// is streamed. `sink` may block: it is called off the cooperative pool. A cancelled write still ends the
    /// control sequence it is in.
    ///
    /// - Throws: what `sink` throws, or `CancellationError`.
    func write(_ sink: @escaping @Sendable (ArraySlice<UInt8>) throws -> Void) async throws {
        let stop = PictureStop()
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { waiter in
                // A terminal may take seconds for a large picture, or be stopped.
                Thread.detachNewThread {
                    waiter.resume(with: Result { try self.write(sink, stop: stop) })
                }
            }
        } onCancel: {
            stop.set()
        }
        try Task.checkCancellation()
    }

    private func write(_ sink: @escaping (ArraySlice<UInt8>) throws -> Void, stop: PictureStop) throws {
        var pending = PicturePieces(sink: sink)
        try pending.add(before)
        if let content { try content.write(to: &pending, stop: stop) }
        try pending.add(after)
        try pending.finish()
    }
}

extension PaintedPicture.Content {
    fileprivate func write(to pieces: inout PicturePieces, stop: PictureStop) throws {
        try pieces.add(framing.opening)
        var offset = 0
        while offset < source.count, !stop.isSet {
            let part = source.bytes(at: offset, count: min(framing.bytesPerFrame, source.count - offset))
            // The file was truncated meanwhile.
            guard !part.isEmpty else { break }
            let base64 = Data(part).base64EncodedData()
            let isFirst = offset == 0
            offset += part.count
            try pieces.add(framing.frame(base64, isFirst: isFirst, isLast: offset >= source.count))
        }
        let isWhole = offset >= source.count
        try pieces.add(framing.closing(isWhole: isWhole))
    }
}

/// Collects bytes into pieces worth a system call each.
private struct PicturePieces {
    let sink: (ArraySlice<UInt8>) throws -> Void
    private var pending: [UInt8] = []

    init(sink: @escaping (ArraySlice<UInt8>) throws -> Void) {
        self.sink = sink
    }

    mutating func add(_ bytes: [UInt8]) throws {
        pending += bytes
        while pending.count >= PaintedPicture.pieceLength {
            try sink(pending.prefix(PaintedPicture.pieceLength))
            pending.removeFirst(PaintedPicture.pieceLength)
        }
    }

    mutating func finish() throws {
        if !pending.isEmpty { try sink(pending[...]) }
        pending = []
    }
}

/// A flag that a cancelled task sets for a writing thread.
private final class PictureStop: Sendable {
    private let flag = Mutex(false)

    var isSet: Bool { flag.withLock { $0 } }
    func set() { flag.withLock { $0 = true } }
}
