import Arguments
import Foundation
import GalleryCore

extension Gallery {
    /// Writes a folder with a web page of photos.
    struct Web: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Make a web page of photos.",
            discussion: """
                Writes a folder with the page and the pictures. It opens from disk, needs no server and no \
                scripts, and loads nothing from elsewhere. Run again, it downloads only what is new.

                Without a selection, the page has the first 100 photos of the list shown last, or as many \
                as --limit says.

                Examples:
                  gallery web -o site --open
                  gallery web 1-50 -o site -s commons --title "Featured pictures"
                  gallery web - -o site < photos.json
                """)

        @OptionGroup var photos: OptionalSelection

        @OptionGroup(title: "Page options")
        var page: PageOptions

        @OptionGroup var source: SourceOptions

        func run() async throws {
            let context = try Context.live()
            let output = page.output.expandingHome(context.folders.home)
            let folder = URL(filePath: output, directoryHint: .isDirectory)
            let publisher = SitePublisher(folder)
            try await publisher.prepare(for: page.options)
            let run = PublishingRun(context, source.service, making: "page")
            let resolver = try await source.resolver(
                context, selections, run.showing(source.filters.run(context)),
                connections: context.configuration.jobs)
            let target = TargetFolder(folder)
            let gathering = PhotoGathering(
                resolver, try await planners(target, resolver.loaders), into: target,
                limit: source.filters.limit, skipsDuplicates: source.filters.unique,
                downloader: run.downloader(resolver.loaders))
            let published = try await run.photos(of: gathering) { plan in
                try await publisher.prepare(
                    for: page.options, photos: Set(plan.files.map(\.item.leaf)))
            }
            try await publisher.publish(PhotoSite(published, options: page.options))
            let index = folder.appending(path: "index.html")
            let name = output + (output.hasSuffix("/") ? "" : "/") + "index.html"
            if !source.service.quiet { try context.terminal.result(name) }
            try await run.end(succeeded: published.count, opening: page.open ? index : nil)
        }

        /// The first hundred photos, or as many as the limit says, where none is named.
        private var selections: [Selection] {
            guard photos.selection.isEmpty else { return photos.selection }
            return [source.filters.limit == nil ? .range(1...100) : .from(1)]
        }

        /// The thumbnails last: a photo that has no full file needs none.
        private func planners(
            _ folder: TargetFolder, _ loaders: ServiceLoaders
        ) async throws -> [FetchPlanner] {
            var planners: [FetchPlanner] = []
            if page.size == .full {
                planners.append(
                    try await FetchPlanner(
                        into: folder, .init(named: try NameTemplate("full/{service}_{id}")),
                        loaders: loaders))
            }
            var thumbnails = FetchPlanner.Options(named: try NameTemplate("thumbs/{service}_{id}"))
            thumbnails.size = .thumbnail
            planners.append(try await FetchPlanner(into: folder, thumbnails, loaders: loaders))
            return planners
        }
    }
}

/// Where a page goes, what it shows, and how it looks.
struct PageOptions: ParsableArguments {
    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("The page's folder, created if missing.", valueName: "folder"),
        completion: .directory)
    var output: String

    @Option(help: ArgumentHelp("The page's title.", valueName: "text"))
    var title = "Gallery"

    @Option(
        help: ArgumentHelp(
            "Number of columns. (default: rows of equal height)", valueName: "n"))
    var columns: Int?

    @Option(help: "Colors: auto follows the reader's system.")
    var theme = SiteOptions.Theme.auto

    @Option(help: "What each photo links to; with 'none', its page at the service.")
    var size = PageSize.full

    @Option(
        help: ArgumentHelp(
            "URL the site will have, for its feed and link previews.", valueName: "url"),
        transform: PageOptions.address)
    var base: URL?

    @Flag(help: "Write the photos' metadata beside the page as photos.json.")
    var metadata = false

    @Flag(help: "Open the page in the web browser.")
    var open = false

    /// What stands behind a photo of the grid.
    enum PageSize: String, ExpressibleByArgument, CaseIterable {
        case full, thumbnail, none
    }

    func validate() throws {
        guard !output.isEmpty else { throw ValidationError("'--output' must name a folder.") }
        try require("--columns", columns, in: 1...100)
    }

    var options: SiteOptions {
        var options = SiteOptions()
        options.title = title
        options.columns = columns
        options.theme = theme
        options.base = base
        options.hasPhotoPages = size != .none
        options.hasMetadata = metadata
        return options
    }

    private static func address(_ text: String) throws -> URL {
        guard let url = WebAddress.url(text), url.query == nil, url.fragment == nil else {
            throw ValidationError("use an http or https URL without a query.")
        }
        return url
    }
}

extension SiteOptions.Theme: ExpressibleByArgument {}
