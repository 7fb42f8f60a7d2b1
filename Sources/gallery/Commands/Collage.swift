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

        @OptionGroup var photos: OptionalSelection

        @OptionGroup(title: "Collage options")
        var collage: CollageOptions

        @OptionGroup var source: SourceOptions

        /// Photos in a collage, where nothing else is said.
        private static let usualLimit = 6

        func run() async throws {
            let context = try Context.live()
            let output = collage.output.expandingHome(context.folders.home)
            let file = URL(filePath: output, directoryHint: .notDirectory)
            let publisher = collage.isStream ? nil : CollagePublisher(file)
            try await publisher?.prepare()
            let (filters, service) = (source.filters, source.service)
            let run = PublishingRun(context, service, making: "collage")
            let isUnfiltered = photos.selection.isEmpty && filters.isEmpty
            let filter = filters.run(
                context, limit: Self.usualLimit, orientation: isUnfiltered ? .landscape : nil, isUnique: true)
            let resolver = try await source.resolver(
                context, photos.selection.isEmpty ? [.from(1)] : photos.selection, run.showing(filter),
                connections: context.configuration.jobs)
            let folder = context.pictures(through: resolver.loaders.transport, service)
            await folder.prepare()
            let planner = try await FetchPlanner(
                into: nil, .init(named: .standard), loaders: resolver.loaders)
            let gathering = PhotoGathering(
                resolver, [planner], into: TargetFolder(folder.folder), isForViewing: true,
                limit: filters.limit ?? Self.usualLimit, skipsDuplicates: true,
                downloader: run.downloader(resolver.loaders))
            let published = try await run.photos(of: gathering)
            let picture = GalleryCore.Collage(
                published, style: collage.style, columns: collage.columns, width: collage.width,
                gap: collage.gap)
            if let publisher {
                try await publisher.publish(picture)
                if !service.quiet { try context.terminal.result(output) }
            } else {
                try await picture.written { [terminal = context.terminal] in
                    try terminal.sequence(Array($0.utf8)[...])
                }
            }
            try await run.end(succeeded: published.count, opening: collage.open ? file : nil)
        }
    }
}

/// Where a collage goes, and how it looks.
struct CollageOptions: ParsableArguments {
    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("The file to write, or - for standard output.", valueName: "file.svg"),
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

    /// Whether the picture goes to standard output.
    var isStream: Bool { output == "-" }

    func validate() throws {
        guard !output.isEmpty, !output.hasSuffix("/") else {
            throw ValidationError("'--output' must name a file.")
        }
        guard PictureType(fileExtension: URL(filePath: output).pathExtension) == nil else {
            throw ValidationError("A collage is an SVG file. Use a name that ends in '.svg'.")
        }
        guard !isStream || !open else {
            throw ValidationError("'--open' needs a file; '--output -' is standard output.")
        }
        try require("--columns", columns, in: 1...100)
        guard columns == nil || style != .mosaic else {
            throw ValidationError("'--columns' can only be used with the styles 'grid' and 'rows'.")
        }
        try require("--width", width, in: 16...32_768)
        try require("--gap", gap, in: 0...1000)
    }
}

extension GalleryCore.Collage.Style: ExpressibleByArgument {}
