import Foundation

/// A photo as a list describes it: enough for a row, a thumbnail and, mostly, the full-size file.
///
/// Services answer in two stages. The list fills this type; the details, asked for
/// the photos one looks at or fetches, fill ``PhotoDetail``. All text is plain
/// (markup out, entities decoded) but untrusted: it may hold control characters.
public struct Photo: Hashable, Identifiable, Sendable {
    /// Which photo, of which service.
    public let id: PhotoID
    /// The title, which may be empty and is never unique.
    public let title: String
    /// Who made it; `nil` where the service does not say.
    public let author: Author?
    /// The photo's page for people; `nil` where there is none.
    public let page: URL?
    /// Width and height of the original; `nil` where withheld.
    public let size: PixelSize?
    /// The small file; `nil` where the service offers none.
    public let thumbnail: Rendition?
    /// The largest file the service will give; `nil` until stage two where the list lacks it.
    public let full: Rendition?
    /// A file large enough to look at, where a list tells of one that comes sooner than ``full``; `nil` elsewhere.
    public let preview: Rendition?
    /// People who liked it, from 0; `nil` where unknown.
    public let likes: Int?
    /// Times it was looked at, from 0; `nil` where unknown.
    public let views: Int?
    /// Popularity from 0 to 100; `nil` where the service has no such measure.
    public let rating: Double?
    /// When it was published; `nil` where unknown.
    public let published: Date?
    /// When it was taken; `nil` where unknown.
    public let taken: Date?
    /// The author's keywords, in the service's order; empty where none or not asked for.
    public let tags: [String]
    /// The service's own category, by name, such as 500px's `Nature`; `nil` where it has none or does not say.
    public let category: String?
    /// The licence by its common short name, such as `CC BY 2.0`; `nil` where unknown.
    public let license: String?
    /// The author's text, several lines at times; `nil` where there is none.
    public let description: String?
    /// Marked as not for everyone by the service.
    public let isAdult: Bool
    /// Pictures in this one work, from 1; above 1 only where a service has works of several pages.
    public let pageCount: Int

    /// A photo; what is not given is not known.
    public init(
        id: PhotoID, title: String, author: Author? = nil, page: URL? = nil, size: PixelSize? = nil,
        thumbnail: Rendition? = nil, full: Rendition? = nil, preview: Rendition? = nil, likes: Int? = nil,
        views: Int? = nil,
        rating: Double? = nil, published: Date? = nil, taken: Date? = nil, tags: [String] = [],
        category: String? = nil,
        license: String? = nil, description: String? = nil, isAdult: Bool = false, pageCount: Int = 1
    ) {
        self.id = id
        self.title = title
        self.author = author
        self.page = page
        self.size = size
        self.thumbnail = thumbnail
        self.full = full
        self.preview = preview
        self.likes = likes
        self.views = views
        self.rating = rating
        self.published = published
        self.taken = taken
        self.tags = tags
        self.category = category
        self.license = license
        self.description = description
        self.isAdult = isAdult
        self.pageCount = pageCount
    }

    /// This photo with what a later stage knows: a value of `later` wins, a gap keeps what was here.
    ///
    /// The identifier is the later one too: who was named by an address may be known by another.
    public func completed(by later: Photo) -> Photo {
        Photo(
            id: later.id, title: later.title.isEmpty ? title : later.title, author: later.author ?? author,
            page: later.page ?? page, size: later.size ?? size, thumbnail: later.thumbnail ?? thumbnail,
            full: later.full ?? full, preview: later.preview ?? preview, likes: later.likes ?? likes,
            views: later.views ?? views,
            rating: later.rating ?? rating, published: later.published ?? published,
            taken: later.taken ?? taken, tags: later.tags.isEmpty ? tags : later.tags,
            category: later.category ?? category,
            license: later.license ?? license, description: later.description ?? description,
            isAdult: later.isAdult || isAdult, pageCount: max(later.pageCount, pageCount))
    }
}

/// Who made a photo.
public struct Author: Hashable, Sendable {
    /// The service's own identifier; `nil` where it names none.
    public let id: String?
    /// The name shown to people.
    public let name: String
    /// The name in addresses and in `gallery user`; `nil` where there is none.
    public let username: String?

    /// An author called `name`.
    public init(id: String? = nil, name: String, username: String? = nil) {
        self.id = id
        self.name = name
        self.username = username
    }
}
