import Foundation

/// Where redirects may lead, and what is sent along.
enum RedirectPolicy {
    static let limit = 10

    /// Header fields that any host may see. All others stay with their origin:
    /// `Authorization`, `Cookie`, keys, and `Referer`, which tells one site about another.
    private static let bareFields: Set<String> = [
        "user-agent", "accept", "accept-encoding", "accept-language", "range", "if-range",
    ]

    static func isRedirect(status: Int) -> Bool { [301, 302, 303, 307, 308].contains(status) }

    /// The request that follows the `location` in the reply to `request`, after `hops` earlier redirects.
    static func follow(
        _ location: String, from request: HTTPRequest, hops: Int
    ) throws(TransportError) -> HTTPRequest {
        func refusal(_ reason: String) -> TransportError {
            .redirect(host: Redaction.host(of: request), reason: reason)
        }
        guard hops < limit else { throw refusal("it redirects more than \(limit) times") }
        guard let target = resolve(location, against: request.url)
        else { throw refusal("its target is not an address") }
        guard let scheme = target.scheme?.lowercased(), scheme == "http" || scheme == "https" else {
            throw refusal("its target is not a web address")
        }
        guard let host = target.host, !host.isEmpty else { throw refusal("its target names no host") }
        guard target.user == nil, target.password == nil
        else { throw refusal("its target carries a user's name") }
        var next = request
        next.url = target
        if WebOrigin(target) == WebOrigin(request.url) {
            // A query secret is not repeated: the new address is complete as the server wrote it, and never shown.
            next.url = resolve(request.hidingSecrets(in: location), against: request.url) ?? target
            next.secrets = request.secrets.filter { if case .header = $0.key { true } else { false } }
            next.secrets[.address] = request.secrets[.address] ?? request.secrets.values.first
            return next
        }
        if request.url.scheme?.lowercased() == "https", scheme == "http", request.carriesCredential {
            throw refusal("it leads from https to http")
        }
        guard !request.isTold(in: location) else {
            throw refusal("it would tell a key to '\(PlainText.excerpt(host))'")
        }
        next.secrets = [:]
        next.headers = request.headers.filter { bareFields.contains($0.key.lowercased()) }
        return next
    }

    /// The address that `location` names, seen from `base`; `nil` if it is not one.
    static func resolve(_ location: String, against base: URL) -> URL? {
        // URLSession on Linux resolves against "/", drops a trailing slash, and decodes `%2F`.
        guard !location.isEmpty, let url = WebAddress.parsed(location, relativeTo: base) else { return nil }
        guard let mark = url.absoluteString.firstIndex(of: "#") else { return url }
        return URL(string: String(url.absoluteString[..<mark]))
    }
}

/// Scheme, host, and port: the only origin a credential may be sent back to.
struct WebOrigin: Hashable {
    let scheme: String
    let host: String
    let port: Int

    init(_ url: URL) {
        scheme = url.scheme?.lowercased() ?? ""
        host = url.host?.lowercased() ?? ""
        port = url.port ?? (scheme == "https" ? 443 : 80)
    }

    /// Whether both are of one site: one's host is the other's, or below it, and what is secure stays so.
    func isSite(of next: WebOrigin) -> Bool {
        let (own, other) = (site, next.site)
        return (own == other || own.hasSuffix("." + other) || other.hasSuffix("." + own))
            && (scheme == "http" || next.scheme == scheme)
    }

    private var site: String { host.hasPrefix("www.") ? String(host.dropFirst(4)) : host }

    /// `url` with https if this has it and the host is the same: hosts behind https name themselves with http.
    func securing(_ url: URL) -> URL {
        let text = url.absoluteString
        guard scheme == "https", text.hasPrefix("http://"), WebOrigin(url).host == host else { return url }
        return URL(string: "https://" + text.dropFirst(7)) ?? url
    }
}

extension HTTPRequest {
    /// Whether the request carries anything that must not be read on the way.
    fileprivate var carriesCredential: Bool {
        secrets.keys.contains { $0 != .address } || url.user != nil || url.password != nil
            || headers.keys.contains { ["authorization", "cookie"].contains($0.lowercased()) }
    }
}

/// The cookies of one chain of redirects: each goes back to the origin that set it, and none outlasts the chain.
struct ChainCookies {
    /// How often a host may lead back to where it was asked before, once it has set cookies.
    private static let mostRounds = 2
    /// Hosts refuse longer fields.
    private static let mostLetters = 8192

    private var values: [WebOrigin: [String: String]] = [:]
    /// How often each address has led on.
    private var asked: [URL: Int] = [:]

    /// Takes the cookies that a redirect from `url` sets: fields of that name, joined by commas.
    mutating func take(_ text: String?, from url: URL) {
        asked[url, default: 0] += 1
        for cookie in (text ?? "").split(separator: ",") {
            let pair = cookie.prefix { $0 != ";" }.trimmingPrefix(" ").split(separator: "=", maxSplits: 1)
            // Dates have commas as well, but no name before an equals sign.
            guard pair.count == 2, !pair[0].contains(" ") else { continue }
            values[WebOrigin(url), default: [:]][String(pair[0])] = String(pair[1])
        }
    }

    func add(to request: inout HTTPRequest) {
        guard let own = values[WebOrigin(request.url)] else { return }
        let pairs = own.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
        let known = request.headers["Cookie"].map { [$0] } ?? []
        request.headers["Cookie"] = String((known + pairs).joined(separator: "; ").prefix(Self.mostLetters))
    }

    /// Whether the next request of the chain may go to `url`; not where cookies have been of no use.
    func mayAsk(_ url: URL) -> Bool {
        asked[url, default: 0] <= Self.mostRounds || values[WebOrigin(url)] == nil
    }
}
