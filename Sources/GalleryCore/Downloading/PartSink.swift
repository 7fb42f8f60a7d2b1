import Foundation
import Synchronization

/// Writes a reply's body to a part, after deciding whether it belongs there.
final class PartSink: BodySink {
    typealias Report = @Sendable (_ received: Int64, _ total: Int64?, _ isStart: Bool) -> Void

    /// The reply does not fit the part: start over.
    struct Mismatch: Error {}
    /// The body of an error is too long to read.
    struct TooMuch: Error {}
    /// The reply continues beyond the segment's end; ``next()`` takes the rest.
    struct SegmentEnd: Error {}

    private struct State {
        var head: HTTPHead?
        var decision: ResumeDecision?
        var note: PartNote?
        /// Whether `note` is on disk, or is not to be written any more.
        var isNoted: Bool
        var length: Int64
        var total: Int64?
        /// Of the part's bytes; `nil` if some of them were here before.
        var digest: Digest?
        /// The end of the segment, as an offset in the file; `nil` for the whole reply.
        var end: Int64?
        var firstBytes: [UInt8] = []
        var isTypeKnown = false
        var discarded = 0
    }

    private let item: DownloadItem
    private let part: PartFile
    private let start: ResumablePart
    private let segments: SegmentPlan?
    /// Whether it continues another sink's segment.
    private let continues: Bool
    private let bandwidth: BandwidthLimit?
    private let report: Report
    private let state: Mutex<State>

    /// A note is written after this time or this many bytes, whichever comes first. Most photos arrive
    /// sooner, and creating and removing a note costs as much as a small photo.
    private static let noteDelay = Duration.milliseconds(50)
    private static let bytesWithoutNote = 256 * 1024

    /// A sink for a request that resumes `start`, or for one that asks for the whole file.
    ///
    /// - Parameter segments: `nil` to take every reply to its end.
    init(
        _ item: DownloadItem, start: ResumablePart, segments: SegmentPlan?,
        bandwidth: BandwidthLimit? = nil, continuing digest: Digest? = nil, continues: Bool = false,
        report: @escaping Report
    ) {
        self.item = item
        self.start = start
        self.segments = segments
        self.continues = continues
        self.bandwidth = bandwidth
        self.report = report
        part = start.file
        let offer = start.offer
        state = Mutex(
            State(
                note: offer == nil ? nil : start.note, isNoted: offer != nil, length: offer?.length ?? 0,
                total: offer?.total, digest: digest))
    }

    /// What to resume from; `nil` to ask for the whole file.
    var offer: ResumeOffer? { start.offer }

    /// A sink for the bytes after this segment; `nil` if the reply was not cut off.
    func next() -> PartSink? {
        let (note, length, digest, isCutOff) = state.withLock { state in
            let isCutOff = state.end.map { state.length >= $0 } ?? false
            if isCutOff { writeNote(&state) }
            return (state.note, state.length, state.digest, isCutOff)
        }
        guard isCutOff, let offer = note?.offer(length: length) else { return nil }
        let part = ResumablePart(file: part, offer: offer, note: note, isWhole: false)
        return PartSink(
            item, start: part, segments: segments, bandwidth: bandwidth, continuing: digest, continues: true,
            report: report)
    }

    /// The reply's head, once it has arrived.
    var head: HTTPHead? { state.withLock { $0.head } }

    /// What the reply means, once its head has arrived.
    var decision: ResumeDecision? { state.withLock { $0.decision } }

    /// Whether a reply arrived whose body belongs in the part.
    var hasBegun: Bool {
        switch decision {
        case .append, .startOver: true
        case .complete, .discard, .refuse, nil: false
        }
    }

    /// Whether the reply is an error.
    var isRefusal: Bool {
        if case .refuse = decision { true } else { false }
    }

    /// The announced length of the whole file.
    var total: Int64? { state.withLock { $0.total } }

    /// Bytes in the part.
    var length: Int64 { state.withLock { $0.length } }

    /// The digest of the part, if all of its bytes passed through here.
    var digest: String? { state.withLock { $0.digest?.text } }

    func begin(_ head: HTTPHead) throws {
        let decision = ResumeDecision(head, offer: start.offer)
        state.withLock { $0.head = head }
        switch decision {
        case .append(let total):
            state.withLock { $0.total = total }
        case .startOver(let total):
            // First, so that the note never describes old bytes.
            try part.empty()
            state.withLock { state in
                state.note = PartNote(item, head: head, boot: BootSession.id, now: Date())
                state.isNoted = false
                state.length = 0
                state.total = total
                state.digest = Digest()
            }
            Disk.run(after: Self.noteDelay) { [weak self] in self?.writeNote() }
        case .complete: state.withLock { $0.total = $0.length }
        case .discard: throw Mismatch()
        case .refuse: break
        }
        let (length, total) = state.withLock { state in
            state.decision = decision
            state.end = segments?.end(
                of: head, decision, offer: offer, validator: state.note?.validator)
            return (state.length, state.total)
        }
        if case .refuse = decision { return }
        report(length, total, !continues || length == 0)
    }

    /// The note on the bytes received. None is written to disk after this.
    func takeNote() -> PartNote? {
        state.withLock { state in
            state.isNoted = true
            return state.note
        }
    }

    private func writeNote() { state.withLock { writeNote(&$0) } }

    private func writeNote(_ state: inout State) {
        guard !state.isNoted, let note = state.note else { return }
        state.isNoted = true
        // Without it the part cannot be resumed later, but this transfer can continue.
        try? part.write(note)
    }

    func receive(_ bytes: UnsafeRawBufferPointer) throws {
        let (length, total, isBeyond) = try state.withLock { state in
            switch state.decision {
            case .append: break
            case .startOver: try look(at: bytes, &state)
            case .complete, .discard, .refuse, nil:
                try Self.drain(bytes.count, &state)
                return (Int64(0), nil as Int64?, false)
            }
            let room = state.end.map { Int($0 - state.length) } ?? bytes.count
            try write(UnsafeRawBufferPointer(rebasing: bytes.prefix(room)), &state)
            return (state.length, state.total, bytes.count > room)
        }
        if length > 0 {
            report(length, total, false)
            // Outside the lock, so that the note can be written meanwhile.
            bandwidth?.wait(for: bytes.count)
        }
        if isBeyond { throw SegmentEnd() }
    }

    private func write(_ bytes: UnsafeRawBufferPointer, _ state: inout State) throws {
        if state.length + Int64(bytes.count) > Self.bytesWithoutNote { writeNote(&state) }
        try part.write(bytes, at: state.length)
        state.length += Int64(bytes.count)
        state.digest?.add(bytes)
    }

    /// Rejects HTML at its first bytes, not at its last.
    private func look(at bytes: UnsafeRawBufferPointer, _ state: inout State) throws {
        guard !state.isTypeKnown else { return }
        state.firstBytes += bytes.prefix(1024 - state.firstBytes.count)
        guard state.firstBytes.count >= PictureType.bytesNeeded else { return }
        guard PictureType(firstBytes: state.firstBytes) != nil else {
            throw DownloadError.notAPicture(
                host: Redaction.host(of: item.source),
                found: ForeignContent(firstBytes: state.firstBytes).description)
        }
        state.isTypeKnown = true
        state.firstBytes = []
    }

    /// The body of an error is read to keep the connection, up to a limit.
    private static func drain(_ count: Int, _ state: inout State) throws {
        state.discarded += count
        if state.discarded > 65_536 { throw TooMuch() }
    }
}

/// How much of a file to request at a time.
///
/// As long as a connection never idles, FoundationNetworking retains a cancelled timer for every 16 KiB it
/// delivers: 21 MiB for each GiB (measured on Linux, Swift 6.3.1). They are released with the request.
struct SegmentPlan: Hashable {
    /// Bytes per request, from 1.
    let length: Int64

    /// Few photos are longer than this, and for those one more request makes no difference.
    static let standard = SegmentPlan(length: 256 * 1024 * 1024)

    /// The end of the range to request from `offer` on; `nil` for the rest of the file.
    func end(from offer: ResumeOffer) -> Int64? { end(from: offer.length, total: offer.total) }

    /// Where to cut a reply off, as an offset in the file; `nil` to take all of it.
    ///
    /// A reply to a request without a range is only cut off if the host says that it serves ranges and
    /// sent a strong validator; otherwise the next request would get the same bytes again.
    ///
    /// - Parameters:
    ///   - offer: what the request resumed from.
    ///   - validator: the strong validator of the reply.
    func end(
        of head: HTTPHead, _ decision: ResumeDecision, offer: ResumeOffer?, validator: String?
    ) -> Int64? {
        switch (decision, offer) {
        case (.append(let total), let offer?): end(from: offer.length, total: total)
        case (.startOver(let total), nil) where validator != nil && head.servesRanges:
            end(from: 0, total: total)
        default: nil
        }
    }

    private func end(from start: Int64, total: Int64?) -> Int64? {
        guard let total, total - start > length else { return nil }
        return start + length
    }
}

extension HTTPHead {
    /// Whether the host says that it serves byte ranges: RFC 9110, 14.3.
    fileprivate var servesRanges: Bool {
        self["Accept-Ranges"]?.split(separator: ",").contains { unit in
            unit.filter { $0 != " " && $0 != "\t" }.lowercased() == "bytes"
        } ?? false
    }
}
