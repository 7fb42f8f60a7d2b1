import Foundation
import GalleryCore

/// Carries a plan out: transfers, lines, bars, and what is said at the end or when interrupted.
struct FetchRun {
    private let plan: FetchPlan
    private let options: FetchSettings
    private let service: ServiceOptions
    private let context: Context

    init(_ plan: FetchPlan, _ options: FetchSettings, _ service: ServiceOptions, _ context: Context) {
        self.plan = plan
        self.options = options
        self.service = service
        self.context = context
    }

    func run() async throws {
        let isQuiet = service.quiet
        let report = FetchReport(plan, format: options.format, terminal: context.terminal)
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
        try report.begin(canvas)
        for await event in try downloader().fetch(
            plan.wishes.map(\.item), into: URL(filePath: options.directory))
        {
            try report.take(writingMetadata(event), canvas)
        }
        display.stop()
        try report.end(isQuiet: isQuiet)
    }

    private func downloader() throws -> Downloader {
        var configuration = Downloader.Configuration()
        configuration.jobs = options.jobs
        configuration.idleTimeout = service.timeout
        configuration.retries = service.retries
        configuration.overwrites = options.overwrites
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
