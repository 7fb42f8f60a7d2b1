import Basics
import Foundation

/// A picture ready to be written to the terminal.
package struct PaintedPicture: Sendable {
    /// The cells it takes, at most those of its box.
    package let columns: Int
    package let rows: Int

    /// The sequence that makes the terminal forget a picture that another one covers.
    package var removal: [UInt8] = []

    /// The sequence that erases its cells if that takes more than spaces.
    package var erasure: [UInt8]?

    /// The number under which kitty's protocol knows it: one under the same number takes its place.
    package var identity: KittyIdentity?

    /// Bytes around the content: the cursor stays where it is.
    var before = PictureCells.save
    /// The part that may be long, and can be abandoned midway.
    var stream: PictureStream?
    /// Pixels that are sent only the first time.
    package var source: KittySource?
    var after = PictureCells.restore
    /// Its lines without their ends, where it consists of characters: what is no terminal takes nothing else.
    package var lines: [[UInt8]]?
    /// What to say of it in a line; `nil` for nothing.
    package var remark: String?

    /// The sequence that removes it, to be written at its upper left cell; does not move the cursor.
    package var clearing: [UInt8] {
        removal + (erasure ?? PictureCells.clearing(columns: columns, rows: rows))
    }

    /// About how much memory it takes, in bytes.
    package var size: Int {
        guard case .memory(let bytes)? = stream?.source else { return before.count + after.count }
        return before.count + after.count + bytes.count
    }

    /// The most bytes given to a sink at once.
    static let pieceLength = 1 << 16

    /// Passes the terminal's bytes to `sink`, in order and at most 64 KiB at a time. The cursor is at the upper left
    /// cell before and after; the saved cursor (DECSC) is overwritten. A file is streamed. `sink` may block: it is run
    /// off the cooperative pool. A cancelled write still ends the control sequence it is in.
    ///
    /// - Throws: what `sink` throws, or `CancellationError`.
    package func write(_ sink: @escaping @Sendable (ArraySlice<UInt8>) throws -> Void) async throws {
        let stop = SharedValue(false)
        try await withTaskCancellationHandler {
            // A terminal may take seconds for a large picture, or be stopped.
            try await onThread { Result { try write(sink, stop: stop) } }.get()
        } onCancel: {
            stop.value = true
        }
        try Task.checkCancellation()
    }

    private func write(_ sink: @escaping (ArraySlice<UInt8>) throws -> Void, stop: SharedValue<Bool>) throws {
        var pieces = PicturePieces(sink: sink)
        try pieces.add(before)
        if let stream = stream ?? source?.stream, try stream.write(to: &pieces, stop: stop), let source {
            try pieces.finish()
            source.didSend()
        }
        try pieces.add(after)
        try pieces.finish()
    }
}

/// Bytes on their way to the terminal, divided into frames, between any two of which they can be abandoned.
struct PictureStream: Sendable {
    enum Source: Sendable {
        case file(InspectedPicture)
        case memory([UInt8])
    }

    let source: Source
    /// Bytes of the source in one frame: for base64 a multiple of 3, so that only the last one needs padding.
    let bytesPerFrame: Int
    var opening: [UInt8] = []
    let frame: @Sendable (_ bytes: [UInt8], _ isFirst: Bool, _ isLast: Bool) -> [UInt8]
    /// What comes after the last frame, which need not be the source's last.
    let closing: @Sendable (_ isWhole: Bool) -> [UInt8]

    /// Whether all of it was written. Where it is abandoned before its first frame, nothing is: an end without a
    /// beginning would be one more picture to the terminal.
    fileprivate func write(to pieces: inout PicturePieces, stop: SharedValue<Bool>) throws -> Bool {
        let length =
            switch source {
            case .file(let file): file.length
            case .memory(let bytes): bytes.count
            }
        var offset = 0
        while offset < length, !stop.value {
            let part = bytes(offset..<min(length, offset + bytesPerFrame))
            // The file was truncated meanwhile.
            guard !part.isEmpty else { break }
            let isFirst = offset == 0
            if isFirst { try pieces.add(opening) }
            offset += part.count
            try pieces.add(frame(part, isFirst, offset >= length))
        }
        if offset > 0 { try pieces.add(closing(offset >= length)) }
        return offset >= length
    }

    private func bytes(_ range: Range<Int>) -> [UInt8] {
        switch source {
        case .file(let picture):
            (try? SystemCall.read(picture.file, at: Int64(range.lowerBound), count: range.count)) ?? []
        case .memory(let bytes): Array(bytes[range])
        }
    }
}

extension [UInt8] { var base64: [UInt8] { Array(Data(self).base64EncodedData()) } }

/// Collects bytes into pieces worth a system call each.
private struct PicturePieces {
    let sink: (ArraySlice<UInt8>) throws -> Void
    var pending: [UInt8] = []

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
