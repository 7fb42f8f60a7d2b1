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
final class PublishingRun {
    /// What became of a photo: of its files the one that came worst, or took most.
    private enum Outcome: Int {
        case kept, fetched, failed
    }

    private var outcomes: [PhotoID: Outcome] = [:]
    /// Failures of photos that were never downloaded, and of the selection itself.
    private var otherFailures = 0
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
    func downloader(_ loaders: ServiceLoaders) -> Downloader {
        let pictures = context.pictures(through: loaders.transport, service.network)
        return Downloader(
            transport: KeptPictureTransport(pictures, otherwise: loaders.images),
            configuration: service.network.downloads(jobs: context.configuration.jobs),
            paces: context.shared.paces)
    }

    /// The photos of `gathering`, ready to be published. Those that cannot be are reported.
    ///
    /// - Parameter check: called with each part of the plan before its files are downloaded.
    /// - Throws: what kept the first photos from being found, what `check` throws, and the status where no photo
    ///   came.
    func photos(
        of gathering: PhotoGathering, check: (FetchPlan) async throws -> Void = { _ in }
    ) async throws -> [PublishedPhoto] {
        defer { display.stop() }
        var gathering = gathering
        var photos: [PublishedPhoto] = []
        do {
            while let more = try await gathering.next(
                after: photos.count,
                report: { event in
                    if case .planned(let plan) = event { try await check(plan) }
                    try take(event)
                })
            {
                photos += more
            }
        } catch let error as any ActionableError where !photos.isEmpty && !(error is PublishError) {
            report.fail(.further(error))
            otherFailures += 1
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
        guard photos.isEmpty else { return photos }
        try report.end(succeeded: 0, photos: counts)
        throw NothingToPublish(wasFiltered: filter.dropped > 0)
    }

    private func take(_ event: PhotoGathering.Event) throws {
        switch event {
        case .planned(let plan):
            report.begin(plan, nil)
            otherFailures += plan.failures.count
        case .unusable(let entry, let error):
            report.fail(.init(entry, error))
            outcomes[entry.photo.id] = .failed
        case .download(let event):
            if !context.abilities.showsProgress || service.quiet { context.tellWait(event, service) }
            try report.take(event)
            switch event {
            case .finished(let item, let file): note(file.status == .kept ? .kept : .fetched, of: item.photo)
            case .failed(let item, _): note(.failed, of: item.photo)
            case .started, .progress, .waiting, .duplicate: break
            }
        }
    }

    private func note(_ outcome: Outcome, of photo: PhotoID) {
        let before = outcomes[photo] ?? .kept
        outcomes[photo] = outcome.rawValue > before.rawValue ? outcome : before
    }

    /// Whoever wants a page did not ask for files: photos are counted.
    private var counts: FetchTally.Counts {
        func count(_ outcome: Outcome) -> Int { outcomes.values.count { $0 == outcome } }
        return (count(.fetched), count(.kept), count(.failed) + otherFailures)
    }

    /// Says what was done, opens the result where that is wanted, and ends with the status.
    func end(succeeded: Int, opening result: URL?) async throws {
        Interrupt.sayNothing()
        try context.terminal.flush()
        if let result,
            let problem = await PageOpener(environment: context.environment).problem(opening: result)
        {
            context.terminal.message("Warning: \(problem)")
        }
        try report.end(succeeded: succeeded, photos: counts)
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
        case .cannotCreate, .foreign: .cannotCreate
        case .cannotWrite, .cannotRead, .busy: .inputOutput
        case .notForWeb: .unreadable
        case .notInstalled: .missing
        }
    }
}
