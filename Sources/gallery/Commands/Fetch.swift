import Arguments
import Foundation
import GalleryCore

extension Gallery {
    /// Downloads photos.
    struct Fetch: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Download photos to disk.")

        @OptionGroup var photos: SelectionArgument

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
            if !fetch.dryRun { Interrupt.sayNothingIsFetched(context.terminal, isQuiet: service.quiet) }
            let settings = fetch.settings(context)
            let resolver = try await SelectionResolver(
                context, photos.selection, service: service, feed: feed, filter: filters.run,
                includesAdult: filters.adult, connections: settings.jobs)
            let supply = FetchSupply(resolver, try await FetchPlanner(settings, resolver.loaders))
            if fetch.dryRun { return try await rehearse(supply, settings, context) }
            try await FetchRun(
                .supply(supply), through: resolver.loaders.images, settings, service, context
            ).run()
        }

        /// Prints each file's name, without its extension, and its address.
        private func rehearse(
            _ supply: FetchSupply, _ settings: FetchSettings, _ context: Context
        ) async throws {
            var failures: [ResolvedPhotos.Failure] = []
            var planned = 0
            while let plan = try await supply.next() {
                for file in plan.files {
                    let address = PlainText.line(file.address.absoluteString)
                    try context.terminal.result("\(settings.path(file.item.name))\t\(address)")
                }
                planned += plan.files.count
                failures += plan.failures
                try context.terminal.flush()
            }
            if !service.quiet {
                if let summary = await supply.progress.filter.summary() { context.terminal.message(summary) }
                if filters.unique { context.terminal.message(Self.noImages) }
            }
            try Failures.end(failures, context.terminal, succeeded: planned)
        }

        private static let noImages =
            "'--dry-run' downloads nothing, so '--unique' left nothing out."
    }
}
