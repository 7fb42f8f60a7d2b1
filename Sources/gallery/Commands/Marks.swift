import Arguments
import Curation
import GalleryCore

extension Gallery {
    struct Mark: ContextCommand {
        static let configuration = CommandConfiguration("mark", "Mark photos of any service on this machine.")

        @Option(
            help: ArgumentHelp(
                "Give the photos stars, from 1 to 5; 0 takes them away, and marks nothing.",
                valueName: "stars"))
        var rating: Int?

        @Flag(
            help: """
                Write the rating as xmp:Rating into the XMP file beside a folder's picture, too; the picture \
                itself is not changed.
                """)
        var writeRatings = false

        @OptionGroup var marking: Marking

        func validate() throws {
            try require("--rating", rating, in: 0...Photo.starRange.upperBound)
            guard writeRatings, rating == nil else { return }
            throw ValidationError("'--write-ratings' needs a rating. Add '--rating <stars>'.")
        }

        func run(in context: Context) async throws {
            if let rating { return try await run(rating, in: context) }
            // Its own feed would bring nothing new.
            var marking = marking
            let list = marking.chosen.feed.marks.takeList()
            try await marking.run(in: context, list, words: ({ "\($0) marked" }, "already marked")) {
                store, photos in
                // The photo named first becomes the newest.
                try await store.mark(photos.reversed())
            }
        }

        private static func words(count: Int, _ rating: Int) -> String {
            if count == 0 { return "nothing rated" }
            return rating > 0
                ? "\(count) rated \(rating)"
                : "rating removed from \(count) \(count == 1 ? "photo" : "photos")"
        }

        /// Rates the photos, and marks them unless that takes their ratings away.
        private func run(_ rating: Int, in context: Context) async throws {
            var marking = marking
            let list = marking.chosen.feed.marks.takeList()
            let rater = PhotoRater(context, writesFiles: writeRatings || context.configuration.writesRatings)
            var failures: [ResolvedPhotos.Failure] = []
            try await marking.run(
                in: context, list,
                words: ({ Self.words(count: $0, rating) }, "not rated")
            ) { store, photos in
                if rating > 0 { try await store.mark(photos.reversed()) }
                failures = try await rater.rate(photos, rating)
                return photos.count
            }
            try Failures.end(failures, context.terminal, succeeded: 1)
        }
    }

    struct Marked: ContextCommand {
        static let configuration = CommandConfiguration("marked", "List marked photos, newest first.")

        @OptionGroup var marks: MarkListOption

        @Flag(help: "Print the names of all lists instead.")
        var lists = false

        @OptionGroup var list: FilteredList

        @OptionGroup(title: "Network options")
        var network: NetworkOptions

        func validate() throws {
            guard lists, marks.list != nil else { return }
            throw ValidationError("'--list' and '--lists' cannot be used together.")
        }

        func run(in context: Context) async throws {
            guard lists else {
                return try await Listing(list, ServiceOptions(nil, network)).run(
                    .marked(marks.list), in: context)
            }
            let names = context.folders.markLists.names.map(\.description)
            try context.terminal.results(names)
            if names.isEmpty, !network.quiet { context.terminal.message("No lists.") }
        }
    }

    struct Unmark: ContextCommand {
        static let configuration = CommandConfiguration("unmark", "Remove marks from photos.")

        @OptionGroup var marking: Marking

        func run(in context: Context) async throws {
            var marking = marking
            let list = marking.chosen.feed.marks.list
            // Without a feed, indexes are of the list shown last.
            if marking.chosen.feed.feed != .marked { _ = marking.chosen.feed.marks.takeList() }
            if list != nil { _ = try await context.folders.markLists.marks(of: list) }
            try await marking.run(in: context, list, words: ({ "\($0) unmarked" }, "not marked")) {
                store, photos in
                try await store.unmark(photos.map(\.lastingID))
            }
        }
    }
}

/// What the commands that change marks share.
struct Marking: ParsableArguments {
    @OptionGroup var chosen: ChosenPhotos

    /// Resolves the selected photos, changes their marks, and reports how many changed.
    ///
    /// - Parameters:
    ///   - list: The list to change; `nil` for the one without a name.
    ///   - words: What is said of so many photos that were changed, and of those that needed no change.
    ///   - change: Returns how many photos it changed.
    func run(
        in context: Context, _ list: MarkListName?, words: (done: (Int) -> String, needless: String),
        change: (MarkStore, [Photo]) async throws -> Int
    ) async throws {
        var resolver = try await chosen.resolver(context)
        let resolved = try await resolver.all()
        let changed = try await change(context.folders.markLists.store(list), resolved.photos.map(\.photo))
        if !chosen.service.quiet {
            let rest = resolved.photos.count - changed
            context.terminal.message(words.done(changed) + (rest > 0 ? ", \(rest) \(words.needless)" : ""))
        }
        try Failures.end(resolved.failures, context.terminal, succeeded: resolved.photos.count)
    }
}
