import Foundation
import Synchronization

/// Writes a reply's body to the part, after deciding whether it belongs there.
final class PartSink: BodySink {
    /// The host's answer does not fit the part; everything is to be asked for.
    struct Mismatch: Error {}

    private struct State {
        var head: HTTPHead?
        var decision: ResumeDecision?
        var length: Int64
        var total: Int64?
        var firstBytes: [UInt8] = []
        var isTypeKnown = false
        var discarded = 0
    }

    private let item: DownloadItem
    private let part: PartFile
    private let offer: ResumeOffer?
    private let report: @Sendable (_ received: Int64, _ total: Int64?, _ isStart: Bool) -> Void
    private let state: Mutex<State>

    /// A sink for a request that made `offer`, or for one that asks for the whole file.
    init(
        _ item: DownloadItem, part: PartFile, offer: ResumeOffer?,
        report: @escaping @Sendable (_ received: Int64, _ total: Int64?, _ isStart: Bool) -> Void
    ) {
        self.item = item
        self.part = part
        self.offer = offer
        self.report = report
        state = Mutex(State(length: offer?.length ?? 0, total: offer?.total))
    }

    /// The reply's head; `nil` before it came.
    var head: HTTPHead? { state.withLock { $0.head } }

    /// What the reply meant; `nil` before it came.
    var decision: ResumeDecision? { state.withLock { $0.decision } }

    /// The whole file's length, where it was announced.
    var total: Int64? { state.withLock { $0.total } }

    /// Bytes in the part.
    var length: Int64 { state.withLock { $0.length } }

    func begin(_ head: HTTPHead) throws {
        let decision = ResumeDecision(head, offer: offer)
        state.withLock { $0.head = head }
        switch decision {
        case .append(let total):
            state.withLock { $0.total = total }
        case .startOver(let total):
            // In this order: old bytes never stand beside a note of the new file.
            try part.truncate(to: 0)
            try part.write(PartNote(item, head: head, boot: SystemRun.id, now: Date()))
            state.withLock { state in
                state.length = 0
                state.total = total
            }
        case .complete: state.withLock { $0.isTypeKnown = true }
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

    func receive(_ bytes: UnsafeRawBufferPointer) throws {
        let (length, total) = try state.withLock { state in
            guard case .append? = state.decision else {
                guard case .startOver? = state.decision else {
                    return try Self.drain(bytes.count, &state)
                }
                try look(at: bytes, &state)
                return try write(bytes, &state)
            }
            return try write(bytes, &state)
        }
        if length > 0 { report(length, total, false) }
    }

    private func write(_ bytes: UnsafeRawBufferPointer, _ state: inout State) throws -> (Int64, Int64?) {
        try part.write(bytes, at: state.length)
        state.length += Int64(bytes.count)
        return (state.length, state.total)
    }

    /// Ends a page of HTML after its first bytes, not after its last.
    private func look(at bytes: UnsafeRawBufferPointer, _ state: inout State) throws {
        guard !state.isTypeKnown else { return }
        state.firstBytes += bytes.prefix(1024 - state.firstBytes.count)
        guard state.firstBytes.count >= PictureType.bytesNeeded else { return }
        guard PictureType(firstBytes: state.firstBytes) != nil else {
            throw DownloadError.notAPicture(
                host: Redaction.host(of: item.source),
                found: ImageHeader.description(ofFirstBytes: state.firstBytes))
        }
        state.isTypeKnown = true
        state.firstBytes = []
    }

    /// An error's page is read to keep the connection, but not for ever.
    private static func drain(_ count: Int, _ state: inout State) throws -> (Int64, Int64?) {
        state.discarded += count
        if state.discarded > 65_536 { throw TooMuch() }
        return (0, nil)
    }

    struct TooMuch: Error {}
}
