import Arguments
import GalleryCore

extension Gallery {
    /// Remembers photos, whole, on this machine.
    struct Mark: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Mark photos, of any service, to remember them on this machine.",
            discussion: "The feed 'marked' holds them, newest first: gallery show 1- --feed marked.")

        @Argument(
            help: "Photos: an index '7', a range '3-9' or '90-', a page's address, or '-' for JSON lines.",
            transform: Selection.init)
        var selection: [Selection]

        @OptionGroup(title: "Feed options")
        var feed: FeedOptions

        @OptionGroup(title: "Service options")
        var service: ServiceOptions

        func run() async throws { try await run(in: .live()) }

        func run(in context: Context) async throws {
            let marking = Marking(selection: selection, feed: feed, service: service)
            try await marking.run(in: context, words: ("marked", "marked already")) { store, photos in
                // Of several named at once the first is to be the newest.
                try await store.mark(photos.reversed())
            }
        }
    }
}

/// What marking and unmarking share: choose, change, say.
struct Marking {
    let selection: [Selection]
    let feed: FeedOptions
    let service: ServiceOptions

    func run(
        in context: Context, words: (done: String, needless: String),
        change: (MarkStore, [Photo]) async throws -> Int
    ) async throws {
        var everything = PhotoFilter()
        everything.includesAdult = true
        var chooser = try Chooser(
            context, selection, service: service, feed: feed, sieve: Sieve(everything, limit: nil))
        let chosen = try await chooser.all()
        let store = MarkStore(file: context.folders.marks)
        let changed = try await change(store, chosen.photos.map(\.photo))
        if !service.quiet {
            let rest = chosen.photos.count - changed
            context.terminal.message(
                "\(changed) \(words.done)" + (rest > 0 ? ", \(rest) \(words.needless)" : ""))
        }
        try Failures.end(chosen.failures, context, succeeded: chosen.photos.count)
    }
}
