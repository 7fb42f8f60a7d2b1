import Foundation

/// A feed as it was sent: RSS with Media RSS, Atom, or JSON Feed.
struct FeedDocument {
    /// In the feed's order, each once.
    var photos: [Photo] = []
    /// The address of the items that follow; `nil` for none.
    var next: URL?

    private var seen: Set<PhotoID> = []

    private mutating func add(_ item: FeedItem, _ service: String) {
        for photo in item.photos(service: service) where seen.insert(photo.id).inserted {
            photos.append(photo)
        }
    }

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

    /// UTF-16 by its mark, UTF-8, or else what the document declares or Windows has.
    static func text(_ body: Data) -> String {
        if body.starts(with: [0xFF, 0xFE]) || body.starts(with: [0xFE, 0xFF]) {
            return String(data: body, encoding: .utf16).map { $0.replacing("\u{FEFF}", with: "") } ?? ""
        }
        let body = body.starts(with: [0xEF, 0xBB, 0xBF]) ? body.dropFirst(3) : body
        if let text = String(validating: body, as: UTF8.self) { return text }
        let start = String(decoding: body.prefix(200), as: UTF8.self).lowercased()
        let declared: [(String, String.Encoding)] = [
            ("iso-8859-2", .isoLatin2), ("windows-1251", .windowsCP1251), ("windows-1250", .windowsCP1250),
            ("shift_jis", .shiftJIS), ("euc-jp", .japaneseEUC),
        ]
        // Broken UTF-8 is UTF-8 all the same.
        if start.contains("\"utf-8\"") { return String(decoding: body, as: UTF8.self) }
        let encoding = declared.first { start.contains($0.0) }?.1 ?? .windowsCP1252
        return String(data: body, encoding: encoding) ?? String(decoding: body, as: UTF8.self)
    }

    // MARK: - XML

    private mutating func readXML(_ service: String, _ text: String, _ address: URL) throws(ServiceError) {
        var reader = MarkupReader(text)
        var items: [MarkupNode] = []
        let root: MarkupNode?
        do { root = try reader.read(["item", "entry"], at: address, take: { items.append($0) }) } catch {
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
        for item in items { add(FeedItem(item, author: author, at: address), service) }
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
        _ = try reply.leftOut(of: rows)
        for case .success(let item) in rows { add(item, service) }
        self.next = next
    }

    /// The authors of a JSON feed, or of an item.
    static func author(_ wire: WireObject) -> String? {
        let authors = wire.elements("authors", as: WireObject.self).compactMap { $0.text("name") }
        let name = authors.isEmpty ? wire.object("author")?.text("name") : authors.joined(separator: ", ")
        return name.map(PlainText.line).flatMap { $0.isEmpty ? nil : $0 }
    }
}

extension FeedItem {
    /// An item of a JSON feed.
    init(_ wire: WireObject, author: String?, at address: URL) {
        let node = MarkupNode(name: "")
        guid = wire.scalar("id") ?? ""
        title = PlainText.line(wire.text("title") ?? "")
        self.author = FeedDocument.author(wire) ?? author
        page = node.url(wire.string("url") ?? wire.string("external_url"), at: address)
        published = (wire.string("date_published") ?? wire.string("date_modified")).flatMap(FeedDate.date)
        tags = wire.texts("tags").map(PlainText.line)
        let html = wire.string("content_html") ?? ""
        description = wire.text("summary") ?? wire.text("content_text") ?? wire.text("content_html")
        for attachment in wire.elements("attachments", as: WireObject.self) {
            guard let url = node.url(attachment.string("url"), at: address),
                Self.isPicture(url, type: attachment.string("mime_type"))
            else { continue }
            files.append(
                File(
                    url: url, size: attachment.size(),
                    bytes: attachment.int("size_in_bytes").map { Int64($0) },
                    title: attachment.text("title").map(PlainText.line)))
        }
        if files.isEmpty { files = Self.files(inHTML: html, at: page ?? address) }
        if files.isEmpty,
            let image = node.url(wire.string("image") ?? wire.string("banner_image"), at: address)
        {
            files = [File(url: image)]
        }
        takePage()
    }

    /// An item of RSS or Atom.
    init(_ node: MarkupNode, author: String?, at address: URL) {
        let links = node.all("link")
        guid = (node.first("guid") ?? node.first("id"))?.text ?? node.first("link")?.text ?? ""
        title = node.line("title") ?? ""
        let own = node.children.filter { $0.name == "media:group" || $0.name == "media:content" }
        self.author = Self.author(node) ?? own.lazy.compactMap(Self.author).first ?? author
        let alternate = links.first { ["alternate", nil].contains($0.attributes["rel"]) }
        page = alternate.flatMap { $0.url($0.attribute("href") ?? $0.text, at: address) }
        published =
            ["pubdate", "published", "dc:date", "issued", "updated", "modified"].lazy
            .compactMap { node.first($0)?.text }.compactMap(FeedDate.date).first
        tags = Self.tags(node)
        let license =
            links.first { $0.attributes["rel"] == "license" }?.attribute("href")
            ?? (node.first("creativecommons:license") ?? node.first("cc:license"))?.wholeText
            ?? (own + [node]).lazy.compactMap { $0.first("media:license")?.attribute("href") }.first
        licenseURL = node.url(license, at: address)
        let ratings = ([node] + own + own.flatMap(\.children)).flatMap { $0.all("media:rating") }
        isAdult = ratings.contains { $0.text.trimmingCharacters(in: .whitespacesAndNewlines) == "adult" }
        addMedia(of: node, at: address)
        for link in node.all("enclosure") + links.filter({ $0.attributes["rel"] == "enclosure" }) {
            guard let url = link.url(link.attribute("url") ?? link.attribute("href"), at: address),
                Self.isPicture(url, type: link.attribute("type"))
            else { continue }
            let bytes = link.number("length").flatMap { $0 > 0 ? Int64($0) : nil }
            files.append(File(url: url, bytes: bytes))
        }
        if files.isEmpty, let thumbnail { files = [thumbnail] }
        let contents = ["content:encoded", "content", "description", "summary"].compactMap { node.first($0) }
        for content in contents where files.isEmpty {
            files = Self.files(inHTML: content.text, at: content.base ?? page ?? address)
            for image in content.descendants("img") { files += Self.files(of: image, at: address) }
        }
        let words = ([node] + own).lazy.compactMap { $0.first("media:description")?.text }.first
        let text = words ?? contents.last?.wholeText ?? ""
        description = PlainText.lines(Markup.plain(text)).joined(separator: "\n")
        if description?.isEmpty == true { description = nil }
        if page == nil, node.first("guid")?.attributes["ispermalink"] != "false" {
            page = guid.contains("://") ? node.url(guid, at: address) : nil
        }
        takePage(otherwise: node.url(node.first("comments")?.text, at: address))
    }

    /// Where there is no other picture, the page may be one itself.
    private mutating func takePage(otherwise other: URL? = nil) {
        guard let page, Self.isPicture(page, type: nil) else { return }
        if files.isEmpty { files = [File(url: page)] }
        self.page = other
    }

    private mutating func addMedia(of node: MarkupNode, at address: URL) {
        var number = 0
        for child in node.children {
            let contents = child.name == "media:group" ? child.all("media:content") : [child]
            if child.name == "media:group" { number += 1 }
            for content in contents where content.name == "media:content" {
                guard let url = content.url(content.attribute("url"), at: address),
                    Self.isPicture(url, type: content.attribute("type"), medium: content.attribute("medium"))
                else { continue }
                files.append(
                    File(
                        url: url, size: content.size, width: content.number("width"),
                        bytes: content.number("filesize").map { Int64($0) },
                        title: content.line("media:title", "media:description"),
                        group: child.name == "media:group" ? number : nil))
            }
            let thumbnails =
                child.name == "media:thumbnail"
                ? [child]
                : contents.flatMap { $0.all("media:thumbnail") }
                    + child.all("media:thumbnail")
            for small in thumbnails where thumbnail == nil || thumbnail?.size == nil {
                guard let url = small.url(small.attribute("url"), at: address) else { continue }
                thumbnail = File(url: url, size: small.size, width: small.number("width"))
            }
        }
    }

    private static func author(_ node: MarkupNode) -> String? {
        let credits = node.all("media:credit").map { PlainText.line(Markup.plain($0.text)) }
        let credit = credits.first { !$0.isEmpty && !$0.contains("://") }
        if let name = credit ?? node.first("author")?.line("name") ?? node.line("dc:creator", "itunes:author")
        {
            // The address of a profile ends in its name.
            return name.contains("://") ? name.split(separator: "/").last.map(String.init) : name
        }
        // `nobody@flickr.com (name)`
        guard let text = node.line("author") else { return nil }
        guard let start = text.firstIndex(of: "("), text.hasSuffix(")") else {
            return text.contains("@") ? nil : text
        }
        return String(text[text.index(after: start)...].dropLast())
    }

    private static func tags(_ node: MarkupNode) -> [String] {
        var words = node.all("category").map { $0.attribute("label") ?? $0.attribute("term") ?? $0.text }
        for category in node.all("media:category") {
            let isList = category.attribute("scheme") == "urn:flickr:tags"
            words += isList ? category.text.split(separator: " ").map(String.init) : [category.text]
        }
        for list in node.all("media:keywords") {
            words += list.text.split(whereSeparator: { $0 == "," || $0.isNewline }).map(String.init)
        }
        var known: Set<String> = []
        return words.map { PlainText.line(Markup.plain($0)) }.filter {
            !$0.isEmpty && known.insert($0).inserted
        }
    }
}

extension MarkupNode {
    fileprivate func descendants(_ name: String) -> [MarkupNode] {
        all(name) + children.flatMap { $0.descendants(name) }
    }
}

/// Dates of feeds: ISO 8601 with or without a zone, or as in mail (RFC 822).
enum FeedDate {
    static func date(_ text: String) -> Date? {
        let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
        return WireDate.date(text) ?? WireDate.withoutZone(text) ?? WireDate.withoutZone(text + ":00")
            ?? mail(text)
    }

    private static let months = [
        "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
    ]

    /// The hours that zones are ahead of UTC by.
    private static let zones = [
        "est": "-05:00", "edt": "-04:00", "cst": "-06:00", "cdt": "-05:00", "mst": "-07:00", "mdt": "-06:00",
        "pst": "-08:00", "pdt": "-07:00",
    ]

    private static func mail(_ text: String) -> Date? {
        var words = text.lowercased().split(whereSeparator: { $0 == " " || $0 == "," }).map(String.init)
        if words.first?.first?.isLetter == true { words.removeFirst() }
        guard words.count >= 4, let day = Int(words[0]),
            let month = months.firstIndex(of: String(words[1].prefix(3))),
            let year = Int(words[2]), (0..<10_000).contains(year), (1...31).contains(day)
        else { return nil }
        let time = words[3].split(separator: ":").count == 2 ? words[3] + ":00" : words[3]
        let full = year < 70 ? year + 2000 : year < 100 ? year + 1900 : year
        let zone = words.count > 4 ? words[4] : "z"
        let offset = zones[zone] ?? (zone.count == 5 && "+-".contains(zone.prefix(1)) ? zone : "z")
        let hours = offset.count == 5 ? "\(offset.prefix(3)):\(offset.suffix(2))" : offset.uppercased()
        return WireDate.date("\(digits(full, 4))-\(digits(month + 1, 2))-\(digits(day, 2))T\(time)\(hours)")
    }

    private static func digits(_ number: Int, _ width: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, width - text.count)) + text
    }
}
