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

    /// Base64 in frames.
    struct Content: Sendable {
        let framing: PictureFraming
        let source: Source
    }

    /// Where the base64 comes from.
    enum Source: Sendable {
        /// A file as it is.
        case file(InspectedPicture)
        case base64([UInt8])
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
        var isWhole = false
        switch source {
        case .file(let file):
            let bytes = PictureBytesOnDisk(file.descriptor)
            var place = 0
            while place < file.length, !stop.isSet {
                let part = bytes.bytes(at: place, count: min(framing.bytesPerFrame, file.length - place))
                // Somebody has cut the file meanwhile.
                guard !part.isEmpty else { break }
                isWhole = place + part.count >= file.length
                try pieces.add(
                    framing.frame(Data(part).base64EncodedData(), isFirst: place == 0, isLast: isWhole))
                place += part.count
            }
        case .base64(let text):
            let length = framing.bytesPerFrame / 3 * 4
            for start in stride(from: 0, to: text.count, by: length) where !stop.isSet {
                let end = min(start + length, text.count)
                isWhole = end == text.count
                try pieces.add(framing.frame(text[start..<end], isFirst: start == 0, isLast: isWhole))
            }
        }
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
