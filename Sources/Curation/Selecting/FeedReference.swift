import GalleryCore

/// The list that indexes refer to: a service's feed, or the photos marked on this machine.
package enum FeedReference: Hashable, Sendable {
    /// A feed of a service.
    case feed(Feed)
    /// The marked photos of every service, newest first: those of a list, or of the one without a name.
    case marked(MarkListName?)

    /// The service's feed; `nil` for the marked photos.
    package var feed: Feed? { if case .feed(let feed) = self { feed } else { nil } }

    /// Whether it is a list of marked photos.
    package var isMarked: Bool { feed == nil }

    /// The name of the list of marked photos; `nil` where it has none.
    package var list: MarkListName? { if case .marked(let name) = self { name } else { nil } }

    /// One word for the list, such as `popular`.
    package var word: String { feed?.word ?? Self.wordForMarks }

    /// The word for marked photos.
    package static let wordForMarks = "marked"
}

/// Encoded as a ``Feed``, with the marked photos as one more case: state files on disk have that form.
extension FeedReference: Codable {
    private enum Key: String, CodingKey { case marked }
    private enum ListKey: String, CodingKey { case list }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        guard container.contains(.marked) else {
            self = .feed(try Feed(from: decoder))
            return
        }
        let list = try container.nestedContainer(keyedBy: ListKey.self, forKey: .marked)
        self = .marked(try list.decodeIfPresent(MarkListName.self, forKey: .list))
    }

    package func encode(to encoder: any Encoder) throws {
        switch self {
        case .feed(let feed): try feed.encode(to: encoder)
        case .marked(let list):
            var container = encoder.container(keyedBy: Key.self)
            var marked = container.nestedContainer(keyedBy: ListKey.self, forKey: .marked)
            try marked.encodeIfPresent(list, forKey: .list)
        }
    }
}

/// The list that a command line is about, and where its service is.
package struct RequestedFeed: Sendable {
    /// The service, and where its API is.
    package let address: ServiceAddress
    /// The list.
    package let feed: FeedReference
    /// The photos that were shown of it; `nil` where the list was named anew, or nothing was shown.
    package let shown: RememberedFeed?

    /// A list named anew, or the one that was shown last.
    package init(address: ServiceAddress, feed: FeedReference, shown: RememberedFeed?) {
        self.address = address
        self.feed = feed
        self.shown = shown
    }
}
