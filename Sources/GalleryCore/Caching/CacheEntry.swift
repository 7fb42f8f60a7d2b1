import Foundation

/// A stored reply. Its file is a line with a checksum of everything after it, a line of JSON that describes the reply,
/// and the body.
struct CacheEntry: Hashable, Sendable {
    let key: CacheKey
    private(set) var body = Data()
    /// What lets the service confirm it, and leads to the next page of some lists.
    let fields: [String: String]
    /// When the service sent or last confirmed it.
    var stored: Date
    /// How long it is valid from then on, in seconds.
    var lifetime: Double

    init(key: CacheKey, reply: HTTPReply, stored: Date, lifetime: Duration) {
        self.key = key
        body = reply.body
        fields = Self.fields(of: reply).filter { name, value in
            // What is sent back is one line of printable ASCII.
            (1...Self.kept[name, default: 1]).contains(value.utf8.count)
                && value.utf8.allSatisfy { (0x20...0x7E).contains($0) }
        }
        self.stored = stored
        self.lifetime = lifetime / .seconds(1)
    }

    /// Whether the entry can be used without asking the service. `lifetime` is how long replies are valid now, which
    /// may be less than when it was stored.
    func isFresh(at date: Date, lifetime: Duration) -> Bool {
        let age = date.timeIntervalSince(stored)
        return age >= 0 && age < min(self.lifetime, lifetime / .seconds(1))
    }

    /// Whether it is too old to be used or confirmed, or dated in the future because the clock was set.
    func isOverdue(at date: Date) -> Bool {
        !(-1...Self.longestKept).contains(date.timeIntervalSince(stored))
    }

    /// A day, in seconds. Source: 500px's terms, the strictest: no cache older than 24 hours.
    static let longestKept: Double = 86_400

    /// Header fields that let the service confirm the entry; empty without a validator.
    var conditions: [String: String] {
        var conditions: [String: String] = [:]
        conditions["If-None-Match"] = fields["ETag"]
        conditions["If-Modified-Since"] = fields["Last-Modified"]
        return conditions
    }

    func reply(from url: URL) -> HTTPReply {
        let headers = fields.merging(["Content-Length": "\(body.count)"]) { kept, _ in kept }
        return HTTPReply(head: HTTPHead(status: 200, url: url, headers: headers), body: body)
    }

    /// The fields that are kept, and the most bytes of each.
    private static let kept = ["ETag": 256, "Last-Modified": 256, "Link": 8192]

    static func fields(of reply: HTTPReply) -> [String: String] {
        kept.keys.reduce(into: [:]) { $0[$1] = reply.head[$1] }
    }
}

// MARK: - File format

extension CacheEntry: Codable {
    private enum CodingKeys: CodingKey { case key, fields, stored, lifetime }

    private static let format = "gallery reply 3 "

    func encodedBytes() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        encoder.dateEncodingStrategy = .secondsSince1970
        let content = try encoder.encode(self) + [UInt8(ascii: "\n")] + body
        return Data(Self.firstLine(of: content).utf8) + content
    }

    /// Reads a file's bytes; `nil` if they are damaged or not an entry.
    init?(encoded bytes: Data) {
        let content = bytes.dropFirst(Self.format.utf8.count + 17)
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .secondsSince1970
        guard bytes.starts(with: Self.firstLine(of: content).utf8),
            let end = content.firstIndex(of: UInt8(ascii: "\n")),
            let entry = try? decoder.decode(CacheEntry.self, from: content[..<end])
        else { return nil }
        self = entry
        body = Data(content[content.index(after: end)...])
    }

    private static func firstLine(of content: Data) -> String {
        "\(format)\(Hexadecimal.text(Digest.hash(content)))\n"
    }
}

// MARK: - Key

/// Identifies a request without its secrets, which are represented by a short mark. The entry holds the whole key, so
/// two requests whose file names collide never get each other's reply.
struct CacheKey: Hashable, Codable {
    /// Method and URL without secrets: `GET https://…`.
    let request: String
    /// Header fields without secrets, `name: value`, sorted.
    let headers: [String]
    /// A mark of the request's secrets; empty if there are none.
    let credential: String

    /// The key of `request`; `nil` if it has secrets and there is no salt to mark them with.
    init?(_ request: HTTPRequest, salt: [UInt8]?) {
        var secrets = request.secrets.map { position, secret in "\(position) \(secret.value)" }
        var address = request.url.absoluteString
        if request.url.user != nil || request.url.password != nil {
            // `https://user:password@host/`: a secret in the URL.
            guard var parts = URLComponents(url: request.url, resolvingAgainstBaseURL: true)
            else { return nil }
            secrets.append("\(parts.percentEncodedUser ?? ""):\(parts.percentEncodedPassword ?? "")")
            (parts.user, parts.password) = (nil, nil)
            guard let bare = parts.string else { return nil }
            address = bare
        }
        var fields: [String] = []
        for (name, value) in request.headers {
            let field = "\(name.lowercased()): \(value)"
            let isSecret = Self.secretFields.contains(name.lowercased())
            if isSecret { secrets.append(field) } else { fields.append(field) }
        }
        let mark = secrets.isEmpty ? "" : salt.map { Self.mark(of: secrets.sorted(), $0) }
        guard let mark else { return nil }
        self.request = "GET \(address)"
        (headers, credential) = (fields.sorted(), mark)
    }

    /// Eight digits that tell sets of secrets apart. The `salt` of a cache folder makes them mean nothing elsewhere.
    ///
    /// Deliberately only 32 bits: of 2^128 possible keys, 2^96 share each mark, so a mark does not
    /// identify a key even to someone who has the salt. Two keys of one user collide once in four billion.
    private static func mark(of secrets: [String], _ salt: [UInt8]) -> String {
        let text = secrets.map { "\($0.utf8.count) \($0)" }.joined()
        return Hexadecimal.text(UInt32(truncatingIfNeeded: Digest.hash(salt + Array(text.utf8))))
    }

    /// The name of the entry's file: a 128-bit hash.
    var fileName: String {
        let text = ([request, credential] + headers).joined(separator: "\n")
        let bytes = Array(text.utf8)
        return Hexadecimal.text(Digest.hash(bytes)) + Hexadecimal.text(Digest.hash(bytes, seed: 1))
            + Self.suffix
    }

    static let suffix = ".reply"

    /// Services pass these through ``HTTPRequest/secrets``; listed here in case one does not.
    private static let secretFields: Set<String> = [
        "authorization", "proxy-authorization", "cookie", "x-api-key", "x-auth-token",
    ]
}
