import Arguments
import Foundation
import GalleryCore

/// The photos of a page or a collage; without any, those that the command usually takes.
struct PublishedSelection: ParsableArguments {
    @Argument(
        help:
            "An index '7', a range '3-9' or '90-', a photo's web address, or '-' to read photos from standard input.",
        transform: SelectionArgument.selection)
    var selection: [Selection] = []
}

/// Downloads what a page or a collage is made of, and reports it: progress, failures, the summary, the status.
struct PublishingRun {
    private let context: Context
    private let service: ServiceOptions
    private let report: FetchReport
    private let canvas: Canvas
    private let display: ProgressDisplay
    private let search = SearchProgress()

    /// - Parameter result: what is being made, such as `page`.
    init(_ context: Context, _ service: ServiceOptions, making result: String) {
        self.context = context
        self.service = service
        canvas = Canvas(context.terminal, reflows: context.abilities.reflows)
        let report = FetchReport(printing: nil, on: canvas, context, isQuiet: service.quiet, search)
        self.report = report
        display = ProgressDisplay(canvas, isShown: context.abilities.showsProgress && !service.quiet) {
            report.lines($0)
        }
        Interrupt.say { [canvas, terminal = context.terminal, isQuiet = service.quiet] in
            canvas.stop()
            guard !isQuiet else { return }
            terminal.message("Interrupted: no \(result) was written. Run the same command again to continue.")
        }
    }

    /// The same filter, with its progress shown while it goes through many photos.
    func showing(_ filter: FilterRun) -> FilterRun {
        guard filter.isSelective else { return filter }
        var filter = filter
        filter.report = search.take
        return filter
    }

    /// A downloader that takes from the pictures kept for viewing what they have.
    func downloader(through transport: any HTTPTransport) -> @Sendable ([DownloadItem]) -> Downloader {
        let pictures = context.pictures(through: transport, service.network)
        let configuration = service.network.downloads(jobs: context.configuration.jobs)
        let paces = context.shared.paces
        return { _ in
            Downloader(
                transport: KeptPictureTransport(pictures, otherwise: transport),
                configuration: configuration, paces: paces)
        }
    }

    /// What `make` makes of each photo. A photo that fails there fails like any other.
    ///
    /// - Throws: what kept the first photos from being found, and the status where no photo came.
    func photos<Result: Sendable>(
        of gathering: PhotoGathering,
        make: (PhotoGathering.Gathered) async throws(PublishError) -> Result
    ) async throws -> [Result] {
        var gathering = gathering
        var results: [Result] = []
        do {
            while let photos = try await gathering.next(after: results.count, report: take) {
                for photo in photos {
                    do throws(PublishError) {
                        results.append(try await make(photo))
                    } catch {
                        report.fail(.init(photo.entry, error))
                    }
                }
            }
        } catch let error as any ActionableError where !results.isEmpty {
            report.fail(.further(error))
        }
        display.stop()
        let filter = gathering.resolver.filter
        if !service.quiet {
            for line in [filter.summary(duplicates: gathering.duplicates), filter.endNotice].compactMap(
                \.self)
            {
                context.terminal.message(line)
            }
        }
        guard results.isEmpty else { return results }
        try report.end(succeeded: 0)
        throw NothingToPublish(wasFiltered: filter.dropped > 0)
    }

    private func take(_ event: PhotoGathering.Event) throws {
        switch event {
        case .planned(let plan, _): report.begin(plan, nil)
        case .download(let event):
            if !context.abilities.showsProgress || service.quiet { context.tellWait(event, service) }
            try report.take(event)
        }
    }

    /// Says what was done, opens the result where that is wanted, and ends with the status.
    func end(succeeded: Int, opening result: URL?) async throws {
        Interrupt.sayNothing()
        try context.terminal.flush()
        if let result, let problem = await PageOpener(context.environment).problem(opening: result) {
            context.terminal.message("Warning: \(problem)")
        }
        try report.end(succeeded: succeeded)
    }
}

/// No photo was found, and none has failed.
private struct NothingToPublish: StatusError {
    let wasFiltered: Bool

    var description: String { wasFiltered ? "No photo passed the filters." : "There are no photos." }
    var hint: String? { wasFiltered ? "Loosen the filters, or name the photos themselves." : nil }
    var status: ExitStatus { .missing }
}

extension PublishError: StatusError {
    var status: ExitStatus {
        switch self {
        case .cannotCreate, .otherPage: .cannotCreate
        case .cannotWrite, .cannotRead, .busy: .inputOutput
        case .notForWeb: .unreadable
        case .notInstalled: .missing
        }
    }
}
