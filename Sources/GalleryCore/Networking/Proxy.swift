import Foundation

/// The proxy that the environment names, which libcurl uses by itself.
package enum Proxy {
    /// The variables that name proxies, or what is reached without one. libcurl ignores `HTTP_PROXY`.
    package static let variables = [
        "http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY", "no_proxy",
        "NO_PROXY",
    ]

    /// A variable's value as it may be shown: without name and password.
    package static func shown(_ text: String) -> String {
        let address = text.contains("://") ? text : "http://" + text
        let hasUser = URL(string: address)?.user != nil
        return Redaction.address(address) + (hasUser ? " (with a name and a password)" : "")
    }

    /// What libcurl's `text` says of the proxy; `nil` where it is not about one. `host` is `url`'s as messages name it.
    static func error(text: String, for url: URL, host: String) -> TransportError? {
        if let match = text.prefixMatch(of: /CONNECT tunnel failed, response (\d+)/) {
            return refusal(by: self.host(for: url) ?? "", of: host, status: Int(match.1) ?? 0)
        }
        if let match = text.prefixMatch(of: /Could not resolve proxy: (\S+)/) {
            return .proxy(
                host: PlainText.excerpt(String(match.1)),
                reason: "could not be reached: there is no such host", isPassing: true)
        }
        // It names what it tried to reach: where that is not the host, it is the proxy.
        guard let match = text.prefixMatch(of: /Failed to connect to (\S+) port (\d+)/) else { return nil }
        let (name, port) = (String(match.1), Int(match.2))
        guard name != url.host || port != WebOrigin(url).port, self.host(for: url) != nil else { return nil }
        return .proxy(
            host: PlainText.excerpt("\(name):\(match.2)"),
            reason: "could not be reached: the connection was refused", isPassing: true)
    }

    static func refusal(by proxy: String, of host: String, status: Int) -> TransportError {
        let reason =
            status == 407
            ? "asks for a name and a password (status 407)"
            : "refused to connect to '\(host)' (status \(status))"
        return .proxy(host: proxy, reason: reason, isPassing: RetryPolicy.isPassing(status: status))
    }

    /// The proxy for addresses such as `url`, as host and port alone; `nil` if unset or `no_proxy` exempts the host.
    static func host(
        for url: URL, environment: [String: String] = ProcessInfo.processInfo.environment
    ) -> String? {
        guard let text = address(for: url.scheme?.lowercased() ?? "", environment),
            !isExempt(url.host?.lowercased() ?? "", by: exempt(environment))
        else { return nil }
        let proxy = URL(string: text)
        guard let name = proxy?.host else { return PlainText.excerpt("") }
        return PlainText.excerpt(name + (proxy?.port.map { ":\($0)" } ?? ""))
    }

    /// The `connectionProxyDictionary` of a URLSession that does not read the environment; `nil` for the system's.
    static func settings(_ environment: [String: String]) -> [String: any Sendable]? {
        let names = exempt(environment).split(whereSeparator: { ", \t".contains($0) })
        if names.contains("*") { return [:] }
        var settings: [String: any Sendable] = [:]
        for scheme in ["http", "https"] {
            guard let proxy = address(for: scheme, environment).flatMap({ URL(string: $0) }) else { continue }
            let key = proxy.scheme?.hasPrefix("socks") == true ? "SOCKS" : scheme.uppercased()
            settings["\(key)Enable"] = 1
            settings["\(key)Proxy"] = proxy.host
            // As libcurl has it.
            settings["\(key)Port"] = proxy.port ?? 1080
        }
        let exceptions = names.map { String($0.hasPrefix(".") ? $0.dropFirst() : $0) }
        settings["ExceptionsList"] = exceptions + exceptions.map { "*." + $0 }
        return settings.count > 1 ? settings : nil
    }

    private static func address(for scheme: String, _ environment: [String: String]) -> String? {
        // Not `HTTP_PROXY`, which a web server's caller may have set.
        let names =
            ["\(scheme)_proxy"] + (scheme == "https" ? ["HTTPS_PROXY"] : []) + ["all_proxy", "ALL_PROXY"]
        let text = names.lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
        return text.map { $0.contains("://") ? $0 : "http://" + $0 }
    }
    private static func exempt(_ environment: [String: String]) -> String {
        (environment["no_proxy"] ?? environment["NO_PROXY"] ?? "").lowercased()
    }

    /// Whether libcurl sends requests to `host` past the proxy: `list` is `*`, or has it, its domain, or network.
    private static func isExempt(_ host: String, by list: String) -> Bool {
        guard list != "*" else { return true }
        return list.split(whereSeparator: { ", \t".contains($0) }).contains { entry in
            let network = entry.split(separator: "/")
            if network.count == 2, let address = number(host), let base = number(network[0]),
                let bits = Int(network[1]), (0...32).contains(bits)
            {
                return (address ^ base) >> UInt64(32 - bits) == 0
            }
            let name = entry.hasPrefix(".") ? entry.dropFirst() : entry
            return !name.isEmpty && (host == name || host.hasSuffix("." + name))
        }
    }

    private static func number(_ address: some StringProtocol) -> UInt64? {
        let parts = address.split(separator: ".", omittingEmptySubsequences: false).compactMap { UInt8($0) }
        return parts.count == 4 ? parts.reduce(0) { $0 << 8 | UInt64($1) } : nil
    }
}
