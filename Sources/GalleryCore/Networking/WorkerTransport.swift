import Foundation

/// HTTP over workers, with a limit to how many requests are on the wire.
package struct WorkerTransport: HTTPTransport {
    private let workers: NetworkWorkers
    private let connections: AsyncSemaphore
    private let log: RequestLog?

    /// Creates a transport with at most `connections` requests on the wire, from 1; later ones wait in order.
    package init(workers: NetworkWorkers, connections: Int = 6, log: RequestLog? = nil) {
        self.workers = workers
        self.connections = AsyncSemaphore(max(1, connections))
        self.log = log
    }

    /// Sends over a worker; see ``HTTPTransport/send(_:idleTimeout:to:)``.
    package func send(
        _ request: HTTPRequest, idleTimeout: Int, to sink: some BodySink
    ) async throws(TransportError) -> HTTPHead {
        let scheme = request.url.scheme?.lowercased()
        guard scheme == "http" || scheme == "https", request.url.host?.isEmpty == false else {
            throw .malformed(host: Redaction.host(of: request), reason: "the address is not a web address")
        }
        guard await connections.enter() else { throw .cancelled }
        defer { connections.leave() }
        let transfer = Transfer(request, idleTimeout: idleTimeout, sink: sink)
        return try await workers.carry(transfer, log: log).get()
    }
}

/// HTTP over URLSession, in this process.
///
/// On Linux some replies end the whole process, such as one with a trailer.
public struct URLSessionTransport: HTTPTransport {
    private let web: WorkerTransport

    /// Creates a transport with at most `connections` requests on the wire, from 1; later ones wait in order.
    public init(connections: Int = 6, log: RequestLog? = nil) {
        web = WorkerTransport(workers: NetworkWorkers(launch: nil), connections: connections, log: log)
    }

    /// Sends over URLSession; see ``HTTPTransport/send(_:idleTimeout:to:)``.
    public func send(
        _ request: HTTPRequest, idleTimeout: Int, to sink: some BodySink
    ) async throws(TransportError) -> HTTPHead {
        try await web.send(request, idleTimeout: idleTimeout, to: sink)
    }
}
