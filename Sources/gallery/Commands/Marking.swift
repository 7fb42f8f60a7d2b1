import Arguments
import GalleryCore

/// Changes marks: choose, change, say. What the commands that mark and unmark share.
struct Marking: ParsableArguments {
    @OptionGroup var photos: SelectionArgument

    @OptionGroup(title: "Feed options")
    var feed: FeedOptions

    @OptionGroup(title: "Service options")
    var service: ServiceOptions

    /// Lets `change` have the photos that the line names.
    ///
    /// - Parameters:
    ///   - words: what is said of the photos that were changed, and of those that were so before.
    ///   - change: returns how many it changed.
    func run(
        in context: Context, words: (done: String, needless: String),
        change: (MarkStore, [Photo]) async throws -> Int
    ) async throws {
        var chooser = try await SelectionResolver(
            context, photos.selection, service: service, feed: feed, sieve: .everything)
        let chosen = try await chooser.all()
        let store = MarkStore(file: context.folders.marks)
        let changed = try await change(store, chosen.photos.map(\.photo))
        if !service.quiet {
            let rest = chosen.photos.count - changed
            context.terminal.message(
                "\(changed) \(words.done)" + (rest > 0 ? ", \(rest) \(words.needless)" : ""))
        }
        try Failures.end(chosen.failures, context.terminal, succeeded: chosen.photos.count)
    }
}
