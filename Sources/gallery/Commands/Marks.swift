import Arguments
import Curation
import GalleryCore

extension Gallery {
    struct Mark: ContextCommand {
        static let configuration = CommandConfiguration("mark", "Mark photos of any service on this machine.")

        @Option(
            help: ArgumentHelp("Rate the photos instead, as 'gallery rate' does.", valueName: "stars"))
        var rating: Int?

        @OptionGroup var writing: RatingOptions

        @OptionGroup var marking: Marking

        func validate() throws {
            try require("--rating", rating, in: 0...Photo.starRange.upperBound)
            guard writing.writeRatings, rating == nil else { return }
            throw ValidationError("'--write-ratings' needs a rating. Add '--rating <stars>'.")
        }

        func run(in context: Context) async throws {
            if let rating { return try await marking.rate(rating, writing, in: context) }
            // Its own feed would bring nothing new.
            var marking = marking
            let list = marking.chosen.feed.marks.takeList()
            try await marking.run(in: context, words: ({ "\($0) marked" }, "already marked")) { photos in
                // The photo named first becomes the newest.
                try await context.folders.markLists.store(list).mark(photos.reversed())
            }
        }
    }

    struct Rate: ContextCommand {
        static let configuration = CommandConfiguration("rate", "Give photos stars, on this machine.")

        @OptionGroup var writing: RatingOptions

        @OptionGroup var marking: Marking

        @Argument(help: "From 1 to 5; 0 takes them away.")
        var stars: Int

        func validate() throws { try require("<stars>", stars, in: 0...Photo.starRange.upperBound) }

        func run(in context: Context) async throws { try await marking.rate(stars, writing, in: context) }
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
            let list = marking.chosen.feed.marks.takeList()
            // Indexes are of that list, unless the line names another.
            if !marking.chosen.service.namesSource, marking.chosen.feed.named?.isMarked ?? true {
                marking.chosen.feed.marks.list = list
            }
            if list != nil { _ = try await context.folders.markLists.marks(of: list) }
            try await marking.run(in: context, words: ({ "\($0) unmarked" }, "not marked")) { photos in
                try await context.folders.markLists.store(list).unmark(photos.map(\.lastingID))
            }
        }
    }
}

struct RatingOptions: ParsableArguments {
    @Flag(
        help: """
            Write the rating as xmp:Rating into the XMP file beside a folder's picture, too; the picture \
            itself is not changed.
            """)
    var writeRatings = false
}

/// What the commands share that judge photos.
struct Marking: ParsableArguments {
    @OptionGroup var chosen: ChosenPhotos

    /// Resolves the selected photos, changes their marks or ratings, and reports how many changed.
    ///
    /// - Parameters:
    ///   - words: What is said of so many photos that were changed, and of those that needed no change.
    ///   - change: Returns how many photos it changed.
    func run(
        in context: Context, words: (done: (Int) -> String, needless: String),
        change: ([Photo]) async throws -> Int
    ) async throws {
        var resolver = try await chosen.resolver(context)
        let resolved = try await resolver.all()
        let changed = try await change(resolved.photos.map(\.photo))
        if !chosen.service.quiet {
            let rest = resolved.photos.count - changed
            context.terminal.message(words.done(changed) + (rest > 0 ? ", \(rest) \(words.needless)" : ""))
        }
        try Failures.end(resolved.failures, context.terminal, succeeded: resolved.photos.count)
    }

    /// Gives the photos stars from 1 to 5, or 0 to take them away.
    func rate(_ stars: Int, _ options: RatingOptions, in context: Context) async throws {
        let rater = PhotoRater(
            context, writesFiles: options.writeRatings || context.configuration.writesRatings)
        var failures: [ResolvedPhotos.Failure] = []
        func words(_ count: Int) -> String {
            if count == 0 { return "nothing rated" }
            let photos = count == 1 ? "photo" : "photos"
            return stars > 0 ? "\(count) rated \(stars)" : "rating removed from \(count) \(photos)"
        }
        try await run(in: context, words: (words, "not rated")) { photos in
            failures = try await rater.rate(photos, stars)
            return photos.count
        }
        try Failures.end(failures, context.terminal, succeeded: 1)
    }
}
