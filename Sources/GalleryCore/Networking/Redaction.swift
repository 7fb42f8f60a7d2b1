import Foundation

/// What may be shown of requests, whose addresses come from elsewhere and may be signed.
package enum Redaction {
    /// An address of the user's own settings as it may be shown: as ``address(of:)`` of a request.
    package static func address(_ text: String) -> String {
        guard let url = URL(string: text), url.host?.isEmpty == false else { return "…" }
        return address(of: HTTPRequest(url: url))
    }

    /// The address for a log or an error: no password, no fragment, secrets as `•••`, and values that
    /// look signed shortened to `…`.
    static func address(of request: HTTPRequest) -> String {
        let url = request.url
        let host = url.host ?? ""
        var text = "\(url.scheme ?? "")://" + (host.contains(":") ? "[\(host)]" : host)
        if let port = url.port { text += ":\(port)" }
        text += url.path(percentEncoded: true)
        var items = (url.query(percentEncoded: true) ?? "").split(separator: "&").map(item)
        for case .query(let name) in request.secrets.keys { items.append("\(name)=•••") }
        if !items.isEmpty { text += "?" + items.joined(separator: "&") }
        return PlainText.excerpt(text, limit: 500)
    }

    /// The host as a message may name it.
    package static func host(of request: HTTPRequest) -> String {
        PlainText.excerpt(request.url.host ?? request.url.scheme ?? "?", limit: 100)
    }

    /// Long values are more often signatures and tokens than words; so are short ones with a telling name.
    private static func item(_ item: Substring) -> String {
        guard let equals = item.firstIndex(of: "=") else {
            return item.count <= longestShown ? String(item) : "…"
        }
        let name = item[..<equals]
        let value = item[item.index(after: equals)...]
        let isTelling = tellingNames.contains { name.lowercased().contains($0) }
        return value.count <= longestShown && !isTelling ? String(item) : "\(name)=…"
    }

    private static let longestShown = 40
    private static let tellingNames = [
        "sig", "token", "key", "secret", "auth", "policy", "hash", "session", "hmac", "md5", "sha",
        "credential", "x-amz", "x-goog", "pass", "access",
    ]
}

// MARK: - Secrets in what comes back

extension HTTPRequest {
    /// In bytes: anything shorter is a word of many replies, and no service's key.
    private static let shortestBlanked = 6

    /// Returns `body` with `•••` in place of this request's secrets, so that a service that repeats its key
    /// in an error, a title, or an address does not spread it.
    ///
    /// In JSON only strings are examined, unescaped, and never an object's keys: whatever could be decoded
    /// before still can be.
    func blanking(_ body: Data) -> Data {
        let secrets = secrets.values.filter { $0.value.utf8.count >= Self.shortestBlanked }
        guard !secrets.isEmpty else { return body }
        let first = body.first { !" \t\r\n".utf8.contains($0) }
        guard first == UInt8(ascii: "{") || first == UInt8(ascii: "[") else {
            return secrets.reduce(body) { $1.blanked(in: $0) }
        }
        return JSONTexts.replacing(in: body, from: secrets.map(\.value.utf8.count).min() ?? 0) { text in
            let blanked = secrets.reduce(text) { $1.blanked(in: $0) }
            // An address may escape in lowercase, or what needs no escaping.
            let plain = PercentEncoding.decoded(blanked)
            return secrets.contains { plain.range(of: Data($0.value.utf8)) != nil }
                ? Data("\(secrets[0])".utf8) : blanked
        }
    }

    /// Whether `text` contains a secret of this request, however it is escaped there.
    func isTold(in text: String) -> Bool {
        let texts = [text, text.removingPercentEncoding ?? text]
        return secrets.values.contains { secret in
            secret.spellings.contains { spelling in texts.contains { $0.contains(spelling) } }
        }
    }
}

extension Secret {
    /// The value as text may contain it: as it is, percent-encoded, and with its slashes escaped as in JSON.
    var spellings: Set<String> {
        [value, HTTPRequest.escaped(value), value.replacing("/", with: #"\/"#)]
    }

    fileprivate func blanked(in bytes: Data) -> Data {
        let blank = Data(description.utf8)
        return spellings.reduce(bytes) { bytes, spelling in
            var bytes = bytes
            var start = bytes.startIndex
            while let match = bytes.range(of: Data(spelling.utf8), in: start..<bytes.endIndex) {
                bytes.replaceSubrange(match, with: blank)
                start = match.lowerBound + blank.count
            }
            return bytes
        }
    }
}

/// The strings of a JSON body, found without parsing what surrounds them.
enum JSONTexts {
    /// Returns `body` with each string replaced by what `replace` makes of it, keys of objects aside.
    ///
    /// - Parameter shortest: In bytes; shorter strings are skipped.
    static func replacing(in body: Data, from shortest: Int, _ replace: (Data) -> Data) -> Data {
        var result = Data()
        var rest = body[...]
        while let open = rest.firstIndex(of: quote) {
            result += rest[...open]
            rest = rest[(open + 1)...]
            let end = end(of: rest)
            let content = rest[..<end]
            rest = rest[end...]
            let follower = rest.dropFirst().first { !" \t\r\n".utf8.contains($0) }
            if content.count < shortest || follower == UInt8(ascii: ":") {
                result += content
            } else {
                let text = unescaped(content)
                let replaced = replace(text)
                result += replaced == text ? content : escaped(replaced)
            }
            // The closing quote, or nothing where the body was cut.
            result += rest.prefix(1)
            rest = rest.dropFirst()
        }
        return result + rest
    }

    private static let quote = UInt8(ascii: "\"")
    private static let backslash = UInt8(ascii: "\\")

    private static func end(of text: Data) -> Data.Index {
        var index = text.startIndex
        while index < text.endIndex, text[index] != quote { index += text[index] == backslash ? 2 : 1 }
        return min(index, text.endIndex)
    }

    /// The string without its escapes; unchanged where it cannot be decoded.
    private static func unescaped(_ content: Data) -> Data {
        guard content.contains(backslash),
            let texts = try? JSONDecoder().decode(
                [String].self, from: Data("[\"".utf8) + content + Data("\"]".utf8))
        else { return Data(content) }
        return Data(texts.joined().utf8)
    }

    private static func escaped(_ text: Data) -> Data {
        Data(JSONValue.string(String(decoding: text, as: UTF8.self)).text.utf8.dropFirst().dropLast())
    }
}
