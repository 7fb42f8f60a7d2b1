import Foundation

/// The web pages of a source, as patterns: `wallhaven.cc/w/{id}`, `nasa.example/search?q={query}`.
struct SourcePages: Sendable {
    static let names = ["photo", "popular", "search", "user"]

    fileprivate struct Pattern: Sendable {
        /// What is wanted, such as `{id}`; what stands for any other braces is not.
        let wanted: String?
        let host: String
        let path: [String]
        let query: [String: String]
    }

    private var patterns: [String: [Pattern]] = [:]

    init(_ reader: DefinitionReader?) throws(DefinitionFault) {
        guard let members = try reader?.members(Self.names) else { return }
        for (name, member) in members {
            for element in member.elements {
                let text = try element.text()
                guard let page = PageAddress.url(typed: text).flatMap(PageAddress.init) else {
                    throw element.fault("is not a host and a path such as 'photos.example/photo/{id}'")
                }
                let wanted = ["photo": "{id}", "search": "{query}", "user": "{user}"][name]
                let parts = page.path + page.query.values
                if let wanted, parts.count(where: { $0.contains(wanted) }) != 1 {
                    throw element.fault("needs one '\(wanted)'")
                }
                guard parts.allSatisfy({ $0.count { $0 == "{" } < 2 }) else {
                    throw element.fault("has braces twice between two slashes")
                }
                patterns[name, default: []].append(
                    Pattern(wanted: wanted, host: page.host, path: page.path, query: page.query))
            }
        }
    }

    /// What an address of this kind names; empty where it names nothing.
    func value(_ kind: String, of page: PageAddress) -> String? {
        patterns[kind]?.lazy.compactMap { $0.value(of: page) }.first
    }
}

extension SourcePages.Pattern {
    fileprivate func value(of page: PageAddress) -> String? {
        let isOpen = path.last == "*"
        let fixed = isOpen ? path.dropLast()[...] : path[...]
        guard page.isHost(host), isOpen ? page.path.count >= fixed.count : page.path.count == fixed.count
        else {
            return nil
        }
        let pairs = zip(fixed, page.path).map { ($0, $1) } + query.map { ($1, page.query[$0] ?? "") }
        var found = ""
        for (pattern, text) in pairs {
            guard let open = pattern.firstIndex(of: "{"), let close = pattern[open...].firstIndex(of: "}")
            else {
                guard pattern == text else { return nil }
                continue
            }
            let (start, end) = (pattern[..<open], pattern[pattern.index(after: close)...])
            guard text.hasPrefix(start), text.hasSuffix(end), text.count > start.count + end.count else {
                return nil
            }
            guard pattern[open...close] == wanted ?? "" else { continue }
            found = String(text.dropFirst(start.count).dropLast(end.count))
        }
        return found
    }
}
