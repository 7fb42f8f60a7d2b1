import Foundation
import Synchronization

/// Transfers one picture for viewing: sends its request as often as it takes, and gives the file its name once it is
/// whole.
struct PictureTransfer: Sendable {
    typealias Report = @Sendable (PhotoCursorState.Progress) -> Void

    /// How the name of a file ends that is not whole.
    static let draftSuffix = ".new"

    private let request: HTTPRequest
    /// Without an extension.
    private let target: URL
    private let downloader: Downloader
    private let report: Report

    init(_ request: HTTPRequest, to target: URL, _ downloader: Downloader, report: @escaping Report) {
        self.request = request
        self.target = target
        self.downloader = downloader
        self.report = report
    }

    private var shownHost: String { Redaction.host(of: request) }

    func run() async throws(DownloadError) -> DownloadedFile {
        let (paces, timekeeper) = (downloader.paces, downloader.timekeeper)
        var tries = Tries(of: request, retries: downloader.configuration.retries, paces)
        while true {
            do {
                try await paces.waitOutPause(of: tries.host) { _ in }
            } catch .closed(let pause) {
                throw .refused(host: shownHost, status: pause.status, seconds: pause.seconds)
            } catch {
                throw .cancelled
            }
            do {
                guard let file = try await attempt() else { continue }
                return file
            } catch {
                let asked = error.secondsAsked
                guard error.isPassing,
                    let delay = tries.delay(
                        after: error.transportError, asked: asked, isRefusal: asked != nil,
                        chance: timekeeper.chance())
                else { throw error }
                do { try await timekeeper.sleep(delay) } catch { throw .cancelled }
            }
        }
    }

    /// Sends the request once. Returns `nil` where it was not sent or nobody failed, so that it is to be sent again.
    private func attempt() async throws(DownloadError) -> DownloadedFile? {
        let draft = try await Disk.run { [target, report] () throws(DownloadError) in
            try PictureDraft(of: target, report: report)
        }
        do {
            guard try await receive(into: draft) else {
                await Disk.run(draft.discard)
                return nil
            }
            return try await Disk.run { [request, shownHost] () throws(DownloadError) in
                try draft.finish(from: shownHost, named: request.url.lastPathComponent)
            }
        } catch {
            // Explicitly, since a transfer that is slow to end may hold the last reference.
            await Disk.run(draft.discard)
            throw error
        }
    }

    /// Returns whether the reply has arrived, rather than being to be asked for again.
    private func receive(into draft: PictureDraft) async throws(DownloadError) -> Bool {
        let outcome: Result<HTTPHead, TransportError>
        do {
            outcome = try await downloader.paces.send(
                request, idleTimeout: max(1, downloader.configuration.idleTimeout),
                over: downloader.transport, to: draft, head: { draft.head })
        } catch {
            switch error {
            case .paused, .closed: return false
            case .down(let error): throw DownloadError(error)
            case .cancelled: throw .cancelled
            }
        }
        if case .failure(.interrupted) = outcome { return false }
        if let head = draft.refusal {
            throw .refused(
                host: shownHost, status: head.status,
                seconds: head.secondsAsked(now: downloader.timekeeper.date()))
        }
        if case .failure(let error) = outcome { throw DownloadError(error) }
        return true
    }
}

/// A picture that is arriving, in a file that goes unless it is given its name.
private final class PictureDraft: BodySink {
    /// The body of an error is too long to read.
    private struct TooMuch: Error {}

    private struct State {
        var head: HTTPHead?
        var length: Int64 = 0
        var firstBytes: [UInt8] = []
        var lastReport: ContinuousClock.Instant?
    }

    private let file: Descriptor
    private let folder: Descriptor
    private let target: URL
    private let name: String
    private let report: PictureTransfer.Report
    private let state = Mutex(State())

    /// The longest body of an error that is read, to keep the connection.
    private static let longestError = 65_536

    init(of target: URL, report: @escaping PictureTransfer.Report) throws(DownloadError) {
        self.target = target
        self.report = report
        name = target.lastPathComponent + ".\(UInt32.random(in: .min ... .max))" + PictureTransfer.draftSuffix
        let parent = target.deletingLastPathComponent()
        try? FileManager.default.createDirectory(
            at: parent, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        do throws(SystemCall.Failure) {
            folder = try SystemCall.openFolder(parent.path)
            file = try SystemCall.open(name, in: folder, O_RDWR | O_CREAT | O_EXCL, mode: 0o600)
        } catch {
            throw .cannotCreate(path: target.path, reason: error.reason, code: error.code)
        }
    }

    deinit { discard() }

    /// Removes the file, unless it has its name. Blocks briefly.
    @Sendable func discard() { try? SystemCall.remove(name, from: folder) }

    var head: HTTPHead? { state.withLock { $0.head } }

    /// The head of a reply that is an error.
    var refusal: HTTPHead? { head.flatMap { Self.isRefusal($0) ? $0 : nil } }

    private static func isRefusal(_ head: HTTPHead?) -> Bool {
        head.map { ![200, 203].contains($0.status) } ?? true
    }

    func begin(_ head: HTTPHead) throws {
        state.withLock { $0.head = head }
        if !Self.isRefusal(head) { report(.init(received: 0, expected: head.contentLength)) }
    }

    func receive(_ bytes: UnsafeRawBufferPointer) throws {
        let progress = try state.withLock { state -> PhotoCursorState.Progress? in
            defer { state.length += Int64(bytes.count) }
            guard !Self.isRefusal(state.head) else {
                if state.length > Self.longestError { throw TooMuch() }
                return nil
            }
            try look(at: bytes, &state)
            do throws(SystemCall.Failure) {
                try SystemCall.write(bytes, to: file, at: state.length)
            } catch {
                throw DownloadError.cannotWrite(path: target.path, reason: error.reason, code: error.code)
            }
            // Ten times a second.
            if let last = state.lastReport, .now - last < .milliseconds(100) { return nil }
            state.lastReport = .now
            return .init(received: state.length + Int64(bytes.count), expected: state.head?.contentLength)
        }
        if let progress { report(progress) }
    }

    /// Rejects a page at its first bytes, not at its last.
    private func look(at bytes: UnsafeRawBufferPointer, _ state: inout State) throws {
        guard state.firstBytes.count < PictureType.bytesNeeded else { return }
        state.firstBytes += bytes.prefix(ForeignContent.bytesNeeded)
        guard state.firstBytes.count >= PictureType.bytesNeeded,
            PictureType(firstBytes: state.firstBytes) == nil, let head = state.head
        else { return }
        throw DownloadError.notAPicture(
            host: Redaction.host(of: HTTPRequest(url: head.url)),
            found: ForeignContent(firstBytes: state.firstBytes).description)
    }

    /// Checks that the picture is whole, and gives it its name. Blocks.
    ///
    /// - Parameter address: The file's name in its address.
    func finish(from host: String, named address: String) throws(DownloadError) -> DownloadedFile {
        let (length, head) = state.withLock { ($0.length, $0.head) }
        if let total = head?.isEncoded == true ? nil : head?.contentLength, length != total {
            throw .incomplete(host: host, reason: "it has \(length) of \(total) bytes")
        }
        guard length > 0 else { throw .empty(host: host) }
        guard let found = try? PictureFile.examine(descriptor: file.number, length: length, named: address)
        else { throw .cannotWrite(path: target.path, reason: "it cannot be read back") }
        switch found {
        case .damaged(let reason): throw .brokenAtHost(host: host, reason: reason)
        case .notAPicture(let found): throw .notAPicture(host: host, found: found)
        case .whole(let type, _):
            let url = target.appendingPathExtension(type.fileExtension)
            do throws(SystemCall.Failure) {
                try SystemCall.rename(name, to: url.lastPathComponent, in: folder)
            } catch {
                throw .cannotCreate(path: url.path, reason: error.reason, code: error.code)
            }
            return DownloadedFile(url: url, bytes: length, status: .fetched)
        }
    }
}
