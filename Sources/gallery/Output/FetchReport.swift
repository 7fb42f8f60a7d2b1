import Foundation
import GalleryCore
import Synchronization

/// Reports a fetch: results in the order the photos were selected, failures as they occur.
///
/// Thread-safe, because an interrupt reports from its own thread.
final class FetchReport: FetchObserver {
    private struct State {
        /// Planned files that have not ended.
        var planned: [Int: FetchPlan.File] = [:]
        /// The filters the photos passed.
        var filter: FilterRun?
        /// Photos left out because the folder has had them.
        var known = 0
        /// Whether no further file will be planned.
        var isPlanned = false
        var tally = FetchTally(labels: [:], planning: "listing")
        var failures = Failures()
        var copies = Copies()
        /// Photos in ``copies`` that others have already replaced.
        var replaced = 0
        /// Result lines waiting for those of earlier photos; `""` for a photo without one.
        var waiting: [Int: String] = [:]
        var next = 0
        var hints: [String] = []
        /// Whether a full disk has been reported.
        var hasReportedFullDisk = false
    }

    private let options: FetchSettings
    private let canvas: Canvas
    private let terminal: Terminal
    private let clock = ContinuousClock()
    private let start: ContinuousClock.Instant
    private let search: SearchProgress
    private let state = Mutex(State())
    /// Yields whenever no planned file is left.
    private let settled = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))

    /// - Parameters:
    ///   - start: When the command started, for the time in the summary.
    ///   - search: How far the filter has come.
    init(
        _ options: FetchSettings, on canvas: Canvas, terminal: Terminal, start: ContinuousClock.Instant,
        _ search: SearchProgress
    ) {
        self.search = search
        self.options = options
        self.canvas = canvas
        self.terminal = terminal
        self.start = start
    }

    /// Adds a part of the plan, and reports photos that failed before any transfer.
    func begin(_ plan: FetchPlan, _ progress: FetchSupply.Progress?) {
        state.withLock { state in
            state.filter = progress?.filter
            state.known = progress?.known ?? 0
            state.tally.planning = progress.flatMap(Self.planning)
            state.isPlanned = progress?.isOver ?? true
            if progress?.filter.isUnique == true { state.copies.add(plan.files.map(\.item)) }
            for file in plan.files { state.planned[file.item.number] = file }
            let labels = plan.files.map { ($0.item.number, PlainText.line($0.title)) }
            state.tally.add(
                labels: Dictionary(uniqueKeysWithValues: labels), failed: plan.failures.count,
                expected: progress?.expected)
            guard !plan.failures.isEmpty else { return }
            canvas.above {
                for failure in plan.failures {
                    state.failures.add(failure)
                    say(failure, &state)
                    // A closed pipe shows at the next line or at the last flush.
                    if options.format == .jsonl { try? terminal.result(Self.json(failure)) }
                }
            }
        }
    }

    /// How far details have come, such as `details 12/100`; `nil` where none are being requested.
    private static func planning(_ progress: FetchSupply.Progress) -> String? {
        guard progress.detailed > 0, !progress.isOver else { return nil }
        return "details \(progress.detailed)" + (progress.expected.map { "/\($0)" } ?? "")
    }

    /// Once all planned files have ended, how many photos were copies and still have to be replaced by
    /// others; 0 if the task is cancelled.
    func duplicatesOnceSettled() async -> Int {
        var signals = settled.stream.makeAsyncIterator()
        while !state.withLock({ $0.tally.isSettled }) {
            guard await signals.next() != nil else { return 0 }
        }
        return state.withLock { state in
            defer { state.replaced = state.copies.photos }
            return state.copies.photos - state.replaced
        }
    }

    /// Whether any photo has failed.
    var hasFailed: Bool { state.withLock { $0.failures.count > 0 } }

    /// Handles an event and prints its results.
    func take(_ event: DownloadEvent) throws {
        try state.withLock { state in
            state.tally.take(event, now: clock.now - start)
            switch event {
            case .finished(let item, let file):
                state.waiting[item.number] = state.planned[item.number].map { line($0, file) } ?? ""
                if let warning = file.warning, let planned = state.planned[item.number] {
                    canvas.above {
                        terminal.message(
                            "Warning: \(PlainText.line(planned.label)): \(PlainText.line(warning)).")
                    }
                }
                state.planned[item.number] = nil
            case .leftOut(let item, _):
                state.copies.take(item)
                state.waiting[item.number] = ""
                state.planned[item.number] = nil
            case .failed(let item, let error):
                guard let planned = state.planned.removeValue(forKey: item.number) else { return }
                let failure = ResolvedPhotos.Failure(
                    index: planned.entry.index, name: planned.label, error: error)
                state.failures.add(failure)
                let isJSON = options.format == .jsonl
                state.waiting[item.number] = isJSON ? Self.json(failure, id: item.photo.value) : ""
                canvas.above { say(failure, &state) }
            case .started, .progress, .waiting: return
            }
            if state.tally.isSettled { settled.continuation.yield() }
            guard state.waiting[state.next] != nil else { return }
            try canvas.above { try printReady(&state) }
        }
    }

    /// The progress lines.
    func lines(_ size: ProgressDisplay.Size) -> [String] {
        state.withLock { state in
            var tally = state.tally
            if !state.isPlanned, let searched = search.text { tally.planning = searched }
            return tally.lines(now: clock.now - start, size)
        }
    }

    /// Prints the summary, and throws the exit status if it is not 0.
    func end(isQuiet: Bool) throws {
        try terminal.flush()
        try state.withLock { state in
            for hint in state.hints { terminal.message("Help: \(PlainText.line(hint))") }
            if !isQuiet { summarize(state) }
            try state.failures.throwStatus(succeeded: state.tally.done - state.tally.failed)
        }
    }

    /// Reports what is done and what is not, after an interrupt.
    func interrupted(isQuiet: Bool) {
        state.withLock { state in
            for (_, line) in state.waiting.sorted(by: { $0.key < $1.key }) where !line.isEmpty {
                try? terminal.result(line)
            }
            try? terminal.flush()
            guard !isQuiet else { return }
            let left = state.tally.total - state.tally.done
            terminal.message("Interrupted: \(left) not fetched. Run the same command again to continue.")
            summarize(state)
        }
    }

    private func summarize(_ state: State) {
        LeftOutPhotos.ofThisCommand.tell(terminal)
        for line in [state.filter?.summary(copies: state.copies.files), state.filter?.endNotice] {
            if let line { terminal.message(line) }
        }
        if let line = Self.line(known: state.known) { terminal.message(line) }
        terminal.message(state.tally.summary(after: clock.now - start))
    }

    /// What `--new` left out.
    static func line(known: Int) -> String? {
        guard known > 0 else { return nil }
        return "\(known) \(known == 1 ? "photo" : "photos") left out: downloaded before"
    }

    // MARK: - Lines

    private func printReady(_ state: inout State) throws {
        while let line = state.waiting.removeValue(forKey: state.next) {
            state.next += 1
            if !line.isEmpty { try terminal.result(line) }
        }
        try terminal.flush()
    }

    private func say(_ failure: ResolvedPhotos.Failure, _ state: inout State) {
        if let error = failure.error as? DownloadError, error.isLackOfRoom {
            // The summary counts the others.
            guard !state.hasReportedFullDisk else { return }
            state.hasReportedFullDisk = true
        }
        terminal.message(Failures.line(failure))
        if let hint = failure.error.commandHint, !state.hints.contains(hint) { state.hints.append(hint) }
    }

    private func line(_ planned: FetchPlan.File, _ file: DownloadedFile) -> String {
        let folder = planned.item.name.split(separator: "/").dropLast().map { $0 + "/" }.joined()
        let path = options.path(folder + file.name)
        guard options.format == .jsonl else { return path }
        return JSONValue.members([
            "index": .optional(planned.entry.index), "id": .string(planned.item.photo.value),
            "path": .string(path), "bytes": .int(Int(file.bytes)), "status": .string(file.status.rawValue),
            "error": .null,
        ]).text
    }

    private static func json(_ failure: ResolvedPhotos.Failure, id: String? = nil) -> String {
        JSONValue.members([
            "index": .optional(failure.index), "id": .optional(id), "path": .null, "bytes": .null,
            "status": .string("failed"), "error": .string(PlainText.line(failure.error.description)),
        ]).text
    }
}

/// Counts files that turned out to be copies, and photos all of whose files were.
struct Copies {
    /// Files left out.
    private(set) var files = 0
    /// Photos without any file left.
    private(set) var photos = 0
    private var left: [PhotoID: Int] = [:]

    /// Adds planned files.
    mutating func add(_ items: some Sequence<DownloadItem>) {
        for item in items { left[item.photo, default: 0] += 1 }
    }

    /// Counts `item` as a copy.
    mutating func take(_ item: DownloadItem) {
        files += 1
        left[item.photo, default: 0] -= 1
        if left[item.photo] == 0 { photos += 1 }
    }
}

/// A file that would be downloaded or kept, as `--dry-run` prints it.
struct PlannedLine {
    private let file: FetchPlan.File
    private let kept: DownloadedFile?
    private let settings: FetchSettings

    init(_ file: FetchPlan.File, _ kept: DownloadedFile?, _ settings: FetchSettings) {
        self.file = file
        self.kept = kept
        self.settings = settings
    }

    var text: String {
        guard settings.format == .jsonl else {
            return "\(path)\t\(PlainText.line(file.address.absoluteString))" + (kept == nil ? "" : "\tkept")
        }
        return JSONValue.members([
            "index": .optional(file.entry.index), "id": .string(file.item.photo.value),
            "path": .string(path), "bytes": .optional(kept.map { Int($0.bytes) }),
            "status": .string(kept == nil ? "planned" : "kept"), "error": .null,
            "url": .string(file.address.absoluteString),
        ]).text
    }

    /// With the extension if it is known.
    private var path: String {
        let folder = file.item.name.split(separator: "/").dropLast().map { $0 + "/" }.joined()
        if let kept { return settings.path(folder + kept.name) }
        let ending = NameTemplate.pictureExtension(of: file.address).map { "." + $0 } ?? ""
        return settings.path(file.item.name + ending)
    }
}
