import Curation
import Foundation
import GalleryCore
import TerminalPictures

/// Carries out a fetch: downloads, result lines, progress bars, and the summary at the end or at an interrupt.
struct FetchRun {
    let supply: FetchSupply
    let folder: TargetFolder
    /// For the files; the one that lists go through too, so that both keep to the same number of connections.
    let transport: any HTTPTransport
    let settings: FetchSettings
    let service: ServiceOptions
    let context: Context
    var search = SearchProgress()
    var command: UserCommand?

    func run() async throws {
        let isQuiet = service.quiet
        let canvas = Canvas(context.terminal, reflows: context.abilities.reflows)
        let report = FetchReport(
            printing: settings, on: canvas, context, isQuiet: service.quiet, isVerbose: service.verbose,
            search)
        let showsBars = context.abilities.showsProgress && !isQuiet
        let display = ProgressDisplay(canvas, isShown: showsBars) { report.lines($0) }
        defer {
            Interrupt.removeHandler()
            display.stop()
        }
        if !isQuiet { await folder.tellUnreadableLines(context.terminal) }
        await folder.clearLeftovers()
        Interrupt.onInterrupt { [terminal = context.terminal] in
            canvas.stop()
            if !isQuiet { terminal.message(Interrupt.nothingFetched) }
        }
        let first = try await supply.begin()
        Interrupt.onInterrupt {
            canvas.stop()
            report.interrupted()
        }
        let progress = await supply.progress
        report.begin(first, progress)
        var configuration = settings.downloads
        (configuration.skipsDuplicates, configuration.takesBack) = (progress.filter.isUnique, true)
        let downloader = Downloader(
            transport: transport, configuration: configuration, paces: context.shared.paces)
        let (files, continuation) = AsyncStream.makeStream(of: (DownloadedFile, IndexedPhoto).self)
        // Beside the downloads, which it must not hold up unless it is far behind.
        let backlog = AsyncSemaphore(1000)
        async let commands: Void = {
            for await (file, entry) in files {
                defer { backlog.leave() }
                guard let problem = await problem(with: file, of: entry) else { continue }
                report.note(.init(entry, CommandFault(.someFailed, problem)))
            }
        }()
        for await event in downloader.fetch(supply.files(report), into: folder) {
            if !showsBars { context.tellWait(event, service) }
            let entry = try report.take(event)
            // The others would fail alike.
            if case .failed(_, .cannotCreate) = event, !isFolderWritable { break }
            guard let entry, command != nil, case .finished(_, let file) = event,
                file.status != .kept, await backlog.enter()
            else { continue }
            continuation.yield((file, entry))
        }
        continuation.finish()
        await commands
        display.stop()
        if !report.hasFailed { try await supply.noteEnd(in: folder) }
        try report.end()
    }

    /// Whether anything can be created in the folder, which is there by now.
    private var isFolderWritable: Bool { access(folder.url.path + "/.", W_OK | X_OK) == 0 }

    private func problem(with file: DownloadedFile, of entry: IndexedPhoto) async -> String? {
        guard let command else { return nil }
        let photo = entry.photo
        let facts: KeyValuePairs<String, String?> = [
            "INDEX": entry.index.map(String.init), "SERVICE": photo.id.service, "ID": photo.id.value,
            "TITLE": photo.title, "AUTHOR": photo.author?.name, "PAGE": photo.page?.absoluteString,
            "LICENSE": photo.license, "BYTES": String(file.bytes), "STATUS": file.status.rawValue,
        ]
        let variables = facts.map { ("GALLERY_" + $0.key, PlainText.line($0.value ?? "")) }
        return await command.problem(
            with: file.url, context.environment, facts: Dictionary(variables) { first, _ in first }
        ) { line in
            if !service.quiet { context.terminal.message(line) }
        }
    }
}

extension Context {
    /// Reports a wait that a host asks for, once, as for lists.
    func tellWait(_ event: DownloadEvent, _ service: ServiceOptions) {
        guard case .waiting(let item, let delay, .refused(let host, let status, .some)) = event,
            let pause = shared.paces.news(of: item.source, or: (delay, status))
        else { return }
        waitReport(service)(.waiting(host: host, for: pause))
    }
}

extension TargetFolder {
    func tellUnreadableLines(_ terminal: Terminal) async {
        let numbers = await unreadableLines()
        guard !numbers.isEmpty else { return }
        let shown = numbers.prefix(5).map(String.init).joined(separator: ", ")
        let (lines, verb) = numbers.count == 1 ? ("Line", "is") : ("Lines", "are")
        terminal.message(
            "Warning: \(lines) \(shown)\(numbers.count > 5 ? " …" : "") of '.gallery.jsonl' \(verb) damaged.")
    }
}
