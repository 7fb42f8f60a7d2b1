import Foundation

/// A request to send. Its secrets are kept apart, so that the rest can be logged, cached, and compared.
public struct HTTPRequest: Hashable, Sendable {
    /// Where a secret goes when the request is sent.
    public enum SecretPosition: Hashable, Sendable {
        /// A query item `name=value`, appended last.
        case query(name: String)
        /// A header field `name: prefix` + value.
        case header(name: String, prefix: String = "")
        /// Where the address has `•••`: a host had written it there.
        case address
    }

    /// The address without any secret: `http`, `https`, or `file` for bundled and local services.
    public var url: URL
    /// Header fields by name, without any secret.
    public var headers: [String: String]
    /// Secrets by their position.
    public var secrets: [SecretPosition: Secret]

    /// Creates a GET request.
    public init(url: URL, headers: [String: String] = [:], secrets: [SecretPosition: Secret] = [:]) {
        (self.url, self.headers, self.secrets) = (url, headers, secrets)
    }
}

/// The head of a reply: its status and header fields.
public struct HTTPHead: Hashable, Sendable {
    /// The HTTP status, from 100 to 599.
    public let status: Int
    /// The address that answered in the end, after redirects.
    public let url: URL
    private let fields: [String: String]

    /// Creates a head; header names are compared case-insensitively.
    public init(status: Int, url: URL, headers: [String: String] = [:]) {
        (self.status, self.url) = (status, url)
        self.fields = Dictionary(
            headers.map { ($0.key.lowercased(), $0.value) }, uniquingKeysWith: { first, _ in first })
    }

    /// The value of a header field, whatever the case of its name. Untrusted text.
    public subscript(name: String) -> String? { fields[name.lowercased()] }

    /// `Content-Length` where it is a whole number from 0 and no `Transfer-Encoding` overrides it: RFC 9112, 6.3.
    public var contentLength: Int64? {
        guard self["Transfer-Encoding"] == nil else { return nil }
        return self["Content-Length"].flatMap { Int64($0) }.flatMap { $0 >= 0 ? $0 : nil }
    }

    /// Seconds that `Retry-After` asks for, from 0; `nil` for what is neither seconds nor a date: RFC 9110, 10.2.3. A
    /// date is measured against the reply's own, or `now` if it has none, so that a wrong clock does not matter.
    func secondsAsked(now: Date) -> Int? {
        let text = self["Retry-After"]?.trimmingCharacters(in: .whitespaces) ?? ""
        if !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
            // Too many digits ask for longer than anyone waits.
            return min(Int(text) ?? .max, 1 << 40)
        }
        let now = self["Date"].flatMap { HTTPDate.parse($0, now: now) } ?? now
        guard let date = HTTPDate.parse(text, now: now) else { return nil }
        return max(0, Int(min(date.timeIntervalSince(now).rounded(.up), 1e12)))
    }

    /// All header fields, their names in lowercase.
    var all: [String: String] { fields }

    /// Whether the body was compressed in transit, so that `Content-Length` counts other bytes than arrive.
    var isEncoded: Bool {
        guard let coding = self["Content-Encoding"]?.lowercased() else { return false }
        return !coding.isEmpty && coding != "identity"
    }
}

/// A whole reply in memory, for lists and details.
public struct HTTPReply: Hashable, Sendable {
    /// Status and header fields.
    public let head: HTTPHead
    /// The decoded body.
    public let body: Data

    /// Creates a reply.
    public init(head: HTTPHead, body: Data) { (self.head, self.body) = (head, body) }
}

// MARK: - Query items

extension HTTPRequest {
    /// Creates a GET request for `path` below `base` with these query items in order, but for those without a value.
    init(_ base: URL, _ path: String, query: [(String, String?)] = []) {
        var address = base.absoluteString
        while !path.isEmpty, address.hasSuffix("/") { address.removeLast() }
        if !path.isEmpty { address += "/" + path }
        let items = query.compactMap { name, value in
            value.map { "\(Self.escaped(name))=\(Self.escaped($0))" }
        }
        if !items.isEmpty { address += (address.contains("?") ? "&" : "?") + items.joined(separator: "&") }
        self.init(url: WebAddress.parsed(address) ?? base)
    }

    /// `text` percent-encoded but for the comma, which 500px and Flickr document unescaped.
    static func escaped(_ text: String) -> String { PercentEncoding.encoded(text, keeping: ",") }
}

// MARK: - As it is sent

extension HTTPRequest {
    /// Name, version, and address, so that a host can tell who is asking and where to complain.
    public static let userAgent = userAgent(of: nil)

    /// The same, with who answers for the requests.
    static func userAgent(of contact: Contact?) -> String {
        let known = ["https://github.com/gallery-swift/gallery", contact?.text].compactMap(\.self)
        return "gallery/\(Release.version) (\(known.joined(separator: "; ")))"
    }

    /// The header fields as sent, with their secrets. Only this and ``addressWithSecrets`` send a secret's value.
    /// `Accept-Encoding` defaults to `identity`: a gzip body cut short passes as whole; ranges count bytes as sent.
    var fieldsWithSecrets: [String: String] {
        var fields = ["User-Agent": Self.userAgent, "Accept-Encoding": "identity"]
        func set(_ name: String, _ value: String) {
            let known = fields.keys.first { $0.lowercased() == name.lowercased() }
            fields[known ?? name] = Self.fieldValue(value)
        }
        for (name, value) in headers { set(name, value) }
        for case (.header(let name, let prefix), let secret) in secrets { set(name, prefix + secret.value) }
        return fields
    }

    /// The address as it is sent, with every secret in its position.
    var addressWithSecrets: URL {
        let items = secrets.compactMap { position, secret -> String? in
            guard case .query(let name) = position else { return nil }
            return Self.escaped(name) + "=" + Self.escaped(secret.value)
        }
        // As text, to keep what a service escaped. The scheme is lowercased, as URLSession on Linux requires.
        let scheme = url.scheme ?? ""
        var whole = scheme.lowercased() + url.absoluteString.dropFirst(scheme.count)
        // A link or a redirect that repeats the key has its place.
        if let secret = secrets[.address] { whole.replace(Secret.place, with: Self.escaped(secret.value)) }
        guard !items.isEmpty else { return URL(string: whole) ?? url }
        let parts = whole.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        let address = String(parts.first ?? "")
        let joint = url.query == nil ? "?" : url.query == "" ? "" : "&"
        return URL(string: address + joint + items.sorted().joined(separator: "&")) ?? url
    }

    /// A line break in a value would start another header field.
    private static func fieldValue(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7F }))
    }
}
