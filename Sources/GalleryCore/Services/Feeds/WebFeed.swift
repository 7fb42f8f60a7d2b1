import Foundation

/// The pictures of a feed on the web, such as a photo blog's: its base is the feed's address.
/// Sources: rssboard.org/media-rss, RFC 4287, jsonfeed.org/version/1.1.
struct WebFeed: DocumentService {
    static let word = "feed"

    let api: WebAPI
    let memory = SharedValue<DocumentWalk?>(nil)
    let kind = DocumentKind(
        name: "feed",
        mediaTypes:
            "application/rss+xml, application/atom+xml, application/feed+json, application/xml;q=0.9, */*;q=0.5",
        most: 1000, isChain: true)

    /// The next page is followed on the same site only.
    func read(_ reply: HTTPReply) throws(ServiceError) -> LinkedDocument {
        let feed = try FeedDocument(name, reply)
        var document = LinkedDocument(photos: feed.photos, leftOut: feed.leftOut)
        guard let next = feed.next else { return document }
        let address = WebOrigin(reply.head.url).securing(next)
        if WebOrigin(reply.head.url).isSite(of: WebOrigin(address)) {
            document.next = [address]
        } else {
            let shown = PlainText.excerpt(address.absoluteString, limit: 120)
            document.leftOut.append(
                .endsEarly(
                    service: name, reason: "its next page is on another site, '\(shown)'", isFault: false))
        }
        return document
    }

    /// Whether an address has the form of a feed's: sites name theirs in few ways.
    static func isFeed(_ page: PageAddress) -> Bool {
        let file = page.path.last?.lowercased() ?? ""
        return ["feed", "rss", "rss2", "atom", "feed.json"].contains(file)
            || [".xml", ".rss", ".atom", ".rdf"].contains { file.hasSuffix($0) }
            // Blogger, Flickr, and WordPress without pretty addresses.
            || page.path.contains("feeds") || page.query["feed"] != nil
    }
}
