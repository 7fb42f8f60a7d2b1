import Foundation

/// The pictures of a feed on the web, such as a photo blog's: its base is the feed's address.
///
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

    init(api: WebAPI) { self.api = api }

    /// The next page is followed on the same host only.
    func read(_ body: Data, at address: URL) throws(ServiceError) -> LinkedDocument {
        let feed = try FeedDocument(name, body, at: address)
        return LinkedDocument(
            photos: feed.photos, leftOut: feed.leftOut,
            next: [feed.next].compactMap(\.self).filter { WebOrigin($0) == WebOrigin(address) })
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
