import Arguments
import GalleryCore

extension Gallery {
    /// Marks photos on this machine.
    struct Mark: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Mark photos of any service on this machine.",
            discussion: """
                'gallery marked' lists them, newest first; so does the feed 'marked'.

                Examples:
                  gallery mark 3 7-9
                  gallery mark https://flic.kr/p/nPcqmw
                  gallery browse --feed marked
                """)

        @OptionGroup var marking: Marking

        func run() async throws {
            let context = try Context.live()
            try await marking.run(in: context, words: ("marked", "already marked")) { store, photos in
                // The photo named first becomes the newest.
                try await store.mark(photos.reversed())
            }
        }
    }

    /// Lists marked photos.
    struct Marked: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List marked photos, newest first.",
            discussion: """
                Examples:
                  gallery marked --format jsonl
                  gallery fetch 1- --feed marked -d favorites

                Works offline: marks store the whole photo.
                """)

        @OptionGroup var listing: Listing

        func run() async throws { try await listing.run(.marked, in: .live()) }
    }

    /// Removes marks.
    struct Unmark: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Remove marks from photos.",
            discussion: """
                Examples:
                  gallery unmark 3
                  gallery unmark 1- --feed marked
                """)

        @OptionGroup var marking: Marking

        func run() async throws {
            let context = try Context.live()
            try await marking.run(in: context, words: ("unmarked", "not marked")) { store, photos in
                try await store.unmark(photos.map(\.id))
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
    ///   - words: What is said of photos that were changed, and of those that needed no change.
    ///   - change: Returns how many photos it changed.
    func run(
        in context: Context, words: (done: String, needless: String),
        change: (MarkStore, [Photo]) async throws -> Int
    ) async throws {
        var resolver = try await chosen.resolver(context)
        let resolved = try await resolver.all()
        let store = MarkStore(file: context.folders.marks)
        let changed = try await change(store, resolved.photos.map(\.photo))
        if !chosen.service.quiet {
            let rest = resolved.photos.count - changed
            context.terminal.message(
                "\(changed) \(words.done)" + (rest > 0 ? ", \(rest) \(words.needless)" : ""))
        }
        try Failures.end(resolved.failures, context.terminal, succeeded: resolved.photos.count)
    }
}
