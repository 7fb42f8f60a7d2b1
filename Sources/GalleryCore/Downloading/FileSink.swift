import Foundation
import PictureFiles
import Synchronization

/// Writes a reply's body to a file, after deciding whether it belongs there.
final class FileSink: BodySink {
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
        /// Of the file's bytes; `nil` if some of them were here before.
        var digest: Digest?
        var firstBytes: [UInt8] = []
        var isTypeKnown = false
        var discarded = 0
        var lastReport: ContinuousClock.Instant?
    }

    private let source: HTTPRequest
    private let file: ArrivingFile
    private let part: ResumablePart?
    private let bandwidth: BandwidthLimit?
    private let lengths: ClosedRange<Int64>?
    private let report: Report
    private let state: Mutex<State>

    /// A sink for the reply to `source`. `part` is what the file is, if it may be resumed later; `lengths` are those it
    /// may have, where its head says that; `report` takes the start, then progress, at most ten times a second.
    init(
        _ source: HTTPRequest, to file: ArrivingFile, of part: ResumablePart? = nil,
        bandwidth: BandwidthLimit? = nil, lengths: ClosedRange<Int64>? = nil, report: @escaping Report
    ) {
        (self.source, self.file, self.part) = (source, file, part)
        (self.bandwidth, self.lengths, self.report) = (bandwidth, lengths, report)
        let offer = part?.offer
        state = Mutex(
            State(note: part?.note, isNoted: offer != nil, length: offer?.length ?? 0, total: offer?.total))
    }

    /// What to resume from; `nil` to ask for the whole file.
    var offer: ResumeOffer? { part?.offer }

    /// The header fields of the request, besides those that its host insists on.
    var conditions: [String: String] { part?.conditions ?? [:] }

    var head: HTTPHead? { state.withLock { $0.head } }

    /// What the reply means, once its head has arrived.
    var decision: ResumeDecision? { state.withLock { $0.decision } }

    /// Whether a reply arrived whose body belongs in the file.
    var hasBegun: Bool {
        switch decision {
        case .append, .startOver: true
        case .complete, .discard, .refuse, nil: false
        }
    }

    var isRefusal: Bool { if case .refuse = decision { true } else { false } }

    var total: Int64? { state.withLock { $0.total } }
    var length: Int64 { state.withLock { $0.length } }

    /// The digest of the file, if all of its bytes passed through here.
    var digest: String? { state.withLock { $0.digest?.text } }

    func begin(_ head: HTTPHead) throws {
        let decision = ResumeDecision(head, offer: offer)
        state.withLock { $0.head = head }
        if offer == nil, let broken = part?.broken, broken.isMet(by: head) {
            throw DownloadError.brokenAtHost(host: Redaction.host(of: source), reason: broken.reason)
        }
        switch decision {
        case .append(let total?) where lengths?.contains(total) == false,
            .startOver(let total?) where lengths?.contains(total) == false:
            throw DownloadError.unwanted(host: Redaction.host(of: source), bytes: total)
        case .append(let total): state.withLock { $0.total = total }
        case .startOver(let total):
            // First, so that the note never describes old bytes.
            try part?.file.empty()
            state.withLock { state in
                state.note = part.map { PartNote($0.item, head: head, boot: System.bootSession, now: Date()) }
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

    func receive(_ bytes: UnsafeRawBufferPointer) throws {
        let progress = try state.withLock { state -> (length: Int64, total: Int64?)? in
            switch state.decision {
            case .append: break
            case .startOver: try look(at: bytes, &state)
            case .complete, .discard, .refuse, nil:
                // The body of an error is read to keep the connection, up to a limit.
                state.discarded += bytes.count
                if state.discarded > 65_536 { throw TooMuch() }
                return nil
            }
            try write(bytes, &state)
            let now = ContinuousClock.now
            if let last = state.lastReport, now - last < .milliseconds(100), state.length != state.total {
                return nil
            }
            state.lastReport = now
            return (state.length, state.total)
        }
        if let progress { report(progress.length, progress.total, false) }
        if let bandwidth, hasBegun { bandwidth.wait(for: bytes.count) }
    }

    private func write(_ bytes: UnsafeRawBufferPointer, _ state: inout State) throws {
        let length = state.length + Int64(bytes.count)
        // A small photo comes at once, and creating and removing a note costs as much as it does.
        if length != state.total, !state.isNoted, let note = state.note {
            state.isNoted = true
            // First, so that no bytes are without one. If it fails, the transfer goes on, but cannot be resumed.
            try? part?.file.write(note)
        }
        try file.write(bytes, at: state.length)
        state.length = length
        state.digest?.add(bytes)
    }

    /// Rejects HTML at its first bytes, not at its last.
    private func look(at bytes: UnsafeRawBufferPointer, _ state: inout State) throws {
        guard !state.isTypeKnown else { return }
        state.firstBytes += bytes.prefix(1024 - state.firstBytes.count)
        guard state.firstBytes.count >= PictureType.bytesNeeded else { return }
        guard PictureType(firstBytes: state.firstBytes) != nil else {
            throw DownloadError.notAPicture(
                host: Redaction.host(of: source),
                found: ForeignContent(firstBytes: state.firstBytes).description)
        }
        state.isTypeKnown = true
        state.firstBytes = []
    }
}

struct ArrivingFile: Sendable {
    let file: Descriptor
    /// For messages.
    let path: @Sendable () -> String

    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(DownloadError) {
        do { try SystemCall.write(bytes, to: file, at: offset) } catch {
            throw .cannotWrite(path: path(), reason: error.reason, code: error.code)
        }
    }

    struct Contents: Sendable {
        let type: PictureType
        /// In pixels; `nil` if the file does not say.
        var size: PixelSize?
        /// What its format lacks although the host sent all of it; `nil` for a complete picture.
        var missing: String?
        /// What is wrong with a picture behind the main one; `nil` if nothing is.
        var companionFault: String?
    }

    /// The complete picture in the file, whose announced length is `total`. With `acceptsIncomplete`, one of that
    /// length may lack its format's end. A WebP whose chunks are whole always may: decoders heed those.
    func contents(
        length: Int64, total: Int64?, from source: HTTPRequest, acceptsIncomplete: Bool = false
    ) throws(DownloadError) -> Contents {
        let host = Redaction.host(of: source)
        let name = source.url.lastPathComponent
        if let total, length != total {
            throw .incomplete(host: host, reason: "it has \(length) of \(total) bytes")
        }
        guard length > 0 else { throw .empty(host: host) }
        let found: PictureFile
        var isCompanionCut = false
        do {
            found = try PictureFile.examine(descriptor: file.number, length: length, named: name)
            if case .whole(.jpeg, _) = found {
                let bytes = PictureBytes(descriptor: file.number, length: length)
                isCompanionCut = JPEG.hasCutCompanion(bytes)
                if let failure = bytes.failure { throw failure }
            }
        } catch {
            throw .cannotWrite(path: path(), reason: "it cannot be read back")
        }
        switch found {
        case .whole(let type, let size):
            return Contents(
                type: type, size: size,
                companionFault: isCompanionCut ? "a second picture in it is cut off" : nil)
        case .damaged(let reason):
            let bytes = PictureBytes(descriptor: file.number, length: length)
            guard let header = ImageHeader(bytes, named: name),
                acceptsIncomplete && total != nil || header.type == .webp && WebP.hasWholeChunks(bytes)
            else { throw .brokenAtHost(host: host, reason: reason) }
            return Contents(type: header.type, size: header.size, missing: reason)
        case .notAPicture(let found): throw .notAPicture(host: host, found: found)
        }
    }
}
