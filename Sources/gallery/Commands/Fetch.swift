import Arguments
import GalleryCore

extension Gallery {
    /// Brings photos to disk.
    struct Fetch: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Fetch photos to disk.")

        @Argument(
            help: "Photos: an index '7', a range '3-9' or '90-', a page's address, or '-' for JSON lines.",
            transform: Selection.init)
        var selection: [Selection]

        @OptionGroup(title: "Fetch options")
        var fetch: FetchOptions

        @OptionGroup(title: "Feed options")
        var feed: FeedOptions

        @OptionGroup(title: "Filter options")
        var filters: FilterOptions

        @OptionGroup(title: "Service options")
        var service: ServiceOptions

        func run() async throws { try await run(in: .live()) }

        func run(in context: Context) async throws {
            var chooser = try Chooser(
                context, service: service, feed: feed, sieve: Sieve(filters.filter, limit: filters.limit),
                includesAdult: filters.adult)
            let chosen = try await chooser.choose(selection)
            let settings = try fetch.settings(context.configuration)
            let plan = try await FetchPlan(chosen, settings, chooser.loaders)
            if let summary = chooser.summary, !service.quiet { context.terminal.message(summary) }
            if fetch.dryRun {
                try plan.printWishes(context)
            } else {
                try await FetchRun(plan, settings, service, context).run()
            }
        }
    }
}
