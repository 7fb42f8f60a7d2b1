import Foundation
import Synchronization

/// Downloads one file: tries, waits, and tries again.
struct ItemDownload: Sendable {
    let item: DownloadItem
    let batch: DownloadBatch
    let admission: Admission
    let turn: Turn

    private var downloader: Downloader { batch.downloader }

    func run() async throws(DownloadError) -> ItemOutcome {
        var tries = Tries(of: item.source, retries: downloader.configuration.retries, downloader.paces)
        let destination: Destination
        var found: ResumablePart.Found?
        switch try await prepare(&tries) {
        case .file(let file, let destination): return try await accept(file, at: destination)
        case .duplicate(let original): return .duplicate(of: original)
        case .start(let start, let part): (destination, found) = (start, part)
        }
        return try await transfer(to: destination, &found, &tries)
    }

    /// Transfers the file, as often as it takes.
    ///
    /// - Parameter found: the part, if it has been looked for. It is not kept, so that the part is open once at most.
    private func transfer(
        to destination: Destination, _ found: inout ResumablePart.Found?, _ tries: inout Tries
    ) async throws(DownloadError) -> ItemOutcome {
        var farthest: Int64 = 0
        var mayResume = true
        while true {
            try await waitForHost()
            let opened: Opened
            do {
                opened = try await open(destination, found.take(), mayResume: mayResume)
            } catch  where error.isLackOfFiles {
                try await wait(after: error, &tries)
                continue
            }
            switch opened {
            case .file(let file): return try await accept(file, at: destination)
            case .part(let part):
                do {
                    return try await DownloadAttempt(
                        item: item, batch: batch, admission: admission, turn: turn, start: part
                    ).run()
                } catch  where error.kind == .unsent {
                    continue
                } catch  where error.kind == .mismatch && mayResume {
                    mayResume = false
                } catch  where error.kind == .final {
                    throw error.cause
                } catch {
                    if error.length > farthest { tries.restart() }
                    farthest = max(farthest, error.length)
                    mayResume = true
                    try await wait(after: error.cause, &tries)
                }
            }
        }
    }

    // MARK: - Waiting

    /// Returns when the next attempt may start; throws `error` if there is to be none.
    private func wait(after error: DownloadError, _ tries: inout Tries) async throws(DownloadError) {
        guard error.isPassing,
            let delay = tries.delay(
                after: error.transportError, asked: error.secondsAsked, isRefusal: error.secondsAsked != nil,
                chance: downloader.timekeeper.chance())
        else { throw error }
        try await wait(delay, because: error)
    }

    /// Returns when the host may be asked, which one item's failure decides for all.
    private func waitForHost() async throws(DownloadError) {
        do {
            try await downloader.paces.waitOutPause(of: host) { pause in
                tell(
                    pause.remaining,
                    because: .refused(
                        host: Redaction.host(of: item.source), status: pause.status,
                        seconds: Int(pause.remaining.components.seconds)))
            }
        } catch {
            throw .cancelled
        }
    }

    private var host: String { WebOrigin(item.source.url).host }

    private func wait(_ delay: Duration, because error: DownloadError) async throws(DownloadError) {
        tell(delay, because: error)
        try await sleep(delay)
    }

    private func tell(_ delay: Duration, because error: DownloadError) {
        admission.leave()
        batch.emit(.waiting(item, delay: delay, because: error))
    }

    private func sleep(_ delay: Duration) async throws(DownloadError) {
        do { try await downloader.timekeeper.sleep(delay) } catch { throw .cancelled }
    }

    // MARK: - On disk

    /// What a folder has of an item before anything is sent.
    private enum Prepared {
        case file(DownloadedFile, Destination)
        /// It duplicates this file.
        case duplicate(URL)
        /// It is to be transferred. The part is `nil` if it has not been looked for.
        case start(Destination, ResumablePart.Found?)
    }

    private func prepare(_ tries: inout Tries) async throws(DownloadError) -> Prepared {
        while true {
            do {
                return try await Disk.run(prepareOnDisk)
            } catch  where error.isLackOfFiles {
                try await wait(after: error, &tries)
            }
        }
    }

    /// All at once, since every change of threads takes as long as a small photo's bytes. Blocks briefly.
    @Sendable private func prepareOnDisk() throws(DownloadError) -> Prepared {
        let destination = try batch.folder.folder.destination(for: item.name)
        if let file = try existingFile(at: destination) { return .file(file, destination) }
        if let original = try knownOriginal(at: destination) { return .duplicate(original) }
        if let reason = try knownFault() {
            throw .brokenAtHost(host: Redaction.host(of: item.source), reason: reason)
        }
        // Not while the host is left alone, so that no empty part lies around for so long.
        guard downloader.paces.pause(of: host) == nil else { return .start(destination, nil) }
        return .start(destination, try ResumablePart.open(destination, for: item, mayResume: true))
    }

    private func existingFile(at destination: Destination) throws(DownloadError) -> DownloadedFile? {
        guard !downloader.configuration.overwrites else { return nil }
        return try batch.folder.existingFile(of: item, at: destination)
    }

    /// Keeps an existing file, unless it duplicates an earlier one of the batch.
    private func accept(
        _ file: DownloadedFile, at destination: Destination
    ) async throws(DownloadError) -> ItemOutcome {
        guard let unique = batch.unique else { return .stored(file) }
        admission.leave()
        guard await turn.wait() else { throw .cancelled }
        return await Disk.run { [item] in unique.accept(file, of: item, at: destination) }
    }

    private func knownOriginal(at destination: Destination) throws(DownloadError) -> URL? {
        guard let unique = batch.unique, !downloader.configuration.overwrites else { return nil }
        return try unique.knownOriginal(of: item, at: destination)
    }

    /// What is missing of a file that the host sent broken twice, byte for byte the same.
    private func knownFault() throws(DownloadError) -> String? {
        let configuration = downloader.configuration
        guard !configuration.overwrites, !configuration.acceptsIncomplete,
            let entry = try batch.folder.manifest.brokenEntry(for: item), entry.isConfirmed(for: item)
        else { return nil }
        return entry.reason
    }

    private enum Opened {
        case part(ResumablePart)
        case file(DownloadedFile)
    }

    /// Opens the part once no other process has it, or returns the file if another process finished it.
    ///
    /// - Parameter found: the part, if it has just been opened.
    private func open(
        _ destination: Destination, _ found: ResumablePart.Found?, mayResume: Bool
    ) async throws(DownloadError) -> Opened {
        let (item, timekeeper) = (item, downloader.timekeeper)
        var found = found
        var seen: Int64?
        var unchangedSince = timekeeper.now()
        while true {
            if found == nil {
                found = try await Disk.run { () throws(DownloadError) in
                    try ResumablePart.open(destination, for: item, mayResume: mayResume)
                }
            }
            switch found {
            case .ours(let part): return .part(part)
            case .locked(let length):
                if length != seen { unchangedSince = timekeeper.now() }
                seen = length
            case nil: break
            }
            // It may pause while the other process waits for its host, but not forever.
            guard timekeeper.now() - unchangedSince < Self.patience else {
                throw .busy(path: destination.shown(destination.part))
            }
            found = nil
            admission.leave()
            try await sleep(.milliseconds(200))
            let file = try await Disk.run { () throws(DownloadError) in try existingFile(at: destination) }
            if let file { return .file(file) }
        }
    }

    /// How long another process's part may stay unchanged.
    private static let patience = Duration.seconds(120)
}

// MARK: - Attempts

/// One attempt at a file: sends requests, writes the part, and names it or leaves it for the next attempt.
struct DownloadAttempt: Sendable {
    struct Failure: Error {
        enum Kind {
            case fault
            /// The reply did not fit the part, or the two together are not a picture: start over.
            case mismatch
            /// Another try is of no use: the host has only a broken file, or answers nothing.
            case final
            /// It was none: the host asked to wait before, or the process that carried it ended.
            case unsent
        }

        let cause: DownloadError
        /// The part's length in bytes.
        let length: Int64
        var kind = Kind.fault

        /// Whether the part is of no use to a later attempt.
        fileprivate var voidsPart: Bool {
            switch (kind, cause) {
            case (.mismatch, _), (_, .brokenAtHost), (_, .notAPicture), (_, .empty), (_, .unwanted): true
            default: false
            }
        }
    }

    let item: DownloadItem
    let batch: DownloadBatch
    let admission: Admission
    let turn: Turn
    let start: ResumablePart

    private var host: String { Redaction.host(of: item.source) }

    func run() async throws(Failure) -> ItemOutcome {
        // Explicitly, since a transfer that is slow to end may hold the last reference.
        defer { start.file.unlock() }
        let progress = ProgressReporter(item: item, emit: batch.emit)
        let sink = PartSink(
            item, start: start, bandwidth: batch.downloader.bandwidth,
            lengths: batch.downloader.configuration.lengths, report: progress.report)
        do throws(Failure) {
            let offset = start.isWhole ? sink.length : try await receive(into: sink)
            return try await settle(sink, offset: offset)
        } catch {
            // Also what arrived since the last report.
            if sink.hasBegun { batch.emit(.progress(item, received: sink.length, expected: sink.total)) }
            let (part, note) = (start.file, sink.takeNote())
            await Disk.run { error.voidsPart ? part.discard() : part.keep(note) }
            throw error
        }
    }

    /// Sends a request, and returns how many bytes of the file were already here.
    private func receive(into sink: PartSink) async throws(Failure) -> Int64 {
        let outcome: Result<HTTPHead, TransportError>
        do {
            outcome = try await send(to: sink)
        } catch {
            switch error {
            case .paused: throw Failure(cause: .cancelled, length: sink.length, kind: .unsent)
            case .down(let error):
                throw Failure(cause: DownloadError(error), length: sink.length, kind: .final)
            case .cancelled: throw Failure(cause: .cancelled, length: sink.length)
            }
        }
        try check(outcome, sink)
        switch sink.decision {
        case .append, .complete: return sink.offer?.length ?? 0
        case .startOver: return 0
        case .refuse(let status):
            let seconds = sink.head?.secondsAsked(now: batch.downloader.timekeeper.date())
            throw Failure(
                cause: .refused(host: host, status: status, seconds: seconds), length: sink.length)
        case .discard, nil:
            throw Failure(cause: .incomplete(host: host, reason: "it sent no head"), length: 0)
        }
    }

    /// Sends a request in a slot, which is taken when the host takes another one: a slow host must not hold up others.
    private func send(to sink: PartSink) async throws(HostPaces.Refusal) -> Result<HTTPHead, TransportError> {
        let downloader = batch.downloader
        let visit = try await downloader.paces.begin(item.source, willWait: { admission.leave() })
        guard await batch.slots.enter() else {
            downloader.paces.end(visit)
            throw .cancelled
        }
        defer { batch.slots.leave() }
        var request = item.source
        request.headers.merge(sink.offer?.headers ?? [:]) { _, ours in ours }
        return try await downloader.paces.send(
            request, in: visit, idleTimeout: max(1, downloader.configuration.idleTimeout),
            over: downloader.transport, to: sink, head: { sink.head })
    }

    /// Throws where the outcome of a request is not one to go on with.
    private func check(_ outcome: Result<HTTPHead, TransportError>, _ sink: PartSink) throws(Failure) {
        do throws(TransportError) {
            _ = try outcome.get()
        } catch .rejected(let error) where error is PartSink.Mismatch {
            let cause = DownloadError.incomplete(
                host: host, reason: "it answered for other bytes than were asked for")
            throw Failure(cause: cause, length: 0, kind: .mismatch)
        } catch .rejected(let error) where error is PartSink.TooMuch {
            // The body of an error is too long to read, and its status is enough.
        } catch .cancelled {
            throw Failure(cause: .cancelled, length: sink.length)
        } catch .proxy(let host, let reason, let isPassing) {
            let error = TransportError.proxy(host: host, reason: reason, isPassing: isPassing)
            throw Failure(cause: .transport(error), length: sink.length)
        } catch  where sink.isRefusal {
            // The body of an error may be cut short.
        } catch .interrupted {
            throw Failure(cause: .cancelled, length: sink.length, kind: .unsent)
        } catch {
            throw Failure(cause: DownloadError(error), length: sink.length)
        }
    }

    // MARK: - Settling

    /// Checks the part, syncs it, and gives it its name.
    private func settle(_ sink: PartSink, offset: Int64) async throws(Failure) -> ItemOutcome {
        let (item, part, host, batch) = (item, start.file, host, batch)
        let (length, total, note, digest) = (sink.length, sink.total, sink.takeNote(), sink.digest)
        // Bytes that were already here may be the wrong ones.
        let acceptsIncomplete = offset == 0 && batch.downloader.configuration.acceptsIncomplete
        // Only the disk is busy from here, so another transfer may start.
        admission.leave()
        do {
            let complete = { @Sendable () throws(DownloadError) in
                let contents = try part.contents(
                    length: length, total: total, named: item.source.url.lastPathComponent, host: host,
                    acceptsIncomplete: acceptsIncomplete)
                return try CompletedPart(
                    item, part, contents, length: length, isResumed: offset > 0, validator: note?.validator,
                    digest: digest)
            }
            guard batch.unique != nil else {
                return try await settling { () throws(DownloadError) in try batch.store(try complete()) }
            }
            let completed = try await settling(complete)
            try await waitForTurn(note)
            return try await settling { () throws(DownloadError) in try batch.store(completed) }
        } catch {
            guard case .incomplete(_, let reason) = error, length == total else {
                throw Failure(cause: error, length: length)
            }
            // The bytes that were already here may be the wrong ones.
            guard offset == 0 else { throw Failure(cause: error, length: length, kind: .mismatch) }
            // Should this fail, the next run transfers the file once more.
            try? await settling { () throws(DownloadError) in
                try batch.folder.manifest.noteBroken(item, part, length: length, reason: reason)
            }
            throw Failure(cause: .brokenAtHost(host: host, reason: reason), length: length, kind: .final)
        }
    }

    private func settling<Value: Sendable>(
        _ work: @escaping @Sendable () throws(DownloadError) -> Value
    ) async throws(DownloadError) -> Value {
        guard await batch.settling.enter() else { throw .cancelled }
        defer { batch.settling.leave() }
        return try await Disk.run(work)
    }

    /// Waits for all items before this one, which decide whether it is a duplicate.
    ///
    /// Until then it is a part like any other, which the next run can resume.
    private func waitForTurn(_ note: PartNote?) async throws(DownloadError) {
        guard !turn.isCurrent else { return }
        if let note { await Disk.run { [part = start.file] in try? part.write(note) } }
        guard await turn.wait() else { throw .cancelled }
    }
}

/// Emits progress, at most ten times a second.
private final class ProgressReporter: Sendable {
    private let item: DownloadItem
    private let emit: @Sendable (DownloadEvent) -> Void
    private let last = Mutex<ContinuousClock.Instant?>(nil)

    init(item: DownloadItem, emit: @escaping @Sendable (DownloadEvent) -> Void) {
        self.item = item
        self.emit = emit
    }

    func report(received: Int64, total: Int64?, isStart: Bool) {
        if isStart { return emit(.started(item, offset: received, expected: total)) }
        let now = ContinuousClock.now
        let isDue = last.withLock { last in
            if let last, now - last < .milliseconds(100), received != total { return false }
            last = now
            return true
        }
        if isDue { emit(.progress(item, received: received, expected: total)) }
    }
}
