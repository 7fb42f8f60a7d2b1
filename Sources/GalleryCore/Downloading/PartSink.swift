import Foundation
import Synchronization

/// Writes a reply's body to a part, after deciding whether it belongs there.
final class PartSink: BodySink {
    typealias Report = @Sendable (_ received: Int64, _ total: Int64?, _ isStart: Bool) -> Void

    /// The reply does not fit the part: start over.
    struct Mismatch: Error {}
    /// The body of an error is too long to read.
    struct TooMuch: Error {}

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
        var firstBytes: [UInt8] = []
        var isTypeKnown = false
        var discarded = 0
    }

    private let item: DownloadItem
    private let part: PartFile
    private let start: ResumablePart
    private let bandwidth: BandwidthLimit?
    private let lengths: ClosedRange<Int64>?
    private let report: Report
    private let state: Mutex<State>

    /// A sink for a request that resumes `start`, or for one that asks for the whole file.
    init(
        _ item: DownloadItem, start: ResumablePart, bandwidth: BandwidthLimit? = nil,
        lengths: ClosedRange<Int64>? = nil, report: @escaping Report
    ) {
        self.item = item
        self.start = start
        self.bandwidth = bandwidth
        self.lengths = lengths
        self.report = report
        part = start.file
        let offer = start.offer
        state = Mutex(
            State(
                note: offer == nil ? nil : start.note, isNoted: offer != nil, length: offer?.length ?? 0,
                total: offer?.total))
    }

    /// What to resume from; `nil` to ask for the whole file.
    var offer: ResumeOffer? { start.offer }

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
        case .append(let total?) where lengths?.contains(total) == false,
            .startOver(let total?) where lengths?.contains(total) == false:
            throw DownloadError.unwanted(host: Redaction.host(of: item.source), bytes: total)
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
        case .complete: state.withLock { $0.total = $0.length }
        case .discard: throw Mismatch()
        case .refuse: break
        }
        let (length, total) = state.withLock { state in
            state.decision = decision
            return (state.length, state.total)
        }
        if case .refuse = decision { return }
        report(length, total, true)
    }

    /// The note on the bytes received. None is written to disk after this.
    func takeNote() -> PartNote? {
        state.withLock { state in
            state.isNoted = true
            return state.note
        }
    }

    private func writeNote(_ state: inout State) {
        guard !state.isNoted, let note = state.note else { return }
        state.isNoted = true
        // Without it the part cannot be resumed later, but this transfer can continue.
        try? part.write(note)
    }

    func receive(_ bytes: UnsafeRawBufferPointer) throws {
        let (length, total) = try state.withLock { state in
            switch state.decision {
            case .append: break
            case .startOver: try look(at: bytes, &state)
            case .complete, .discard, .refuse, nil:
                try Self.drain(bytes.count, &state)
                return (Int64(0), nil as Int64?)
            }
            try write(bytes, &state)
            return (state.length, state.total)
        }
        guard length > 0 else { return }
        report(length, total, false)
        bandwidth?.wait(for: bytes.count)
    }

    private func write(_ bytes: UnsafeRawBufferPointer, _ state: inout State) throws {
        try part.write(bytes, at: state.length)
        state.length += Int64(bytes.count)
        state.digest?.add(bytes)
        // A small photo comes at once, and creating and removing a note costs as much as it does.
        if state.length != state.total { writeNote(&state) }
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
