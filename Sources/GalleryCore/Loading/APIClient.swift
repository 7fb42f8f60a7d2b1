import Foundation

/// Sends a service's requests: several together, each with its own outcome.
public struct APIClient: Sendable {
    private let transport: any HTTPTransport
    private let idleTimeout: Int

    /// Requests at once to a service: more would be impolite and, at a page a request, useless.
    private static let requestsAtOnce = 4

    /// A client that gives a transfer up when nothing arrives for `idleTimeout` seconds.
    public init(transport: any HTTPTransport, idleTimeout: Int = 30) {
        self.transport = transport
        self.idleTimeout = idleTimeout
    }

    /// The outcomes of `requests`, in their order.
    func replies(to requests: [HTTPRequest]) async -> [Result<HTTPReply, ServiceError>] {
        await withTaskGroup(of: (Int, Result<HTTPReply, ServiceError>).self) { group in
            var outcomes: [Int: Result<HTTPReply, ServiceError>] = [:]
            for (number, request) in requests.enumerated() {
                if number >= Self.requestsAtOnce, let (done, outcome) = await group.next() {
                    outcomes[done] = outcome
                }
                group.addTask { (number, await reply(to: request)) }
            }
            for await (number, outcome) in group { outcomes[number] = outcome }
            return requests.indices.map { outcomes[$0] ?? .failure(.transport(.cancelled)) }
        }
    }

    private func reply(to request: HTTPRequest) async -> Result<HTTPReply, ServiceError> {
        let sink = DataSink()
        do {
            let head = try await transport.send(request, idleTimeout: idleTimeout, to: sink)
            return .success(HTTPReply(head: head, body: sink.data))
        } catch {
            return .failure(.transport(error))
        }
    }
}
