import Foundation
import GalleryCore
import GalleryTestSupport

/// A transport whose first request is interrupted, as when somebody kills the process that carries it.
final class InterruptedOnce: HTTPTransport {
    private let web = URLSessionTransport()
    private let count = Counter()

    func send(
        _ request: HTTPRequest, idleTimeout: Int, to sink: some BodySink
    ) async throws(TransportError) -> HTTPHead {
        guard count.increment() > 1 else { throw .interrupted(host: "h") }
        return try await web.send(request, idleTimeout: idleTimeout, to: sink)
    }
}
