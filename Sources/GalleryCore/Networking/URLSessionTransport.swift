import Foundation

/// HTTP over URLSession, with a limit to how many requests are on the wire. On Linux some replies, such as one with a
/// trailer, end the whole process that reads them.
public struct URLSessionTransport: HTTPTransport {
    private let workers: NetworkWorkers
    private let connections: AsyncSemaphore
    private let contact: Contact?
    private let log: RequestLog?
    private let replied: @Sendable (HTTPHead) -> Void

    /// Creates a transport with at most `connections` requests on the wire, from 1; later ones wait in order.
    public init(connections: Int = 6, log: RequestLog? = nil) {
        self.init(workers: NetworkWorkers(launch: nil), connections: connections, log: log)
    }

    /// Creates a transport whose requests are sent by `workers`. `contact` is told to every host, unless a request has
    /// a `User-Agent` of its own; `replied` is called from any thread with the head of each reply that came whole.
    package init(
        workers: NetworkWorkers, connections: Int = 6, contact: Contact? = nil, log: RequestLog? = nil,
        replied: @escaping @Sendable (HTTPHead) -> Void = { _ in }
    ) {
        self.connections = AsyncSemaphore(max(1, connections))
        (self.workers, self.contact, self.log, self.replied) = (workers, contact, log, replied)
    }

    /// Sends over URLSession; see ``HTTPTransport/send(_:idleTimeout:to:)``.
    public func send(
        _ request: HTTPRequest, idleTimeout: Int, to sink: some BodySink
    ) async throws(TransportError) -> HTTPHead {
        guard ["http", "https"].contains(request.url.scheme?.lowercased()) else {
            throw .malformed(
                host: Redaction.host(of: request), reason: "the address is neither http nor https")
        }
        guard request.url.host?.isEmpty == false else {
            throw .malformed(host: Redaction.host(of: request), reason: "the address is not a web address")
        }
        guard await connections.enter() else { throw .cancelled }
        defer { connections.leave() }
        var named = request
        if let contact, request.headers["User-Agent"] == nil {
            named.headers["User-Agent"] = HTTPRequest.userAgent(of: contact)
        }
        let transfer = Transfer(named, idleTimeout: idleTimeout, sink: sink)
        let head = try await workers.carry(transfer, log: log).get()
        replied(head)
        return head
    }
}
