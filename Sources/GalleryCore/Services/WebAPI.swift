import Foundation

/// A service's API on the web: where it is, what opens it, and what its refusals mean.
package struct WebAPI: Sendable {
    let service: String
    let base: URL
    /// The key or session; `nil` if none is set.
    var key: Secret?
    /// The environment variable for it; `nil` where there is none.
    var keyVariable: String?
    /// Whether it is the service's own, which is strict about keys.
    var isOfficial = false

    func request(_ path: String, _ query: [(String, String?)] = []) -> HTTPRequest {
        HTTPRequest(base, path, query: query)
    }

    /// The same, with the key in the query: the official API needs one, others may not.
    func request(
        _ path: String, _ query: [(String, String?)], keyed name: String
    ) throws(ServiceError) -> HTTPRequest {
        if key == nil, isOfficial { throw keyMissing }
        var request = request(path, query)
        if let key { request.secrets[.query(name: name)] = key }
        return request
    }

    /// The body of a reply with status 200; throws what any other status means.
    func accept(_ reply: HTTPReply, _ what: String) throws(ServiceError) -> Data {
        guard reply.head.status == 200 else {
            throw .status(reply.head.status, of: reply, service: service, what: what, variable: keyVariable)
        }
        return reply.body
    }

    var keyMissing: ServiceError { .keyMissing(service: service, variable: keyVariable) }

    func id(_ value: String) -> PhotoID { PhotoID(service: service, value: value) }
}

extension PhotoID {
    /// The photo in a sentence: `photo 123`.
    var what: String { "photo \(PlainText.excerpt(value))" }
}
