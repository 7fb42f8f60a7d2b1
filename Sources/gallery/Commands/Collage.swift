import Arguments
import Curation
import Foundation
import GalleryCore
import Publishing
import TerminalPictures

extension Gallery {
    struct Collage: ContextCommand {
        static let configuration = CommandConfiguration("collage", "Combine photos into one picture.")

        @OptionGroup var photos: OptionalSelection
        @OptionGroup(title: "Collage options") var collage: CollageOptions
        @OptionGroup var source: SourceOptions

        private static let usualLimit = 6

        func run(in context: Context) async throws {
            let output = collage.output.expandingHome(context.folders.home)
            let file = URL(filePath: output, directoryHint: .notDirectory)
            let named = collage.isStream ? nil : NamedFile(file, isForced: collage.force)
            if collage.kind != .svg { try await SVGDrawing(environment: context.environment).require() }
            try await named?.prepare()
            let (filters, service) = (source.filters, source.service)
            let run = PublishingRun(context, service, making: "collage")
            let isUnfiltered = photos.selection.isEmpty && filters.isEmpty
            let limit = filters.limit ?? (photos.selection.isEmpty ? Self.usualLimit : nil)
            let filter = try await filters.run(
                context, limit: limit, orientation: isUnfiltered ? .landscape : nil, isUnique: true)
            let resolver = try await source.resolver(
                context, photos.selection.isEmpty ? [.from(1)] : photos.selection, run.showing(filter),
                connections: context.configuration.jobs)
            let folder = context.pictures(through: resolver.loaders.transport, service)
            await folder.prepare()
            // Fewer photos stand larger.
            let fit: PhotoGathering.Fit = { [collage, loaders = resolver.loaders] count in
                let edge = collage.edge(of: count)
                var options = FetchPlanner.Options(named: .standard)
                options.size = .pixels(edge)
                let planner = try await FetchPlanner(into: nil, options, loaders: loaders)
                return (.init(planner), PublishedSizes(shown: edge, leavesSmall: collage.kind == .svg))
            }
            let converter = PictureConverter(context.environment)
            let gathering = PhotoGathering(
                resolver, [], into: TargetFolder(folder.folder), isForViewing: true, PublishedSizes(),
                await converter.isInstalled ? MadePictures(converter.maker(.plain), in: folder.folder) : nil,
                limit: limit, fit: fit, skipsDuplicates: true, downloader: run.downloader(resolver.loaders))
            var published: [PublishedPhoto] = []
            try await run.gather(gathering) { published += $0 }
            let picture = Publishing.Collage(
                published, style: collage.style, columns: collage.columns, width: collage.width,
                ratio: collage.ratio?.value, gap: collage.gap, background: collage.background?.text,
                showsCredits: collage.credits)
            if run.isUnmade, !service.quiet {
                context.terminal.message(
                    "The collage embeds its pictures at full size: \(PictureConverter.advice)")
            }
            let drawn = try await drawing(of: picture, context, converter)
            if let named {
                if let drawn { try await named.write(drawn) } else { try await named.write(picture) }
                if !service.quiet { try context.terminal.result(output) }
            } else if let drawn {
                try context.terminal.sequence(CollageMark.marked(drawn)[...])
            } else {
                try await picture.written { [terminal = context.terminal] in try terminal.sequence($0[...]) }
            }
            try await run.end(succeeded: published.count, opening: collage.open ? file : nil)
        }

        private func drawing(
            of picture: Publishing.Collage, _ context: Context, _ converter: PictureConverter
        ) async throws -> [UInt8]? {
            guard collage.kind != .svg, let size = picture.size else { return nil }
            let folder = try ScratchFolder()
            defer { withExtendedLifetime(folder) {} }
            let svg = folder.url.appending(path: "collage.svg")
            let png = folder.url.appending(path: "collage.png")
            try await NamedFile(svg).write(picture)
            try await SVGDrawing(environment: context.environment).draw(svg, as: png, size)
            guard collage.kind == .jpg else { return try Array(Data(contentsOf: png)) }
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

struct CollageOptions: ParsableArguments {
    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("The file to write, or - for standard output.", valueName: "file.svg"),
        completion: .file(extensions: Format.allCases.map(\.rawValue)))
    var output: String

    @Option(help: "Layout: equal cells, rows, or a mosaic of uncropped photos.")
    var style = Publishing.Collage.Style.grid

    @Option(help: ArgumentHelp("Photos per row, in the grid and rows styles.", valueName: "n"))
    var columns: Int?

    @Option(help: ArgumentHelp("Width of the picture, in pixels.", valueName: "px"))
    var width = 1200

    @Option(help: ArgumentHelp("Space between photos, in pixels.", valueName: "px"))
    var gap = 8

    @Option(help: ArgumentHelp("Shape of the picture. (default: what suits the photos)", valueName: "w:h"))
    var ratio: Ratio?

    @Option(help: ArgumentHelp("Color behind the photos, such as white or #f4f1ea.", valueName: "color"))
    var background: Color?

    @Flag(help: "Print each photo's credit at its bottom edge.")
    var credits = false

    @Option(
        help: ArgumentHelp(
            "Format: svg, png, or jpg; the last two need rsvg-convert or Chromium. (default: by the file's name)",
            valueName: "format"))
    var format: Format?

    enum Format: String, ExpressibleByArgument, CaseIterable {
        case svg, png, jpg

        init?(fileExtension: String) {
            let name = fileExtension.lowercased()
            self.init(rawValue: name == "jpeg" ? "jpg" : name)
        }
    }

    /// Width and height in proportion, as in `16:9`.
    struct Ratio: ExpressibleByArgument {
        let value: Double

        init?(argument: String) {
            let sides = argument.split(separator: ":", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
            guard sides.count == 2, sides.allSatisfy((1...1000).contains) else { return nil }
            value = Double(sides[0]) / Double(sides[1])
            guard (0.1...10).contains(value) else { return nil }
        }
    }

    /// A color as SVG writes it.
    struct Color: ExpressibleByArgument {
        let text: String

        /// Those that all programs know by name.
        private static let names = [
            "aqua", "black", "blue", "fuchsia", "gray", "green", "lime", "maroon", "navy", "olive", "purple",
            "red", "silver", "teal", "white", "yellow",
        ]

        init?(argument: String) {
            text = argument.lowercased()
            let digits = text.dropFirst()
            let isNumber =
                text.first == "#" && [3, 6].contains(digits.count) && digits.allSatisfy(\.isHexDigit)
            guard isNumber || Self.names.contains(text) else { return nil }
        }
    }

    var kind: Format { format ?? Format(fileExtension: URL(filePath: output).pathExtension) ?? .svg }

    /// How many pixels the longer edge of each of `count` pictures is to have.
    func edge(of count: Int) -> Int {
        let columns = columns ?? PictureLayout.columns(for: count)
        return columns < 2 ? width : max(1, min(width, 2 * width / columns))
    }

    @Flag(help: "Replace the file if it is there and not a collage.")
    var force = false

    @Flag(help: "Open the picture.")
    var open = false

    var isStream: Bool { output == "-" }

    func validate() throws {
        guard !output.isEmpty, !output.hasSuffix("/") else {
            throw ValidationError("'--output' must name a file.")
        }
        let ending = isStream ? "" : URL(filePath: output).pathExtension
        let own = Format(fileExtension: ending)
        guard ending.isEmpty || own != nil else {
            throw ValidationError("A collage is an svg, png, or jpg file, not '.\(ending)'.")
        }
        guard own == nil || format == nil || own == format else {
            throw ValidationError(
                "'--format \(kind.rawValue)' does not fit a name that ends in '.\(ending)'.")
        }
        guard !isStream || !open && !force else {
            let flag = open ? "--open" : "--force"
            throw ValidationError("'\(flag)' needs a file; '--output -' is standard output.")
        }
        try require("--columns", columns, in: 1...100)
        guard columns == nil || style != .mosaic else {
            throw ValidationError("'--columns' can only be used with the styles 'grid' and 'rows'.")
        }
        try require("--width", width, in: 16...32_768)
        try require("--gap", gap, in: 0...1000)
    }
}

extension Publishing.Collage.Style: ExpressibleByArgument {}
