import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Serves `file:` addresses as a host would, for the bundled catalog and for pictures already on disk.
///
/// Only regular files below the given folders, after resolving links; anything else gives 403, and a
/// missing file 404.
package struct FileTransport: HTTPTransport {
    private let roots: [String]
    private let queue = DispatchQueue(label: "gallery.transport.file", attributes: .concurrent)

    /// Creates a transport for files below `roots`; a root that does not exist serves nothing.
    package init(roots: [URL]) {
        self.roots = roots.compactMap { Self.resolve($0.path(percentEncoded: false)) }
    }

    /// Reads the file; see ``HTTPTransport/send(_:idleTimeout:to:)``.
    package func send(
        _ request: HTTPRequest, idleTimeout: Int, to sink: some BodySink
    ) async throws(TransportError) -> HTTPHead {
        guard request.url.isFileURL else {
            throw .malformed(host: Redaction.host(of: request), reason: "the address is not a file's")
        }
        let transfer = Transfer(request, idleTimeout: idleTimeout, sink: sink)
        let outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                transfer.await(waiter)
                queue.async { serve(request.url, transfer) }
            }
        } onCancel: {
            queue.async { transfer.end(.failure(.cancelled)) }
        }
        return try outcome.get()
    }

    private func serve(_ url: URL, _ transfer: Transfer) {
        guard let path = Self.resolve(url.path(percentEncoded: false)) else {
            return answer(errno == EACCES ? 403 : 404, transfer)
        }
        guard roots.contains(where: { path.hasPrefix($0 == "/" ? $0 : $0 + "/") }) else {
            return answer(403, transfer)
        }
        // Just resolved, so a link here was swapped in; and a pipe would block the thread forever.
        let file = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { return answer(errno == ENOENT ? 404 : 403, transfer) }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            return answer(403, transfer)
        }
        if transfer.receive(status: 200, headers: ["Content-Length": "\(status.st_size)"]) {
            copy(file, to: transfer)
        }
        // Resumes the waiter in any case. A file that shrank, or could not be read to its end, is a body cut
        // short.
        _ = transfer.finish(error: nil)
    }

    private func copy(_ file: Int32, to transfer: Transfer) {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 65_536, alignment: 16)
        defer { buffer.deallocate() }
        while transfer.request != nil {
            let count = SystemCall.retrying { read(file, buffer.baseAddress, buffer.count) }
            guard count > 0 else { break }
            guard transfer.receive(UnsafeRawBufferPointer(rebasing: buffer[..<count])) else { return }
        }
    }

    private func answer(_ status: Int, _ transfer: Transfer) {
        _ = transfer.receive(status: status, headers: [:])
        _ = transfer.finish(error: nil)
    }

    /// The path with every link resolved; `nil`, and `errno` set, where nothing is there.
    private static func resolve(_ path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }
}
