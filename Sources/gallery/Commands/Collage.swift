import Arguments
import Foundation
import GalleryCore

extension Gallery {
    /// Combines photos into one picture.
    struct Collage: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Combine photos into one picture.",
            discussion: """
                Writes an SVG file that contains the pictures, in about the size they have there, without \
                duplicates.

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
            if collage.format != .svg { try SVGDrawing(environment: context.environment).require() }
            try await publisher?.prepare()
            let (filters, service) = (source.filters, source.service)
            let run = PublishingRun(context, service, making: "collage")
            let isUnfiltered = photos.selection.isEmpty && filters.isEmpty
            let filter = try await filters.run(
                context, limit: Self.usualLimit, orientation: isUnfiltered ? .landscape : nil, isUnique: true)
            let resolver = try await source.resolver(
                context, photos.selection.isEmpty ? [.from(1)] : photos.selection, run.showing(filter),
                connections: context.configuration.jobs)
            let folder = context.pictures(through: resolver.loaders.transport, service)
            await folder.prepare()
            let limit = filters.limit ?? Self.usualLimit
            var options = FetchPlanner.Options(named: .standard)
            options.size = .pixels(collage.edge(of: limit))
            let planner = try await FetchPlanner(into: nil, options, loaders: resolver.loaders)
            let converter = PictureConverter(context.environment)
            let gathering = PhotoGathering(
                resolver, [.init(planner)], into: TargetFolder(folder.folder), isForViewing: true,
                PublishedSizes(shown: collage.edge(of: limit), isForAll: collage.format != .svg),
                converter.isInstalled ? MadePictures(converter.maker(.plain), in: folder.folder) : nil,
                limit: limit, skipsDuplicates: true, downloader: run.downloader(resolver.loaders))
            let published = try await run.photos(of: gathering)
            let picture = GalleryCore.Collage(
                published, style: collage.style, columns: collage.columns, width: collage.width,
                gap: collage.gap)
            if run.isUnmade, !service.quiet {
                context.terminal.message(
                    "The collage embeds its pictures at full size: \(PictureConverter.advice)")
            }
            let drawn = try await drawing(of: picture, context, converter)
            if let publisher {
                if let drawn {
                    try await publisher.publish(drawn)
                } else {
                    try await publisher.publish(picture)
                }
                if !service.quiet { try context.terminal.result(output) }
            } else if let drawn {
                try context.terminal.sequence(drawn[...])
            } else {
                try await picture.written { [terminal = context.terminal] in
                    try terminal.sequence(Array($0.utf8)[...])
                }
            }
            try await run.end(succeeded: published.count, opening: collage.open ? file : nil)
        }

        /// The collage as a PNG or JPEG file; `nil` where it stays an SVG file.
        private func drawing(
            of picture: GalleryCore.Collage, _ context: Context, _ converter: PictureConverter
        ) async throws -> [UInt8]? {
            guard collage.format != .svg, let size = picture.size else { return nil }
            let folder = try ScratchFolder()
            defer { withExtendedLifetime(folder) {} }
            let (svg, png) = (
                folder.url.appending(path: "collage.svg"), folder.url.appending(path: "collage.png")
            )
            try await CollagePublisher(svg).publish(picture)
            try await SVGDrawing(environment: context.environment).draw(svg, as: png, size)
            guard collage.format == .jpg else { return try Array(Data(contentsOf: png)) }
            do throws(PictureConverter.Fault) {
                return try await converter.convert(png, longestEdge: size.longestEdge, format: .jpeg).bytes
            } catch {
                throw CommandFault(
                    .missing, "The collage could not be made a JPEG file: \(error.reason).",
                    hint:
                        "Install vipsthumbnail (libvips-tools), ImageMagick, or ffmpeg, or write a PNG file.")
            }
        }
    }
}

/// Where a collage goes, and how it looks.
struct CollageOptions: ParsableArguments {
    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("The file to write, or - for standard output.", valueName: "file.svg"),
        completion: .file(extensions: Format.allCases.map(\.rawValue)))
    var output: String

    @Option(help: "Layout: equal cells, rows, or a mosaic of uncropped photos.")
    var style = GalleryCore.Collage.Style.grid

    @Option(help: ArgumentHelp("Photos per row, in the grid and rows styles.", valueName: "n"))
    var columns: Int?

    @Option(help: ArgumentHelp("Width of the picture, in pixels.", valueName: "px"))
    var width = 1200

    @Option(help: ArgumentHelp("Space between photos, in pixels.", valueName: "px"))
    var gap = 8

    @Option(help: "Format of the file; png and jpg need rsvg-convert or Chromium.")
    var format = Format.svg

    /// What a collage is written as.
    enum Format: String, ExpressibleByArgument, CaseIterable {
        case svg, png, jpg
    }

    /// How many pixels the longer edge of each of `count` pictures is to have.
    func edge(of count: Int) -> Int {
        let columns = columns ?? PictureLayout.columns(for: count)
        return columns < 2 ? width : max(1, min(width, 2 * width / columns))
    }

    @Flag(help: "Open the picture.")
    var open = false

    /// Whether the picture goes to standard output.
    var isStream: Bool { output == "-" }

    func validate() throws {
        guard !output.isEmpty, !output.hasSuffix("/") else {
            throw ValidationError("'--output' must name a file.")
        }
        let ending = URL(filePath: output).pathExtension.lowercased()
        let types = [ending, format.rawValue].map { PictureType(fileExtension: $0) }
        guard types[0] == types[1] || types[0] == nil && ending != "svg" else {
            throw ValidationError(
                "'--format \(format.rawValue)' does not fit a name that ends in '.\(ending)'.")
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
