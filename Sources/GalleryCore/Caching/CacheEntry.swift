import Foundation

/// A stored reply, and the bytes it is stored as.
///
/// A file is three parts: a line with a checksum of all that follows, a line of JSON that says
/// what this is, and the body. Whatever is not exactly that is no entry.
struct CacheEntry: Hashable, Sendable {
    /// What the reply answers.
    let key: CacheKey
    /// The reply's body.
    let body: Data
    /// The reply's `ETag`, weak or strong, if it had one.
    let tag: String?
    /// The reply's `Last-Modified`, if it had one.
    let lastModified: String?
    /// When the service said so, or last confirmed it.
    var stored: Date
    /// How long it was to hold from then on, in seconds.
    var lifetime: Double

    /// The entry of a reply that just came.
    init(key: CacheKey, reply: HTTPReply, stored: Date, lifetime: Duration) {
        self.key = key
        body = reply.body
        tag = Self.validator(reply.head["ETag"])
        lastModified = Self.validator(reply.head["Last-Modified"])
        self.stored = stored
        self.lifetime = lifetime / .seconds(1)
    }

    /// Whether the service need not be asked, now that a reply is to hold for `lifetime`.
    func isFresh(at date: Date, lifetime: Duration) -> Bool {
        let age = date.timeIntervalSince(stored)
        return age >= 0 && age < min(self.lifetime, lifetime / .seconds(1))
    }

    /// Whether it is too old to be used or confirmed, or from a time to come: the clock was set.
    func isOverdue(at date: Date) -> Bool {
        !(-1...Self.longestKept).contains(date.timeIntervalSince(stored))
    }

    /// A day in seconds. Source: 500px's terms, the strictest of all: no cache older than 24 hours.
    static let longestKept: Double = 86_400

    /// Header fields by which the service can say that nothing has changed; empty where it gave no means.
    var conditions: [String: String] {
        var fields: [String: String] = [:]
        fields["If-None-Match"] = tag
        fields["If-Modified-Since"] = lastModified
        return fields
    }

    /// The reply, as it would have come from `url`.
    func reply(from url: URL) -> HTTPReply {
        var fields = ["Content-Length": "\(body.count)"]
        fields["ETag"] = tag
        fields["Last-Modified"] = lastModified
        return HTTPReply(head: HTTPHead(status: 200, url: url, headers: fields), body: body)
    }

    /// What of a reply's head is written down.
    static func validators(of reply: HTTPReply) -> [String] {
        ["ETag", "Last-Modified"].compactMap { validator(reply.head[$0]) }
    }

    /// A validator that can be sent back as it is: one line of visible ASCII, of sensible length.
    private static func validator(_ field: String?) -> String? {
        guard let field, (1...256).contains(field.utf8.count),
            field.utf8.allSatisfy({ (0x20...0x7E).contains($0) })
        else { return nil }
        return field
    }
}

// MARK: - As a file

extension CacheEntry {
    private struct Head: Codable {
        let key: CacheKey
        let tag: String?
        let lastModified: String?
        let stored: Double
        let lifetime: Double
        let length: Int
    }

    private static let format = "gallery reply 1 "

    /// The entry as a file's bytes.
    func encoded() throws -> Data {
        let head = Head(
            key: key, tag: tag, lastModified: lastModified, stored: stored.timeIntervalSince1970,
            lifetime: lifetime, length: body.count)
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        var content = try encoder.encode(head)
        content.append(UInt8(ascii: "\n"))
        content.append(body)
        return Data("\(Self.format)\(Hexadecimal.text(SipHash.hash(content)))\n".utf8) + content
    }

    /// The entry that a file's bytes are; `nil` where they were cut, changed or never an entry.
    init?(encoded bytes: Data) {
        let lineLength = Self.format.utf8.count + 17
        let content = bytes.dropFirst(lineLength)
        let line = "\(Self.format)\(Hexadecimal.text(SipHash.hash(content)))\n"
        guard bytes.prefix(lineLength).elementsEqual(line.utf8),
            let end = content.firstIndex(of: UInt8(ascii: "\n")),
            let head = try? JSONDecoder().decode(Head.self, from: content[..<end])
        else { return nil }
        let body = content[content.index(after: end)...]
        guard body.count == head.length else { return nil }
        key = head.key
        self.body = Data(body)
        tag = head.tag
        lastModified = head.lastModified
        stored = Date(timeIntervalSince1970: head.stored)
        lifetime = head.lifetime
    }
}
