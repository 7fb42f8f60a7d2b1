import Foundation
import GalleryCore

/// The list that indexes refer to: a service's feed, or the photos marked on this machine.
package enum FeedReference: Hashable, Sendable {
    case feed(Feed)
    /// The marked photos of every service, newest first: those of a list, or of the one without a name.
    case marked(MarkListName?)
    /// The pictures at these absolute paths of files and folders, in their order.
    case paths([String])

    /// The service's feed; `nil` for the marked photos, and for paths.
    package var feed: Feed? { if case .feed(let feed) = self { feed } else { nil } }

    package var isMarked: Bool { if case .marked = self { true } else { false } }

    /// The name of the list of marked photos; `nil` where it has none.
    package var list: MarkListName? { if case .marked(let name) = self { name } else { nil } }

    /// One word for the list, such as `popular`.
    package var word: String { feed?.word ?? (isMarked ? Self.wordForMarks : "files") }

    package static let wordForMarks = "marked"
}

/// Encoded as a ``Feed``, with the others as more cases: state files on disk have that form.
extension FeedReference: Codable {
    private enum Marks: Codable {
        case marked(list: MarkListName?)
        case paths([String])
    }

    package init(from decoder: any Decoder) throws {
        switch try? Marks(from: decoder) {
        case .marked(let list)?: self = .marked(list)
        case .paths(let paths)?: self = .paths(paths)
        case nil: self = .feed(try Feed(from: decoder))
        }
    }

    package func encode(to encoder: any Encoder) throws {
        switch self {
        case .feed(let feed): try feed.encode(to: encoder)
        case .marked(let list): try Marks.marked(list: list).encode(to: encoder)
        case .paths(let paths): try Marks.paths(paths).encode(to: encoder)
        }
    }
}

/// The list that a command line is about, and where its service is.
package struct RequestedFeed: Sendable {
    package let address: ServiceAddress
    package let feed: FeedReference
    /// The photos that were shown of it; `nil` where the list was named anew, or nothing was shown.
    package let shown: RememberedFeed?

    /// What messages call the place that it is of: a folder by its path, anything else by its service.
    package var place: String {
        if case .paths(let paths) = feed { return paths.count == 1 ? PlainText.line(paths[0]) : Folder.word }
        guard address.service == Folder.word, let base = address.base else { return address.service }
        return PlainText.line(base.absoluteURL.path(percentEncoded: false))
    }

    package init(address: ServiceAddress, feed: FeedReference, shown: RememberedFeed?) {
        (self.address, self.feed, self.shown) = (address, feed, shown)
    }
}
