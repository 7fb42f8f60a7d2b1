import Foundation
import Synchronization

/// A picture ready to be shown.
struct PaintedPicture: Sendable {
    /// The cells it takes, at most those of its box; for whoever wants to centre it.
    let columns: Int
    let rows: Int

    /// What removes it again, written with the cursor where it was for ``write(_:)``; it stays there.
    let clearing: [UInt8]

    /// Written as they are, around the content.
    let before: [UInt8]
    let after: [UInt8]
    let content: Content?

    /// Bytes as base64, in frames.
    struct Content: Sendable {
        let framing: PictureFraming
        let source: Source
    }

    /// Where the bytes come from.
    enum Source: Sendable {
        /// A file as it is.
        case file(InspectedPicture)
        case bytes([UInt8])

        fileprivate var count: Int {
            switch self {
            case .file(let file): file.length
            case .bytes(let bytes): bytes.count
            }
        }

        fileprivate func bytes(at place: Int, count: Int) -> [UInt8] {
            switch self {
            case .file(let file): PictureBytesOnDisk(file.descriptor).bytes(at: place, count: count)
            case .bytes(let bytes): Array(bytes[place..<place + count])
            }
        }
    }

    /// Bytes of memory it takes, about.
    var size: Int {
        let pixels = if case .bytes(let bytes)? = content?.source { bytes.count } else { 0 }
        return before.count + after.count + pixels
    }

    /// The most that is given to a sink at once, in bytes.
    static let pieceLength = 1 << 16

    /// Gives `sink` the bytes to be written to the terminal, at most 64 KiB at a time, in order.
    ///
    /// The cursor stands at the upper left cell before and after; the saved cursor (DECSC) is
    /// used. The file is read meanwhile: memory does not grow with it. `sink` is called
    /// off the cooperative pool, so it may block. A cancelled write ends the control sequence it
    /// is in, so that the next byte is text again.
    ///
    /// - Throws: what `sink` throws, or `CancellationError`.
    func write(_ sink: @escaping @Sendable (ArraySlice<UInt8>) throws -> Void) async throws {
        let stop = PictureStop()
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { waiter in
                // A terminal may take seconds for a large picture, or stand still.
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
        var place = 0
        while place < source.count, !stop.isSet {
            let part = source.bytes(at: place, count: min(framing.bytesPerFrame, source.count - place))
            // Somebody has cut the file meanwhile.
            guard !part.isEmpty else { break }
            let base64 = Data(part).base64EncodedData()
            let isFirst = place == 0
            place += part.count
            try pieces.add(framing.frame(base64, isFirst: isFirst, isLast: place >= source.count))
        }
        let isWhole = place >= source.count
        try pieces.add(framing.closing(isWhole: isWhole))
    }
}

/// Bytes on their way out, gathered to pieces worth a system call each.
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

/// A flag that a cancelled task sets and a writing thread sees.
private final class PictureStop: Sendable {
    private let flag = Mutex(false)

    var isSet: Bool { flag.withLock { $0 } }
    func set() { flag.withLock { $0 = true } }
}
