import Foundation
import GalleryCore

/// Carries out a fetch: downloads, result lines, progress bars, and the summary at the end or at an interrupt.
struct FetchRun {
    /// What is fetched.
    enum Work: Sendable {
        case plan(FetchPlan)
        /// Planned part by part, while files are downloaded.
        case supply(FetchSupply)
    }

    private let work: Work
    private let folder: TargetFolder
    private let transport: any HTTPTransport
    private let options: FetchSettings
    private let service: ServiceOptions
    private let context: Context
    private let search: SearchProgress

    /// A fetch of `work`.
    ///
    /// - Parameters:
    ///   - transport: For the files; the transport that lists go through too, so that both keep to the same number
    ///     of connections.
    ///   - search: How far the filter has come.
    init(
        _ work: Work, into folder: TargetFolder, through transport: any HTTPTransport,
        _ options: FetchSettings,
        _ service: ServiceOptions, _ context: Context, _ search: SearchProgress = SearchProgress()
    ) {
        self.search = search
        self.work = work
        self.folder = folder
        self.transport = transport
        self.options = options
        self.service = service
        self.context = context
    }

    func run() async throws {
        let isQuiet = service.quiet
        let canvas = Canvas(context.terminal, reflows: context.abilities.reflows)
        let report = FetchReport(
            options, on: canvas, terminal: context.terminal, start: context.start, search)
        let showsBars = context.abilities.showsProgress && !isQuiet
        let display = ProgressDisplay(canvas, isShown: showsBars) { report.lines($0) }
        defer { Interrupt.sayNothing() }
        let (first, supply) = try await begin(display, canvas)
        Interrupt.say {
            canvas.stop()
            report.interrupted(isQuiet: isQuiet)
        }
        let progress = await supply?.progress
        report.begin(first, progress)
        let files = PlannedFiles(first: first, supply: supply, observer: report)
        let downloader = downloader(skipsDuplicates: progress?.filter.isUnique ?? false)
        for await event in downloader.fetch(files, into: folder) {
            if !showsBars { context.tellWait(event, service) }
            try report.take(event)
        }
        display.stop()
        if !report.hasFailed { try await supply?.noteEnd(in: folder) }
        try report.end(isQuiet: isQuiet)
    }

    /// The first part, and what gives the rest. An error here ends the command; a later one is a failure among
    /// others.
    private func begin(
        _ display: ProgressDisplay, _ canvas: Canvas
    ) async throws -> (FetchPlan, FetchSupply?) {
        guard case .supply(let supply) = work else {
            if case .plan(let plan) = work { return (plan, nil) }
            return (FetchPlan(), nil)
        }
        Interrupt.say { [terminal = context.terminal, isQuiet = service.quiet] in
            canvas.stop()
            if !isQuiet { terminal.message(Interrupt.nothingFetched) }
        }
        do {
            return (try await supply.next() ?? FetchPlan(), supply)
        } catch {
            display.stop()
            throw error
        }
    }

    private func downloader(skipsDuplicates: Bool) -> Downloader {
        var configuration = service.downloads(jobs: options.jobs)
        configuration.overwrites = options.overwrites
        configuration.acceptsIncomplete = options.acceptsIncomplete
        configuration.skipsDuplicates = skipsDuplicates
        configuration.bytesPerSecond = options.bytesPerSecond
        return Downloader(
            transport: transport, configuration: configuration, paces: context.shared.paces)
    }
}
