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
///
/// Thread-safe, since bars are drawn from a thread of their own.
final class PublishingRun: Sendable {
    private struct State {
        /// The photos of planned files, by their items' numbers.
        var planned: [Int: IndexedPhoto] = [:]
        var tally = FetchTally(labels: [:])
        /// What became of each photo that has files.
        var outcomes: [PhotoID: Outcome] = [:]
        /// Failures of no such photo.
        var otherFailures = 0
        var failures = Failures()
        var hints: [String] = []
    }

    /// What became of a photo: of its files the one that came worst, or took most.
    private enum Outcome: Int {
        case kept, fetched, failed
    }

    private let context: Context
    private let service: ServiceOptions
    private let canvas: Canvas
    private let clock = ContinuousClock()
    private let start: ContinuousClock.Instant
    private let search = SearchProgress()
    private let state = Mutex(State())

    /// - Parameter result: what is being made, such as `page`.
    init(_ context: Context, _ service: ServiceOptions, making result: String) {
        self.context = context
        self.service = service
        canvas = Canvas(context.terminal, reflows: context.abilities.reflows)
        start = clock.now
        Interrupt.say { [canvas, terminal = context.terminal, isQuiet = service.quiet] in
            canvas.stop()
            guard !isQuiet else { return }
            terminal.message("Interrupted: no \(result) was written. Run the same command again to continue.")
        }
    }

    private var showsBars: Bool { context.abilities.showsProgress && !service.quiet }

    /// The same filter, with its progress shown while it goes through many photos.
    func showing(_ filter: FilterRun) -> FilterRun {
        guard filter.isSelective else { return filter }
        var filter = filter
        filter.report = search.take
        return filter
    }

    /// A downloader that takes from the pictures kept for viewing what they have.
    func downloader(_ loaders: ServiceLoaders) -> Downloader {
        Downloader(
            transport: KeptPictureTransport(context.folders.pictures, otherwise: loaders.images),
            configuration: service.downloads(jobs: context.configuration.jobs), paces: context.shared.paces)
    }

    /// The photos of `gathering`, ready to be published. Those that cannot be are reported.
    ///
    /// - Parameter check: called with each part of the plan before its files are downloaded.
    /// - Throws: what kept the first photos from being found, what `check` throws, and the status where no photo
    ///   came.
    func photos(
        of gathering: PhotoGathering, check: (FetchPlan) async throws -> Void = { _ in }
    ) async throws -> [PublishedPhoto] {
        let display = ProgressDisplay(canvas, isShown: showsBars) { self.lines($0) }
        var gathering = gathering
        var photos: [PublishedPhoto] = []
        do {
            while let more = try await gathering.next(
                after: photos.count,
                report: { event in
                    if case .planned(let plan) = event { try await check(plan) }
                    take(event)
                })
            {
                photos += more
            }
        } catch let error as PublishError {
            display.stop()
            throw error
        } catch let error as any ActionableError where !photos.isEmpty {
            fail(.further(error))
        }
        display.stop()
        let filter = gathering.resolver.filter
        if !service.quiet {
            for line in [filter.summary(copies: gathering.copies), filter.endNotice].compactMap(\.self) {
                context.terminal.message(line)
            }
        }
        guard photos.isEmpty else { return photos }
        try end(succeeded: 0)
        throw NothingToPublish(wasFiltered: filter.dropped > 0)
    }

    /// Says what was done, opens the result where that is wanted, and ends with the status.
    func end(succeeded: Int, opening result: URL?) async throws {
        Interrupt.sayNothing()
        try context.terminal.flush()
        if let result, let problem = await PageOpener(context.environment).problem(opening: result) {
            context.terminal.message("Warning: \(problem)")
        }
        try end(succeeded: succeeded)
    }

    /// The hints, the summary, and the status as an error where it is not 0.
    private func end(succeeded: Int) throws {
        let terminal = context.terminal
        try state.withLock { state in
            for hint in state.hints { terminal.message("Help: \(PlainText.line(hint))") }
            LeftOutPhotos.ofThisCommand.tell(terminal)
            if !service.quiet { terminal.message(Self.summary(state, after: clock.now - start)) }
            try state.failures.throwStatus(succeeded: succeeded)
        }
    }

    /// `12 fetched, 0 kept, 0 failed, 900 KB in 1 s`, of photos: whoever wants a page did not ask for files.
    private static func summary(_ state: State, after time: Duration) -> String {
        func count(_ outcome: Outcome) -> Int { state.outcomes.values.count { $0 == outcome } }
        return FetchTally.summary(
            fetched: count(.fetched), kept: count(.kept), failed: count(.failed) + state.otherFailures,
            bytes: state.tally.bytes, after: time)
    }

    // MARK: - Events

    private func take(_ event: PhotoGathering.Event) {
        switch event {
        case .planned(let plan):
            state.withLock { state in
                let labels = plan.files.map { ($0.item.number, PlainText.line($0.title)) }
                for file in plan.files { state.planned[file.item.number] = file.entry }
                state.tally.add(
                    labels: Dictionary(uniqueKeysWithValues: labels), failed: plan.failures.count,
                    expected: nil)
            }
            for failure in plan.failures { fail(failure) }
        case .unusable(let entry, let error):
            state.withLock { $0.tally.add(labels: [:], failed: 1, expected: nil) }
            fail(.init(index: entry.index, name: entry.label, error: error), of: entry.photo.id)
        case .download(let event):
            if !showsBars { context.tellWait(event, service) }
            state.withLock { $0.tally.take(event, now: clock.now - start) }
            switch event {
            case .finished(let item, let file): end(item.photo, file.status == .kept ? .kept : .fetched)
            case .failed(let item, let error):
                let entry = state.withLock { $0.planned[item.number] }
                fail(
                    .init(index: entry?.index, name: entry?.label ?? item.name, error: error),
                    of: item.photo)
            case .started, .progress, .waiting, .leftOut: break
            }
        }
    }

    private func end(_ photo: PhotoID, _ outcome: Outcome) {
        state.withLock { state in
            let before = state.outcomes[photo] ?? .kept
            state.outcomes[photo] = outcome.rawValue > before.rawValue ? outcome : before
        }
    }

    private func fail(_ failure: ResolvedPhotos.Failure, of photo: PhotoID? = nil) {
        if let photo { end(photo, .failed) }
        state.withLock { state in
            if photo == nil { state.otherFailures += 1 }
            state.failures.add(failure)
            if let hint = failure.error.hint, !state.hints.contains(hint) { state.hints.append(hint) }
        }
        canvas.above { context.terminal.message(Failures.line(failure)) }
    }

    private func lines(_ size: ProgressDisplay.Size) -> [String] {
        var tally = state.withLock(\.tally)
        tally.planning = search.text
        return tally.lines(now: clock.now - start, size)
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
