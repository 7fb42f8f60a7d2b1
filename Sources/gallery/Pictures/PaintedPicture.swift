import Foundation
import GalleryCore
import Synchronization

/// A picture ready to be written to the terminal.
struct PaintedPicture: Sendable {
    /// The cells it takes, at most those of its box.
    let columns: Int
    let rows: Int

    /// The sequence that removes it, to be written at its upper left cell; does not move the cursor.
    let clearing: [UInt8]

    /// The sequence that makes the terminal forget a picture that another one covers.
    var removal: [UInt8] = []

    /// The number under which kitty's protocol knows it: one under the same number takes its place.
    var identity: KittyIdentity?

    /// Bytes around the content.
    var before: [UInt8] = []
    var content: Content?
    var after: [UInt8] = []

    /// The part that may be long, and can be abandoned midway.
    enum Content: Sendable {
        /// A file, sent as base64 in frames.
        case file(InspectedPicture, PictureFraming)
        /// Control sequences, sent as they are.
        case sequences(PictureSequences)
        /// Pixels that are sent only the first time.
        case source(KittySource)
    }

    /// About how much memory it takes, in bytes.
    var size: Int {
        let content = if case .sequences(let sequences)? = content { sequences.bytes.count } else { 0 }
        return before.count + after.count + content
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
        var pieces = PicturePieces(sink: sink)
        try pieces.add(before)
        switch content {
        case .file(let file, let framing)?: try framing.write(file, to: &pieces, stop: stop)
        case .sequences(let sequences)?: try sequences.write(to: &pieces, stop: stop)
        case .source(let source)?:
            if let sequences = source.sequences {
                try sequences.write(to: &pieces, stop: stop)
                try pieces.finish()
                if !stop.isSet { source.didSend() }
            }
        case nil: break
        }
        try pieces.add(after)
        try pieces.finish()
    }
}

/// How the base64 of a file is divided into control sequences.
struct PictureFraming: Sendable {
    /// Bytes of the file in one frame: a multiple of 3, so that only the last one needs padding.
    let bytesPerFrame: Int
    /// What comes before the first frame.
    var opening: [UInt8] = []
    /// A frame around base64.
    let frame: @Sendable (_ base64: [UInt8], _ isFirst: Bool, _ isLast: Bool) -> [UInt8]
    /// What comes after the last frame, which need not be the file's last.
    let closing: @Sendable (_ isWhole: Bool) -> [UInt8]

    fileprivate func write(
        _ file: InspectedPicture, to pieces: inout PicturePieces, stop: PictureStop
    ) throws {
        try pieces.add(opening)
        var offset = 0
        while offset < file.length, !stop.isSet {
            let count = min(bytesPerFrame, file.length - offset)
            let part = try? SystemCall.read(file.descriptor, at: Int64(offset), count: count)
            // The file was truncated meanwhile.
            guard let part, !part.isEmpty else { break }
            let isFirst = offset == 0
            offset += part.count
            try pieces.add(frame(Array(Data(part).base64EncodedData()), isFirst, offset >= file.length))
        }
        try pieces.add(closing(offset >= file.length))
    }
}

/// Control sequences that are sent unchanged.
struct PictureSequences: Sendable {
    /// Where the bytes may be abandoned.
    enum Cut: Sendable {
        case anywhere, betweenSequences
    }

    /// A sequence before ``bytes``.
    var first: [UInt8] = []
    let bytes: [UInt8]
    let cut: Cut
    /// What completes abandoned bytes.
    let ending: [UInt8]
    /// Whether tmux has to pass them on.
    let isInTmux: Bool

    /// The end of the piece that begins at `offset`.
    func end(ofPieceAt offset: Int) -> Int {
        // Half of a piece, because tmux needs every Escape doubled.
        let end = min(bytes.count, offset + PaintedPicture.pieceLength / 2)
        guard cut == .betweenSequences, end < bytes.count else { return end }
        var position = end
        while position > offset + 1 {
            if bytes[position - 1] == 0x5C, bytes[position - 2] == 0x1B { return position }
            position -= 1
        }
        return end
    }

    fileprivate func write(to pieces: inout PicturePieces, stop: PictureStop) throws {
        try pieces.add(isInTmux ? Tmux.wrapped(first) : first)
        var offset = 0
        while offset < bytes.count, !stop.isSet {
            let end = end(ofPieceAt: offset)
            try pieces.add(isInTmux ? Tmux.wrapped(bytes[offset..<end]) : Array(bytes[offset..<end]))
            offset = end
        }
        if offset < bytes.count { try pieces.add(isInTmux ? Tmux.wrapped(ending) : ending) }
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

/// Cells of the screen, drawn and erased from their upper left one, where the cursor also ends.
enum PictureCells {
    /// Draws lines below each other; they must not move the cursor up or down.
    static func drawing(_ lines: [[UInt8]]) -> [UInt8] {
        var bytes = save
        for (row, line) in lines.enumerated() {
            // The saved cursor rather than a line feed: the box may begin in any column.
            if row > 0 { bytes += Array("\u{1B}8\u{1B}[\(row)B".utf8) }
            bytes += line
        }
        return bytes + restore
    }

    static func clearing(columns: Int, rows: Int) -> [UInt8] {
        drawing(Array(repeating: Array("\u{1B}[\(columns)X".utf8), count: rows))
    }

    static let save = Array("\u{1B}7".utf8)
    static let restore = Array("\u{1B}8".utf8)
}
