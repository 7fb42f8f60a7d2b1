import Basics
import Foundation
import Synchronization

/// Where the redirected photos of a batch end: hosts lead those that are gone to one picture, which is nobody's photo.
///
/// Two photos that end at the same other address show it. The first of them cannot know: where its end has nothing of
/// its own address, it is held until another ends there, or until nothing else can come. What could not be held so long
/// is taken back once a second photo comes.
final class RedirectEnds: Sendable {
    private struct State {
        /// The address that led to each end first, both by their hashes: a hundred thousand may be long.
        var sources: [Int: Int] = [:]
        /// Ends of several addresses.
        var shared: Set<Int> = []
        /// Who is held at each end.
        var held: [Int: AsyncSemaphore] = [:]
        /// Where items end that may be stored before it is known what they are, by their numbers.
        var ends: [Int: Int] = [:]
        /// The last of them that have their names, oldest first.
        var stored: [Stored] = []
        /// Items that have begun and are not held, and the list as long as it goes on.
        var working = 1
        var mayHold = true
    }

    /// More are not held: a host whose addresses never show their photos is not to be held up.
    private let mostHeld: Int
    /// More are not remembered, so that memory stays flat.
    private static let mostStored = 1000
    private let state = Mutex(State())

    /// A file that has its name, and the hash of the address that it came from.
    typealias Stored = (end: Int, item: DownloadItem, file: DownloadedFile)

    init(mostHeld: Int) { self.mostHeld = mostHeld }

    /// So many items more begin, or fewer are under way.
    func note(items: Int) { change { $0.working += items } }

    /// Whether the picture at `end`, to which item `number` at `source` led, is nobody's photo; `nil` where the task is
    /// cancelled.
    func isPlaceholder(_ end: URL, of source: URL, _ number: Int) async -> Bool? {
        let name = end.lastPathComponent.lowercased()
        if name.hasPrefix("photo_unavailable") || name == "removed.png" { return true }
        let (place, from, bell) = (end.hashValue, source.hashValue, AsyncSemaphore(0))
        let isHeld = change { state in
            let first = state.sources[place]
            // The same picture may be listed twice.
            if let first, first != from { state.shared.insert(place) }
            state.sources[place] = from
            guard first == nil, Self.isForeign(end, to: source) else { return false }
            state.ends[number] = place
            guard state.mayHold else { return false }
            state.held[place] = bell
            state.working -= 1
            return true
        }
        if isHeld {
            defer { note(items: 1) }
            guard await bell.enter() else { return nil }
        }
        return state.withLock { $0.shared.contains(place) }
    }

    func note(_ file: DownloadedFile, of item: DownloadItem) {
        state.withLock { state in
            guard let end = state.ends.removeValue(forKey: item.number) else { return }
            if state.stored.count == Self.mostStored { state.stored.removeFirst() }
            state.stored.append((end, item, file))
        }
    }

    /// What has got its name and has since proved to be nobody's photo: it is to be taken back. Gives each once.
    func takeRevoked() -> [Stored] {
        state.withLock { state in
            let revoked = state.stored.filter { state.shared.contains($0.end) }
            if !revoked.isEmpty { state.stored.removeAll { state.shared.contains($0.end) } }
            return revoked
        }
    }

    /// Whether the end has no word of the photo's own name.
    private static func isForeign(_ end: URL, to source: URL) -> Bool {
        let words = { (text: String) in text.lowercased().split { !$0.isLetter && !$0.isNumber } }
        let name = source.deletingPathExtension().lastPathComponent
        return Set(words(name)).isDisjoint(with: words(end.path + "?" + (end.query ?? "")))
    }

    /// Changes the state, and lets go those of whom no more is going to be known.
    private func change<Value: Sendable>(_ body: (inout State) -> Value) -> Value {
        let (value, ready) = state.withLock { state in
            let value = body(&state)
            if state.working == 0 || state.held.count > mostHeld { state.mayHold = false }
            let ready = state.held.filter { !state.mayHold || state.shared.contains($0.key) }
            for place in ready.keys { state.held[place] = nil }
            return (value, Array(ready.values))
        }
        for bell in ready { bell.leave() }
        return value
    }
}
