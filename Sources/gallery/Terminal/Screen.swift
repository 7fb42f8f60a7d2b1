import Foundation
import Synchronization

/// Brings frames to the terminal: only what changed, and one thing after the other.
///
/// One task writes (``run(_:)``), so that text never gets into the middle of a picture. It draws
/// the newest frame; a picture that is no longer wanted is not finished.
final class Screen: Sendable {
    /// A frame in its colours.
    struct ThemedFrame: Hashable, Sendable {
        let frame: Frame
        let theme: Theme
        let isColoured: Bool
    }

    private struct State {
        var wanted: ThemedFrame?
        /// Everything on the terminal is gone or of unknown worth.
        var isStale = true
        var writing: (picture: Frame.Picture, task: Task<Void, Never>)?
        /// Nothing is to be drawn any more.
        var isClosing = false
    }

    private let state = Mutex(State())
    private let wakes: AsyncStream<Void>
    private let wake: AsyncStream<Void>.Continuation
    private let output = TerminalOutput()

    init() {
        (wakes, wake) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Wants `themed` on the terminal.
    func show(_ themed: ThemedFrame) {
        state.withLock { state in
            state.wanted = themed
            if let writing = state.writing, !themed.frame.pictures.contains(writing.picture) {
                writing.task.cancel()
            }
        }
        wake.yield()
    }

    /// Draws everything anew, and tries again what could not be drawn.
    func redraw() {
        state.withLock { state in
            state.isStale = true
            state.writing?.task.cancel()
        }
        wake.yield()
    }

    /// Ends ``run(_:report:)``, which removes its pictures before it returns.
    func close() {
        state.withLock { state in
            state.isClosing = true
            state.writing?.task.cancel()
        }
        wake.yield()
    }

    /// Gives the terminal back, stops the process, and comes back. Blocks.
    func suspend() { output.suspended { RawMode.stop() } }

    /// Draws until ``close()``. `report` is told what stands for a picture that cannot be shown.
    func run(_ painter: PicturePainter, report: @escaping @Sendable (URL, [String]) -> Void) async {
        let pictures = ScreenPictures(painter, wake: { [wake] in wake.yield() }, report: report)
        var shown: ThemedFrame?
        var iterator = wakes.makeAsyncIterator()
        while await iterator.next() != nil {
            let (wanted, isStale, isClosing) = state.withLock { state in
                defer { state.isStale = false }
                return (state.wanted, state.isStale, state.isClosing)
            }
            if isClosing {
                // Some terminals keep a picture's bytes for as long as nobody removes it.
                if let shown { await output.write(pictures.clear(keeping: [], shown)) }
                return
            }
            guard let wanted else { continue }
            let isAnew = isStale || shown?.theme != wanted.theme || shown?.frame.size != wanted.frame.size
            if isAnew { shown = nil }
            if isStale { await pictures.forgetFailures() }
            let blanks = await pictures.clear(keeping: isAnew ? [] : wanted.frame.pictures, wanted)
            await output.write(blanks + ScreenText.update(from: shown, to: wanted))
            shown = wanted
            for picture in wanted.frame.pictures { await draw(picture, among: pictures) }
            for picture in wanted.frame.upcoming { await pictures.prepare(picture) }
        }
    }

    private func draw(_ picture: Frame.Picture, among pictures: ScreenPictures) async {
        guard let painted = await pictures.ready(picture) else { return }
        let generation = output.generation
        let task = Task {
            await output.write(ScreenText.cursor(painted.cell))
            // Shown from its first byte on: half a picture is to be cleared like a whole one.
            await pictures.didShow(picture)
            try? await painted.picture.write { [output] in try output.write($0, in: generation) }
        }
        let isWanted = state.withLock { state in
            state.writing = (picture, task)
            return !state.isStale && !state.isClosing
                && state.wanted?.frame.pictures.contains(picture) == true
        }
        if !isWanted { task.cancel() }
        await task.value
        state.withLock { $0.writing = nil }
    }
}

/// The bytes' way out: off the threads that tasks share, and not while the process is about to stop.
private final class TerminalOutput: Sendable {
    private let queue = DispatchQueue(label: "gallery.screen")
    /// How often the terminal was given away.
    private let gate = Mutex(0)

    var generation: Int { gate.withLock { $0 } }

    func write(_ text: String) async {
        guard !text.isEmpty else { return }
        await withCheckedContinuation { waiter in
            queue.async { [self] in
                gate.withLock { _ in try? Self.write(Array(text.utf8)[...]) }
                waiter.resume()
            }
        }
    }

    /// Writes bytes of a picture, unless the terminal was given away since it was begun.
    func write(_ bytes: ArraySlice<UInt8>, in generation: Int) throws {
        try gate.withLock { current in
            guard current == generation else { throw CancellationError() }
            try Self.write(bytes)
        }
    }

    func suspended(_ body: () -> Void) {
        gate.withLock { generation in
            body()
            generation += 1
        }
    }

    private static func write(_ bytes: ArraySlice<UInt8>) throws {
        var bytes = Array(bytes)
        try Terminal.write(&bytes, to: STDOUT_FILENO)
    }
}
