import Foundation

/// What may be shown of requests, whose addresses come from elsewhere and may be signed.
package enum Redaction {
    /// An address of the user's own settings as it may be shown: as ``address(of:)`` of a request.
    package static func address(_ text: String) -> String {
        guard let url = URL(string: text), url.host?.isEmpty == false else { return "…" }
        return address(of: HTTPRequest(url: url))
    }

    /// The address for a log or an error: no password or fragment, `•••` for secrets, `…` for values that look signed.
    static func address(of request: HTTPRequest) -> String {
        let url = request.url
        let host = url.host ?? ""
        var text = "\(url.scheme ?? "")://" + (host.contains(":") ? "[\(host)]" : host)
        if let port = url.port { text += ":\(port)" }
        text += url.path(percentEncoded: true).replacing(Secret.place, with: Secret.shown)
        var items = (url.query(percentEncoded: true) ?? "").split(separator: "&").map(item).map {
            $0.replacing(Secret.place, with: Secret.shown)
        }
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
        guard let equals = item.firstIndex(of: "=")
        else { return item.count <= longestShown ? String(item) : "…" }
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

    /// `body` with `•••` for this request's secrets, so that a service that repeats its key does not spread it.
    func blanking(_ body: Data) -> Data {
        searches.reduce(body) { body, search in search.blanked(in: Array(body)).map { Data($0) } ?? body }
    }

    func blanking(_ head: HTTPHead) -> HTTPHead {
        guard !searches.isEmpty else { return head }
        return HTTPHead(status: head.status, url: head.url, headers: head.all.mapValues(hidingSecrets))
    }

    private var searches: [SecretSearch] {
        secrets.values.filter { $0.value.utf8.count >= Self.shortestBlanked }.map { SecretSearch($0) }
    }

    /// Whether `text` contains a secret of this request, however it is escaped there.
    func isTold(in text: String) -> Bool {
        secrets.values.contains { SecretSearch($0).blanked(in: Array(text.utf8)) != nil }
    }

    /// `location` with a place for each secret of this request that it has, which ``addressWithSecrets`` fills.
    func hidingSecrets(in location: String) -> String {
        secrets.values.reduce(location) { text, secret in
            let search = SecretSearch(secret, blank: Secret.place)
            return search.blanked(in: Array(text.utf8)).map { String(decoding: $0, as: UTF8.self) } ?? text
        }
    }
}
