import Arguments
import Curation
import Foundation
import GalleryCore
import PictureFiles
import Publishing
import TerminalPictures

extension Gallery {
    struct Web: ContextCommand {
        static let configuration = CommandConfiguration("web", "Make a web page of photos.")

        @OptionGroup var photos: OptionalSelection
        @OptionGroup(title: "Page options") var page: PageOptions
        @OptionGroup var source: SourceOptions

        func run(in context: Context) async throws {
            let output = page.output.expandingHome(context.folders.home)
            let folder = URL(filePath: output, directoryHint: .isDirectory)
            let publisher = SitePublisher(folder)
            var options = try page.options(context)
            try await publisher.prepare(for: options)
            let pictures = try await publisher.pictures(page.metadataInPictures)
            let run = PublishingRun(context, source.service, making: "page")
            let resolver = try await source.resolver(
                context, selections, run.showing(try await source.filters.run(context)),
                connections: context.configuration.jobs, page: folder)
            // Not its path, which is nobody's business.
            if page.title == nil, resolver.listed.count == 1 {
                options.title = URL(filePath: resolver.listed[0]).lastPathComponent
            }
            // Not among what is published: a part of a file, or one that is left out, is private.
            let incoming = IncomingFiles(of: folder, in: context.folders.incoming)
            let target = incoming.folder
            let converter = PictureConverter(context.environment)
            let made =
                await converter.isInstalled
                ? MadePictures(converter.maker(.web), in: folder.appending(path: "thumbs"), of: pictures)
                : nil
            let gathering = PhotoGathering(
                resolver, try await wishes(into: target, resolver.loaders, makes: made != nil), into: target,
                of: pictures, details: page.wanted, page.sizes, made, limit: source.filters.limit,
                skipsDuplicates: source.filters.unique, downloader: run.downloader(resolver.loaders))
            var published = PhotoShelf()
            try await run.gather(gathering) { plan in
                guard options.hasPhotoPages else { return }
                try await publisher.prepare(
                    forPhotos: Set(plan.files.map { PhotoSite.name(of: $0.item.photo) }))
            } take: {
                published.append($0)
            }
            var told = options
            told.feed = try await publisher.feedHistory()
            told.albums = page.by.flatMap { AlbumRule(rawValue: $0.rawValue) }
            let icons = await made?.icons(of: published.first) ?? []
            let site = await PhotoSite.of(
                published, icons: icons, options: told, choosesAlbums: page.by == nil)
            run.removed = try await publisher.publish(site, prunes: !page.noPrune)
            await incoming.clear()
            if !source.service.quiet {
                tell(of: run, published, stripped: pictures.stripCount, context.terminal)
            }
            let index = folder.appending(path: "index.html")
            let name = output + (output.hasSuffix("/") ? "" : "/") + "index.html"
            if !source.service.quiet { try context.terminal.result(name) }
            try await run.end(succeeded: published.count, opening: page.open ? index : nil)
        }

        private func tell(of run: PublishingRun, _ photos: PhotoShelf, stripped: Int, _ terminal: Terminal) {
            if stripped > 0 {
                let files = stripped == 1 ? "1 picture were" : "\(stripped) pictures were"
                terminal.message(
                    "The content credentials of \(files) removed; '--metadata-in-pictures keep' keeps them.")
            }
            if run.uncleaned > 0 {
                let files =
                    run.uncleaned == 1
                    ? "The file of 1 photo is not published, because its"
                    : "The files of \(run.uncleaned) photos are not published, because their"
                terminal.message(
                    "\(files) metadata cannot be removed; '--metadata-in-pictures keep' publishes all.")
            }
            if run.isUnmade {
                let weight = ByteText.amount(photos.gridBytes)
                terminal.message("The pictures of the index weigh \(weight): \(PictureConverter.advice)")
            }
        }

        /// The first hundred photos, or as many as the limit says, where none is named.
        private var selections: [Selection] {
            guard photos.selection.isEmpty else { return photos.selection }
            return [source.filters.limit == nil ? .range(1...100) : .from(1)]
        }

        /// What is downloaded of each photo: for its page a file that has the pixels, for the grid up to two in the
        /// sizes of a grid, else the thumbnail; of a folder, where smaller pictures are made, the file alone.
        private func wishes(
            into folder: TargetFolder, _ loaders: ServiceLoaders, makes: Bool
        ) async throws -> [PhotoGathering.Wish] {
            func wish(
                _ name: String, _ size: PhotoFileSize, for purpose: PhotoGathering.Wish.Purpose,
                edge: Int? = nil, isOf: @escaping @Sendable (Photo) -> Bool = { _ in true }
            ) async throws -> PhotoGathering.Wish {
                var options = FetchPlanner.Options(named: try NameTemplate(name))
                options.size = size
                options.ladders = { detail, size in
                    detail.ladders(size, edge: edge) {
                        purpose == .grid && detail.photo.gridRendition(of: $0) != nil
                    }
                }
                return .init(
                    try await FetchPlanner(into: folder, options, loaders: loaders), for: purpose, isOf: isOf)
            }
            let isMade: @Sendable (Photo) -> Bool = { makes && $0.ownFile != nil }
            let (pixels, hasFile) = (page.size.pixels, page.size.hasFile)
            var wishes: [PhotoGathering.Wish] = []
            if let pixels {
                let isFull: @Sendable (Photo) -> Bool = {
                    $0.full != nil && $0.rendition(longestEdge: pixels)?.url == $0.full?.url
                }
                wishes = [
                    try await wish("full/{service}_{id}", .full, for: .page, edge: pixels, isOf: isFull),
                    try await wish("full/{service}_{id}_{size}", .pixels(pixels), for: .page) { !isFull($0) },
                ]
            } else if hasFile {
                wishes = [try await wish("full/{service}_{id}", .full, for: .page)]
            } else {
                wishes = [try await wish("thumbs/{service}_{id}", .full, for: .source, isOf: isMade)]
            }
            let edges = [400, 960].filter { $0 < pixels ?? .max }
            /// The files that the grid shows, smallest first; the page's own is there already.
            let ofGrid: @Sendable (Photo) -> [Rendition?] = { photo in
                let page = pixels.flatMap { photo.rendition(longestEdge: $0) }
                let files: [Rendition?] = isMade(photo) ? [] : edges.map { photo.gridRendition($0) }
                return files.map { $0?.url == page?.url ? nil : $0 }
            }
            for (place, edge) in edges.enumerated() {
                wishes.append(
                    try await wish("thumbs/{service}_{id}_{size}", .pixels(edge), for: .grid) { photo in
                        let files = ofGrid(photo)
                        return !files.isEmpty && files[place] != nil
                            && !files[..<place].contains(files[place])
                    })
            }
            wishes.append(
                try await wish("thumbs/{service}_{id}", .thumbnail, for: .grid) { photo in
                    photo.ownFile == nil && ofGrid(photo).allSatisfy { $0 == nil }
                        && !(hasFile && photo.thumbnail != nil && photo.thumbnail?.url == photo.full?.url)
                })
            if !hasFile {
                // Nothing tells whether a camera's thumbnail still looks like its picture.
                wishes.append(
                    try await wish("thumbs/{service}_{id}", .full, for: .grid) {
                        $0.ownFile != nil && !isMade($0)
                    })
            }
            return wishes
        }
    }
}

extension Photo {
    /// The grid's file where so many pixels are wanted; `nil` where it is too small or too large, or the full one.
    fileprivate func gridRendition(_ edge: Int) -> Rendition? {
        gridRendition(of: rendition(longestEdge: edge))
    }

    fileprivate func gridRendition(of file: Rendition?) -> Rendition? {
        guard let file, let size = file.size, file.url != full?.url,
            PublishedSizes.gridRange.contains(size.longestEdge)
        else { return nil }
        return file
    }
}

struct PageOptions: ParsableArguments {
    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("The page's folder, created if missing.", valueName: "folder"),
        completion: .directory)
    var output: String

    @Option(
        help: ArgumentHelp("The page's title. (default: a folder's name, else Gallery)", valueName: "text"))
    var title: String?

    @Option(help: ArgumentHelp("A text below the title.", valueName: "text"))
    var description: String?

    @Option(help: ArgumentHelp("Language of titles and texts, such as en or pt-BR.", valueName: "code"))
    var lang = "en"

    @Option(
        help: """
            Make albums, with a page of covers: by folder, day, month, or author. (default: by folder, where a local \
            folder has subfolders; else none)
            """)
    var by: Albums?

    enum Albums: String, ExpressibleByArgument, CaseIterable {
        case folder, day, month, author
        case no = "none"
    }

    @Option(
        help: """
            What photos' pages tell of date, camera, place, and tags: all that lists and files say, full for a request \
            per photo to services, or none.
            """)
    var details = Details.all

    enum Details: String, ExpressibleByArgument, CaseIterable { case all, full, none }

    /// The details to ask for: albums need dates.
    var wanted: PhotoGathering.Details {
        if details == .full { return .ofAll }
        return details == .all || metadata || by != nil ? .ofFiles : .ofNone
    }

    @Option(help: ArgumentHelp("Number of columns. (default: rows of equal height)", valueName: "n"))
    var columns: Int?

    @Option(help: "Colors: auto follows the reader's system.")
    var theme = SiteOptions.Theme.auto

    @Option(
        help: ArgumentHelp(
            "What a photo's page shows at most: full, thumbnail, or pixels; 'none' makes no such pages.",
            valueName: "size"))
    var size = PageSize.file(.pixels(2048))

    @Option(
        help: ArgumentHelp("URL the site will have, for its feed and link previews.", valueName: "url"),
        transform: PageOptions.address)
    var base: URL?

    @Option(
        help: ArgumentHelp("A style sheet of your own, added to the page's.", valueName: "file"),
        completion: .file(extensions: ["css"]))
    var css: String?

    @Flag(help: "Write the photos' metadata beside the page as photos.json.")
    var metadata = false

    @Option(
        help: ArgumentHelp(
            "Metadata left in the pictures: keep all, safe (no places, cameras, or serial numbers), or none.",
            valueName: "what"))
    var metadataInPictures = PublishedMetadata.safe

    @Flag(help: "Keep files that earlier runs wrote and the page no longer uses.")
    var noPrune = false

    @Flag(help: "Open the page in the web browser.")
    var open = false

    /// What stands behind a photo of the grid.
    enum PageSize: Hashable, ExpressibleByArgument {
        case file(PhotoFileSize)
        /// The photo's page at its service.
        case none

        init?(argument: String) {
            guard argument != "none" else {
                self = .none
                return
            }
            guard let size = PhotoFileSize(rawValue: argument) else { return nil }
            self = .file(size)
        }

        var defaultValueDescription: String {
            if case .file(let size) = self { size.rawValue } else { "none" }
        }
        static var defaultCompletionKind: CompletionKind { .list(["full", "thumbnail", "none"]) }

        var pixels: Int? { if case .file(.pixels(let pixels)) = self { pixels } else { nil } }
        var hasFile: Bool { self != .none && self != .file(.thumbnail) }
    }

    /// The sizes of pictures: a page shows at most what is usual, and screens that show more get larger ones.
    var sizes: PublishedSizes {
        var sizes = PublishedSizes()
        if base != nil { sizes.grid.append(PublishedSizes.shared) }
        guard let pixels = size.pixels, pixels < sizes.shown else { return sizes }
        (sizes.shown, sizes.largest) = (pixels, pixels)
        return sizes
    }

    func validate() throws {
        guard !output.isEmpty else { throw ValidationError("'--output' must name a folder.") }
        try require("--columns", columns, in: 1...100)
        guard lang.wholeMatch(of: /[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*/) != nil else {
            throw ValidationError("'--lang \(lang)' is not a language. Use a code such as 'en' or 'pt-BR'.")
        }
    }

    func options(_ context: Context) throws -> SiteOptions {
        var options = SiteOptions()
        options.style = try css.map { try style($0.expandingHome(context.folders.home)) }
        options.title = title ?? "Gallery"
        options.description = description
        options.language = lang
        options.showsDetails = details != .none
        // As the pictures themselves.
        options.showsPlaces = metadataInPictures == .keep
        options.columns = columns
        options.theme = theme
        options.base = base
        options.hasPhotoPages = size != .none
        options.hasMetadata = metadata
        return options
    }

    private func style(_ path: String) throws -> String {
        let problem: String
        do throws(WholeFile.Failure) {
            let bytes = try WholeFile.data(at: path, upTo: 1 << 20)
            if let text = String(validating: bytes, as: UTF8.self) { return text }
            problem = "is not text"
        } catch { problem = error.problem }
        throw CommandFault(
            .missing, "The style sheet '\(PlainText.line(path))' \(problem).",
            hint: "Name a text file of at most 1 MiB.")
    }

    private static func address(_ text: String) throws -> URL {
        guard let url = WebAddress.url(text), url.query == nil, url.fragment == nil else {
            throw ValidationError("use an http or https URL without a query.")
        }
        return url
    }
}

extension SiteOptions.Theme: ExpressibleByArgument {}
extension PublishedMetadata: ExpressibleByArgument {}
