import Foundation
import GalleryCore
import Synchronization

/// Where a picture goes on the screen, in cells.
struct PictureBox: Hashable, Sendable {
    /// The most it may take, each from 1.
    var columns: Int
    var rows: Int

    /// The upper left cell on the screen, from 1; `nil` where only the cursor knows.
    ///
    /// The picture is painted at the cursor in any case, which must be there. It is told
    /// apart because tmux moves its own cursor and not the one of the terminal around it.
    var origin: CellPosition?
}

/// What came of painting.
enum PictureOutcome: Sendable {
    case painted(PaintedPicture)
    /// Why there is no picture, and what to install where that helps: at most one line of plain text
    /// of our own words; none where the user asked for no pictures.
    case words([String])
}

/// OrderedTurns picture files into what shows them on this terminal.
///
///     let painter = await PicturePainter.live(.auto, context)
///     switch try await painter.paint(file, in: PictureBox(columns: 60, rows: 20)) {
///     case .painted(let picture): try await picture.write { try screen.write($0) }
///     case .words(let lines): show(lines)
///     }
struct PicturePainter: Sendable {
    /// A picture of more pixels by its header is not handed on: 48 KB of PNG can cost 1.6 GB.
    static let mostPixels = 100_000_000

    let support: TerminalPictureSupport
    /// Keys that were typed while the terminal was asked: the first ones for the key reader.
    let earlyKeys: [UInt8]
    /// Takes late answers out of what the key reader reads. Its first one starts as a copy of this.
    let lateReplies: TerminalReplyFilter

    /// Whether the terminal has answered the last of what it was asked, if it was asked.
    let isAnswered: Bool

    private let environment: [String: String]
    private let cell: @Sendable () -> CellSize?
    private let chafa: PictureChafa
    private let numbers: PictureNumbers

    /// A painter for a terminal of which everything is known.
    ///
    /// - Parameter cell: A cell's pixels now; it changes with the font.
    init(
        _ support: TerminalPictureSupport, answers: TerminalAnswers? = nil, environment: [String: String],
        identity: PictureIdentity? = nil, cell: @escaping @Sendable () -> CellSize?
    ) {
        self.support = support
        self.environment = environment
        self.cell = cell
        earlyKeys = answers?.keys ?? []
        lateReplies = answers?.filter ?? TerminalReplyFilter()
        isAnswered = answers?.isComplete ?? true
        chafa = PictureChafa(environment)
        numbers = PictureNumbers(first: identity)
    }

    /// Paints the picture in `file`, as large as `box` and its own shape allow.
    ///
    /// The file is looked at here, so no caller can forget to: what has no header that we know,
    /// or too many pixels, is not handed to anyone.
    ///
    /// - Throws: `CancellationError`, within a few milliseconds of the cancellation.
    func paint(_ file: URL, in box: PictureBox) async throws(CancellationError) -> PictureOutcome {
        if let obstacle { return .words(obstacle) }
        let inspected = await withCheckedContinuation { waiter in
            Thread.detachNewThread { waiter.resume(returning: InspectedPicture.open(file)) }
        }
        let picture: InspectedPicture
        switch inspected {
        case .success(let whole): picture = whole
        case .failure(let refusal): return .words([refusal.sentence])
        }
        let place = await placement(box)
        do {
            return .painted(try await paint(picture, in: box, by: method(for: picture, place), place))
        } catch .cancelled {
            throw CancellationError()
        } catch {
            return .words([Self.sentence(about: error)])
        }
    }

    /// Why no picture will be shown, where that is known before there is one; empty where the user
    /// asked for none, `nil` where a picture is worth fetching.
    var obstacle: [String]? {
        switch support.method {
        case .none(let reason): reason.map { [$0] } ?? []
        case .iterm, .kitty: nil
        case .sixel, .symbols:
            ProcessRun.find("chafa", in: environment) == nil ? [Self.sentence(about: .missing)] : nil
        }
    }

    /// The upper left cell on the screen around tmux, asked anew each time: panes move. `nil` where unknown.
    private func placement(_ box: PictureBox) async -> CellPosition? {
        guard support.isInTmux, support.method == .iterm, let origin = box.origin else { return nil }
        guard let tmux = await PictureTmux.ask(environment) else { return nil }
        return .init(row: tmux.top + origin.row, column: tmux.left + origin.column)
    }

    private func method(
        for picture: InspectedPicture, _ place: CellPosition?
    ) -> TerminalPictureSupport.Method {
        switch support.method {
        case .iterm:
            let isTooLong = support.isInTmux && !takesParts && picture.length > PictureTmux.longestFile
            let isTooLarge = support.program == .xtermJS && picture.isBeyondXtermJS
            let isLost = support.isInTmux && place == nil
            return support.shows(picture.type) && !isTooLong && !isTooLarge && !isLost
                ? .iterm : support.secondMethod
        case .kitty, .sixel, .symbols, .none: return support.method
        }
    }

    private var takesParts: Bool { support.program == .iTerm2(takesParts: true) }

    private func paint(
        _ picture: InspectedPicture, in box: PictureBox, by method: TerminalPictureSupport.Method,
        _ place: CellPosition?
    ) async throws(PictureChafa.Fault) -> PaintedPicture {
        var box = box
        // Beyond that, characters cannot count a picture's cells.
        if support.isInTmux, method == .kitty {
            box.columns = min(box.columns, PicturePlaceholders.most)
            box.rows = min(box.rows, PicturePlaceholders.most)
        }
        let job = PictureJob(
            picture: picture, fit: PictureFit(picture.size, in: box, cell: cell() ?? .usual),
            support: support, chafa: chafa)
        switch method {
        case .iterm: return job.iterm(at: place, takesParts: takesParts)
        case .kitty: return try await job.kitty(numbers.next())
        case .sixel: return try await job.sixel()
        case .symbols, .none: return try await job.symbols()
        }
    }

    private static func sentence(about fault: PictureChafa.Fault) -> String {
        switch fault {
        case .missing: "To see pictures here, install chafa: apt install chafa, or brew install chafa."
        case .timedOut: "chafa took too long to read the picture."
        case .failed, .cancelled: "chafa could not read the picture."
        }
    }
}

/// Numbers for kitty's pictures, so that each can be removed by itself.
private final class PictureNumbers: Sendable {
    private let following: Mutex<PictureIdentity>

    /// By chance where `first` does not say: other programs count their pictures in the same terminal.
    init(first: PictureIdentity?) {
        following = Mutex(
            first ?? PictureIdentity(high: .random(in: 1 ... .max), low: .random(in: 1 ... .max)))
    }

    func next() -> PictureIdentity {
        following.withLock { following in
            defer { following = following.next }
            return following
        }
    }
}

/// How large a picture becomes in a box.
struct PictureFit: Hashable, Sendable {
    /// Cells it touches.
    let columns: Int
    let rows: Int
    /// Pixels of the terminal it covers.
    let width: Int
    let height: Int
    /// Whether the box's width, not its height, is what limits it.
    let isLimitedByWidth: Bool

    /// The largest size of a picture's shape in `box`; small pictures are enlarged, as all others are.
    init(_ size: PixelSize, in box: PictureBox, cell: CellSize) {
        let room = (width: max(1, box.columns) * cell.width, height: max(1, box.rows) * cell.height)
        let scale = min(Double(room.width) / Double(size.width), Double(room.height) / Double(size.height))
        isLimitedByWidth = room.width * size.height <= room.height * size.width
        width = min(room.width, max(1, Int((Double(size.width) * scale).rounded())))
        height = min(room.height, max(1, Int((Double(size.height) * scale).rounded())))
        columns = (width + cell.width - 1) / cell.width
        rows = (height + cell.height - 1) / cell.height
    }
}
