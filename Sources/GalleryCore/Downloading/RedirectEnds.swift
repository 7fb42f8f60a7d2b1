import Basics
import Foundation
import Synchronization

/// Where redirected photos of a batch end: hosts lead those that are gone to one picture, which is nobody's photo.
///
/// Two photos that end at the same other address show it. The first of them cannot know: where its end has nothing of
/// its own address, it is held until another ends there, or until nothing else can come.
final class RedirectEnds: Sendable {
    /// Where one photo ended that was redirected.
    struct Place: Sendable {
        fileprivate let source: URL
        fileprivate let end: URL

        /// `nil` for a photo that came from its own address.
        init?(of item: DownloadItem, _ end: URL) {
            guard end != item.source.url, end.scheme?.hasPrefix("http") == true else { return nil }
            (source, self.end) = (item.source.url, end)
        }

        /// Whether services are known to have this picture for what is gone.
        fileprivate var isKnown: Bool {
            let name = end.lastPathComponent.lowercased()
            return name.hasPrefix("photo_unavailable") || name == "removed.png"
        }

        /// Whether the end has no word of the photo's own name.
        fileprivate var isForeign: Bool {
            let words = { (text: String) in text.lowercased().split { !$0.isLetter && !$0.isNumber } }
            let name = source.deletingPathExtension().lastPathComponent
            return Set(words(name)).isDisjoint(with: words(end.path + "?" + (end.query ?? "")))
        }
    }

    enum Verdict {
        case alone, shared, cancelled
    }

    /// One that is held; its bell rings when there is a verdict.
    private struct Held {
        let end: Int
        let bell = AsyncSemaphore(0)
    }

    private struct State {
        /// The hash of the first source that ended there, by that of the end.
        var sources: [Int: Int] = [:]
        /// Ends of several photos.
        var shared: Set<Int> = []
        var held: [Held] = []
        /// Items that have begun, and those of them that only wait for others.
        var (begun, idle) = (0, 0)
        /// Whether no more items begin.
        var isOver = false
        /// Whether to hold any more. A host whose addresses never show their photos is not to be held up.
        var holds = true
    }

    /// The most that are held at once.
    private static let mostHeld = 16

    private let state = Mutex(State())
    private let mostAtOnce: Int

    /// - Parameter mostAtOnce: How many items may have begun before others have to wait for them.
    init(mostAtOnce: Int) { self.mostAtOnce = mostAtOnce }

    /// What becomes of a photo that ended at `place`.
    ///
    /// - Parameter willWait: Called before it is held.
    func verdict(on place: Place, willWait: () -> Void) async -> Verdict {
        if place.isKnown { return .shared }
        let (end, source) = (place.end.hashValue, place.source.hashValue)
        let held = state.withLock { state -> Held? in
            // The same picture may be listed twice.
            if state.sources[end, default: source] != source { state.shared.insert(end) }
            state.sources[end] = source
            guard !state.shared.contains(end), state.holds, place.isForeign else { return nil }
            let held = Held(end: end)
            state.held.append(held)
            if state.held.count > Self.mostHeld { state.holds = false }
            return held
        }
        ring()
        guard let held else { return isShared(end) ? .shared : .alone }
        willWait()
        guard await idling(held.bell.enter) else { return .cancelled }
        return isShared(end) ? .shared : .alone
    }

    private func isShared(_ end: Int) -> Bool { state.withLock { $0.shared.contains(end) } }

    /// An item begins.
    func begin() { state.withLock { $0.begun += 1 } }

    /// An item has ended.
    func end() {
        state.withLock { $0.begun -= 1 }
        ring()
    }

    /// No more items begin.
    func noteLast() {
        state.withLock { $0.isOver = true }
        ring()
    }

    /// Waits for what only other items can bring.
    func idling(_ wait: () async -> Bool) async -> Bool {
        state.withLock { $0.idle += 1 }
        ring()
        defer { state.withLock { $0.idle -= 1 } }
        return await wait()
    }

    /// Lets those go on of which more is not going to be known.
    private func ring() {
        let ready = state.withLock { state -> [Held] in
            let isEnd = state.idle == state.begun && (state.isOver || state.begun >= mostAtOnce)
            let ready = state.held.filter { isEnd || !state.holds || state.shared.contains($0.end) }
            state.held.removeAll { held in ready.contains { $0.bell === held.bell } }
            return ready
        }
        for held in ready { held.bell.leave() }
    }
}
