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

                Examples:
                  gallery fetch 1-20 -d photos
                  gallery fetch 7 12-15 90- --size thumbnail --name '{author}/{id}'
                  gallery search rocket --format jsonl | gallery fetch - -d rockets
                """)

        @OptionGroup var photos: SelectionArgument

        @OptionGroup(title: "Fetch options")
        var fetch: FetchOptions

        @OptionGroup var source: SourceOptions

        func run() async throws {
            let context = try Context.live()
            let (filters, service) = (source.filters, source.service)
            if !fetch.dryRun { Interrupt.sayNothingIsFetched(context.terminal, isQuiet: service.quiet) }
            let settings = fetch.settings(context, service)
            let search = SearchProgress()
            var filter = filters.run()
            if filter.isSelective { filter.report = search.take }
            let resolver = try await source.resolver(
                context, photos.selection, filter, connections: settings.downloads.jobs)
            let folder = settings.folder
            let supply = FetchSupply(
                resolver, try await FetchPlanner(into: folder, settings.planning, loaders: resolver.loaders))
            if fetch.dryRun { return try await rehearse(supply, into: folder, settings, context) }
            let pictures = context.pictures(through: resolver.loaders.images, service)
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
                    let kept = fetch.overwrite ? nil : try await folder.keptFile(of: file.item)
                    try context.terminal.result(FetchReport.line(planned: file, kept, settings))
                }
                planned += plan.files.count
                failures += plan.failures
                try context.terminal.flush()
            }
            if !source.service.quiet {
                LeftOutPhotos.ofThisCommand.tell(context.terminal)
                FetchReport.tell(await supply.progress, context.terminal)
                if source.filters.unique {
                    context.terminal.message("'--dry-run' downloads nothing, so '--unique' has no effect.")
                }
            }
            try Failures.end(failures, context.terminal, succeeded: planned)
        }
    }
}
