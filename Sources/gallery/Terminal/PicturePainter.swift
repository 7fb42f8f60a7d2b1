import Foundation
import GalleryCore

/// Where a picture goes on the screen, in cells.
struct PictureBox: Hashable, Sendable {
    /// The most it may take, each from 1.
    var columns: Int
    var rows: Int

    /// The upper left cell on the screen, from 1; `nil` where only the cursor knows.
    ///
    /// The picture is painted at the cursor in any case, which must be there. It is told
    /// apart because tmux moves its own cursor and not the one of the terminal around it.
    var origin: Cell?

    /// A cell of the screen, from 1.
    struct Cell: Hashable, Sendable {
        var row: Int
        var column: Int
    }
}

/// What came of painting.
enum PictureOutcome: Sendable {
    case painted(PaintedPicture)
    /// Why there is no picture, and what to install where that helps: one or two lines of plain text.
    case words([String])
}

/// Turns picture files into what shows them on this terminal.
///
///     let painter = await PicturePainter.live(.auto, context)
///     switch try await painter.paint(file, in: PictureBox(columns: 60, rows: 20)) {
///     case .painted(let picture): try await picture.write { try screen.write($0) }
///     case .words(let lines): show(lines)
///     }
struct PicturePainter: Sendable {
    /// A picture of more pixels by its header is not handed on: 48 KB of PNG can cost 1.6 GB.
    static let mostPixels = 100_000_000

    /// Paints the picture in `file`, as large as `box` and its own shape allow.
    ///
    /// The file is looked at here, so no caller can forget to: what has no header that we know,
    /// or too many pixels, is not handed to anyone.
    ///
    /// - Throws: `CancellationError`, within a few milliseconds of the cancellation.
    func paint(_ file: URL, in box: PictureBox) async throws(CancellationError) -> PictureOutcome {
        .words(["Not here yet."])
    }

    /// A painter for the process's terminal, which is asked once, for 200 ms at most.
    ///
    /// Call it before anything else reads the terminal.
    static func live(_ choice: PictureChoice, _ context: Context) async -> PicturePainter {
        PicturePainter()
    }

    /// Keys that were typed while the terminal was asked: the first ones for the key reader.
    let earlyKeys: [UInt8] = []

    /// Takes late answers out of what the key reader reads. Its first one starts as a copy of this.
    let lateReplies = TerminalReplyFilter()
}

/// A picture ready to be shown.
struct PaintedPicture: Sendable {
    /// The cells it takes, at most those of its box; for `browse` to centre it.
    let columns: Int
    let rows: Int

    /// What removes it again, written with the cursor where it was for ``write(_:)``.
    let clearing: [UInt8]

    /// Gives `sink` the bytes to be written to the terminal, at most 64 KiB at a time, in order.
    ///
    /// The cursor stands at the upper left cell before and after; the saved cursor (DECSC) is
    /// used. The file is read meanwhile: memory does not grow with it. `sink` is called
    /// off the cooperative pool, so it may block. A cancelled write ends the control sequence it
    /// is in, so that the next byte is text again.
    ///
    /// - Throws: what `sink` throws, or `CancellationError`.
    func write(_ sink: @escaping @Sendable (ArraySlice<UInt8>) throws -> Void) async throws {}
}
