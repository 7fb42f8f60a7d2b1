import Arguments
import Foundation
import GalleryCore

extension Gallery {
    /// Looks through a feed.
    struct Browse: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Look through a feed, photo by photo, in the terminal.",
            discussion: "Press '?' for the keys.")

        @Argument(help: "Where to begin; where you left that feed, unless given.")
        var index: Int?

        @Option(help: ArgumentHelp("Columns of the grid; as many as fit, unless given.", valueName: "n"))
        var columns: Int?

        @Option(
            name: .shortAndLong,
            help: ArgumentHelp("Where 'f' fetches to, created where missing.", valueName: "path"),
            completion: .directory)
        var directory = "."

        @Option(help: PictureChoice.help)
        var picture = PictureChoice.auto

        @Flag(help: "Photos marked adult, too.")
        var adult = false

        @OptionGroup(title: "Feed options")
        var feed: FeedOptions

        @OptionGroup(title: "Service options")
        var service: ServiceOptions

        func validate() throws {
            if let index, index < 1 {
                throw ValidationError("There is no photo \(index). Indexes count from 1.")
            }
            if let columns, columns < 1 {
                throw ValidationError("'--columns \(columns)' leaves no grid. Use 1 or more.")
            }
            guard !directory.isEmpty else { throw ValidationError("'--directory' names no folder.") }
        }

        func run() async throws { try await run(in: .live) }

        func run(in context: Context) async throws {
            guard context.abilities.browses else { throw NoTerminal() }
            let marks = try await MarkStore(file: context.folders.marks).marks()
            let session = BrowseSession(try await setup(context, marks), marks: marks)
            let isLeftByKey = try await session.run()
            if !isLeftByKey { throw ExitCode(ExitStatus.interrupted.rawValue) }
        }

        private func setup(_ context: Context, _ marks: MarkStore.Marks) async throws -> BrowseSession.Setup {
            let remembered = service.namesSource || feed.named != nil ? nil : context.remembered
            let source =
                try remembered.map { Source(service: $0.service, base: $0.base) } ?? service.source(context)
            let transport = try context.transport(service)
            var configuration = Downloader.Configuration()
            configuration.jobs = 1
            configuration.idleTimeout = service.timeout
            configuration.retries = service.retries
            let pictures = PictureFolder(
                context.folders.pictures,
                downloader: Downloader(transport: transport, configuration: configuration))
            let shelf = BrowseShelf(
                context, service, pictures: pictures, includesAdult: adult, marked: marks)
            let listed = remembered?.feed ?? feed.named ?? .popular()
            // Before the terminal is asked anything: an error is the first thing to be seen.
            try shelf.check(source, listed)
            await pictures.prepare()
            var everything = PhotoFilter()
            everything.includesAdult = true
            return BrowseSession.Setup(
                context: context,
                shelf: shelf,
                files: BrowseFiles(context.folders), painter: await PicturePainter.live(picture, context),
                chooser: try Chooser(
                    context, service: service, feed: feed, sieve: Sieve(everything, limit: nil)),
                transport: transport, directory: directory, source: source,
                feed: listed, index: index,
                photo: index.flatMap { remembered?.photos[$0]?.id }, columns: columns)
        }
    }
}

/// Browsing needs somebody who looks.
struct NoTerminal: StatusError {
    var description: String { "'browse' needs a terminal for its keys and its screen." }
    var hint: String? { "Use 'gallery show' for a photo's details and 'gallery fetch' for its file." }
    var status: ExitStatus { .usage }
}
