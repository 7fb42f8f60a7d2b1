import Foundation

/// Sends each request the way its address asks for: `http` and `https` over the net, `file` from disk.
public struct SchemeTransport: HTTPTransport {
    private let web: any HTTPTransport
    private let file: (any HTTPTransport)?

    /// A transport over `web`, and over `file` where files may be read at all.
    public init(web: any HTTPTransport, file: (any HTTPTransport)? = nil) {
        self.web = web
        self.file = file
    }

    /// Sends by the scheme; see the protocol.
    public func send(
        _ request: HTTPRequest, idleTimeout: Int, to sink: some BodySink
    ) async throws(TransportError) -> HTTPHead {
        switch request.url.scheme?.lowercased() {
        case "http", "https": return try await web.send(request, idleTimeout: idleTimeout, to: sink)
        case "file":
            if let file { return try await file.send(request, idleTimeout: idleTimeout, to: sink) }
            throw .malformed(host: Redaction.host(of: request), reason: "files are not served here")
        default:
            throw .malformed(
                host: Redaction.host(of: request), reason: "the address is neither http nor https")
        }
    }
}
