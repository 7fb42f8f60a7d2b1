import Foundation
import Synchronization
import TerminalPictures

/// Draws frames on the terminal: always the newest, and only what changed. A picture that is no longer wanted is
/// abandoned. A single task writes, so that text never ends up inside a picture.
final class Screen: Sendable {
    private struct State {
        var painter: PicturePainter?
        var wanted: Frame?
        var isStale = true
        var writing: (picture: Frame.Picture, task: Task<Void, Never>)?
        /// Control sequences that draw nothing, to be written between two pictures.
        var unsent = ""
        var isClosing = false
    }

    private let state = Mutex(State())
    private let (wakes, wake) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    private let output = TerminalOutput()

    func show(_ frame: Frame) {
        state.withLock { state in
            state.wanted = frame
            if let writing = state.writing, !frame.uses(writing.picture) { writing.task.cancel() }
        }
        wake.yield()
    }

    func use(_ painter: PicturePainter) {
        state.withLock { $0.painter = painter }
        redraw()
    }

    /// Draws everything again, and retries pictures that failed.
    func redraw() {
        state.withLock { state in
            state.isStale = true
            state.writing?.task.cancel()
        }
        wake.yield()
    }

    /// Writes a control sequence that draws nothing, once no picture is being written.
    func send(_ sequence: String) {
        state.withLock { $0.unsent += sequence }
        wake.yield()
    }

    /// Ends ``run(report:)``, which removes its pictures before it returns.
    func close() {
        state.withLock { state in
            state.isClosing = true
            state.writing?.task.cancel()
        }
        wake.yield()
    }

    /// Calls `body`, after which the terminal may show something else, while nothing is written. Blocks.
    func alone(_ body: () -> Void) { output.alone(body) }

    /// Draws until ``close()``. `report` is told why a picture cannot be shown, `remark` what to say of one that is.
    func run(
        remark: @escaping @Sendable (URL, String) -> Void,
        report: @escaping @Sendable (PicturePainter, URL, [String]) -> Void
    ) async {
        var used: (painter: PicturePainter, pictures: ScreenPictures)?
        var shown: Frame?
        var iterator = wakes.makeAsyncIterator()
        while await iterator.next() != nil {
            let now = state.withLock { state in
                defer { (state.isStale, state.unsent) = (false, "") }
                return state
            }
            await output.write(now.unsent)
            let isLeft = now.painter.map { $0.kitty !== used?.painter.kitty } ?? false
            if let (painter, pictures) = used, now.isClosing || isLeft {
                // Some terminals keep a picture in memory until it is removed.
                if let shown { await output.write(pictures.close(shown)) }
                await output.write(String(decoding: painter.farewell, as: UTF8.self))
            }
            if now.isClosing { return }
            if isLeft, let painter = now.painter {
                used = (
                    painter,
                    ScreenPictures(painter, wake: { [wake] in wake.yield() }, remark: remark) {
                        report(painter, $0, $1)
                    }
                )
            }
            guard let wanted = now.wanted, let pictures = used?.pictures else { continue }
            let isAnew = now.isStale || shown?.theme != wanted.theme || shown?.size != wanted.size
            if isAnew {
                shown = nil
                await pictures.loseSources()
            }
            if now.isStale { await pictures.forgetFailures() }
            let places = isAnew ? [] : wanted.allPictures.map(\.box) + wanted.held
            let blanks = await pictures.clear(keeping: places, wanted)
            await output.write(blanks + ScreenText.update(from: shown, to: wanted))
            shown = wanted
            for picture in wanted.pictures { await draw(picture, wanted, among: pictures) }
            for picture in wanted.upcoming { await pictures.prepare(picture) }
        }
    }

    private func draw(_ wished: Frame.Picture, _ frame: Frame, among pictures: ScreenPictures) async {
        let standIn = frame.standIn(for: wished)
        guard let (picture, painted) = await pictures.ready(wished, standIn: standIn) else { return }
        let old = await pictures.replace(by: painted, picture, frame)
        await output.write(old.before)
        let generation = output.generation
        let task = Task {
            await output.write(ScreenText.cursor(painted.cell))
            // Half a picture has to be cleared, too.
            await pictures.didShow(picture, painted)
            try? await painted.picture.write { [output] in try output.write($0, in: generation) }
        }
        let isWanted = state.withLock { state in
            state.writing = (picture, task)
            return !state.isStale && !state.isClosing && state.wanted?.uses(picture) == true
        }
        if !isWanted { task.cancel() }
        await task.value
        state.withLock { $0.writing = nil }
        // Of a picture that was cut off there may be nothing to see.
        guard !task.isCancelled else { return await pictures.didCut(picture) }
        await output.write(old.after)
        await pictures.didReplace(old.gone)
    }
}

/// Writes to standard output, and not while the process is being suspended.
private final class TerminalOutput: Sendable {
    /// Held for as long as a slow terminal takes a piece.
    private let gate = Mutex(())
    /// How often another program may have had the terminal. Read without waiting for the gate.
    private let changes = Atomic(0)

    var generation: Int { changes.load(ordering: .acquiring) }

    func write(_ text: String) async {
        guard !text.isEmpty else { return }
        await onThread { self.gate.withLock { _ in try? Self.write(Array(text.utf8)) } }
    }

    /// Writes a piece of a picture, unless another program had the terminal since its first piece.
    func write(_ bytes: ArraySlice<UInt8>, in generation: Int) throws {
        try gate.withLock { _ in
            guard self.generation == generation else { throw CancellationError() }
            try Self.write(Array(bytes))
        }
    }

    func alone(_ body: () -> Void) {
        gate.withLock { _ in
            body()
            changes.add(1, ordering: .releasing)
        }
    }

    private static func write(_ bytes: [UInt8]) throws {
        var bytes = bytes
        try Terminal.write(&bytes, to: STDOUT_FILENO)
    }
}

/// The pictures of a screen: those on display, those being painted, and a cache of painted ones.
actor ScreenPictures {
    struct Placed: Sendable {
        let picture: PaintedPicture
        let cell: CellPosition

        var box: PictureBox { PictureBox(columns: picture.columns, rows: picture.rows, origin: cell) }
    }

    private let painter: PicturePainter
    private let wake: @Sendable () -> Void
    private let remark: @Sendable (URL, String) -> Void
    private let report: @Sendable (URL, [String]) -> Void
    /// Parts of pictures are kept until they are shown.
    private var painted: [Frame.Picture: Placed] = [:]
    /// Whole pictures, the oldest first.
    private var order: [Frame.Picture] = []
    private var bytes = 0
    private var unpaintable: Set<Frame.Picture> = []
    private var tasks: [Frame.Picture: Task<Void, Never>] = [:]
    private var shown: [Frame.Picture: Placed] = [:]
    /// Those of them that are not on the screen as a whole.
    private var cut: Set<Frame.Picture> = []

    private static let limit = 48
    private static let mostBytes = 64 << 20
    private static let atOnce = 4
    /// How long a picture is waited for before its stand-in is painted too, which would slow it down.
    private static let patience = Duration.milliseconds(300)

    init(
        _ painter: PicturePainter, wake: @escaping @Sendable () -> Void,
        remark: @escaping @Sendable (URL, String) -> Void = { _, _ in },
        report: @escaping @Sendable (URL, [String]) -> Void
    ) {
        self.painter = painter
        (self.wake, self.remark, self.report) = (wake, remark, report)
    }

    /// The sequences that remove all pictures but those in `places`. Stops painting pictures that are not wanted.
    func clear(keeping places: [PictureBox], _ frame: Frame) -> String {
        let wanted = Set(frame.allPictures + frame.upcoming)
        for (picture, task) in tasks where !wanted.contains(picture) && !frame.uses(picture) {
            task.cancel()
            tasks[picture] = nil
        }
        painted = painted.filter { $0.key.part == .whole || wanted.contains($0.key) }
        // What is in the place of a wanted picture stays until that one is there.
        let stays = Set(places.map(\.place))
        var text = ""
        for picture in shown.keys where !stays.contains(picture.box.place) { text += clear(picture, frame) }
        return text
    }

    /// Stops painting, and returns the sequences that remove all pictures.
    func close(_ frame: Frame) -> String {
        for task in tasks.values { task.cancel() }
        return clear(keeping: [], frame)
    }

    /// The picture to draw now: the wished one, or else its stand-in. Begins to paint them, the stand-in a while later;
    /// `nil` until one is painted, and if the picture is shown already.
    func ready(
        _ picture: Frame.Picture, standIn: Frame.Picture?
    ) -> (picture: Frame.Picture, placed: Placed)? {
        if let placed = shown[picture], !cut.contains(picture) {
            if let source = placed.picture.source { painter.kitty.use(source) }
            return nil
        }
        if let placed = painted[picture] {
            if let standIn { tasks.removeValue(forKey: standIn)?.cancel() }
            return (picture, placed)
        }
        begin(picture)
        guard let standIn, !shown.keys.contains(where: { $0 == standIn || $0.whole == picture.whole })
        else { return nil }
        if let placed = painted[standIn] { return (standIn, placed) }
        begin(standIn, after: Self.patience)
        return nil
    }

    /// What to write before and after `placed` is drawn in the place of others, and which of them are gone then: they
    /// stay on the screen until that, so that nothing flickers.
    func replace(
        by placed: Placed, _ picture: Frame.Picture, _ frame: Frame
    ) -> (before: String, after: String, gone: [Frame.Picture]) {
        var (before, after, gone) = ("", "", [Frame.Picture]())
        for (old, former) in shown where old != picture && old.box.place == picture.box.place {
            // Where another screen is around this one, its cells are not ours to write over.
            guard former.picture.erasure == nil else {
                before += clear(old, frame)
                continue
            }
            gone.append(old)
            if former.picture.identity == nil || former.picture.identity != placed.picture.identity {
                after += String(decoding: former.picture.removal, as: UTF8.self)
            }
            after += ScreenText.blank(former.box, outside: placed.box, frame)
        }
        return (before, after, gone)
    }

    func didReplace(_ pictures: [Frame.Picture]) {
        for picture in pictures {
            shown[picture] = nil
            cut.remove(picture)
        }
    }

    func didCut(_ picture: Frame.Picture) { cut.insert(picture) }

    func clear(_ picture: Frame.Picture, _ frame: Frame) -> String {
        cut.remove(picture)
        guard let placed = shown.removeValue(forKey: picture) else { return "" }
        return ScreenText.cursor(placed.cell) + String(decoding: placed.picture.clearing, as: UTF8.self)
            + ScreenText.blank(picture.box, frame)
    }

    /// Paints a picture that may be shown next, unless others are still being painted.
    func prepare(_ picture: Frame.Picture) {
        if tasks.isEmpty, painted[picture] == nil { begin(picture) }
    }

    private func begin(_ picture: Frame.Picture, after delay: Duration = .zero) {
        // The others get their turn once one of these is painted.
        guard tasks[picture] == nil, tasks.count < Self.atOnce, !unpaintable.contains(picture) else { return }
        tasks[picture] = Task {
            if delay > .zero { try? await Task.sleep(for: delay) }
            if !Task.isCancelled { await paint(picture) }
        }
    }

    /// Notes that the terminal may have lost the pixels that it held: it was cleared, or another program had it.
    func loseSources() {
        painter.kitty.loseSource()
        painted = painted.filter { $0.value.picture.source == nil }
    }

    func forgetFailures() { unpaintable = [] }

    func didShow(_ picture: Frame.Picture, _ placed: Placed) {
        shown[picture] = placed
        cut.remove(picture)
        if picture.part != .whole { painted[picture] = nil }
    }

    private func paint(_ picture: Frame.Picture) async {
        let outcome = try? await painter.paint(
            picture.file, picture.part, turnedBy: picture.quarters, in: picture.box)
        guard !Task.isCancelled else { return }
        tasks[picture] = nil
        // Whoever wanted the same pixels and left has ended the work that both waited for: it is asked for once more.
        guard let outcome else { return wake() }
        switch outcome {
        case .words(let lines):
            unpaintable.insert(picture)
            // Where a part cannot be shown, all of the picture stays.
            if picture.part == .whole { report(picture.file, lines) }
        case .painted(let result):
            painted[picture] = Placed(picture: result, cell: cell(of: result, in: picture))
            if let text = result.remark { remark(picture.file, text) }
            wake()
            guard picture.part == .whole else { return }
            order.append(picture)
            bytes += result.size
            while order.count > Self.limit || order.count > 1 && bytes > Self.mostBytes {
                bytes -= painted.removeValue(forKey: order.removeFirst())?.picture.size ?? 0
            }
        }
    }

    private func cell(of result: PaintedPicture, in picture: Frame.Picture) -> CellPosition {
        var cell = picture.box.origin ?? CellPosition(row: 1, column: 1)
        guard !painter.needsOrigin else { return cell }
        cell.row += max(0, picture.box.rows - result.rows) / 2
        cell.column += max(0, picture.box.columns - result.columns) / 2
        return cell
    }
}
