import Foundation

/// A feed as it was sent: RSS with Media RSS, Atom, or JSON Feed.
struct FeedDocument {
    /// In the feed's order; a picture may be there twice.
    private(set) var photos: [Photo] = []
    private(set) var leftOut: [ImportError] = []
    private(set) var next: URL?

    /// - Throws: ``ServiceError/unreadable(_:)`` where it is no feed.
    init(_ service: String, _ reply: HTTPReply) throws(ServiceError) {
        let address = reply.head.url
        // In its own words first, since servers say one of all their files.
        let start = String(decoding: reply.body.prefix(200), as: UTF8.self)
        let labels = [
            WebText.label(after: "encoding=", in: start),
            reply.head["Content-Type"].flatMap { WebText.label(after: "charset=", in: $0) },
        ]
        let text = WebText.text(reply.body, declaredAs: labels.compactMap(\.self))
        if text.first(where: { !$0.isWhitespace }) == "{" {
            try readJSON(service, Data(text.utf8), address)
        } else {
            try readXML(service, text, address)
        }
    }

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
        if let cut = reader.cut {
            // What is missing in its middle may be what tells one item from others.
            items.removeLast(cut)
            leftOut = [
                .endsEarly(service: service, reason: "the feed is cut off in its middle", isFault: true)
            ]
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
        let (rows, next) = try Reply(service, body).read { feed -> ([Result<FeedItem, ImportError>], URL?) in
            let author = Self.author(feed)
            let document = MarkupNode(name: "")
            return (
                try feed.rows("items") { FeedItem($0, author: author, at: address) },
                document.url(feed.string("next_url"), at: address)
            )
        }
        leftOut = try Reply.leftOut(of: rows)
        photos = rows.compactMap { try? $0.get() }.flatMap { $0.photos(service: service) }
        self.next = next
    }

    static func author(_ wire: JSONNode) -> String? {
        let authors = wire.objects("authors").compactMap { $0.text("name") }
        let name = authors.isEmpty ? wire.object("author")?.text("name") : authors.joined(separator: ", ")
        return name.map(PlainText.line).flatMap { $0.isEmpty ? nil : $0 }
    }
}
