import Arguments
import GalleryCore

extension Gallery {
    /// Forgets photos that were marked.
    struct Unmark: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Take the marks of photos away.")

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
            try await marking.run(in: context, words: ("unmarked", "not marked before")) { store, photos in
                try await store.unmark(photos.map(\.id))
            }
        }
    }
}
