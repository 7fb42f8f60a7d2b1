import Foundation
import GalleryCore
import GalleryTestSupport

/// URLSession's transport, led astray or impatient for its first requests.
struct Detour: HTTPTransport {
    /// How the first requests go out.
    enum Way: Sendable {
        case usual
        /// To a port that refuses every connection.
        case refused
        /// With one second of patience, the least there is.
        case impatient
    }

    /// Requests so far.
    let sent = Counter()
    private let way: Way
    private let count: Int
    private let port: Int
    private let transport = URLSessionTransport()

    /// - Parameter count: how many requests are the first ones.
    init(_ way: Way, for count: Int) throws {
        self.way = way
        self.count = count
        port = try refusingPort()
    }

    func send(
        _ request: HTTPRequest, idleTimeout: Int, to sink: some BodySink
    ) async throws(TransportError) -> HTTPHead {
        let isFirst = sent.increment() <= count
        var request = request
        if isFirst, way == .refused, let url = URL(string: "http://127.0.0.1:\(port)/") { request.url = url }
        let patience = isFirst && way == .impatient ? 1 : idleTimeout
        return try await transport.send(request, idleTimeout: patience, to: sink)
    }
}
