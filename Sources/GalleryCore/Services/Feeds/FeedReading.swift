import Foundation

extension FeedItem {
    init(_ wire: JSONNode, author: String?, at address: URL) {
        let node = MarkupNode(name: "")
        guid = wire.scalar("id") ?? ""
        title = PlainText.line(wire.text("title") ?? "")
        self.author = FeedDocument.author(wire) ?? author
        page = node.url(wire.string("url") ?? wire.string("external_url"), at: address)
        published = (wire.string("date_published") ?? wire.string("date_modified")).flatMap(FeedDate.date)
        tags = wire.texts("tags").map(PlainText.line)
        let html = wire.string("content_html") ?? ""
        description = Self.lines(wire.string("summary") ?? wire.string("content_text") ?? html)
        for attachment in wire.objects("attachments") {
            guard let url = node.url(attachment.string("url"), at: address),
                Self.isPicture(url, type: attachment.string("mime_type"))
            else { continue }
            files.append(
                File(
                    url: url, size: attachment.size(),
                    bytes: attachment.int("size_in_bytes").map { Int64($0) },
                    title: attachment.text("title").map(PlainText.line)))
        }
        files += Self.files(inHTML: html, at: page ?? address)
        if files.isEmpty,
            let image = node.url(wire.string("image") ?? wire.string("banner_image"), at: address)
        {
            files = [File(url: image)]
        }
        takePage()
    }

    fileprivate mutating func takePage(otherwise other: URL? = nil) {
        guard let page, Self.isPicture(page, type: nil) else { return }
        if files.isEmpty { files = [File(url: page)] }
        self.page = other
    }
}

extension FeedItem {
    init(_ node: MarkupNode, at address: URL) {
        // Elements that hold the item's files describe the item too.
        let media = node.children.filter { $0.name == "media:group" || $0.name == "media:content" }
        guid = (node.first("guid") ?? node.first("id"))?.text ?? node.first("link")?.text ?? ""
        title = node.line("title") ?? ""
        self.author = Self.author(node) ?? media.lazy.compactMap(Self.author).first
        let alternate = node.all("link").first { ["alternate", nil].contains($0.attributes["rel"]) }
        page = alternate.flatMap { $0.url($0.attribute("href") ?? $0.text, at: address) }
        published =
            ["pubdate", "published", "dc:date", "issued", "updated", "modified"].lazy
            .compactMap { node.first($0)?.text }.compactMap(FeedDate.date).first
        tags = Self.tags(node)
        licenseURL = Self.licenseURL(node, media, at: address)
        let ratings = ([node] + media + media.flatMap(\.children)).flatMap { $0.all("media:rating") }
        isAdult = ratings.contains { $0.text.trimmingCharacters(in: .whitespacesAndNewlines) == "adult" }
        addMedia(of: node, at: address)
        addEnclosures(of: node, at: address)
        files.removeAll { Self.isOrnament($0.url) }
        let hasFiles = !files.isEmpty
        addContent(of: node, media, at: address)
        if !hasFiles, var small = thumbnail {
            let name = PictureName.text(of: small.url)
            small.group = (files.first { PictureName.text(of: $0.url) == name } ?? files.first)?.group
            files.insert(small, at: 0)
        }
        if page == nil, node.first("guid")?.attributes["ispermalink"] != "false" {
            page = guid.contains("://") ? node.url(guid, at: address) : nil
        }
        takePage(otherwise: node.url(node.first("comments")?.text, at: address))
    }

    private mutating func addEnclosures(of node: MarkupNode, at address: URL) {
        let links = node.all("link").filter { $0.attributes["rel"] == "enclosure" }
        for link in node.all("enclosure") + links {
            guard let url = link.url(link.attribute("url") ?? link.attribute("href"), at: address),
                Self.isPicture(url, type: link.attribute("type"))
            else { continue }
            let bytes = link.number("length").flatMap { $0 > 0 ? Int64($0) : nil }
            files.append(File(url: url, bytes: bytes))
        }
    }

    /// The description, and the pictures that the content shows; one alone that a summary shows is a smaller one of those
    /// that the item names.
    private mutating func addContent(of node: MarkupNode, _ media: [MarkupNode], at address: URL) {
        let contents = ["content:encoded", "content", "description", "summary"].compactMap { node.first($0) }
        let named = files
        for content in contents where files.count == named.count {
            let shown =
                Self.files(inHTML: content.text, at: content.base ?? page ?? address)
                + Self.files(of: content.descendants("img") + content.descendants("a"), at: address)
            let isWhole = ["content:encoded", "content"].contains(content.name)
            if named.isEmpty || isWhole || Set(shown.map { PictureName.text(of: $0.url) }).count > 1 {
                files += shown
            }
        }
        // What a file says of itself is its title, and with other words of the item no description.
        let groups = media.filter { $0.name == "media:group" }
        let words = ([node] + groups).lazy.compactMap { $0.first("media:description")?.text }.first
        description = Self.lines(words ?? contents.last?.markup ?? "")
    }

    /// The lines of a text with markup; `nil` if there are none.
    private static func lines(_ text: String) -> String? {
        let lines = PlainText.lines(Markup.plain(text))
        return lines.isEmpty ? nil : lines.joined(separator: "\n")
    }

    private static func licenseURL(_ node: MarkupNode, _ media: [MarkupNode], at address: URL) -> URL? {
        let link = node.all("link").first { $0.attributes["rel"] == "license" }?.attribute("href")
        let element = (node.first("creativecommons:license") ?? node.first("cc:license"))?.text
        let own = (media + [node]).lazy.compactMap { $0.first("media:license")?.attribute("href") }.first
        return node.url(link ?? element ?? own, at: address)
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
                        title: content.line("media:title"), alt: content.line("media:description"),
                        group: child.name == "media:group" ? number : nil))
            }
            let thumbnails =
                child.name == "media:thumbnail"
                ? [child] : contents.flatMap { $0.all("media:thumbnail") } + child.all("media:thumbnail")
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
        var words = (node.all("category") + node.all("dc:subject"))
            .map { $0.attribute("label") ?? $0.attribute("term") ?? $0.text }
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
