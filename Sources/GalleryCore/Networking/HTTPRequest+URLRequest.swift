import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension HTTPRequest {
    /// Name, version and address, so that a host can tell who asks and where to complain.
    public static let userAgent = "gallery/0.1.0 (https://github.com/gallery-swift/gallery)"

    /// The request as it leaves, every secret in its place: the only reader of a secret's value.
    ///
    /// `Accept-Encoding: identity` unless the request says otherwise, because a gzip body that is cut
    /// short passes as whole, and because ranges count the bytes of what is sent.
    ///
    /// - Parameter idleTimeout: seconds; fractions would be cut off and below 1 fails at once, hence whole.
    func urlRequest(idleTimeout: Int) -> URLRequest {
        var request = URLRequest(url: addressWithSecrets)
        // Not through the initializer, whose value URLSession on Linux does not heed.
        request.timeoutInterval = Double(max(1, idleTimeout))
        request.setValue(Self.userAgent, forHTTPHeaderField: "User-Agent")
        request.setValue("identity", forHTTPHeaderField: "Accept-Encoding")
        for (name, value) in headers {
            request.setValue(Self.fieldValue(value), forHTTPHeaderField: name)
        }
        for case (.header(let name, let prefix), let secret) in secrets {
            request.setValue(Self.fieldValue(prefix + secret.value), forHTTPHeaderField: name)
        }
        return request
    }

    private var addressWithSecrets: URL {
        let items = secrets.compactMap { place, secret -> String? in
            guard case .query(let name) = place else { return nil }
            return Self.escaped(name) + "=" + Self.escaped(secret.value)
        }
        // By text, not by `URLComponents`: what a service escaped stays as it escaped it. Only the scheme is
        // spelled as URLSession on Linux wants it, in small letters.
        let scheme = url.scheme ?? ""
        let whole = scheme.lowercased() + url.absoluteString.dropFirst(scheme.count)
        guard !items.isEmpty else { return URL(string: whole) ?? url }
        let parts = whole.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        let address = String(parts.first ?? "")
        let joint = url.query == nil ? "?" : url.query == "" ? "" : "&"
        return URL(string: address + joint + items.sorted().joined(separator: "&")) ?? url
    }

    /// Whether `text` holds a secret of this request, in whatever way it is escaped there.
    func isTold(in text: String) -> Bool {
        let texts = [text, text.removingPercentEncoding ?? text]
        return secrets.values.contains { secret in
            secret.spellings.contains { spelling in texts.contains { $0.contains(spelling) } }
        }
    }

    /// A line break in a value would start a header of its own.
    private static func fieldValue(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7F }))
    }
}
