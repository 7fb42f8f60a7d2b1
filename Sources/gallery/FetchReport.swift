import Foundation
import GalleryCore
import Synchronization

/// Says what a fetch does: results in the order the photos were named, failures as they come.
///
/// Thread-safe, because an interrupt reports from a thread of its own.
final class FetchReport: Sendable {
    private struct State {
        var plan: FetchPlan
        /// What the photos came through; it learns here which are copies.
        var sieve: Sieve?
        var tally = FetchTally(labels: [:])
        var failures = Failures()
        var copies = Copies()
        /// How much of the plan has been taken in.
        var begun = (wishes: 0, failures: 0)
        /// Result lines that wait for those of earlier photos; `""` for a photo without one.
        var waiting: [Int: String] = [:]
        var next = 0
        var hints: [String] = []
    }

    private let format: FetchFormat
    private let terminal: Terminal
    private let clock = ContinuousClock()
    private let start: ContinuousClock.Instant
    private let state: Mutex<State>

    init(_ plan: FetchPlan, _ sieve: Sieve?, format: FetchFormat, terminal: Terminal) {
        self.format = format
        self.terminal = terminal
        start = clock.now
        state = Mutex(State(plan: plan, sieve: sieve))
    }

    /// Takes in a plan, or what one has grown by, and reports what has failed before anything was transferred.
    func begin(_ plan: FetchPlan, _ sieve: Sieve?, _ canvas: Canvas) throws {
        try state.withLock { state in
            let wishes = plan.wishes[state.begun.wishes...]
            let failures = plan.failures[state.begun.failures...]
            state.begun = (plan.wishes.count, plan.failures.count)
            state.plan = plan
            state.sieve = sieve
            state.copies.add(wishes.map(\.item))
            let labels = wishes.map { ($0.item.number, PlainText.line($0.title)) }
            state.tally.add(labels: Dictionary(uniqueKeysWithValues: labels), failed: failures.count)
            try canvas.above {
                for failure in failures {
                    state.failures.add(failure)
                    say(failure, &state)
                    if format == .jsonl { try terminal.result(Self.json(failure)) }
                }
            }
        }
    }

    /// What the filters kept back; `nil` while files of the plan are still to come.
    var settledSieve: Sieve? { state.withLock { $0.tally.done == $0.tally.total ? $0.sieve : nil } }

    /// Takes an event in, and prints what it means.
    func take(_ event: DownloadEvent, _ canvas: Canvas) throws {
        try state.withLock { state in
            state.tally.take(event, now: clock.now - start)
            switch event {
            case .finished(let item, let file): state.waiting[item.number] = line(item, file, state.plan)
            case .leftOut(let item, _):
                let before = state.copies
                state.copies.take(item)
                state.sieve?.takeBack(copies: 1, photos: state.copies.photos - before.photos)
                state.waiting[item.number] = ""
            case .failed(let item, let error):
                let wish = state.plan.wishes[item.number]
                let failure = Chosen.Failure(index: wish.entry.index, name: wish.label, error: error)
                state.failures.add(failure)
                state.waiting[item.number] = format == .jsonl ? Self.json(failure, id: item.photo.value) : ""
                canvas.above { say(failure, &state) }
            case .started, .progress, .waiting: return
            }
            guard state.waiting[state.next] != nil else { return }
            try canvas.above { try printReady(&state) }
        }
    }

    /// The bars and the line for the whole.
    func lines(width: Int) -> [String] {
        state.withLock { $0.tally.lines(now: clock.now - start, width: width) }
    }

    /// The summary, and the status as an error where it is not 0.
    func end(isQuiet: Bool) throws {
        try terminal.flush()
        try state.withLock { state in
            for hint in state.hints { terminal.message("Help: \(PlainText.line(hint))") }
            if !isQuiet { sayWhatWas(state) }
            try state.failures.throwStatus(succeeded: state.tally.done - state.tally.failed)
        }
    }

    /// What is done and what is not, when the user has had enough.
    func interrupted(isQuiet: Bool) {
        state.withLock { state in
            for (_, line) in state.waiting.sorted(by: { $0.key < $1.key }) where !line.isEmpty {
                try? terminal.result(line)
            }
            try? terminal.flush()
            guard !isQuiet else { return }
            let left = state.tally.total - state.tally.done
            terminal.message("Interrupted: \(left) not fetched. Run the same command again to go on.")
            sayWhatWas(state)
        }
    }

    private func sayWhatWas(_ state: State) {
        if let leftOut = state.sieve?.summary { terminal.message(leftOut) }
        terminal.message(state.tally.summary(after: clock.now - start))
    }

    // MARK: - Lines

    private func printReady(_ state: inout State) throws {
        while let line = state.waiting.removeValue(forKey: state.next) {
            state.next += 1
            if !line.isEmpty { try terminal.result(line) }
        }
        try terminal.flush()
    }

    private func say(_ failure: Chosen.Failure, _ state: inout State) {
        terminal.message(Failures.line(failure))
        if let hint = failure.error.hint, !state.hints.contains(hint) { state.hints.append(hint) }
    }

    private func line(_ item: DownloadItem, _ file: DownloadedFile, _ plan: FetchPlan) -> String {
        let folder = item.name.split(separator: "/").dropLast().map { $0 + "/" }.joined()
        let path = plan.path(folder + file.url.lastPathComponent)
        guard format == .jsonl else { return path }
        return JSONValue.members([
            "index": .optional(plan.wishes[item.number].entry.index), "id": .string(item.photo.value),
            "path": .string(path), "bytes": .int(Int(file.bytes)), "status": .string(file.status.rawValue),
            "error": .null,
        ]).text
    }

    private static func json(_ failure: Chosen.Failure, id: String? = nil) -> String {
        JSONValue.members([
            "index": .optional(failure.index), "id": .optional(id), "path": .null, "bytes": .null,
            "status": .string("failed"), "error": .string(PlainText.line(failure.error.description)),
        ]).text
    }
}
