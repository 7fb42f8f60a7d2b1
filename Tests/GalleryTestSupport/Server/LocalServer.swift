import Foundation

/// An HTTP/1.1 server on 127.0.0.1 with real sockets and a thread per connection.
///
/// Tests get one from ``withLocalServer(port:_:run:)``, which stops it.
public final class LocalServer: Sendable {
    /// Returns the reply to a request. Runs on the connection's thread.
    public typealias Handler = @Sendable (LocalRequest) -> LocalReply

    /// `http://127.0.0.1:<port>`, without a trailing slash.
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

    /// Ends every connection and returns once all threads have ended.
    func stop() async {
        stopping.open()
        await log.firstIgnoringCancellation { $0.threads == 0 }
    }

    /// The URL of a target on this server: `server.url("photos/1.jpg?size=full")`.
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

// MARK: - Observations

extension LocalServer {
    /// Every request so far, in order of arrival.
    public var requests: [LocalRequest] { log.value.requests }

    /// The requests for this path, with any query.
    public func requests(to path: String) -> [LocalRequest] {
        requests.filter { $0.path == path }
    }

    /// The number of connections so far.
    public var connectionCount: Int { log.value.acceptedConnections }

    /// The highest number of connections open at once.
    public var peakConnections: Int { log.value.peakConnections }

    /// The number of requests without a complete reply.
    public var requestsInFlight: Int { log.value.requestsInFlight }

    /// The highest number of unanswered requests at once.
    public var peakRequestsInFlight: Int { log.value.peakRequestsInFlight }

    /// Waits until at least `count` requests have arrived, for one path or in total.
    ///
    /// - Throws: `CancellationError` if the task is canceled first.
    public func waitForRequests(_ count: Int, to path: String? = nil) async throws(CancellationError) {
        try await log.first { log in
            (path == nil ? log.requests.count : log.requests.count { $0.path == path }) >= count
        }
    }

    /// Waits until at least `count` requests are unanswered at the same time.
    ///
    /// - Throws: `CancellationError` if the task is canceled first.
    public func waitForRequestsInFlight(_ count: Int) async throws(CancellationError) {
        try await log.first { $0.requestsInFlight >= count }
    }

    /// Waits until at least one connection was accepted and none is open.
    ///
    /// - Throws: `CancellationError` if the task is canceled first.
    public func waitForDisconnection() async throws(CancellationError) {
        try await log.first { $0.acceptedConnections > 0 && $0.openConnections == 0 }
    }
}
