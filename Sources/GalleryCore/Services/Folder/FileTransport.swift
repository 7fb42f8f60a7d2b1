import Foundation

/// Serves `file:` addresses as a host would, for the bundled catalog and for pictures already on disk.
///
/// Only regular files below the given folders, after resolving links; anything else gives 403, and a
/// missing file 404. Addresses of another kind go to another transport.
package struct FileTransport: HTTPTransport {
    private let roots: [String]
    private let noted: NotedFiles
    private let otherwise: (any HTTPTransport)?
    private let queue = DispatchQueue(label: "gallery.transport.file", attributes: .concurrent)

    /// Creates a transport for files below `roots`, of which a missing one serves nothing, and for those `noted`;
    /// `otherwise` sends what has no `file:` address.
    package init(roots: [URL], noted: NotedFiles = NotedFiles(), otherwise: (any HTTPTransport)? = nil) {
        (self.noted, self.otherwise) = (noted, otherwise)
        self.roots = roots.compactMap { FolderScan.resolve($0.path(percentEncoded: false)) }
    }

    /// Reads the file, or passes the request on; see ``HTTPTransport/send(_:idleTimeout:to:)``.
    package func send(
        _ request: HTTPRequest, idleTimeout: Int, to sink: some BodySink
    ) async throws(TransportError) -> HTTPHead {
        guard request.url.isFileURL else {
            if let otherwise { return try await otherwise.send(request, idleTimeout: idleTimeout, to: sink) }
            throw .malformed(host: Redaction.host(of: request), reason: "the address is not a file's")
        }
        let transfer = Transfer(request, idleTimeout: idleTimeout, sink: sink)
        let outcome = await transfer.outcome {
            queue.async { transfer.end(Result { () throws(TransportError) in try serve(transfer) }) }
        }
        return try outcome.get()
    }

    private func serve(_ transfer: Transfer) throws(TransportError) -> HTTPHead {
        let named = transfer.request.url.path(percentEncoded: false)
        guard let path = FolderScan.resolve(named) else {
            return try transfer.begin(SystemCall.Failure(code: errno).isRefusal ? 403 : 404)
        }
        guard roots.contains(where: { FolderScan.contains($0, path) }) || noted.resolve(named) == path
        else { return try transfer.begin(403) }
        // Just resolved, so a link here was swapped in; and a pipe would block the thread forever.
        let number = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
        guard number >= 0 else { return try transfer.begin(errno == ENOENT ? 404 : 403) }
        let file = Descriptor(number)
        guard let status = try? SystemCall.status(of: file), status.isRegular
        else { return try transfer.begin(403) }
        let head = try transfer.begin(200, ["Content-Length": "\(status.length)"])
        let count = try copy(file, to: transfer)
        // A file that shrank, or could not be read to its end, is a body cut short.
        guard count == status.length else {
            throw .cutShort(
                host: Redaction.host(of: transfer.request), received: count, expected: status.length)
        }
        return head
    }

    private func copy(_ file: Descriptor, to transfer: Transfer) throws(TransportError) -> Int64 {
        var total: Int64 = 0
        while let bytes = try? SystemCall.read(file, at: total, count: 65_536), !bytes.isEmpty {
            total += Int64(bytes.count)
            try transfer.pass { sink in try bytes.withUnsafeBytes { try sink.receive($0) } }
        }
        return total
    }
}
