import Foundation

/// Takes a reply's bytes as they come.
///
/// Called from one thread at a time, on the transport's own: `receive` may block in
/// `write(2)`, and by blocking it holds the sender back, which keeps memory bounded.
public protocol BodySink: Sendable {
    /// The final head, once, before any byte of the body; heads of redirects are never shown.
    /// Throwing ends the transfer with ``TransportError/rejected(_:)``, once its request has ended.
    func begin(_ head: HTTPHead) throws

    /// The next bytes of the body, in order, each once. Throwing ends the transfer likewise.
    func receive(_ bytes: UnsafeRawBufferPointer) throws
}

/// Sends one request once, and follows its redirects. Retries, resume and caches are others' business.
public protocol HTTPTransport: Sendable {
    /// Sends `request`, hands head and body to `sink`, and returns when the body is whole.
    ///
    /// - Parameter idleTimeout: gives up when nothing arrives for this long, in whole seconds from 1.
    /// - Throws: ``TransportError``: whatever kept the reply from being whole. A status such as 404
    ///   is no error here. `CancellationError` never: cancelling gives ``TransportError/cancelled``.
    func send(_ request: HTTPRequest, idleTimeout: Int, to sink: some BodySink) async throws(TransportError)
        -> HTTPHead
}
