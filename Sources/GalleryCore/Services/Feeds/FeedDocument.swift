import Foundation

/// A feed as it was sent: RSS with Media RSS, Atom, or JSON Feed.
struct FeedDocument {
    /// In the feed's order; a picture may be there twice.
    private(set) var photos: [Photo] = []
    /// Why items could not be read.
    private(set) var leftOut: [ImportError] = []
    /// The address of the items that follow; `nil` for none.
    private(set) var next: URL?

    /// Reads `body`, which came from `address`.
    ///
    /// - Throws: ``ServiceError/unreadable(_:)`` where it is no feed.
    init(_ service: String, _ body: Data, at address: URL) throws(ServiceError) {
        let text = Self.text(body)
        if text.first(where: { !$0.isWhitespace }) == "{" {
            try readJSON(service, Data(text.utf8), address)
        } else {
            try readXML(service, text, address)
        }
    }

    // MARK: - Encodings

    /// UTF-16 by its mark, UTF-8, or else what the document declares, or what Windows has.
    static func text(_ body: Data) -> String {
        if body.starts(with: [0xFF, 0xFE]) || body.starts(with: [0xFE, 0xFF]) {
            return String(data: body, encoding: .utf16).map { $0.replacing("\u{FEFF}", with: "") } ?? ""
        }
        let body = body.starts(with: [0xEF, 0xBB, 0xBF]) ? Data(body.dropFirst(3)) : body
        if let text = String(validating: body, as: UTF8.self) { return text }
        let declared = declaredEncoding(of: body)
        // Broken UTF-8 is UTF-8 all the same.
        let encoding: String.Encoding? =
            declared == "utf-8" ? nil : encodings[declared] ?? .windowsCP1252
        return encoding.flatMap { String(data: body, encoding: $0) } ?? String(decoding: body, as: UTF8.self)
    }

    /// The encoding in the declaration that XML begins with, in lowercase; empty for none.
    private static func declaredEncoding(of body: Data) -> String {
        let start = String(decoding: body.prefix(200), as: UTF8.self).lowercased()
        let parts = start.components(separatedBy: "encoding=")
        guard parts.count > 1 else { return "" }
        return String(parts[1].dropFirst().prefix { $0 != "\"" && $0 != "'" })
    }

    /// By their names on the web. Foundation has no names for those given by number, which are its own for
    /// `kCFStringEncodingKOI8_R` and so on.
    private static let encodings: [String: String.Encoding] = [
        "iso-8859-2": .isoLatin2, "windows-1250": .windowsCP1250, "windows-1251": .windowsCP1251,
        "windows-1253": .windowsCP1253, "windows-1254": .windowsCP1254, "shift_jis": .shiftJIS,
        "euc-jp": .japaneseEUC, "iso-2022-jp": .iso2022JP,
        "koi8-r": .init(rawValue: 0x8000_0A02), "koi8-u": .init(rawValue: 0x8000_0A08),
        "iso-8859-5": .init(rawValue: 0x8000_0205), "iso-8859-7": .init(rawValue: 0x8000_0207),
        "iso-8859-9": .init(rawValue: 0x8000_0209), "iso-8859-15": .init(rawValue: 0x8000_020F),
        "gb2312": .init(rawValue: 0x8000_0631), "gbk": .init(rawValue: 0x8000_0631),
        "gb18030": .init(rawValue: 0x8000_0632), "big5": .init(rawValue: 0x8000_0A03),
        "euc-kr": .init(rawValue: 0x8000_0940),
    ]

    // MARK: - XML

    private mutating func readXML(_ service: String, _ text: String, _ address: URL) throws(ServiceError) {
        var reader = MarkupReader(text)
        var items: [FeedItem] = []
        let root: MarkupNode?
        do {
            root = try reader.read(
                ["item", "entry"], at: address, take: { items.append(FeedItem($0, at: address)) })
        } catch {
            throw .unreadable(
                .message(
                    service: service, text: "elements are nested deeper than \(MarkupReader.deepest) levels.")
            )
        }
        guard let root, ["rss", "feed", "rdf:rdf", "channel"].contains(root.name) else {
            throw .unreadable(
                .unexpected(
                    service: service, field: "the answer",
                    value: text.isEmpty ? "nothing" : "'\(PlainText.excerpt(text))'", expected: "a feed"))
        }
        let channel = root.first("channel") ?? root
        let author = channel.first("author")?.line("name")
        photos = items.flatMap { item -> [Photo] in
            var item = item
            item.author = item.author ?? author
            return item.photos(service: service)
        }
        next = (channel.all("link") + root.all("link")).first { $0.attributes["rel"] == "next" }
            .flatMap { $0.url($0.attributes["href"], at: address) }
    }

    // MARK: - JSON

    private mutating func readJSON(_ service: String, _ body: Data, _ address: URL) throws(ServiceError) {
        let reply = Reply(service, body)
        let (rows, next) = try reply.read { feed -> ([Result<FeedItem, WireError>], URL?) in
            let author = Self.author(feed)
            let document = MarkupNode(name: "")
            return (
                try feed.rows("items") { FeedItem($0, author: author, at: address) },
                document.url(feed.string("next_url"), at: address)
            )
        }
        leftOut = try reply.leftOut(of: rows)
        photos = rows.compactMap { try? $0.get() }.flatMap { $0.photos(service: service) }
        self.next = next
    }

    static func author(_ wire: WireObject) -> String? {
        let authors = wire.elements("authors", as: WireObject.self).compactMap { $0.text("name") }
        let name = authors.isEmpty ? wire.object("author")?.text("name") : authors.joined(separator: ", ")
        return name.map(PlainText.line).flatMap { $0.isEmpty ? nil : $0 }
    }
}
