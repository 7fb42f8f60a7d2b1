import Foundation

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// An HTTP/1.1 server on 127.0.0.1 with real sockets and a thread for each connection.
///
/// Tests reach it through ``withLocalServer(port:_:run:)``, which stops it.
public final class LocalServer: Sendable {
    /// Says what to do with a request. Runs on the connection's thread.
    public typealias Handler = @Sendable (LocalRequest) -> LocalReply

    /// `http://127.0.0.1:<port>`, without a slash at the end.
    public let url: URL
    /// The port it listens on.
    public let port: Int

    private let listener: Listener
    private let stopping: Latch
    private let log = Watched(ServerLog())
    private let handler: Handler

    init(port: Int = 0, handler: @escaping Handler) throws {
        listener = try Listener(port: port)
        stopping = try Latch()
        self.port = listener.port
        self.handler = handler
        guard let url = URL(string: "http://127.0.0.1:\(listener.port)") else { preconditionFailure() }
        self.url = url
        log.update { $0.threads = 1 }
        Thread.detachNewThread { [self] in acceptConnections() }
    }

    /// Ends every connection and returns when no thread is left.
    func stop() async {
        stopping.open()
        await log.firstIgnoringCancellation { $0.threads == 0 }
    }

    /// The address of something on this server: `server.url("photos/1.jpg?size=full")`.
    public func url(_ target: String) -> URL {
        guard let url = URL(string: "\(url.absoluteString)/\(target.drop { $0 == "/" })") else {
            preconditionFailure("'\(target)' is no part of an address.")
        }
        return url
    }

    private func acceptConnections() {
        while ready([(listener.descriptor.raw, POLLIN), (stopping.raw, POLLIN)])[1] == 0 {
            guard let client = listener.accept() else { continue }
            let connection = LocalConnection(
                number: log.update { $0.open(client) },
                socket: ClientSocket(descriptor: client, stop: stopping),
                server: url, log: log, handler: handler)
            Thread.detachNewThread { connection.serve() }
        }
        listener.descriptor.close()
        log.update { $0.threads -= 1 }
    }
}

// MARK: - What it has seen

extension LocalServer {
    /// Every request so far, in order of arrival.
    public var requests: [LocalRequest] { log.value.requests }

    /// The requests for this path, whatever their query.
    public func requests(to path: String) -> [LocalRequest] {
        requests.filter { $0.path == path }
    }

    /// How many connections there ever were.
    public var connectionCount: Int { log.value.acceptedConnections }

    /// How many connections are open.
    public var openConnections: Int { log.value.openConnections }

    /// The most connections that were open at once.
    public var peakConnections: Int { log.value.peakConnections }

    /// How many requests have not been answered in full.
    public var requestsInFlight: Int { log.value.requestsInFlight }

    /// The most requests that were unanswered at once.
    public var peakRequestsInFlight: Int { log.value.peakRequestsInFlight }

    /// Returns once at least this many requests have arrived, to one path or to all.
    ///
    /// - Throws: `CancellationError` when the task is cancelled first.
    public func waitForRequests(_ count: Int, to path: String? = nil) async throws(CancellationError) {
        try await log.first { log in
            (path == nil ? log.requests.count : log.requests.count { $0.path == path }) >= count
        }
    }

    /// Returns once this many requests, or more, are unanswered at the same time.
    ///
    /// - Throws: `CancellationError` when the task is cancelled first.
    public func waitForRequestsInFlight(_ count: Int) async throws(CancellationError) {
        try await log.first { $0.requestsInFlight >= count }
    }

    /// Returns once at least one connection was made and none is left open.
    ///
    /// - Throws: `CancellationError` when the task is cancelled first.
    public func waitForDisconnection() async throws(CancellationError) {
        try await log.first { $0.acceptedConnections > 0 && $0.openConnections == 0 }
    }
}
