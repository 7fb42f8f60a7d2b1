import Arguments
import Curation
import Foundation
import GalleryCore
import TerminalPictures

extension Gallery {
    struct Browse: ContextCommand {
        static let configuration = CommandConfiguration(
            "browse", "Browse a feed in the terminal, photo by photo.")

        @Argument(
            help: """
                Index of the photo to start at, a folder, a picture in its folder, or several files. (default: where you \
                left off)
                """, completion: .file(), transform: Self.place)
        var index: [Selection] = []

        @Option(
            help: ArgumentHelp("Number of columns in the grid. (default: as many as fit)", valueName: "n"))
        var columns: Int?

        @Option(
            name: .shortAndLong,
            help: ArgumentHelp(
                "Folder that 'f' downloads to; created if missing. (default: .)", valueName: "path"),
            completion: .directory)
        var directory: String?

        @Option(
            help: """
                Which size to show: full, thumbnail, or pixels of the longer edge. (default: what fills the \
                window)
                """, completion: PhotoFileSize.words)
        var size: PhotoFileSize?

        @Option(help: PictureChoice.help)
        var picture = PictureChoice.auto

        @Flag(
            help: """
                Print each photo as lines and read commands, without redrawing. (default where TERM is 'dumb' or \
                ACCESSIBLE is set)
                """)
        var plain = false

        @Flag(help: "Go on to the next photo after a rating.")
        var advance = false

        @Flag(help: "Write ratings into XMP files too, as 'rate --write-ratings' does.")
        var writeRatings = false

        @Flag(help: "Include photos marked as adult.")
        var adult = false

        @Flag(inversion: .prefixedNo, help: "Scroll with the wheel; click to open in the grid.")
        var mouse = false

        @Option(help: ArgumentHelp("Start a slideshow, showing each photo this long.", valueName: "seconds"))
        var slideshow: Int?

        @Option(
            help: ArgumentHelp(
                "Command that 'x' runs, with the photo's file as its last argument.", valueName: "command"),
            transform: UserCommand.init(line:))
        var exec: UserCommand?

        @OptionGroup(title: "Feed options") var feed: FeedOptions
        @OptionGroup var service: ServiceOptions

        func validate() throws {
            guard index.count < 2 || index.allSatisfy({ $0.index == nil }) else {
                throw ValidationError("Browsing starts at one index.")
            }
            try require("--columns", columns, in: 1...Int.max)
            if let slideshow, !(1...3600).contains(slideshow) {
                throw ValidationError("'--slideshow' must be from 1 to 3600 seconds.")
            }
            guard directory?.isEmpty != true else {
                throw ValidationError("'--directory' must not be empty.")
            }
        }

        func run(in context: Context) async throws {
            let isTerminal = isatty(STDIN_FILENO) == 1 && context.abilities.columns != nil
            let isPlain = plain || isTerminal && PlainBrowse.isAskedFor(by: context.environment)
            let opening = try await opening(context)
            let requested = opening.requested
            guard isPlain || context.abilities.browses else { throw NoTerminal() }
            let marks = try await context.folders.markLists.marks(of: requested.feed.list)
            let setup = try await setup(context, opening)
            if isPlain {
                var browse = PlainBrowse(setup, marks: marks)
                return try await browse.run()
            }
            let session = BrowseSession(setup, marks: marks)
            let isLeftByKey = try await context.terminal.holdingMessages { try await session.run() }
            if !isLeftByKey { throw ExitCode(ExitStatus.interrupted.rawValue) }
        }

        private static func place(_ word: String) throws -> Selection {
            switch try Selection(word) {
            case let selection where selection.index != nil: return selection
            case .path(let path): return .path(path)
            default: throw ValidationError("use an index, a folder, or files.")
            }
        }

        /// A list, and where it is opened: at an index, or at a picture in its folder.
        private typealias Opening = (requested: RequestedFeed, index: Int?, photo: PhotoID?)

        private func opening(_ context: Context) async throws -> Opening {
            var service = service
            guard let paths = index.paths(context), let first = paths.first else {
                let requested = try RequestedFeed(context, service, feed)
                let index = index.first?.index
                return (requested, index, index.flatMap { requested.shown?.photo(at: $0)?.id })
            }
            var list = try service.take(paths, feed.list)
            var (index, photo) = (nil as Int?, nil as PhotoID?)
            if paths.count == 1, case .paths = list, case .feed(.popular(let ranking, _)) = feed.list {
                let name = URL(filePath: first).lastPathComponent
                let folder = URL(filePath: first).deletingLastPathComponent()
                index = try? await Folder(folder: folder).index(of: name, ranking: ranking)
                photo = PhotoID(service: Folder.word, value: name)
                if index != nil {
                    (list, service.place.folder) = (feed.list, folder.path(percentEncoded: false))
                }
            }
            let address = try service.source(context, of: list)
            return (RequestedFeed(address: address, feed: list, shown: nil), index, photo)
        }

        private func setup(_ context: Context, _ opening: Opening) async throws -> BrowseSession.Setup {
            let requested = opening.requested
            let source = requested.address
            if requested.shown == nil, !requested.feed.isMarked { service.tellOfFirstRun(context) }
            // What it waits for is seen as it happens; lines about it would only come after the last screen.
            var service = service
            service.network.quiet = true
            let events = EventQueue()
            let loaders = context.loaders(service, at: source) { event in
                guard case .waiting(_, _, let reason) = event else { return }
                events.change { $0.spinner.reason = reason }
            }
            let pictures = context.pictures(through: loaders.images, service)
            let sources = BrowseSources(
                context: context, pictures: pictures, includesAdult: adult, loaders: loaders)
            // Before the terminal is asked anything: an error is the first thing to be seen.
            if !requested.feed.isMarked { try context.requireCatalog(of: source) }
            let list = try await sources.list(source, requested.feed)
            if case .paths = requested.feed { _ = try await list.page(PageSlice(number: 1, size: 1)) }
            await pictures.prepare()
            return BrowseSession.Setup(
                context: context, ratings: try await context.ratings(),
                rater: PhotoRater(context, writesFiles: writeRatings || context.configuration.writesRatings),
                events: events, sources: sources, files: BrowseFiles(context.folders, requested.feed.list),
                picture: picture,
                settings: FetchSettings(
                    directory: context.directory(directory), named: context.configuration.name ?? .standard,
                    service.downloads(jobs: 1)),
                source: source, feed: requested.feed, index: opening.index, photo: opening.photo,
                columns: columns, fileSize: size, usesMouse: mouse,
                slideshow: slideshow.map { .seconds($0) }, advances: advance, command: exec)
        }
    }
}
