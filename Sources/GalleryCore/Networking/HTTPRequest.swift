import Foundation

/// A request to send: everything but the secrets stands in the open, so that the
/// rest may be logged, cached and compared.
public struct HTTPRequest: Hashable, Sendable {
    /// Where a secret goes when the request leaves.
    public enum SecretPosition: Hashable, Sendable {
        /// A query item `name=value`, appended last.
        case query(name: String)
        /// A header `name: prefix` + value.
        case header(name: String, prefix: String = "")
    }

    /// The address without any secret; `http`, `https`, or `file` for bundled and local services.
    public var url: URL
    /// Header fields by name, without any secret.
    public var headers: [String: String]
    /// Secrets and their places.
    public var secrets: [SecretPosition: Secret]

    /// A GET request.
    public init(url: URL, headers: [String: String] = [:], secrets: [SecretPosition: Secret] = [:]) {
        self.url = url
        self.headers = headers
        self.secrets = secrets
    }
}

/// The head of a reply: status and header fields.
public struct HTTPHead: Hashable, Sendable {
    /// The HTTP status, 100 to 599.
    public let status: Int
    /// The address that answered in the end, after redirects.
    public let url: URL
    private let fields: [String: String]

    /// A head; header names are compared without case.
    public init(status: Int, url: URL, headers: [String: String] = [:]) {
        self.status = status
        self.url = url
        self.fields = Dictionary(
            headers.map { ($0.key.lowercased(), $0.value) }, uniquingKeysWith: { first, _ in first })
    }

    /// The value of a header field, whatever the case of its name. Untrusted text.
    public subscript(name: String) -> String? { fields[name.lowercased()] }

    /// `Content-Length` where it is a whole number from 0; `nil` elsewhere.
    public var contentLength: Int64? {
        self["Content-Length"].flatMap { Int64($0) }.flatMap { $0 >= 0 ? $0 : nil }
    }
}

/// A whole reply in memory, for lists and details.
public struct HTTPReply: Hashable, Sendable {
    /// Status and header fields.
    public let head: HTTPHead
    /// The decoded body.
    public let body: Data

    /// A reply.
    public init(head: HTTPHead, body: Data) {
        self.head = head
        self.body = body
    }
}
