import Foundation
import Synchronization

/// One try at one file: asks, writes, and either names the file or leaves the part for the next try.
struct DownloadAttempt: Sendable {
    /// Why a try came to nothing.
    struct Failure: Error {
        enum Kind {
            /// A fault like any other.
            case fault
            /// The host's answer did not fit the part, or the two make no picture: asking for everything helps.
            case mismatch
            /// The file came whole and is broken all the same: the host has no better one.
            case broken
            /// Nothing was asked, since the host wants to be left alone.
            case paused
        }

        let cause: DownloadError
        /// Bytes in the part at its end.
        let length: Int64
        var kind = Kind.fault

        /// Whether the bytes that came are of no use to a later try.
        fileprivate var voidsPart: Bool {
            switch (kind, cause) {
            case (.mismatch, _), (.broken, _), (_, .notAPicture), (_, .empty): true
            default: false
            }
        }
    }

    let item: DownloadItem
    let batch: DownloadBatch
    let admission: Admission
    let turn: Turn
    let start: ResumablePart
    /// `nil` for a host whose ranges cannot be relied on.
    let segments: SegmentPlan?

    private var host: String { Redaction.host(of: item.source) }

    func run() async throws(Failure) -> ItemEnd {
        // By hand: the last reference may go long after, with a transfer that takes its time to end.
        defer { start.file.unlock() }
        let progress = Progress(item: item, emit: batch.emit)
        var sink = PartSink(item, start: start, segments: segments, report: progress.report)
        do throws(Failure) {
            let offset = start.isWhole ? sink.length : try await receive(into: &sink)
            return try await settle(
                length: sink.length, total: sink.total, offset: offset, note: sink.takeNote())
        } catch {
            // What came since the last report counts too, whatever becomes of it.
            if sink.hasBegun { batch.emit(.progress(item, received: sink.length, expected: sink.total)) }
            let (part, note) = (start.file, sink.takeNote())
            await Disk.run { error.voidsPart ? part.discard() : part.keep(note) }
            throw error
        }
    }

    /// Sends as many requests as the file has segments; gives how many bytes of it were here before.
    ///
    /// All in one slot: or a file begun would wait for those behind it.
    private func receive(into sink: inout PartSink) async throws(Failure) -> Int64 {
        guard await batch.slots.enter() else { throw Failure(cause: .cancelled, length: sink.length) }
        defer { batch.slots.leave() }
        var offset = try await send(to: sink)
        while let next = sink.next() {
            sink = next
            offset = min(offset, try await send(to: sink))
        }
        return offset
    }

    /// Sends the request; gives how many bytes of the file were here before.
    private func send(to sink: PartSink) async throws(Failure) -> Int64 {
        // It may have asked for a pause while this one waited for its slot.
        if batch.tools.pauses.pause(of: WebOrigin(item.source.url).host) != nil {
            throw Failure(cause: .cancelled, length: sink.length, kind: .paused)
        }
        var request = item.source
        if let offer = sink.offer {
            request.headers.merge(offer.headers(upTo: segments?.end(from: offer))) { _, ours in ours }
        }
        do throws(TransportError) {
            _ = try await batch.tools.transport.send(
                request, idleTimeout: batch.tools.idleTimeout, to: sink)
        } catch .rejected(let error) where error is PartSink.Mismatch {
            let cause = DownloadError.incomplete(
                host: host, reason: "it answered for other bytes than were asked for")
            throw Failure(cause: cause, length: 0, kind: .mismatch)
        } catch .rejected(let error) where error is PartSink.TooMuch {
            // The page of an error that is too long to read: the status says enough.
        } catch .rejected(let error) where error is PartSink.SegmentEnd {
            // As much as was wanted of it has come.
        } catch .cancelled {
            throw Failure(cause: .cancelled, length: sink.length)
        } catch  where sink.isRefusal {
            // Nor does it matter what became of the page.
        } catch {
            throw Failure(cause: DownloadError(error), length: sink.length)
        }
        switch sink.decision {
        case .append, .complete: return sink.offer?.length ?? 0
        case .startOver: return 0
        case .refuse(let status):
            let seconds = sink.head?["Retry-After"].flatMap {
                RetryPolicy.seconds(retryAfter: $0, now: batch.tools.timekeeper.date())
            }
            let cause = DownloadError.refused(host: host, status: status, seconds: seconds)
            // While the slot is still held: the next one in line must know.
            if let seconds, [429, 503].contains(status) {
                let origin = WebOrigin(item.source.url)
                batch.tools.pauses.pause(origin.host, for: .seconds(seconds), status: status)
            }
            throw Failure(cause: cause, length: sink.length)
        case .discard, nil:
            throw Failure(cause: .incomplete(host: host, reason: "it sent no head"), length: 0)
        }
    }

    private func settle(
        length: Int64, total: Int64?, offset: Int64, note: PartNote?
    ) async throws(Failure) -> ItemEnd {
        let (item, part, host, batch) = (item, start.file, host, batch)
        // The disk's turn: the wire is free for the next one.
        admission.leave()
        do {
            let arrival = try await settling { () throws(DownloadError) in
                let type = try PartCheck.type(of: part, length: length, total: total, host: host)
                return try DownloadFolder.Arrival(
                    item, part, type, length: length, isResumed: offset > 0, validator: note?.validator)
            }
            if batch.unique != nil { try await waitForTurn(note) }
            return try await settling { () throws(DownloadError) in try batch.put(arrival) }
        } catch {
            guard error.isBroken, length == total else { throw Failure(cause: error, length: length) }
            // What was here before may be what is wrong with it.
            throw Failure(cause: error, length: length, kind: offset > 0 ? .mismatch : .broken)
        }
    }

    private func settling<Value: Sendable>(
        _ work: @escaping @Sendable () throws(DownloadError) -> Value
    ) async throws(DownloadError) -> Value {
        guard await batch.settling.enter() else { throw .cancelled }
        defer { batch.settling.leave() }
        return try await Disk.run(work)
    }

    /// Whether it is a copy shows once all before it are there. Meanwhile it is a part like any other,
    /// which the next run goes on with should this one be ended.
    private func waitForTurn(_ note: PartNote?) async throws(DownloadError) {
        guard !turn.isCurrent else { return }
        if let note { await Disk.run { [part = start.file] in try? part.write(note) } }
        guard await turn.wait() else { throw .cancelled }
    }
}

extension DownloadError {
    /// Whether it is about the file's own bytes.
    fileprivate var isBroken: Bool {
        if case .incomplete = self { true } else { false }
    }
}

/// Tells of progress, ten times a second at most.
private final class Progress: Sendable {
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
