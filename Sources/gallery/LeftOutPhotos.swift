import GalleryCore
import Synchronization

/// Photos of a command's lists that could not be read, until that is told.
final class LeftOutPhotos: Sendable {
    private struct State {
        /// Pages whose photos are counted: one may be read twice.
        var lists: Set<String> = []
        var count = 0
        var first: ImportError?
        var otherFiles: String?
        /// What was told of services that were passed over, and whether one failed.
        var told: Set<String> = []
        var hasFailedService = false
    }

    private let state = Mutex(State())

    /// Counts the photos of one page of a list, once. `names` takes a line about each.
    func add(_ errors: [ImportError], of list: String, names: ((String) -> Void)? = nil) {
        guard state.withLock({ $0.lists.insert(list).inserted }) else { return }
        for error in errors {
            switch error {
            case .otherFiles(_, let counts, let paths):
                state.withLock { $0.otherFiles = counts }
                for path in paths { names?("Left out: '\(PlainText.excerpt(path, limit: 200))'.") }
            // Told at once.
            case .endsEarly: break
            default:
                state.withLock { state in
                    state.count += 1
                    state.first = state.first ?? error
                }
                names?("Left out: \(PlainText.line(error.description))")
            }
        }
    }

    /// Tells once of a service that others are listed without, or whose list ends early: an error where it `isFault`.
    func passOver(_ service: String, _ reason: String, isFault: Bool, _ terminal: Terminal, isQuiet: Bool) {
        let reason = PlainText.line(reason)
        let sentence = reason.hasPrefix(service) ? reason : "\(service): \(reason)"
        let isNew = state.withLock { state in
            if isFault { state.hasFailedService = true }
            return state.told.insert(sentence).inserted
        }
        guard isNew, isFault || !isQuiet else { return }
        terminal.message((isFault ? "Error: " : "Left out: ") + sentence)
    }

    /// Whether a service failed, or a part of its list, whose photos were to be among those of others.
    var hasFailedService: Bool { state.withLock(\.hasFailedService) }

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
