import GalleryCore
import Synchronization

/// Photos of this process's lists that could not be read, until that is told.
final class LeftOutPhotos: Sendable {
    /// Those of the running command.
    static let ofThisCommand = LeftOutPhotos()

    private struct State {
        /// Pages whose photos are counted: one may be read twice.
        var lists: Set<String> = []
        var count = 0
        var first: ImportError?
    }

    private let state = Mutex(State())

    /// Counts the photos of one page of a list, once.
    func add(_ errors: [ImportError], of list: String) {
        state.withLock { state in
            guard state.lists.insert(list).inserted else { return }
            state.count += errors.count
            state.first = state.first ?? errors.first
        }
    }

    /// One line about those added since the last time, if there are any.
    func tell(_ terminal: Terminal) {
        let line = state.withLock { state -> String? in
            guard let first = state.first else { return nil }
            defer { (state.count, state.first) = (0, nil) }
            let reason = PlainText.line(first.description)
            guard state.count > 1 else { return "1 photo was left out: \(reason)" }
            let ending = reason.hasSuffix(".") ? String(reason.dropLast()) : reason
            return "\(state.count) photos were left out: \(ending), and so on."
        }
        if let line { terminal.message(line) }
    }
}
