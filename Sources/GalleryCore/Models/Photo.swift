import Foundation

/// A photo as a list describes it: enough for a row, a thumbnail, and usually the full-size file.
///
/// Services answer in two stages: lists fill this type; details, of photos viewed or downloaded, fill ``PhotoDetail``.
/// All text is plain (without markup, entities decoded) but untrusted: it may contain control characters.
public struct Photo: Hashable, Identifiable, Sendable {
    /// Which photo, of which service.
    public let id: PhotoID
    /// The title, which may be empty and need not be unique.
    public let title: String
    /// The author; `nil` if unknown.
    public let author: Author?
    /// The photo's web page; `nil` if there is none.
    public let page: URL?
    /// Width and height of the original, in pixels; `nil` if unknown.
    public let size: PixelSize?
    /// The small file, one of ``renditions``; `nil` if the service has none.
    public internal(set) var thumbnail: Rendition?
    /// The largest file the service offers, one of ``renditions``; `nil` until stage two if a list lacks it.
    public internal(set) var full: Rendition?
    /// Every file that lists and details name, smallest first, each address once; of a work of several pages
    /// those of the first. Files of unknown size come first, except ``full``.
    public internal(set) var renditions: [Rendition]
    /// The number of likes, from 0; `nil` if unknown.
    public let likes: Int?
    /// The number of views, from 0; `nil` if unknown.
    public let views: Int?
    /// Popularity from 0 to 100; `nil` if the service has no such measure.
    public let rating: Double?
    /// The rating that somebody gave it on this machine, from 1 to 5; `nil` if it has none.
    public package(set) var stars: Int?
    /// When it was published, as exact as that is known; `nil` if it is not.
    package var publishedDate: WrittenDate?
    /// When it was taken, as exact as that is known, in the time zone where it was taken; `nil` if it is not.
    package var takenDate: WrittenDate?
    /// The author's tags, in the service's order; empty if none or not yet known.
    public let tags: [String]
    /// The service's category, such as 500px's `Nature`; `nil` if unknown.
    public let category: String?
    /// The license by its short name, such as `CC BY 2.0`; `nil` if unknown.
    public let license: String?
    /// The license's text on the web; `nil` if unknown.
    public let licenseURL: URL?
    /// The author's own wording of ``credit``, in one line; `nil` if there is none.
    package let attribution: String?
    /// The author's description, possibly of several lines; `nil` if there is none.
    public let description: String?
    /// What it shows, in words for those who do not see it; `nil` if nobody wrote them.
    public let alt: String?
    /// Whether a program generated it, rather than a camera or a hand; `nil` if unknown.
    public let isGenerated: Bool?
    /// Whether the service marks it as adult.
    public let isAdult: Bool
    /// The number of pictures in this work, from 1; above 1 only on services with works of several pages.
    public let pageCount: Int

    /// This photo completed by a later stage: values of `later` win, missing ones keep this photo's. The identifier is
    /// the later one too: a photo given by address may have another in lists.
    public func completed(by later: Photo) -> Photo {
        // Addresses are signed anew for every answer: of two files of the same size the later address counts.
        let others = renditions.filter { file in
            file.size == nil
                || !later.renditions.contains { $0.size == file.size && $0.isCropped == file.isCropped }
        }
        let files = Files(
            later.renditions + others, later.thumbnail ?? thumbnail, later.full ?? full,
            of: later.size ?? size)
        // Every value, none of them by default: this does not compile without one that is added.
        return Photo(
            id: later.id, title: later.title.isEmpty ? title : later.title, author: later.author ?? author,
            page: later.page ?? page, size: later.size ?? size, thumbnail: files.thumbnail, full: files.full,
            renditions: files.all, likes: later.likes ?? likes, views: later.views ?? views,
            rating: later.rating ?? rating, stars: later.stars ?? stars,
            publishedDate: later.publishedDate ?? publishedDate, takenDate: later.takenDate ?? takenDate,
            tags: later.tags.isEmpty ? tags : later.tags, category: later.category ?? category,
            license: later.license ?? license, licenseURL: later.licenseURL ?? licenseURL,
            attribution: later.attribution ?? attribution, description: later.description ?? description,
            alt: later.alt ?? alt, isGenerated: later.isGenerated ?? isGenerated,
            isAdult: later.isAdult || isAdult, pageCount: max(later.pageCount, pageCount))
    }

    /// When it was published, or where the day, the month, or the year of that begins; `nil` if unknown.
    public var published: Date? { publishedDate?.date }

    /// When it was taken, or where the day, the month, or the year of that begins; `nil` if unknown. As if in UTC if
    /// ``isTakenInLocalTime``.
    public var taken: Date? { takenDate?.date }

    /// Whether the time zone of ``taken`` is unknown, as in what cameras record.
    public var isTakenInLocalTime: Bool { takenDate.map { $0.offset == nil } ?? false }

    /// This photo with dates as a service wrote them; those that are `nil` stay as they are.
    package func dated(published: WrittenDate? = nil, taken: WrittenDate? = nil) -> Photo {
        var photo = self
        // Which zone a service writes in says nothing of the place.
        if let published { photo.publishedDate = WrittenDate(published.date, published.precision, offset: 0) }
        if let taken {
            photo.takenDate = WrittenDate(taken.date, taken.precision, offset: taken.offset.map { _ in 0 })
        }
        return photo
    }

    package static let starRange = 1...5

    /// The title, or the identifier of a photo without one. Untrusted text.
    package var shownTitle: String { title.allSatisfy(\.isWhitespace) ? id.value : title }

    /// One line to print beside the picture: title, author, and license, as far as they are known, or the
    /// author's own wording; `nil` if neither author nor license is known. Untrusted text.
    public var credit: String? { attribution ?? Self.credit(title: title, author: author, license: license) }

    static func credit(title: String, author: Author?, license: String?) -> String? {
        let name = PlainText.line(author?.name ?? "")
        let title = PlainText.line(title)
        guard !name.isEmpty || license != nil else { return nil }
        let work = (title.isEmpty ? "Photo" : "“\(title)”") + (name.isEmpty ? "" : " by \(name)")
        return [work, license.map(PlainText.line)].compactMap(\.self).joined(separator: ", ")
    }
}

extension Photo {
    /// A photo; omitted values are unknown. `renditions` may be in any order and need not have the other two.
    public init(
        id: PhotoID, title: String, author: Author? = nil, page: URL? = nil, size: PixelSize? = nil,
        thumbnail: Rendition? = nil, full: Rendition? = nil, renditions: [Rendition] = [], likes: Int? = nil,
        views: Int? = nil, rating: Double? = nil, stars: Int? = nil, published: Date? = nil,
        taken: Date? = nil,
        tags: [String] = [], category: String? = nil, license: String? = nil, licenseURL: URL? = nil,
        attribution: String? = nil, description: String? = nil, alt: String? = nil, isGenerated: Bool? = nil,
        isAdult: Bool = false, pageCount: Int = 1, isTakenInLocalTime: Bool = false
    ) {
        let files = Files(renditions, thumbnail, full, of: size)
        self.init(
            id: id, title: title, author: author, page: page, size: size, thumbnail: files.thumbnail,
            full: files.full, renditions: files.all, likes: likes, views: views, rating: rating, stars: stars,
            publishedDate: published.map { WrittenDate($0, offset: 0) },
            takenDate: taken.map { WrittenDate($0, offset: isTakenInLocalTime ? nil : 0) }, tags: tags,
            category: category,
            license: license, licenseURL: licenseURL ?? license.flatMap { License.url(named: $0) },
            attribution: attribution.map(PlainText.line), description: description, alt: alt,
            isGenerated: isGenerated, isAdult: isAdult, pageCount: pageCount)
    }

    /// The smallest uncropped file whose longer edge has at least so many pixels, else the largest uncropped one;
    /// `nil` if none is known. Of files of unknown size, the full-size one is as large as the photo; any other is
    /// chosen only where there is no other.
    public func rendition(longestEdge pixels: Int) -> Rendition? {
        renditions.rendition(longestEdge: pixels, full: full?.url, size: size)
    }

    func has(longestEdge pixels: Int) -> Bool {
        guard let file = rendition(longestEdge: pixels) else { return false }
        return ((file.size ?? (file == full ? size : nil))?.longestEdge ?? 0) >= pixels
    }

    private struct Files {
        let (thumbnail, full, all): (Rendition?, Rendition?, [Rendition])

        init(_ files: [Rendition], _ thumbnail: Rendition?, _ full: Rendition?, of photo: PixelSize?) {
            let all = ([thumbnail].compactMap(\.self) + files).sorted(with: full, of: photo)
            func known(_ file: Rendition?) -> Rendition? {
                file.flatMap { file in all.first { $0.url == file.url } }
            }
            (self.thumbnail, self.full, self.all) = (known(thumbnail), known(full), all)
        }
    }
}

enum License {
    /// The text of the license called `name`, such as `CC BY-SA 3.0`; `nil` if it is not one of Creative Commons'.
    static func url(named name: String) -> URL? {
        let site = "https://creativecommons.org/"
        switch name {
        case "CC0", "CC0 1.0": return URL(string: site + "publicdomain/zero/1.0/")
        case "Public Domain Mark 1.0": return URL(string: site + "publicdomain/mark/1.0/")
        default:
            let pattern = /CC (BY(?:-NC)?(?:-SA|-ND)?) ([1-4]\.[0-9])(?: ([A-Za-z]{2,}))?/
            guard let parts = name.wholeMatch(of: pattern)?.output else { return nil }
            let country = parts.3.map { "\($0.lowercased())/" } ?? ""
            return URL(string: "\(site)licenses/\(parts.1.lowercased())/\(parts.2)/\(country)")
        }
    }
}

/// The author of a photo.
public struct Author: Hashable, Sendable {
    /// The service's identifier; `nil` if unknown.
    public let id: String?
    /// The display name.
    public let name: String
    /// The name in addresses, which lists the author's photos; `nil` if there is none.
    public let username: String?

    /// An author with the display name `name`.
    public init(id: String? = nil, name: String, username: String? = nil) {
        (self.id, self.name, self.username) = (id, name, username)
    }
}

/// Identifies a photo of a service, across lists and runs.
public struct PhotoID: Hashable, Sendable, Codable, CustomStringConvertible {
    /// The service's name, such as `500px`.
    public let service: String

    /// The service's identifier, as its JSON has it. Untrusted text.
    public let value: String

    /// The photo `value` of `service`.
    public init(service: String, value: String) { (self.service, self.value) = (service, value) }

    /// `service:value`.
    public var description: String { "\(service):\(value)" }

    /// Whether both are spelled the same: a folder may have two files whose names only look alike.
    public static func == (one: PhotoID, other: PhotoID) -> Bool {
        one.value.utf8.elementsEqual(other.value.utf8) && one.service == other.service
    }

    /// Combines both as they are spelled.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(service)
        var value = value
        value.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}

extension String {
    /// Without letter case and accents, by which nobody searches or sorts.
    package var folded: String { folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil) }
}

extension [String] {
    /// Whether every word of `text` occurs somewhere in these, whatever the letter case and accents.
    func haveWords(of text: String) -> Bool {
        let all = joined(separator: "\n").folded
        return text.folded.split(separator: " ").allSatisfy { all.contains($0) }
    }
}
