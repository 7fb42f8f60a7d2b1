import Foundation
import GalleryCore

/// Carries a fetch out: transfers, lines, bars, and what is said at the end or when interrupted.
struct FetchRun {
    private let first: FetchPlan
    private let supply: FetchSupply?
    private let transport: any HTTPTransport
    private let options: FetchSettings
    private let service: ServiceOptions
    private let context: Context

    /// A fetch of what is planned first, and what `supply` gives after that.
    ///
    /// - Parameter transport: what `supply` asks through too, so that all of it keeps to its connections.
    init(
        _ first: FetchPlan, then supply: FetchSupply? = nil, through transport: any HTTPTransport,
        _ options: FetchSettings, _ service: ServiceOptions, _ context: Context
    ) {
        self.first = first
        self.supply = supply
        self.transport = transport
        self.options = options
        self.service = service
        self.context = context
    }

    func run() async throws {
        let isQuiet = service.quiet
        let canvas = Canvas(context.terminal)
        let report = FetchReport(options, on: canvas, terminal: context.terminal)
        let showsBars = context.abilities.showsProgress && !isQuiet
        let display = ProgressDisplay(canvas, isShown: showsBars) { report.lines($0) }
        Interrupt.say {
            canvas.stop()
            report.interrupted(isQuiet: isQuiet)
        }
        defer { Interrupt.sayNothing() }
        let progress = await supply?.progress
        report.begin(first, progress)
        let files = PlannedFiles(first: first, supply: supply, observer: report)
        let downloader = downloader(skipsDuplicates: progress?.filter.isUnique ?? false)
        for await event in downloader.fetch(files, into: URL(filePath: options.directory)) {
            if !showsBars { tellWait(event) }
            try report.take(event)
        }
        display.stop()
        try report.end(isQuiet: isQuiet)
    }

    private func downloader(skipsDuplicates: Bool) -> Downloader {
        var configuration = service.downloads(jobs: options.jobs)
        configuration.overwrites = options.overwrites
        configuration.acceptsIncomplete = options.acceptsIncomplete
        configuration.skipsDuplicates = skipsDuplicates
        return Downloader(
            transport: transport, configuration: configuration, pauses: context.shared.pauses)
    }

    /// A wait that a host asks for is told once, as those of lists are.
    private func tellWait(_ event: DownloadEvent) {
        guard case .waiting(let item, _, .refused(let host, _, .some)) = event,
            let pause = context.shared.pauses.news(of: item.source)
        else { return }
        context.waitReport(service)(.waiting(host: host, for: pause))
    }
}
