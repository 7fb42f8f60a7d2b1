import Foundation

/// A request below a definition's base: a path and a query with names in braces. What is put in is percent-encoded,
/// so that a request never leaves the host.
package struct RequestTemplate: Hashable, Sendable {
    let text: String

    init(_ reader: DefinitionReader, allowing allowed: [String]) throws(DefinitionFault) {
        text = try reader.text()
        guard !text.contains("://"), !text.hasPrefix("//"), !text.hasPrefix("\\") else {
            throw reader.fault("is a whole address, which may be another host's; write what follows 'base'")
        }
        let parts: [(literal: String, name: String?)]
        do { parts = try SourceTemplate.parts(of: text) } catch { throw reader.fault(error.problem) }
        if let unknown = parts.compactMap(\.name).first(where: { !allowed.contains($0) }) {
            throw reader.fault("has an unknown '{\(unknown)}'", known: allowed)
        }
    }

    func has(_ name: String) -> Bool { text.contains("{\(name)}") }

    /// The request below `base`, without query items whose value is missing; `nil` where the path cannot be made.
    func request(at base: URL, _ values: [String: String]) -> HTTPRequest? {
        let parts = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        guard let path = filled(String(parts[0]), values, isPath: true) else { return nil }
        var address = base.absoluteString
        while address.hasSuffix("/") { address.removeLast() }
        let isBelow = !path.isEmpty && !path.hasPrefix("/")
        address += (isBelow ? "/" : "") + path
        let items = parts.dropFirst().flatMap { $0.split(separator: "&") }
            .compactMap { filled(String($0), values, isPath: false) }
        if !items.isEmpty { address += "?" + items.joined(separator: "&") }
        return WebAddress.parsed(address).flatMap { $0.isSameOrigin(as: base) ? HTTPRequest(url: $0) : nil }
    }

    private func filled(_ text: String, _ values: [String: String], isPath: Bool) -> String? {
        var filled = ""
        for (literal, name) in (try? SourceTemplate.parts(of: text)) ?? [] {
            filled += literal
            guard let name else { continue }
            // Two dots would lead to what is above.
            guard let value = values[name], !isPath || ![".", "..", ""].contains(value) else { return nil }
            filled += HTTPRequest.escaped(value)
        }
        return filled
    }
}

extension URL {
    /// Whether scheme, host, port, and the user's name are the same.
    func isSameOrigin(as other: URL) -> Bool { WebOrigin(self) == WebOrigin(other) && user == other.user }
}
