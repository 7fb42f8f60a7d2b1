import Foundation
import Synchronization

/// Answers for a folder of pictures as a service's host does: lists as JSON, and the pictures themselves.
///
/// An address of the folder with a query is a list or one picture's description (see
/// ``FolderQuery``); every other `file:` address is a file's.
///
/// What was found of the folder is kept until its first picture is asked for again: files
/// that come while somebody pages shift nothing.
public final class FolderTransport: HTTPTransport {
    private let folder: URL
    private let files: any HTTPTransport
    private let warn: @Sendable (String) -> Void
    /// One list at a time: a second one would only look into the same files.
    private let queue = DispatchQueue(label: "gallery.transport.folder")
    private let index = Mutex<FolderIndex?>(nil)
    private let warned = Mutex<Set<String>>([])

    /// A transport for the pictures in `folder`.
    ///
    /// - Parameters:
    ///   - files: serves `file:` addresses, those of the folder among them.
    ///   - warn: takes a line of plain text for each file or subfolder that is left out, once.
    public init(folder: URL, files: any HTTPTransport, warn: @escaping @Sendable (String) -> Void) {
        self.folder = folder
        self.files = files
        self.warn = warn
    }

    /// Answers for the folder, and leaves files to the transport for files.
    public func send(
        _ request: HTTPRequest, idleTimeout: Int, to sink: some BodySink
    ) async throws(TransportError) -> HTTPHead {
        guard let query = FolderQuery(request.url) else {
            return try await files.send(request, idleTimeout: idleTimeout, to: sink)
        }
        let transfer = Transfer(request, idleTimeout: idleTimeout, sink: sink)
        let outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                transfer.await(waiter)
                queue.async { self.serve(request.url, query, transfer) }
            }
        } onCancel: {
            // Not on our queue, which may be at work for this very transfer and stops when that is
            // over; nor here, where ending would wait for a sink that is writing.
            DispatchQueue.global().async { transfer.end(.failure(.cancelled)) }
        }
        return try outcome.get()
    }

    // MARK: - On the queue

    private func serve(_ url: URL, _ query: FolderQuery, _ transfer: Transfer) {
        guard let root = FolderScan.resolve(folder.path(percentEncoded: false)) else {
            return answer(404, nil, transfer)
        }
        guard FolderScan.resolve(url.path(percentEncoded: false)) == root else {
            return answer(403, nil, transfer)
        }
        switch query {
        case .list(let first, let count, let match): list(root, first, count, match, transfer)
        case .photo(let path): describe(path, root, transfer)
        }
    }

    private func list(_ root: String, _ first: Int, _ count: Int, _ match: FolderMatch, _ transfer: Transfer)
    {
        let isWanted = { transfer.request != nil }
        let warning: FolderScan.Warning = { [self] in leftOut($0, $1) }
        do throws(SystemCall.Failure) {
            let list = try index.withLock { index throws(SystemCall.Failure) -> JSONValue? in
                if first == 1 || index?.scan.root != root { index = nil }
                var current: FolderIndex
                if let index {
                    current = index
                } else {
                    current = FolderIndex(
                        try FolderScan(root: root, isWanted: isWanted, warning: warning))
                }
                // A scan that was broken off is not the folder.
                guard isWanted() else { return nil }
                index = nil
                defer { index = current }
                return current.list(first: first, count: count, match, isWanted: isWanted, warning: warning)
            }
            if let list { answer(200, list, transfer) }
        } catch {
            answer(error.code == EACCES ? 403 : 404, nil, transfer)
        }
    }

    private func describe(_ path: String, _ root: String, _ transfer: Transfer) {
        guard let target = FolderScan.resolve(root + "/" + path, below: root) else {
            return answer(404, nil, transfer)
        }
        switch FolderFile(at: target, below: root) {
        case .other: answer(404, nil, transfer)
        case .broken(let reason): answer(422, .members(["error": .string(reason)]), transfer)
        case .picture(let size):
            let row = FolderRow.json(
                index: nil, path: path, size: size, metadata: metadata(beside: path, root))
            answer(200, .members(["total": .null, "more": .bool(false), "photos": .array([row])]), transfer)
        }
    }

    private func metadata(beside path: String, _ root: String) -> IndexedPhoto? {
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
        let notes = [FolderScan.Note.forStem, .forName].compactMap {
            $0.name(for: String(path.dropFirst(folder.count)))
        }
        return notes.lazy.compactMap { FolderFile.metadata(at: "\(root)/\(folder)\($0)", below: root) }.first
    }

    private func answer(_ status: Int, _ body: JSONValue?, _ transfer: Transfer) {
        let bytes = Array((body?.text ?? "").utf8)
        let headers = ["Content-Type": "application/json", "Content-Length": "\(bytes.count)"]
        if transfer.receive(status: status, headers: headers), !bytes.isEmpty {
            _ = bytes.withUnsafeBytes { transfer.receive($0) }
        }
        // Refused or not: the waiter goes with this.
        _ = transfer.finish(error: nil)
    }

    private func leftOut(_ path: String, _ reason: String) {
        let line = "'\(PlainText.excerpt(path, limit: 200))' is left out: \(PlainText.line(reason))."
        if warned.withLock({ $0.insert(line).inserted }) { warn(line) }
    }
}
