import Foundation
import Synchronization

/// Writes a reply's body to the part, after deciding whether it belongs there.
final class PartSink: BodySink {
    typealias Report = @Sendable (_ received: Int64, _ total: Int64?, _ isStart: Bool) -> Void

    /// The host's answer does not fit the part; everything is to be asked for.
    struct Mismatch: Error {}
    /// The page that came with an error is too long to read.
    struct TooMuch: Error {}
    /// The reply goes on beyond the segment's end. ``next()`` takes the rest: the reply to a request
    /// for a segment alone ends by itself, and leaves its connection to the next.
    struct SegmentEnd: Error {}

    private struct State {
        var head: HTTPHead?
        var decision: ResumeDecision?
        var note: PartNote?
        /// Whether the note on disk is this one.
        var isNoted: Bool
        var length: Int64
        var total: Int64?
        /// Up to which byte of the file this reply is taken; `nil` for all of it.
        var end: Int64?
        var firstBytes: [UInt8] = []
        var isTypeKnown = false
        var discarded = 0
    }

    private let item: DownloadItem
    private let part: PartFile
    private let start: ResumablePart
    private let segments: SegmentPlan?
    /// Whether it takes up where another sink left off a moment ago.
    private let continues: Bool
    private let report: Report
    private let state: Mutex<State>

    /// How long a transfer runs before its note is written, and how many bytes it may bring before that:
    /// most photos are there sooner, and a file made and removed costs as much as a small photo itself.
    private static let noteDelay = Duration.milliseconds(50)
    private static let bytesWithoutNote = 256 * 1024

    /// A sink for a request that made the offer of `start`, or for one that asks for the whole file.
    ///
    /// - Parameter segments: `nil` to take any reply to its end.
    init(
        _ item: DownloadItem, start: ResumablePart, segments: SegmentPlan?, continues: Bool = false,
        report: @escaping Report
    ) {
        self.item = item
        self.start = start
        self.segments = segments
        self.continues = continues
        self.report = report
        part = start.file
        let offer = start.offer
        state = Mutex(
            State(
                note: offer == nil ? nil : start.note, isNoted: offer != nil, length: offer?.length ?? 0,
                total: offer?.total))
    }

    /// What to ask the host to go on from; `nil` to ask for everything.
    var offer: ResumeOffer? { start.offer }

    /// A sink for the bytes after this one's segment; `nil` where the reply was not cut off.
    func next() -> PartSink? {
        let (note, length, isCutOff) = state.withLock { state in
            let isCutOff = state.end.map { state.length >= $0 } ?? false
            if isCutOff { leaveNote(&state) }
            return (state.note, state.length, isCutOff)
        }
        guard isCutOff, let offer = note?.offer(length: length) else { return nil }
        let part = ResumablePart(file: part, offer: offer, note: note, isWhole: false)
        return PartSink(item, start: part, segments: segments, continues: true, report: report)
    }

    /// The reply's head; `nil` before it came.
    var head: HTTPHead? { state.withLock { $0.head } }

    /// What the reply meant; `nil` before it came.
    var decision: ResumeDecision? { state.withLock { $0.decision } }

    /// Whether a reply came whose bytes belong into the part.
    var hasBegun: Bool {
        switch decision {
        case .append, .startOver: true
        case .complete, .discard, .refuse, nil: false
        }
    }

    /// Whether a reply came that brings no bytes of the file, but a status.
    var isRefusal: Bool {
        if case .refuse = decision { true } else { false }
    }

    /// The whole file's length, where it was announced.
    var total: Int64? { state.withLock { $0.total } }

    /// Bytes in the part.
    var length: Int64 { state.withLock { $0.length } }

    func begin(_ head: HTTPHead) throws {
        let decision = ResumeDecision(head, offer: start.offer)
        state.withLock { $0.head = head }
        switch decision {
        case .append(let total):
            state.withLock { $0.total = total }
        case .startOver(let total):
            // In this order: old bytes never stand beside a note of the new file.
            try part.empty()
            state.withLock { state in
                state.note = PartNote(item, head: head, boot: BootSession.id, now: Date())
                state.isNoted = false
                state.length = 0
                state.total = total
            }
            Disk.run(after: Self.noteDelay) { [weak self] in self?.leaveNote() }
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

    /// Of which file the bytes in the part are. No note is written after this.
    func takeNote() -> PartNote? {
        state.withLock { state in
            state.isNoted = true
            return state.note
        }
    }

    private func leaveNote() { state.withLock { leaveNote(&$0) } }

    private func leaveNote(_ state: inout State) {
        guard !state.isNoted, let note = state.note else { return }
        state.isNoted = true
        // Without it the part is of no use later, but this transfer may go on.
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
        if length > 0 { report(length, total, false) }
        if isBeyond { throw SegmentEnd() }
    }

    private func write(_ bytes: UnsafeRawBufferPointer, _ state: inout State) throws {
        if state.length + Int64(bytes.count) > Self.bytesWithoutNote { leaveNote(&state) }
        try part.write(bytes, at: state.length)
        state.length += Int64(bytes.count)
    }

    /// Ends a page of HTML after its first bytes, not after its last.
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

    /// An error's page is read to keep the connection, but not for ever.
    private static func drain(_ count: Int, _ state: inout State) throws {
        state.discarded += count
        if state.discarded > 65_536 { throw TooMuch() }
    }
}
