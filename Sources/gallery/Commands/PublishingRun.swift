import Arguments
import Foundation
import GalleryCore
import Synchronization

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
    private let report: PublishingReport
    private let canvas: Canvas
    private let display: ProgressDisplay
    private let search = SearchProgress()

    /// - Parameter result: what is being made, such as `page`.
    init(_ context: Context, _ service: ServiceOptions, making result: String) {
        self.context = context
        self.service = service
        canvas = Canvas(context.terminal, reflows: context.abilities.reflows)
        let report = PublishingReport(context.terminal, canvas, search)
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
        let pictures = context.pictures(through: transport, service)
        let configuration = service.downloads(jobs: context.configuration.jobs)
        let paces = context.shared.paces
        return { items in
            Downloader(
                transport: ReusingTransport(otherwise: transport, pictures: pictures, items: items),
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
            while let photos = try await gathering.next(after: results.count, report: { take(event: $0) }) {
                for photo in photos {
                    do throws(PublishError) {
                        results.append(try await make(photo))
                    } catch {
                        report.leaveOut(
                            .init(index: photo.entry.index, name: photo.entry.label, error: error))
                    }
                }
            }
        } catch let error as any ActionableError where !results.isEmpty {
            report.fail(.further(error))
        }
        display.stop()
        let filter = gathering.resolver.filter
        if !service.quiet {
            for line in [filter.summary(copies: gathering.copies), filter.endNotice].compactMap(\.self) {
                context.terminal.message(line)
            }
        }
        guard results.isEmpty else { return results }
        try report.end(isQuiet: service.quiet, succeeded: 0)
        throw NothingToPublish(wasFiltered: filter.dropped > 0)
    }

    private func take(event: PhotoGathering.Event) {
        if !context.abilities.showsProgress || service.quiet { tellWait(event) }
        report.take(event)
    }

    /// Says what was done, opens the result where that is wanted, and ends with the status.
    func end(succeeded: Int, opening result: URL?) async throws {
        Interrupt.sayNothing()
        try context.terminal.flush()
        if let result, let problem = await PageOpener(context.environment).problem(opening: result) {
            context.terminal.message("Warning: \(problem)")
        }
        try report.end(isQuiet: service.quiet, succeeded: succeeded)
    }

    /// Says once how long a host asks to wait, as lists do.
    private func tellWait(_ event: PhotoGathering.Event) {
        guard case .download(.waiting(let item, _, .refused(let host, _, .some))) = event,
            let pause = context.shared.paces.news(of: item.source)
        else { return }
        context.waitReport(service)(.waiting(host: host, for: pause))
    }
}

/// What has been downloaded and what has failed. Thread-safe, since bars are drawn from a thread of their own.
private final class PublishingReport: Sendable {
    private struct State {
        var labels: [Int: (name: String, index: Int?)] = [:]
        var tally = FetchTally(labels: [:])
        var failures = Failures()
        var hints: [String] = []
    }

    private let terminal: Terminal
    private let canvas: Canvas
    private let clock = ContinuousClock()
    private let start: ContinuousClock.Instant
    private let search: SearchProgress
    private let state = Mutex(State())

    init(_ terminal: Terminal, _ canvas: Canvas, _ search: SearchProgress) {
        self.search = search
        self.terminal = terminal
        self.canvas = canvas
        start = clock.now
    }

    func take(_ event: PhotoGathering.Event) {
        switch event {
        case .planned(let plan, _):
            state.withLock { state in
                for file in plan.files { state.labels[file.item.number] = (file.label, file.entry.index) }
                state.tally.add(
                    labels: Dictionary(
                        uniqueKeysWithValues: plan.files.map { ($0.item.number, PlainText.line($0.title)) }),
                    failed: plan.failures.count, expected: nil)
            }
            plan.failures.forEach(fail)
        case .download(let event):
            state.withLock { $0.tally.take(event, now: clock.now - start) }
            switch event {
            case .failed(let item, let error):
                let photo = state.withLock { $0.labels.removeValue(forKey: item.number) }
                fail(.init(index: photo?.index, name: photo?.name ?? item.name, error: error))
            case .finished(let item, _), .leftOut(let item, _):
                state.withLock { $0.labels[item.number] = nil }
            case .started, .progress, .waiting: break
            }
        }
    }

    /// A photo whose files are here and cannot be published.
    func leaveOut(_ failure: ResolvedPhotos.Failure) {
        state.withLock { $0.tally.add(labels: [:], failed: 1, expected: nil) }
        fail(failure)
    }

    func fail(_ failure: ResolvedPhotos.Failure) {
        state.withLock { state in
            state.failures.add(failure)
            if let hint = failure.error.commandHint, !state.hints.contains(hint) { state.hints.append(hint) }
        }
        canvas.above { terminal.message(Failures.line(failure)) }
    }

    func lines(_ size: ProgressDisplay.Size) -> [String] {
        var tally = state.withLock(\.tally)
        tally.planning = search.text
        return tally.lines(now: clock.now - start, size)
    }

    /// The hints, the summary, and the status as an error where it is not 0.
    func end(isQuiet: Bool, succeeded: Int) throws {
        try state.withLock { state in
            for hint in state.hints { terminal.message("Help: \(PlainText.line(hint))") }
            LeftOutPhotos.ofThisCommand.tell(terminal)
            if !isQuiet { terminal.message(state.tally.summary(after: clock.now - start)) }
            try state.failures.throwStatus(succeeded: succeeded)
        }
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
