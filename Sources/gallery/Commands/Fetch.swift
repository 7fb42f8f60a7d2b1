import Arguments
import Foundation
import GalleryCore

extension Gallery {
    /// Downloads photos.
    struct Fetch: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Download photos to disk.",
            discussion: """
                A file appears under its name once it is complete; until then its bytes are in NAME.part, and \
                the same command resumes it. Files that are complete are not downloaded again.

                An index refers to the list shown last in this terminal session, even if the ranking has moved since. \
                '--service', GALLERY_SERVICE, and the feed options name another list.

                Examples:
                  gallery fetch 1-20 -d photos
                  gallery fetch 7 12-15 90- --size thumbnail --name '{author}/{id}'
                  gallery search rocket --format jsonl | gallery fetch - -d rockets
                """)

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
            let search = SearchProgress()
            var filter = filters.run(context)
            if filter.isSelective { filter.report = search.take }
            let resolver = try await SelectionResolver(
                context, photos.selection, service: service, feed: feed, filter: filter,
                includesAdult: filters.adult, connections: settings.jobs)
            let folder = settings.folder
            var planning = settings.planning
            planning.trustsManifest = !fetch.dryRun && !settings.overwrites
            let supply = FetchSupply(
                resolver, try await FetchPlanner(into: folder, planning, loaders: resolver.loaders))
            if fetch.dryRun { return try await rehearse(supply, into: folder, settings, context) }
            let pictures = context.pictures(through: resolver.loaders.images, service.network)
            let transport = KeptPictureTransport(pictures, otherwise: resolver.loaders.images)
            try await FetchRun(
                supply: supply, folder: folder, transport: transport, settings: settings, service: service,
                context: context, search: search
            ).run()
        }

        /// Prints each file that would be downloaded or kept, and its address.
        private func rehearse(
            _ supply: FetchSupply, into folder: TargetFolder, _ settings: FetchSettings, _ context: Context
        ) async throws {
            var failures: [ResolvedPhotos.Failure] = []
            var planned = 0
            while let plan = try await supply.next() {
                for file in plan.files {
                    let kept = settings.overwrites ? nil : try await folder.keptFile(of: file.item)
                    try context.terminal.result(PlannedLine(file, kept, settings).text)
                }
                planned += plan.files.count
                failures += plan.failures
                try context.terminal.flush()
            }
            if !service.quiet {
                LeftOutPhotos.ofThisCommand.tell(context.terminal)
                FetchReport.tell(await supply.progress, context.terminal)
                if filters.unique { context.terminal.message(Self.noImages) }
            }
            try Failures.end(failures, context.terminal, succeeded: planned)
        }

        private static let noImages =
            "'--dry-run' downloads nothing, so '--unique' has no effect."
    }
}
