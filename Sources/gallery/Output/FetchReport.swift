import Curation
import Foundation
import GalleryCore
import Synchronization

/// Reports files being downloaded: results in the order the photos were selected, failures as they occur. Thread-safe:
/// an interrupt reports from its own thread, and bars are drawn from another.
final class FetchReport: FetchObserver {
    private struct State {
        var planned: [Int: FetchPlan.File] = [:]
        var progress: FetchSupply.Progress?
        var tally = FetchTally(planning: "listing")
        var failures = Failures()
        var lines = FailureLines()
        /// The planned files of each photo that are no duplicates.
        var left: [PhotoID: Int] = [:]
        /// Photos without any file left, and how many of them others have already replaced.
        var duplicates = (photos: 0, replaced: 0)
        /// What became of each photo of the current part of the plan, by its hash, where these are counted.
        var outcomes: [Int: Outcome] = [:]
        var ended: [Outcome: Int] = [:]
        var otherFailures = 0
        /// Result lines waiting for those of earlier photos; `""` for a photo without one.
        var waiting: [Int: String] = [:]
        var next = 0
        var hints: [String] = []
        var hasReportedFullDisk = false
        var hasReader = true
    }

    /// What became of a photo: of its files the one that came worst, or took most.
    private enum Outcome: Int { case kept, fetched, failed }

    /// What is printed of each file; `nil` for nothing, where photos are counted rather than files.
    private let settings: FetchSettings?
    private let (isQuiet, isVerbose): (Bool, Bool)
    private let canvas: Canvas
    private let terminal: Terminal
    private let leftOut: LeftOutPhotos
    private let clock = ContinuousClock()
    private let start: ContinuousClock.Instant
    private let search: SearchProgress
    private let state = Mutex(State())
    /// Yields whenever no planned file is left.
    private let settled = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))

    init(
        printing settings: FetchSettings?, on canvas: Canvas, _ context: Context, isQuiet: Bool,
        isVerbose: Bool, _ search: SearchProgress
    ) {
        self.settings = settings
        (self.isQuiet, self.isVerbose) = (isQuiet, isVerbose)
        (self.canvas, self.search) = (canvas, search)
        (terminal, leftOut) = (context.terminal, context.leftOut)
        start = context.start
    }

    /// Adds a part of the plan, and reports photos that failed before any transfer.
    func begin(_ plan: FetchPlan, _ progress: FetchSupply.Progress?) {
        state.withLock { state in
            state.progress = progress
            state.tally.planning = progress.flatMap(Self.planning)
            if !plan.files.isEmpty {
                for outcome in state.outcomes.values { state.ended[outcome, default: 0] += 1 }
                state.outcomes.removeAll(keepingCapacity: true)
            }
            for file in plan.files {
                state.planned[file.item.number] = file
                if progress?.filter.isUnique == true { state.left[file.item.photo, default: 0] += 1 }
            }
            state.tally.add(
                planned: plan.files.count, failed: plan.failures.count, expected: progress?.expected)
            for failure in plan.failures {
                let lines = say(failure, &state)
                // An output that cannot be written shows at the next line or at the last flush.
                canvas.above { try? print(lines, &state) }
            }
        }
    }

    func fail(_ failure: ResolvedPhotos.Failure) { begin(FetchPlan(failures: [failure]), nil) }

    /// How far details have come, such as `details 12/100`; `nil` where none are being requested.
    private static func planning(_ progress: FetchSupply.Progress) -> String? {
        guard progress.detailed > 0, !progress.isOver else { return nil }
        return "details \(progress.detailed)" + (progress.expected.map { "/\($0)" } ?? "")
    }

    /// Once all planned files have ended, how many duplicates others have to replace; 0 if the task is canceled.
    func duplicatesOnceSettled() async -> Int {
        var signals = settled.stream.makeAsyncIterator()
        while !state.withLock({ $0.tally.isSettled }) {
            guard await signals.next() != nil else { return 0 }
        }
        return state.withLock { state in
            defer { state.duplicates.replaced = state.duplicates.photos }
            return state.duplicates.photos - state.duplicates.replaced
        }
    }

    var hasFailed: Bool { state.withLock { $0.tally.failed > 0 } }

    func note(_ failure: ResolvedPhotos.Failure) {
        let line = state.withLock { state in
            state.failures.add(failure)
            return state.lines.line(of: failure)
        }
        if let line { terminal.message(line) }
    }

    private func note(_ outcome: Outcome, of photo: PhotoID, _ state: inout State) {
        // A fetch may be of more photos than should be in memory.
        guard settings == nil else { return }
        let before = state.outcomes[photo.hashValue] ?? .kept
        state.outcomes[photo.hashValue] = outcome.rawValue > before.rawValue ? outcome : before
    }

    /// Handles an event and prints its results; returns the photo whose file has come, if one has.
    @discardableResult
    func take(_ event: DownloadEvent) throws -> IndexedPhoto? {
        try state.withLock { state in
            state.tally.take(event, now: clock.now - start)
            var received: IndexedPhoto?
            switch event {
            case .started, .progress, .waiting: return nil
            case .finished(let item, let file):
                guard let planned = state.planned.removeValue(forKey: item.number) else { return nil }
                received = planned.entry
                note(file.status == .kept ? .kept : .fetched, of: item.photo, &state)
                state.waiting[item.number] = line(planned, file)
                if let address = file.standIn, isVerbose, file.status != .kept {
                    let said = "\(planned.label): \(address) came in place of a file that is not there."
                    terminal.message(PlainText.line(said))
                }
                if let warning = file.warning, !isQuiet {
                    terminal.message("Warning: \(PlainText.line(planned.label)): \(PlainText.line(warning)).")
                }
            case .duplicate(let item, _):
                state.planned[item.number] = nil
                state.waiting[item.number] = ""
                state.left[item.photo, default: 0] -= 1
                if state.left[item.photo] == 0 { state.duplicates.photos += 1 }
            case .failed(let item, .unwanted):
                state.planned[item.number] = nil
                state.waiting[item.number] = ""
            case .failed(let item, let error):
                guard let planned = state.planned.removeValue(forKey: item.number) else { return nil }
                state.waiting[item.number] = say(.init(planned.entry, error), &state)
            case .revoked(let item, _, let error):
                let entry = IndexedPhoto(index: item.index, photo: Photo(id: item.photo, title: ""))
                let line = say(.init(entry, error), &state)
                if state.waiting[item.number] == nil {
                    try canvas.above { try print(line, &state) }
                } else {
                    state.waiting[item.number] = line
                }
            }
            if state.tally.isSettled { settled.continuation.yield() }
            guard state.waiting[state.next] != nil else { return received }
            var ready = ""
            while let line = state.waiting.removeValue(forKey: state.next) {
                state.next += 1
                ready += line
            }
            try canvas.above { try print(ready, &state) }
            return received
        }
    }

    func lines(_ size: ProgressDisplay.Size) -> [String] {
        state.withLock { state in
            var tally = state.tally
            if state.progress?.isOver != true, let searched = search.text { tally.planning = searched }
            return tally.lines(now: clock.now - start, size) { number in
                PlainText.line(state.planned[number]?.title ?? "")
            }
        }
    }

    /// Prints the summary, and throws the exit status if it is not 0. `succeeded` is what was made of the files, for
    /// commands that are about that.
    func end(succeeded: Int? = nil) throws {
        try state.withLock { state in
            // Where a run ends early, those before them have none.
            try? print(state.waiting.sorted { $0.key < $1.key }.map(\.value).joined(), &state)
            for line in state.lines.rest { terminal.message(line) }
            for hint in state.hints { terminal.message("Help: \(PlainText.line(hint))") }
            if !isQuiet { summarize(state) }
            try state.failures.throwStatus(succeeded: succeeded ?? state.tally.done - state.tally.failed)
        }
    }

    func interrupted() {
        state.withLock { state in
            try? print(state.waiting.sorted { $0.key < $1.key }.map(\.value).joined(), &state)
            for line in state.lines.rest { terminal.message(line) }
            guard !isQuiet else { return }
            let left = state.tally.total - state.tally.done
            terminal.message("Interrupted: \(left) not fetched. Run the same command again to continue.")
            summarize(state)
        }
    }

    private func summarize(_ state: State) {
        leftOut.tell(terminal)
        if let progress = state.progress { Self.tell(progress, tally: state.tally, terminal) }
        func count(_ outcome: Outcome) -> Int {
            state.ended[outcome, default: 0] + state.outcomes.values.count { $0 == outcome }
        }
        let photos = (count(.fetched), count(.kept), count(.failed) + state.otherFailures)
        terminal.message(state.tally.summary(settings == nil ? photos : nil, after: clock.now - start))
    }

    /// Says what filters and `--new` have left out, and where a search was given up.
    static func tell(_ progress: FetchSupply.Progress, tally: FetchTally? = nil, _ terminal: Terminal) {
        progress.filter.tell(duplicates: tally?.duplicates ?? 0, unwanted: tally?.unwanted ?? 0, terminal)
        let known = progress.known
        guard known > 0 else { return }
        terminal.message("Left out \(known) \(known == 1 ? "photo" : "photos"): downloaded before.")
    }

    // MARK: - Lines

    /// Prints results. If output is closed, that is said once, and the downloads go on.
    private func print(_ lines: String, _ state: inout State) throws {
        guard state.hasReader, !lines.isEmpty else { return }
        do {
            try terminal.results([String(lines.dropLast())])
        } catch is ClosedPipe {
            state.hasReader = false
            if !isQuiet { terminal.message("Output was closed; the download continues.") }
        }
    }

    private func say(_ failure: ResolvedPhotos.Failure, _ state: inout State) -> String {
        state.failures.add(failure)
        if let photo = failure.photo { note(.failed, of: photo.id, &state) } else { state.otherFailures += 1 }
        let isLackOfRoom = (failure.error as? DownloadError)?.isLackOfRoom == true
        // The summary counts the others.
        if !isLackOfRoom || !state.hasReportedFullDisk {
            if let line = state.lines.line(of: failure) { terminal.message(line) }
            if let hint = failure.error.commandHint, !state.hints.contains(hint) { state.hints.append(hint) }
        }
        state.hasReportedFullDisk = state.hasReportedFullDisk || isLackOfRoom
        guard let settings, settings.format == .jsonl else { return "" }
        return Self.json(
            failure.index, failure.photo?.id, "failed", error: PlainText.line(failure.error.description),
            settings.planning.size) + "\n"
    }

    private func line(_ planned: FetchPlan.File, _ file: DownloadedFile) -> String {
        guard let settings, !isQuiet || settings.format == .jsonl else { return "" }
        let path = settings.path(String(file.name), of: planned.item)
        guard settings.format == .jsonl else { return path + "\n" }
        return Self.json(
            planned.entry.index, planned.item.photo, file.status.rawValue, path, bytes: file.bytes,
            planned.item.size, file.pixels, url: file.standIn) + "\n"
    }

    /// What became of a file, or what would, on a line.
    private static func json(
        _ index: Int?, _ photo: PhotoID?, _ status: String, _ path: String? = nil, bytes: Int64? = nil,
        error: String? = nil, _ size: PhotoFileSize, _ pixels: PixelSize? = nil, url: String? = nil
    ) -> String {
        JSONValue.members([
            "index": .optional(index), "service": .optional(photo?.service), "id": .optional(photo?.value),
            "path": .optional(path), "bytes": .optional(bytes.map { Int($0) }), "status": .string(status),
            "error": .optional(error), "size": .string(size.rawValue), "width": .optional(pixels?.width),
            "height": .optional(pixels?.height), "url": url.map(JSONValue.string),
        ]).text
    }

    /// A file that would be downloaded, or that is `kept`, as `--dry-run` prints it.
    static func line(
        planned file: FetchPlan.File, _ kept: DownloadedFile?, _ settings: FetchSettings
    ) -> String {
        // With the extension if it is known.
        let ending = NameTemplate.pictureExtension(of: file.address).map { "." + $0 } ?? ""
        let path =
            kept.map { settings.path(String($0.name), of: file.item) }
            ?? settings.path(file.item.name + ending)
        let pixels = kept.map(\.pixels) ?? file.rendition?.size
        let bytes = kept?.bytes ?? file.rendition?.bytes
        guard settings.format == .jsonl else {
            let facts = [
                path, PlainText.line(file.address.absoluteString), pixels.map { "\($0.width)×\($0.height)" },
                bytes.map(ByteText.amount), kept.map { _ in "kept" },
            ]
            return facts.compactMap(\.self).joined(separator: "\t")
        }
        return json(
            file.entry.index, file.item.photo, kept == nil ? "planned" : "kept", path, bytes: bytes,
            file.item.size, pixels, url: file.address.absoluteString)
    }

    /// `12 files, about 84 MB`: what `--dry-run` would download, by the `lengths` that are known; `nil` for none.
    static func sum(_ lengths: [Int64?], kept: Int) -> String? {
        let known = lengths.compactMap(\.self)
        guard !known.isEmpty else { return nil }
        // A service may say anything.
        let sum = known.reduce(Int64(0)) { $0.addingReportingOverflow($1).overflow ? .max : $0 + $1 }
        let part = known.count == lengths.count ? "" : " for \(known.count) of them"
        return
            "\(lengths.count) \(lengths.count == 1 ? "file" : "files"), about \(ByteText.amount(sum))\(part)"
            + (kept > 0 ? ", \(kept) kept" : "")
    }
}
