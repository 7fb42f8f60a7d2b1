import Foundation

/// Addresses that a reply, a line, or a redirect names.
package enum WebAddress {
    /// `text` as an http or https address with a host; with `files`, as a relative path below that folder only.
    package static func url(_ text: String, relativeTo files: URL? = nil) -> URL? {
        if let files {
            guard !text.hasPrefix("/"), !text.contains(":"), !text.split(separator: "/").contains("..") else {
                return nil
            }
            return files.appending(path: text)
        }
        guard let url = parsed(unescaped(text)), let scheme = url.scheme?.lowercased(),
            scheme == "http" || scheme == "https", url.host?.isEmpty == false
        else { return nil }
        return url
    }

    /// `text` with ampersands that were escaped once too often as they were meant.
    private static func unescaped(_ text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "&")) else { return text }
        let parts = text.split(separator: "&", omittingEmptySubsequences: false)
        return parts.dropFirst().reduce(into: String(parts[0])) { text, part in
            var rest = part
            while let escape = ["amp;", "#38;", "#038;"].first(where: rest.hasPrefix) {
                rest = rest.dropFirst(escape.count)
            }
            text += "&" + rest
        }
    }

    /// `text` as an address of any scheme, or relative to `base`, exactly as it was written, without blanks around it.
    /// `URL(string:)` escapes all or nothing: `%3D` beside a bracket becomes `%253D`, which breaks signed addresses.
    package static func parsed(_ text: String, relativeTo base: URL? = nil) -> URL? {
        let hasBlanks = text.utf8.contains { $0 <= 0x20 }
        let text = hasBlanks ? text.trimmingCharacters(in: .whitespacesAndNewlines) : text
        return URL(string: escaped(text), relativeTo: base)?.absoluteURL
    }

    /// `text` with what must not stand in an address escaped, and nothing else changed. The host is left to `URL`.
    static func escaped(_ text: String) -> String {
        if PercentEncoding.consists(text, of: kept) { return text }
        let (rest, fragment) = split(text[...], at: "#")
        let (start, query) = split(rest, at: "?")
        let path = pathStart(of: start)
        return start[..<path] + escapedPart(start[path...]) + (query.map { "?" + escapedPart($0) } ?? "")
            + (fragment.map { "#" + escapedPart($0) } ?? "")
    }

    /// What RFC 3986 has in a path, query, or fragment stays, and so does a percent sign before two hex digits.
    private static func escapedPart(_ text: Substring) -> String {
        PercentEncoding.encoded(text, keeping: kept, keepsEscapes: true)
    }

    private static let kept: StaticString = "!$&'()*+,;=:@/?"

    /// Where the path begins: after the scheme and the host, where there are any.
    private static func pathStart(of text: Substring) -> Substring.Index {
        var rest = text
        if let colon = text.firstIndex(of: ":"), text[..<colon].allSatisfy({ $0.isLetter || $0.isNumber }) {
            rest = text[text.index(after: colon)...]
        }
        guard rest.hasPrefix("//") else { return rest.startIndex }
        return rest.dropFirst(2).firstIndex(of: "/") ?? rest.endIndex
    }

    private static func split(_ text: Substring, at mark: Character) -> (Substring, Substring?) {
        guard let index = text.firstIndex(of: mark) else { return (text, nil) }
        return (text[..<index], text[text.index(after: index)...])
    }
}
