import Foundation

/// A web address split into parts, so that services recognize their pages and images by tables. Scheme, letter case of
/// the host, and trailing slashes do not matter.
package struct PageAddress: Sendable {
    /// In lowercase.
    let host: String
    /// The path's components, decoded.
    package let path: [String]
    /// The query's values, decoded; the first of each name.
    let query: [String: String]
    /// The fragment's components, decoded: some sites and viewers keep a path in it.
    let fragment: [String]

    /// The parts of `address`, or `nil` if it is not a web address.
    package init?(_ address: URL) {
        guard let scheme = address.scheme?.lowercased(), ["http", "https"].contains(scheme),
            let parts = URLComponents(url: address, resolvingAgainstBaseURL: true),
            let host = parts.host?.lowercased(), !host.isEmpty
        else { return nil }
        self.host = host.hasSuffix(".") ? String(host.dropLast()) : host
        path = Self.components(parts.percentEncodedPath)
        fragment = Self.components(parts.percentEncodedFragment ?? "")
        query = Dictionary(
            (parts.queryItems ?? []).compactMap { item in item.value.map { (item.name, $0) } },
            uniquingKeysWith: { first, _ in first })
    }

    /// An address as people type or paste it: with or without scheme, with spaces around it.
    package static func url(typed text: String) -> URL? {
        let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
        if text.contains("://") {
            return WebAddress.url(text).flatMap { PageAddress($0) == nil ? nil : $0 }
        }
        let bare = text.hasPrefix("//") ? String(text.dropFirst(2)) : text
        // A host has a dot and ends in a word; then there is a path.
        guard bare.prefixMatch(of: /(?:[A-Za-z0-9\-]+\.)+[A-Za-z]{2,}(?::[0-9]+)?\/./) != nil else {
            return nil
        }
        return WebAddress.url("https://" + bare)
    }

    func isHost(_ domain: String) -> Bool { host == domain || host.hasSuffix("." + domain) }

    /// `text` if it consists of digits, as most identifiers do.
    static func number(_ text: String?) -> String? {
        guard let text, (1...19).contains(text.utf8.count), text.utf8.allSatisfy({ (48...57).contains($0) })
        else { return nil }
        return text
    }

    private static func components(_ path: String) -> [String] {
        path.split(separator: "/").map { $0.removingPercentEncoding ?? String($0) }
    }
}
