import Foundation

/// An element of a feed, or of the HTML in one.
struct MarkupNode {
    /// With the usual prefix of its namespace, such as `media:content`, whatever the document calls it.
    let name: String
    var attributes: [String: String] = [:]
    var children: [MarkupNode] = []
    /// What a child called ``textName`` says; empty for an element.
    var words = ""
    /// What addresses in it are relative to; `nil` for the document's own.
    var base: URL?
    /// Where a link around it leads, or it itself; `nil` for nowhere.
    var link: String?

    func all(_ name: String) -> [MarkupNode] { children.filter { $0.name == name } }
    func first(_ name: String) -> MarkupNode? { children.first { $0.name == name } }

    /// The name of children that are no elements: no element can have it.
    fileprivate static let textName = "<"

    /// Its own text, without that of the elements in it.
    var text: String { all(Self.textName).map(\.words).joined() }

    /// The text of the first element with this name, without markup, in one line; `nil` if there is none.
    func line(_ names: String...) -> String? {
        for name in names {
            guard let node = first(name) else { continue }
            let line = PlainText.line(Markup.plain(node.markup))
            if !line.isEmpty { return line }
        }
        return nil
    }

    /// Its text and that of everything in it, with the tags that tell where lines end.
    var markup: String {
        children.reduce(into: "") { markup, child in
            markup +=
                child.name == Self.textName ? child.words : "<\(child.name)>\(child.markup)</\(child.name)>"
        }
    }

    func attribute(_ name: String) -> String? { attributes[name].flatMap { $0.isEmpty ? nil : $0 } }

    func number(_ name: String) -> Int? {
        attributes[name].flatMap { Int($0.trimmingCharacters(in: .whitespaces), within: Int.outside) }
    }

    var size: PixelSize? { PixelSize(width: number("width"), height: number("height")) }

    func url(_ address: String?, at document: URL) -> URL? {
        let text = (address ?? "").trimmingCharacters(in: .whitespacesAndNewlines)
        guard !text.isEmpty, text.utf8.count <= 8192,
            let url = WebAddress.parsed(text, relativeTo: base ?? document)
        else { return nil }
        return WebAddress.url(url.absoluteString)
    }
}

/// Reads XML and HTML leniently: unclosed elements, undeclared prefixes, and missing quotes are no errors. By hand,
/// since parsers that expand entities can be made to read files and to exhaust memory: this one skips document types,
/// and decodes no entities but characters.
struct MarkupReader {
    /// Deeper than any feed.
    static let deepest = 200

    struct TooDeep: Error {}

    private let bytes: [UInt8]
    private var place = 0
    private var open: [MarkupNode] = []
    private var prefixes: [String: String] = [:]
    /// How many elements asked for had begun where the text ends in the middle of its root; `nil` where the root ends.
    private(set) var cut: Int?

    init(_ text: String) { bytes = Array(text.utf8) }

    /// Elements that HTML never closes.
    private static let void: Set<String> = ["img", "br", "hr", "meta", "input", "wbr"]

    /// Passes elements called one of `names` to `take`, and keeps the others in the root it returns; `nil` for none.
    mutating func read(
        _ names: Set<String>, at base: URL? = nil, take: (MarkupNode) -> Void
    ) throws(TooDeep) -> MarkupNode? {
        open = [MarkupNode(name: "", base: base)]
        while place < bytes.count {
            if bytes[place] != UInt8(ascii: "<") {
                let start = place
                place = bytes[place...].firstIndex(of: UInt8(ascii: "<")) ?? bytes.count
                add(text: Markup.plain(string(start..<place)))
            } else if starts("<!--") {
                skip(past: "-->")
            } else if starts("<![CDATA[") {
                let start = place + 9
                skip(past: "]]>")
                // Cut short, it goes on to the end.
                add(text: string(start..<max(start, place - (ends("]]>") ? 3 : 0))))
            } else if starts("<?") {
                skip(past: "?>")
            } else if starts("<!") {
                skipDocumentType()
            } else if starts("</") {
                let name = canonical(readName(from: place + 2))
                skip(past: ">")
                // An element may declare a namespace for itself alone.
                guard let depth = open.lastIndex(where: { $0.name == name || $0.name.hasSuffix(":" + name) }),
                    depth > 0
                else { continue }
                while open.count > depth { close(names, take) }
            } else if let node = readTag() {
                open.append(node)
                if open.count > Self.deepest { throw TooDeep() }
                if bytes[place - 2] == UInt8(ascii: "/") || Self.void.contains(node.name) {
                    close(names, take)
                }
            } else {
                add(text: "<")
                place += 1
            }
        }
        if open.count > 1, open[0].children.allSatisfy({ $0.name == MarkupNode.textName }) {
            cut = open.count { names.contains($0.name) }
        }
        while open.count > 1 { close(names, take) }
        return open[0].children.first { $0.name != MarkupNode.textName }
    }

    private mutating func close(_ names: Set<String>, _ take: (MarkupNode) -> Void) {
        let node = open.removeLast()
        // An item is not kept: there may be a million.
        if names.contains(node.name) { take(node) } else { open[open.count - 1].children.append(node) }
    }

    private mutating func add(text: String) {
        let (parent, last) = (open.count - 1, open[open.count - 1].children.count - 1)
        if last >= 0, open[parent].children[last].name == MarkupNode.textName {
            open[parent].children[last].words += text
        } else {
            open[parent].children.append(MarkupNode(name: MarkupNode.textName, words: text))
        }
    }

    // MARK: - Tags

    /// The element that begins here; `nil` where it is no tag, or is cut short.
    private mutating func readTag() -> MarkupNode? {
        let start = place
        let name = readName(from: place + 1)
        guard let first = name.utf8.first, first > 0x40 else {
            place = start
            return nil
        }
        var attributes: [String: String] = [:]
        while place < bytes.count, bytes[place] != UInt8(ascii: ">") {
            let key = readName(from: place)
            guard !key.isEmpty else {
                place += 1
                continue
            }
            skipSpace()
            guard place < bytes.count, bytes[place] == UInt8(ascii: "=") else { continue }
            place += 1
            skipSpace()
            attributes[key] = Markup.plain(readValue().replacing("<", with: "&lt;"))
        }
        // Half an address is worse than none.
        guard place < bytes.count else { return nil }
        place += 1
        for (key, value) in attributes where key.hasPrefix("xmlns:") {
            prefixes[String(key.dropFirst(6))] = Self.usualPrefix(of: value)
        }
        let outer = open[open.count - 1].base
        let base = attributes["xml:base"].flatMap { WebAddress.parsed($0, relativeTo: outer) } ?? outer
        let own = attributes["xmlns"].flatMap(Self.usualPrefix)
        let whole = own.map { $0.isEmpty ? name : "\($0):\(name)" } ?? canonical(name)
        let link = name == "a" ? attributes["href"] : open[open.count - 1].link
        return MarkupNode(name: whole, attributes: attributes, base: base, link: link)
    }

    private mutating func readValue() -> String {
        guard place < bytes.count else { return "" }
        let quote = bytes[place]
        if quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
            let start = place + 1
            place = bytes[start...].firstIndex(of: quote) ?? bytes.count
            defer { place = min(place + 1, bytes.count) }
            return string(start..<place)
        }
        let start = place
        while place < bytes.count, bytes[place] > 0x20, bytes[place] != UInt8(ascii: ">") { place += 1 }
        return string(start..<place)
    }

    /// A name from there on, in lowercase.
    private mutating func readName(from start: Int) -> String {
        place = start
        while place < bytes.count, bytes[place] > 0x20, !"=>/<\"'".utf8.contains(bytes[place]) { place += 1 }
        return string(start..<place).lowercased()
    }

    private func canonical(_ name: String) -> String {
        guard let colon = name.firstIndex(of: ":"), let usual = prefixes[String(name[..<colon])] else {
            return name
        }
        let local = name[name.index(after: colon)...]
        return usual.isEmpty ? String(local) : "\(usual):\(local)"
    }

    /// The prefix that a namespace usually has, `""` for what needs none; `nil` for one that is not known.
    private static func usualPrefix(of namespace: String) -> String? {
        let known = [
            ("search.yahoo.com/mrss", "media"), ("www.w3.org/2005/Atom", ""), ("purl.org/atom/ns", ""),
            ("purl.org/rss/1.0/modules/content", "content"), ("purl.org/dc/elements", "dc"),
            ("www.w3.org/1999/xhtml", ""), ("purl.org/rss/1.0", ""),
        ]
        return known.first { namespace.contains($0.0) }?.1
    }

    // MARK: - Bytes

    private func string(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

    private func starts(_ text: StaticString) -> Bool {
        place + text.utf8CodeUnitCount <= bytes.count && matches(text, at: place)
    }

    private func ends(_ text: StaticString) -> Bool {
        place >= text.utf8CodeUnitCount && matches(text, at: place - text.utf8CodeUnitCount)
    }

    private func matches(_ text: StaticString, at start: Int) -> Bool {
        text.withUTF8Buffer { word in word.indices.allSatisfy { bytes[start + $0] == word[$0] } }
    }

    private mutating func skip(past text: StaticString) {
        while place < bytes.count, !starts(text) { place += 1 }
        place = min(place + text.utf8CodeUnitCount, bytes.count)
    }

    private mutating func skipSpace() { while place < bytes.count, bytes[place] <= 0x20 { place += 1 } }

    private mutating func skipDocumentType() {
        while place < bytes.count, bytes[place] != UInt8(ascii: ">") {
            if bytes[place] == UInt8(ascii: "[") {
                skip(past: "]")
                skipSpace()
            } else {
                place += 1
            }
        }
        place = min(place + 1, bytes.count)
    }
}
