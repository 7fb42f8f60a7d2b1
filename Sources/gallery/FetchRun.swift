import Foundation
import GalleryCore

/// Carries a plan out: transfers, lines, bars, and what is said at the end or when interrupted.
struct FetchRun {
    /// Where the photos of a plan came from, and more come from where some of them are copies.
    struct Origin {
        var chooser: Chooser
        let selections: [Selection]
    }

    private var plan: FetchPlan
    private var origin: Origin?
    private let options: FetchSettings
    private let service: ServiceOptions
    private let context: Context

    init(
        _ plan: FetchPlan, from origin: Origin? = nil, _ options: FetchSettings, _ service: ServiceOptions,
        _ context: Context
    ) {
        self.plan = plan
        self.origin = origin
        self.options = options
        self.service = service
        self.context = context
    }

    mutating func run() async throws {
        let isQuiet = service.quiet
        let sieve = origin?.chooser.sieve
        let report = FetchReport(plan, sieve, format: options.format, terminal: context.terminal)
        let display = ProgressDisplay(context.terminal, isShown: context.abilities.showsProgress && !isQuiet)
        {
            report.lines(width: $0)
        }
        let canvas = display.canvas
        let interrupt = Interrupt {
            canvas.stop()
            report.interrupted(isQuiet: isQuiet)
        }
        defer { interrupt.end() }
        try report.begin(plan, sieve, canvas)
        let (items, supply) = AsyncStream<DownloadItem>.makeStream()
        for wish in plan.wishes { supply.yield(wish.item) }
        if sieve?.isUnique != true || plan.wishes.isEmpty { supply.finish() }
        for await event in try downloader().fetch(items, into: URL(filePath: options.directory)) {
            try report.take(writingMetadata(event), canvas)
            guard let sieve = report.settledSieve else { continue }
            let more = try await more(sieve)
            try report.begin(plan, origin?.chooser.sieve, canvas)
            for item in more { supply.yield(item) }
            if more.isEmpty { supply.finish() }
        }
        display.stop()
        try report.end(isQuiet: isQuiet)
    }

    /// As many more as turned out to be copies: how many is known once all before them are settled.
    private mutating func more(_ sieve: Sieve) async throws -> [DownloadItem] {
        guard var origin, sieve.wantsMore, sieve.dropped > origin.chooser.sieve.dropped else {
            self.origin?.chooser.sieve = sieve
            return []
        }
        let known = plan.wishes.count
        origin.chooser.sieve = sieve
        do {
            let chosen = try await origin.chooser.chooseMore(origin.selections)
            try await plan.add(chosen, origin.chooser.loaders)
        } catch let error as any ActionableError {
            plan.fail(.init(index: nil, name: "further photos", error: error))
        }
        self.origin = origin
        return plan.wishes[known...].map(\.item)
    }

    private func downloader() throws -> Downloader {
        var configuration = Downloader.Configuration()
        configuration.jobs = options.jobs
        configuration.idleTimeout = service.timeout
        configuration.retries = service.retries
        configuration.overwrites = options.overwrites
        configuration.leavesOutCopies = origin?.chooser.sieve.isUnique ?? false
        return Downloader(
            transport: try context.transport(service, for: plan.source, connections: options.jobs),
            configuration: configuration, pauses: context.shared.pauses)
    }

    /// A file whose metadata could not be written has failed: who asked for both wants to know.
    private func writingMetadata(_ event: DownloadEvent) -> DownloadEvent {
        guard options.writesMetadata, case .finished(let item, let file) = event else { return event }
        let wish = plan.wishes[item.number]
        let json = wish.detail.map { wish.entry.json(with: $0) } ?? wish.entry.json
        let url = file.url.deletingPathExtension().appendingPathExtension("json")
        do {
            try PrivateFile.replace(url, with: Data((json.text + "\n").utf8), mode: 0o644)
            return event
        } catch {
            return .failed(item, .cannotWrite(path: url.path, reason: "\(error)"))
        }
    }
}
