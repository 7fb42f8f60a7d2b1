import Foundation
import Synchronization

/// Receives one line for each request sent and each reply, with secrets blanked.
public typealias RequestLog = @Sendable (String) -> Void

/// Receives a reply's bytes as they arrive.
///
/// Called from one transport thread at a time. `receive` may block; that holds back the sender and bounds memory.
public protocol BodySink: Sendable {
    /// The final head, once, before any byte of the body; heads of redirects are never passed on.
    /// Throwing ends the transfer with ``TransportError/rejected(_:)``, once its request has ended.
    func begin(_ head: HTTPHead) throws

    /// The next bytes of the body, in order, each once. Throwing ends the transfer likewise.
    func receive(_ bytes: UnsafeRawBufferPointer) throws
}

/// Sends a request once and follows its redirects. Retries, resuming, and caching happen elsewhere.
public protocol HTTPTransport: Sendable {
    /// Sends `request`, passes head and body to `sink`, and returns when the body is complete. Gives up when nothing
    /// arrives for `idleTimeout` whole seconds, from 1.
    ///
    /// - Throws: ``TransportError`` where the reply did not arrive whole. A status such as 404 is no error
    ///   here. Never `CancellationError`: cancelling gives ``TransportError/cancelled``.
    func send(_ request: HTTPRequest, idleTimeout: Int, to sink: some BodySink) async throws(TransportError)
        -> HTTPHead

    /// Takes note that `request` is not going to be sent, since what it asks for is there.
    func forget(_ request: HTTPRequest)

    /// The request to send for `request` now. It may take other requests to know: nothing they need is held then.
    func current(_ request: HTTPRequest) async throws(TransportError) -> HTTPRequest

    /// The request to send in place of one whose address has expired; `nil` for none. It too may take other requests.
    func renewed(_ request: HTTPRequest) async -> HTTPRequest?
}

extension HTTPTransport {
    /// Nothing, for one that remembers nothing of single requests.
    public func forget(_ request: HTTPRequest) {}

    /// The request itself.
    public func current(_ request: HTTPRequest) async throws(TransportError) -> HTTPRequest { request }

    /// None.
    public func renewed(_ request: HTTPRequest) async -> HTTPRequest? { nil }

    /// Sends `request` as it is to be sent now, and again where its address has expired. `once` sends one request, and
    /// releases what that takes before it returns: the next may need it.
    func deliver<Refusal: Error>(
        _ request: HTTPRequest, to sink: some BodySink,
        once: (HTTPRequest) async throws(Refusal) -> Result<HTTPHead, TransportError>
    ) async throws(Refusal) -> Result<HTTPHead, TransportError> {
        let first: HTTPRequest
        do throws(TransportError) { first = try await current(request) } catch { return .failure(error) }
        var outcome = try await once(first)
        guard var expired = ExpiredAddress(outcome) else { return outcome }
        if let fresh = await renewed(request) {
            outcome = try await once(fresh)
            guard let again = ExpiredAddress(outcome) else { return outcome }
            expired = again
        }
        do { try sink.begin(expired.head) } catch { return .failure(.rejected(error)) }
        return .success(expired.head)
    }
}

/// A reply that says an address has expired; of it, the sink has had nothing.
struct ExpiredAddress: Error {
    let head: HTTPHead

    init(head: HTTPHead) { self.head = head }

    fileprivate init?(_ outcome: Result<HTTPHead, TransportError>) {
        guard case .failure(.rejected(let reason)) = outcome, let expired = reason as? Self
        else { return nil }
        self = expired
    }
}

/// Keeps a reply in memory, for lists and details, up to a limit.
final class MemorySink: BodySink {
    /// In bytes. A list of a hundred photos is 400 KB; a hostile body must not fill the memory.
    static let limit = 32 << 20

    /// The reply is larger than anything a service has to say.
    struct TooLarge: Error {
        /// Plain text without a full stop.
        static let reason = "its answer is larger than \(MemorySink.limit >> 20) MB"
    }

    private let received = Mutex<(head: HTTPHead?, body: Data)>((nil, Data()))

    func begin(_ head: HTTPHead) throws {
        received.withLock { $0 = (head, Data()) }
        guard (head.contentLength ?? 0) <= Self.limit else { throw TooLarge() }
    }

    func receive(_ bytes: UnsafeRawBufferPointer) throws {
        try received.withLock { reply in
            guard reply.body.count + bytes.count <= Self.limit else { throw TooLarge() }
            reply.body.append(contentsOf: bytes)
        }
    }

    var data: Data { received.withLock { $0.body } }
    var head: HTTPHead? { received.withLock { $0.head } }
}
