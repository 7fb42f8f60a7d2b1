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
        /// Files of a folder that are no pictures, by kind.
        var otherFiles: String?
    }

    private let state = Mutex(State())

    /// Counts the photos of one page of a list, once.
    func add(_ errors: [ImportError], of list: String) {
        state.withLock { state in
            guard state.lists.insert(list).inserted else { return }
            for error in errors {
                if case .otherFiles(_, let counts) = error {
                    state.otherFiles = counts
                } else {
                    state.count += 1
                    state.first = state.first ?? error
                }
            }
        }
    }

    /// One line about those added since the last time, if there are any, and one about other files.
    func tell(_ terminal: Terminal) {
        let (first, count, otherFiles) = state.withLock { state in
            defer { (state.count, state.first, state.otherFiles) = (0, nil, nil) }
            return (state.first, state.count, state.otherFiles)
        }
        if let first {
            let ending = PlainText.line(first.description).withoutPeriod
            terminal.message(
                "Left out \(count) \(count == 1 ? "photo" : "photos"): \(ending)\(count > 1 ? ", and so on" : "")."
            )
        }
        if let otherFiles { terminal.message("Left out \(otherFiles).") }
    }
}
