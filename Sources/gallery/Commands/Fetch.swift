import Arguments
import Curation
import Foundation
import GalleryCore
import Publishing
import TerminalPictures

extension Gallery {
    struct Fetch: ContextCommand {
        static let configuration = CommandConfiguration("fetch", "Download photos to disk.")

        @OptionGroup var photos: OptionalSelection
        @OptionGroup(title: "Fetch options") var fetch: FetchOptions
        @OptionGroup var source: SourceOptions

        func validate() throws {
            let selection = photos.selection
            guard !selection.isEmpty || fetch.input != nil else {
                throw ValidationError(
                    "Missing expected argument '<selection> ...'; use '1-' for all of the list.")
            }
            guard fetch.input == nil || !selection.contains(.standardInput) else {
                throw ValidationError("'-' and '--input' cannot be used together.")
            }
            guard fetch.output == nil || selection.nameOne && fetch.input == nil else {
                throw ValidationError("'--output' takes one photo: an index or an address.")
            }
        }

        func run(in context: Context) async throws {
            let (filters, service) = (source.filters, source.service)
            if !fetch.dryRun { Interrupt.tellNothingFetched(context.terminal, isQuiet: service.quiet) }
            if let command = fetch.exec, command.program(in: context.environment) == nil {
                throw CommandFault(.missing, "'\(PlainText.excerpt(command.words[0]))' is not installed.")
            }
            var settings = fetch.settings(context, service)
            if let archive = fetch.archive?.expandingHome(context.folders.home) {
                let archive = DownloadArchive(URL(filePath: archive))
                (settings.planning.archive, settings.downloads.archive) = (archive, archive)
            }
            let search = SearchProgress()
            var filter = try await filters.run(context)
            if filter.isSelective { filter.report = search.take }
            let resolver = try await source.resolver(
                context, photos.selection, filter, connections: settings.downloads.jobs,
                input: fetch.input?.expandingHome(context.folders.home))
            if let output = fetch.output { return try await write(resolver, settings, context, to: output) }
            let folder = settings.folder
            let target = FolderScan.resolve(folder.url.path(percentEncoded: false))
            if let target, resolver.listed.contains(where: { FolderScan.resolve($0) == target }) {
                throw DownloadError.ownFolder(path: PlainText.line(target))
            }
            let supply = FetchSupply(
                resolver, try await FetchPlanner(into: folder, settings.planning, loaders: resolver.loaders))
            if fetch.dryRun { return try await rehearse(supply, into: folder, settings, context) }
            let pictures = context.pictures(through: resolver.loaders.images, service)
            let transport = KeptPictureTransport(pictures, otherwise: resolver.loaders.images)
            try await FetchRun(
                supply: supply, folder: folder, transport: transport, settings: settings, service: service,
                context: context, search: search, command: fetch.exec
            ).run()
        }

        /// Writes one photo's file to the one that the user has named, or to standard output.
        private func write(
            _ resolver: SelectionResolver, _ settings: FetchSettings, _ context: Context, to output: String
        ) async throws {
            let url = URL(filePath: output.expandingHome(context.folders.home), directoryHint: .notDirectory)
            let named = output == "-" ? nil : NamedFile(url, isForced: fetch.force)
            try await named?.prepare()
            guard named != nil || context.abilities.columns == nil else {
                throw CommandFault(
                    .usage, "Standard output is a terminal.",
                    hint: "Redirect it to a file, or pipe it to a program.")
            }
            var resolver = resolver
            let planner = try await FetchPlanner(into: nil, settings.planning, loaders: resolver.loaders)
            let plan = try await planner.plan(resolver.all())
            try Failures.end(plan.failures, context.terminal, succeeded: 0)
            guard let first = plan.files.first else { return }
            if plan.files.count > 1, !source.service.quiet {
                let (label, count) = (PlainText.line(first.label), plan.files.count)
                context.terminal.message("The work of \(label) has \(count) files; this is the first.")
            }
            let item = first.item
            let pictures = context.pictures(through: resolver.loaders.images, source.service)
            await pictures.prepare()
            let file = try await pictures.file(of: item.photo, item.source)
            @Sendable func copy(to write: ([UInt8]) throws -> Void) throws {
                let reader = try FileHandle(forReadingFrom: file.url)
                while let bytes = try reader.read(upToCount: 1 << 16), !bytes.isEmpty {
                    try write(Array(bytes))
                }
            }
            if let named {
                try await named.write(copy)
                try context.terminal.results([PlainText.line(output)])
            } else {
                try copy { try context.terminal.sequence($0[...]) }
            }
            guard !source.service.quiet else { return }
            var tally = FetchTally(planned: 1)
            tally.take(.finished(item, file), now: .zero)
            context.terminal.message(tally.summary(after: ContinuousClock.now - context.start))
        }

        /// Prints each file that would be downloaded or kept, and its address.
        private func rehearse(
            _ supply: FetchSupply, into folder: TargetFolder, _ settings: FetchSettings, _ context: Context
        ) async throws {
            var failures: [ResolvedPhotos.Failure] = []
            var (lengths, kept): ([Int64?], Int) = ([], 0)
            while let plan = try await supply.next() {
                for file in plan.files {
                    let existing = fetch.overwrite ? nil : try await folder.keptFile(of: file.item)
                    try context.terminal.result(FetchReport.line(planned: file, existing, settings))
                    if existing == nil { lengths.append(file.rendition?.bytes) } else { kept += 1 }
                }
                failures += plan.failures
                try context.terminal.flush()
            }
            if !source.service.quiet {
                context.leftOut.tell(context.terminal)
                FetchReport.tell(await supply.progress, context.terminal)
                if source.filters.unique {
                    context.terminal.message("'--dry-run' downloads nothing, so '--unique' has no effect.")
                }
                if let sum = FetchReport.sum(lengths, kept: kept) { context.terminal.message(sum) }
            }
            try Failures.end(failures, context.terminal, succeeded: lengths.count + kept)
        }
    }
}
