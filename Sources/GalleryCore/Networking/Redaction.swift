import Foundation

/// What may be shown of requests, whose addresses come from elsewhere and may be signed.
enum Redaction {
    /// The address for a log or an error: no password, no fragment, secrets as `•••`, and
    /// values that look signed cut to `…`.
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

    /// The host a message may name.
    static func host(of request: HTTPRequest) -> String {
        PlainText.excerpt(request.url.host ?? request.url.scheme ?? "?", limit: 100)
    }

    /// Long values are signatures and tokens more often than words; short ones under such a name too.
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
