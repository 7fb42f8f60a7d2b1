import Arguments
import Foundation
import GalleryCore

extension Gallery {
    /// Combines photos into one picture.
    struct Collage: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Combine photos into one picture.",
            discussion: """
                Writes an SVG file that contains the pictures, unchanged, without duplicates.

                It takes the first six photos, or as many as --limit says. Without a selection and without \
                a filter, these are landscape photos of the list shown last.

                Examples:
                  gallery collage -o six.svg --open
                  gallery collage 1-9 -o nine.svg --style rows --width 1600
                  gallery collage -o rockets.svg --query rocket --limit 12
                """)

        @OptionGroup var photos: PublishedSelection

        @OptionGroup(title: "Collage options")
        var collage: CollageOptions

        @OptionGroup(title: "Feed options")
        var feed: FeedOptions

        @OptionGroup(title: "Filter options")
        var filters: FilterOptions

        @OptionGroup(title: "Service options")
        var service: ServiceOptions

        /// Photos in a collage, where nothing else is said.
        private static let usualLimit = 6

        func run() async throws { try await run(in: .live()) }

        func run(in context: Context) async throws {
            let output = collage.output.expandingHome(context.folders.home)
            let file = URL(filePath: output, directoryHint: .notDirectory)
            let publisher = CollagePublisher(file)
            try await publisher.prepare()
            let run = PublishingRun(context, service, making: "collage")
            let isUnfiltered = photos.selection.isEmpty && filters.isEmpty
            let resolver = try await SelectionResolver(
                context, photos.selection.isEmpty ? [.from(1)] : photos.selection, service: service,
                feed: feed,
                filter: run.showing(
                    filters.run(limit: Self.usualLimit, orientation: isUnfiltered ? .landscape : nil)),
                includesAdult: filters.adult, connections: context.configuration.jobs)
            let transport = resolver.loaders.transport
            let folder = context.pictures(through: transport, service.network)
            await folder.prepare()
            let planner = try await FetchPlanner(
                into: nil, .init(named: .standard), loaders: resolver.loaders)
            let gathering = PhotoGathering(
                resolver, [planner], into: folder.folder, isForViewing: true,
                limit: filters.limit ?? Self.usualLimit, skipsDuplicates: true,
                downloader: run.downloader(through: transport))
            let pictures = try await run.photos(of: gathering) { (photo) throws(PublishError) in
                try await photo.picture()
            }
            try await publisher.publish(GalleryCore.Collage(pictures, options: collage.options))
            if !service.quiet { try context.terminal.result(output) }
            try await run.end(succeeded: pictures.count, opening: collage.open ? file : nil)
        }
    }
}

/// Where a collage goes, and how it looks.
struct CollageOptions: ParsableArguments {
    @Option(
        name: .shortAndLong, help: ArgumentHelp("The file to write.", valueName: "file.svg"),
        completion: .file(extensions: ["svg"]))
    var output: String

    @Option(help: "Layout: equal cells, rows, or a mosaic of uncropped photos.")
    var style = GalleryCore.Collage.Style.grid

    @Option(help: ArgumentHelp("Photos per row, in the grid and rows styles.", valueName: "n"))
    var columns: Int?

    @Option(help: ArgumentHelp("Width of the picture, in pixels.", valueName: "px"))
    var width = 1200

    @Option(help: ArgumentHelp("Space between photos, in pixels.", valueName: "px"))
    var gap = 8

    @Flag(help: "Open the picture.")
    var open = false

    func validate() throws {
        guard !output.isEmpty, !output.hasSuffix("/") else {
            throw ValidationError("'--output' must name a file.")
        }
        try require("--columns", columns, in: 1...100)
        guard columns == nil || style != .mosaic else {
            throw ValidationError("'--columns' can only be used with the styles 'grid' and 'rows'.")
        }
        try require("--width", width, in: 16...32_768)
        try require("--gap", gap, in: 0...1000)
    }

    var options: GalleryCore.Collage.Options {
        var options = GalleryCore.Collage.Options()
        options.style = style
        options.columns = columns
        options.width = width
        options.gap = gap
        return options
    }
}

extension GalleryCore.Collage.Style: ExpressibleByArgument {}
