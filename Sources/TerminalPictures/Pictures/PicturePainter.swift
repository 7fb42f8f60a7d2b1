import Basics
import Foundation
import PictureFiles
import Synchronization

/// Where a picture goes on the screen, in cells.
package struct PictureBox: Hashable, Sendable {
    /// The most it may take, each from 1.
    package var columns: Int
    package var rows: Int

    /// The upper left cell on the screen, where the cursor has to be; `nil` if only the cursor knows. Needed because
    /// tmux moves its own cursor and not the one of the terminal around it.
    package var origin: CellPosition?

    /// The color behind transparent parts, such as `1c1c1c`; `nil` for the terminal's own.
    package var background: String?

    /// Whether the box has the aspect of the photo already.
    package var isFitted = false

    /// The cells that the photo takes pixel by pixel, where those are fewer; `nil` to fill the box.
    package var natural: CellCount?

    package init(
        columns: Int, rows: Int, origin: CellPosition? = nil, background: String? = nil,
        isFitted: Bool = false, natural: CellCount? = nil
    ) {
        (self.columns, self.rows, self.origin, self.background) = (columns, rows, origin, background)
        (self.isFitted, self.natural) = (isFitted, natural)
    }

    /// The same for whatever is in it.
    package var place: PictureBox { PictureBox(columns: columns, rows: rows, origin: origin) }
}

package struct CellCount: Hashable, Sendable {
    package let columns: Int
    package let rows: Int

    package init(columns: Int, rows: Int) { (self.columns, self.rows) = (columns, rows) }
}

package enum PicturePart: Hashable, Sendable {
    case whole
    /// A frame of an animation, from 0.
    case frame(Int)
    case view(Viewport)
}

/// One picture to paint, with its size on the screen settled.
struct PictureJob: Sendable {
    let picture: InspectedPicture
    let part: PicturePart
    /// Of an animation whose frames are wanted; `nil` for a still picture.
    let timeline: AnimationTimeline?
    /// By how many quarters its frames are turned, from 0 to 3.
    let quarters: Int
    let box: PictureBox
    let fit: PictureFit
    let support: PictureSupport
    let cell: CellSize
    let chafa: Chafa
    let kitty: KittyMemory
    /// The upper left cell on the screen around tmux; `nil` if unknown, or outside tmux.
    let outerPosition: CellPosition?
    /// The largest sixel picture the terminal shows; `nil` for any size.
    let sixelLimit: PixelSize?
}

package enum PictureOutcome: Sendable {
    case painted(PaintedPicture)
    /// Why there is no picture, and what to install if that helps: at most one line of plain text of our own;
    /// none if the user chose to see no pictures.
    case words([String])
}

/// Turns picture files into what shows them on this terminal.
package struct PicturePainter: Sendable {
    /// A picture with more pixels by its header is not passed on: 48 KB of PNG can cost 1.6 GB.
    package static let mostPixels = 100_000_000

    package let support: PictureSupport
    private let environment: [String: String]
    private let window: @Sendable () -> PictureWindow
    /// The window when the terminal was asked, and its limit for sixels.
    private let sixelAnswer: (limit: PixelSize, window: PixelSize?)?
    private let chafa: Chafa
    private let colors: TrueColors
    package let reader: PictureReader
    private let turned = TurnedPictures()
    package let kitty: KittyMemory
    /// The painted frames of the animation that was shown last, in one size: frames are large. Those that cannot be
    /// painted are empty, and not tried again.
    private let animation = LatestWork<AnimationKey, PaintedAnimation>()

    /// A painter for a known terminal; `window` gives the current sizes of window and cells: fonts change.
    package init(
        _ support: PictureSupport, answers: TerminalAnswers? = nil, environment: [String: String],
        hasChafa: Bool, identity: KittyIdentity? = nil, window: @escaping @Sendable () -> PictureWindow
    ) {
        self.support = support
        (self.environment, self.hasChafa, self.window) = (environment, hasChafa, window)
        sixelAnswer = answers?.sixelLimit.map { ($0, window().pixels) }
        chafa = Chafa(environment)
        colors = TrueColors(environment)
        reader = PictureReader(chafa, colors)
        kitty = KittyMemory(first: identity)
    }

    package var cell: CellSize { window().cell ?? .usual }

    /// How many pixels of a picture a cell shows: as characters, twice as many lines of them as columns.
    package var resolution: CellSize { support.used.map { $0 == .symbols } ?? true ? .character : cell }

    /// Paints the picture in `file`, turned clockwise by so many quarters, as large as `box` and its aspect allow. The
    /// file is inspected first: one without a known header, or with too many pixels, is never passed on.
    ///
    /// - Throws: `CancellationError`, within a few milliseconds of the cancellation.
    package func paint(
        _ file: URL, _ part: PicturePart = .whole, turnedBy quarters: Int = 0, in box: PictureBox
    ) async throws(CancellationError) -> PictureOutcome {
        if let obstacle { return .words(obstacle) }
        if case .frame(let number) = part {
            let frames = await animation(of: file, quarters, in: box).frames
            return frames.isEmpty ? .words([]) : .painted(frames[number % frames.count])
        }
        let picture: InspectedPicture
        switch await Self.inspected(file) {
        case .success(let whole): picture = whole
        case .failure(let refusal): return .words([refusal.sentence])
        }
        do throws(Chafa.Fault) {
            return .painted(try await paint(picture, part, quarters, box))
        } catch .cancelled {
            throw CancellationError()
        } catch {
            return .words([Self.sentence(about: error)])
        }
    }

    /// Paints a picture in its true colors, as far as there is a program that knows them.
    private func paint(
        _ picture: InspectedPicture, _ part: PicturePart, _ quarters: Int, _ box: PictureBox
    ) async throws(Chafa.Fault) -> PaintedPicture {
        // The terminal reads the file itself.
        let isLeftToTerminal = support.used == .iterm && support.program.readsFile(of: picture.type)
        let edge = longestEdge(of: picture, part, quarters, box)
        let (shown, remark) =
            isLeftToTerminal ? (picture, nil) : try await colors.shown(picture, longestEdge: edge)
        do throws(Chafa.Fault) {
            var painted = try await painted(shown, part, quarters, box)
            painted.remark = remark
            return painted
        } catch {
            // What it cannot read at all may be read by another program.
            guard error == .failed, shown === picture, remark == nil,
                let converted = try await colors.picture(picture, longestEdge: edge)
            else { throw error }
            return try await painted(converted, part, quarters, box)
        }
    }

    private func painted(
        _ picture: InspectedPicture, _ part: PicturePart, _ quarters: Int, _ box: PictureBox
    ) async throws(Chafa.Fault) -> PaintedPicture {
        let turned = try await turned.picture(picture, by: quarters, background: box.background, chafa)
        let job = await job(turned, part, box)
        guard let painted = try await (support.used ?? .symbols).paint(job).first else { throw .failed }
        return painted
    }

    /// The pixels of the longer edge of all of a picture that is shown in part or as a whole.
    private func longestEdge(
        of picture: InspectedPicture, _ part: PicturePart, _ quarters: Int, _ box: PictureBox
    ) -> Int {
        let fit = PictureFit(picture.size.turned(by: quarters), inFitted: box, cell: cell)
        let factor = if case .view(let viewport) = part { viewport.factor } else { 1.0 }
        return Int(Double(max(fit.width, fit.height)) * factor)
    }

    /// Why no picture can be shown, where known; empty if the user chose so, `nil` if pictures are worth loading.
    package var obstacle: [String]? {
        switch support.method {
        case .none(let reason): reason.map { [$0] } ?? []
        case .shown(let used): used.needsChafa && !hasChafa ? [Self.sentence(about: .missing)] : nil
        }
    }

    package static func inspected(_ file: URL) async -> Result<InspectedPicture, PictureRefusal> {
        await onThread { Result { () throws(PictureRefusal) in try InspectedPicture(file) } }
    }

    private func job(
        _ picture: InspectedPicture, _ part: PicturePart, _ box: PictureBox,
        _ timeline: AnimationTimeline? = nil, turnedBy quarters: Int = 0
    ) async -> PictureJob {
        let window = window()
        let cell = window.cell ?? .usual
        let limit = sixelAnswer.flatMap {
            SixelLimit.size(reported: $0.limit, before: $0.window, now: window.pixels)
        }
        return PictureJob(
            picture: picture, part: part, timeline: timeline, quarters: quarters, box: box,
            fit: PictureFit(picture.size.turned(by: quarters), inFitted: box, cell: cell),
            support: support, cell: cell, chafa: chafa, kitty: kitty,
            outerPosition: await outerPosition(of: box), sixelLimit: limit)
    }

    // MARK: - Animations and zoom

    package var zooms: Bool {
        // Konsole shows no part of a picture that it has.
        support.used == .kitty && support.program != .konsole && hasChafa
    }

    /// What makes the terminal forget the pictures that were zoomed in; in tmux it has none of them as a whole.
    package var farewell: [UInt8] { support.isInTmux ? [] : kitty.farewell }

    /// Whether `chafa` is installed, without which few pictures can be shown.
    package let hasChafa: Bool

    /// How long each frame of an animated picture is shown, once its frames are ready for `box`; `nil` for a
    /// still picture, and where the terminal or chafa plays none.
    package func timeline(of file: URL, in box: PictureBox) async -> AnimationTimeline? {
        guard obstacle == nil else { return nil }
        let animation = await animation(of: file, 0, in: box)
        return animation.frames.count > 1 ? animation.timeline : nil
    }

    private func animation(of file: URL, _ quarters: Int, in box: PictureBox) async -> PaintedAnimation {
        await animation.value(for: AnimationKey(file: file, quarters: quarters, box: box, cell: cell)) {
            (try? await painted(file, quarters, box)) ?? PaintedAnimation()
        }
    }

    /// All frames in true colors, as far as there is a program that keeps them.
    private func painted(_ file: URL, _ quarters: Int, _ box: PictureBox) async throws -> PaintedAnimation? {
        let picture = try await Self.inspected(file).get()
        // By iTerm2's protocol the terminal plays files itself.
        guard let used = support.used, used != .iterm, let played = await onThread({ picture.timeline })
        else { return nil }
        let edge = longestEdge(of: picture, .whole, quarters, box)
        let (shown, remark) = try await colors.shown(picture, longestEdge: edge, frames: played.delays.count)
        guard let timeline = await onThread({ shown.timeline }) else { return nil }
        let job = await job(shown, .whole, box, timeline, turnedBy: quarters)
        // What else chafa writes cannot be turned; tmux plays no sixels.
        let isAsPixels = used == .kitty || used == .sixel && support.isInTmux
        var frames =
            try await quarters == 0 || isAsPixels ? used.paint(job) : turnedFrames(job, timeline, used)
        for frame in frames.indices { frames[frame].remark = remark }
        return PaintedAnimation(timeline: timeline, frames: frames)
    }

    /// The frames of an animation, turned, each painted from a picture of its own.
    private func turnedFrames(
        _ job: PictureJob, _ timeline: AnimationTimeline, _ used: PictureProtocol
    ) async throws -> [PaintedPicture] {
        var frames: [PaintedPicture] = []
        for pixels in try await job.pixels(of: timeline, job.fit) {
            let folder = try PictureConverter.scratch(holding: "frame.png", Data(pixels.png))
            defer { withExtendedLifetime(folder) {} }
            let frame = try await Self.inspected(folder.url.appending(path: "frame.png")).get()
            frames += try await used.paint(self.job(frame, .whole, job.box))
        }
        return frames
    }

    /// The upper left cell on the screen around tmux, asked each time because panes move.
    private func outerPosition(of box: PictureBox) async -> CellPosition? {
        guard support.isInTmux, support.used == .iterm, let origin = box.origin else { return nil }
        guard let tmux = await Tmux.ask(environment) else { return nil }
        return .init(row: tmux.top + origin.row, column: tmux.left + origin.column)
    }

    private static func sentence(about fault: Chafa.Fault) -> String {
        switch fault {
        case .missing: "To see pictures here, \(Chafa.advice)"
        case .timedOut: "chafa took too long to read the picture."
        case .failed, .cancelled: "chafa could not read the picture."
        }
    }
}

/// The window's and its cells' size in pixels, as far as they are known.
package struct PictureWindow: Hashable, Sendable {
    var cell: CellSize?
    var pixels: PixelSize?

    package init(cell: CellSize? = nil, pixels: PixelSize? = nil) {
        (self.cell, self.pixels) = (cell, pixels)
    }

    /// What the system knows about a terminal; many report no pixels.
    init(ofTerminal descriptor: Int32) {
        self.init()
        guard let size = TerminalAbilities.window(of: descriptor), size.ws_row > 0 else { return }
        pixels = PixelSize(width: Int(size.ws_xpixel), height: Int(size.ws_ypixel))
        cell = CellSize(
            width: Int(size.ws_xpixel) / Int(size.ws_col), height: Int(size.ws_ypixel) / Int(size.ws_row))
    }
}

/// An animation ready to be played; nothing where none is.
private struct PaintedAnimation: Sendable {
    var timeline: AnimationTimeline?
    var frames: [PaintedPicture] = []
}

struct AnimationKey: Hashable, Sendable {
    let file: URL
    let quarters: Int
    let box: PictureBox
    let cell: CellSize

    static let mostBytes = 48 << 20
}

/// The result of the work that was asked for last, kept until other work is. Those who ask for the same share it, and
/// leave together: who cancels does so for the others, too.
final class LatestWork<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private let latest = Mutex<(key: Key, task: Task<Value, Never>)?>(nil)

    func value(for key: Key, _ work: @escaping @Sendable () async -> Value) async -> Value {
        let task = latest.withLock { latest in
            if let latest, latest.key == key, !latest.task.isCancelled { return latest.task }
            latest?.task.cancel()
            let task = Task { await work() }
            latest = (key, task)
            return task
        }
        return await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
    }

    var key: Key? { latest.withLock { $0?.key } }
    func forget() { latest.withLock { $0 = nil } }
}
