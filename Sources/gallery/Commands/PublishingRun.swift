import Curation
import Foundation
import GalleryCore
import Publishing
import TerminalPictures

/// Downloads what a page or a collage is made of, and reports it: progress, failures, the summary, the status.
final class PublishingRun {
    private let context: Context
    private let service: ServiceOptions
    private let report: FetchReport
    private let canvas: Canvas
    private let display: ProgressDisplay
    private let search = SearchProgress()
    /// How far the making of smaller pictures has come, such as `pictures 12/100`; `nil` while none are made.
    private let making = SharedValue<String?>(nil)
    /// Whether larger pictures are published than are looked at, since nothing is installed that makes smaller ones.
    private(set) var isUnmade = false
    /// Photos whose own files are not published, since their metadata cannot be removed.
    private(set) var uncleaned = 0
    /// Files of earlier runs that are gone.
    var removed = 0

    init(_ context: Context, _ service: ServiceOptions, making result: String) {
        (self.context, self.service) = (context, service)
        canvas = Canvas(context.terminal, reflows: context.abilities.reflows)
        let report = FetchReport(
            printing: nil, on: canvas, context, isQuiet: service.quiet, isVerbose: service.verbose, search)
        self.report = report
        display = ProgressDisplay(canvas, isShown: context.abilities.showsProgress && !service.quiet) {
            [making] in
            report.lines($0) + [making.value].compactMap(\.self)
        }
        Interrupt.onInterrupt { [canvas, terminal = context.terminal, isQuiet = service.quiet] in
            canvas.stop()
            guard !isQuiet else { return }
            terminal.message("Interrupted: no \(result) was written. Run the same command again to continue.")
        }
    }

    func showing(_ filter: FilterRun) -> FilterRun {
        guard filter.isSelective else { return filter }
        var filter = filter
        filter.report = search.take
        return filter
    }

    /// A downloader that takes from the pictures kept for viewing what they have.
    func downloader(_ loaders: ServiceLoaders) -> Downloader {
        let pictures = context.pictures(through: loaders.transport, service)
        return Downloader(
            transport: KeptPictureTransport(pictures, otherwise: loaders.images),
            configuration: service.downloads(jobs: context.configuration.jobs), paces: context.shared.paces)
    }

    /// Hands photos to `take` as they are ready, after a `check` of each part of the plan, and reports those that
    /// cannot be published. Throws also what kept the first from being found, and the status where none came.
    func gather(
        _ gathering: PhotoGathering, check: (FetchPlan) async throws -> Void = { _ in },
        take: ([PublishedPhoto]) async throws -> Void
    ) async throws {
        defer { display.stop() }
        var gathering = gathering
        var count = 0
        do {
            while let more = try await gathering.next(
                after: count,
                report: { event in
                    if case .planned(let plan) = event { try await check(plan) }
                    try self.take(event)
                })
            {
                count += more.count
                try await take(more)
            }
        } catch let error as any ActionableError where count > 0 && !(error is PublishError) {
            report.fail(.further(error))
        }
        display.stop()
        (isUnmade, uncleaned) = (gathering.isUnmade, gathering.uncleaned)
        let filter = gathering.resolver.filter
        if !service.quiet {
            let (count, reason) = gathering.undetailed
            if count > 0 {
                context.terminal.message(
                    "Warning: the details of \(count) \(count == 1 ? "photo" : "photos") did not come: "
                        + PlainText.line(reason))
            }
            let copies = gathering.duplicates
            filter.tell(duplicates: copies.count, named: copies, context.terminal)
        }
        guard count == 0 else { return }
        try report.end(succeeded: 0)
        guard filter.dropped > 0 else { throw CommandFault(.missing, "There are no photos.") }
        throw CommandFault(
            .missing, "No photo passed the filters.",
            hint: "Loosen the filters, or name the photos themselves.")
    }

    private func take(_ event: PhotoGathering.Event) throws {
        switch event {
        case .planned(let plan): report.begin(plan, nil)
        case .made(let count, let all): making.value = count < all ? "pictures \(count)/\(all)" : nil
        case .unmade(let entry, let fault):
            guard !service.quiet else { return }
            let reason = PlainText.line(fault.reason)
            context.terminal.message("Warning: \(entry.label): \(reason); it is published as it came.")
        case .unusable(let entry, let error): report.fail(.init(entry, error))
        case .download(let event):
            if !context.abilities.showsProgress || service.quiet { context.tellWait(event, service) }
            try report.take(event)
        }
    }

    /// Says what was done, opens the result where that is wanted, and ends with the status.
    func end(succeeded: Int, opening result: URL?) async throws {
        Interrupt.removeHandler()
        try context.terminal.flush()
        if let result,
            let problem = await PageOpener(environment: context.environment).problem(opening: result)
        {
            context.terminal.message("Warning: \(problem)")
        }
        if removed > 0, !service.quiet {
            context.terminal.message(
                "Removed \(removed) \(removed == 1 ? "file" : "files") of earlier runs that the page no longer uses."
            )
        }
        try report.end(succeeded: succeeded)
    }
}

extension PublishError: StatusError {
    var status: ExitStatus {
        switch self {
        case .cannotCreate, .foreign, .taken: .cannotCreate
        case .cannotWrite, .cannotRead, .busy: .inputOutput
        case .outside, .notForWeb, .uncleaned: .unreadable
        case .notInstalled: .missing
        }
    }
}
