import Foundation

/// Reads what the 500px API answers: lists, batches and details, 2012 to 2019.
///
/// Apart from the service because ``Sample`` keeps its bundled catalogue in the same format.
struct FiveHundredPixelsImporter: Sendable {
    /// The name that photos and errors carry.
    let service: String

    /// The folder that relative file addresses start from; `nil` where only web addresses are taken.
    let files: URL?

    /// The photos of a list reply, which is the page `slice`.
    func page(_ body: Data, _ slice: PageSlice) throws(ServiceError) -> Page {
        let list = try Reply(service, body).decode(WireList500px.self)
        // A server that ignores `rpp` must not shift the indexes of later pages.
        let photos = list.photos.elements.prefix(slice.size).enumerated().map { offset, wire in
            IndexedPhoto(index: slice.firstIndex + offset, photo: photo(wire))
        }
        let hasMore = list.total_pages?.value.map { slice.number < $0 } ?? (photos.count >= slice.size)
        return Page(photos: photos, total: list.total_items?.value, hasMore: hasMore && !photos.isEmpty)
    }

    /// The details in a batch reply.
    func batch(_ body: Data) throws(ServiceError) -> [PhotoDetail] {
        try Reply(service, body).decode(WireList500px.self).photos.elements.map(detail)
    }

    /// The details in a reply about one photo.
    func detail(_ body: Data) throws(ServiceError) -> PhotoDetail {
        detail(try Reply(service, body).decode(WireEnvelope.self).photo)
    }

    // MARK: - Wire to model

    private func detail(_ wire: WirePhoto) -> PhotoDetail {
        var detail = PhotoDetail(photo: photo(wire))
        detail.camera = wire.camera?.filled
        detail.lens = wire.lens?.filled
        detail.focalLength = wire.focal_length?.filled
        detail.iso = wire.iso?.filled
        detail.shutterSpeed = wire.shutter_speed?.filled
        detail.aperture = wire.aperture?.filled
        detail.latitude = wire.latitude?.value
        detail.longitude = wire.longitude?.value
        detail.comments = wire.comments_count?.value
        detail.category = detail.photo.category
        return detail
    }

    private func photo(_ wire: WirePhoto) -> Photo {
        let size = PixelSize(width: wire.width?.value, height: wire.height?.value)
        let images = Images500px(wire, of: size, files: files)
        return Photo(
            id: PhotoID(service: service, value: wire.id.value), title: wire.name.value,
            author: wire.user.map(author), page: page(wire), size: size, thumbnail: images.thumbnail,
            full: images.full, likes: wire.votes_count?.value, views: wire.times_viewed?.value,
            rating: wire.rating?.value, published: wire.created_at?.value, taken: wire.taken_at?.value,
            tags: wire.tags?.elements.map(\.value) ?? [],
            category: wire.category?.value.flatMap { Self.categories[$0] },
            license: wire.license?.filled ?? wire.license_type?.value.flatMap { Self.licenses[$0] },
            description: wire.description?.filled,
            // Category 4 is Nude; `nsfw` is missing from some answers.
            isAdult: wire.nsfw?.value == true || wire.category?.value == 4)
    }

    private func author(_ wire: WireUser) -> Author {
        let full = PlainText.line(wire.fullname?.value ?? "")
        let username = wire.username?.filled
        return Author(id: wire.id?.value, name: full.isEmpty ? username ?? "" : full, username: username)
    }

    /// `url` is a path below the site; anything else it may hold is not followed.
    private func page(_ wire: WirePhoto) -> URL? {
        guard files == nil else { return wire.url.flatMap { WebAddress.url($0) } }
        let path = wire.url.flatMap { $0.hasPrefix("/photo/") ? $0 : nil } ?? "/photo/\(wire.id.value)"
        return URL(string: "https://500px.com" + path)
    }

    /// Source: legacy-api-documentation, `basics/formats_and_terms.md`.
    private static let licenses: [Int: String] = [
        1: "CC BY-NC 3.0", 2: "CC BY-NC-ND 3.0", 3: "CC BY-NC-SA 3.0", 4: "CC BY 3.0", 5: "CC BY-ND 3.0",
        6: "CC BY-SA 3.0", 7: "Public Domain Mark 1.0", 8: "CC0 1.0",
    ]

    /// Source: the same page.
    private static let categories: [Int: String] = [
        10: "Abstract", 29: "Aerial", 11: "Animals", 5: "Black and White", 1: "Celebrities",
        9: "City and Architecture", 15: "Commercial", 16: "Concert", 20: "Family", 14: "Fashion", 2: "Film",
        24: "Fine Art", 23: "Food", 3: "Journalism", 8: "Landscapes", 12: "Macro", 18: "Nature", 30: "Night",
        4: "Nude", 7: "People", 19: "Performing Arts", 17: "Sport", 6: "Still Life", 21: "Street",
        26: "Transportation", 13: "Travel", 22: "Underwater", 27: "Urban Exploration", 25: "Wedding",
    ]
}

/// Which of a photo's files is the thumbnail and which is the full size.
private struct Images500px {
    var thumbnail: Rendition?
    var full: Rendition?

    init(_ wire: WirePhoto, of size: PixelSize?, files: URL?) {
        let images = (wire.images?.elements ?? []).compactMap { image -> (Format, Rendition)? in
            guard let id = image.size?.value, let address = image.https_url ?? image.url,
                let url = WebAddress.url(address, relativeTo: files)
            else { return nil }
            let format = Format(id)
            let pixels = PixelSize(width: image.width?.value, height: image.height?.value)
            return (format, Rendition(url: url, size: pixels ?? format.delivered(from: size)))
        }
        full = images.filter { !$0.0.isCropped }.max { $0.0.edge < $1.0.edge }?.1
        // Nearest to the 280 pixels a list asks for; a full-size file is no thumbnail.
        thumbnail = images.filter { $0.0.edge <= 640 }.min { $0.0.distance < $1.0.distance }?.1
        if wire.images == nil, let address = wire.image_url?.first, let url = WebAddress.url(address) {
            adopt(url, of: size)
        }
    }

    /// Answers of 2012 name one file by its size: `…/2.jpg`.
    private mutating func adopt(_ url: URL, of size: PixelSize?) {
        guard let id = Int(url.lastPathComponent.prefix { $0 != "." }) else { return }
        let format = Format(id)
        let rendition = Rendition(url: url, size: format.delivered(from: size))
        if format.isCropped { thumbnail = rendition } else { full = rendition }
    }

    /// What a size id of the API means. Source: `basics/formats_and_terms.md`, and for
    /// 14 and 32 to 36 the recording `photo_record_ccmulti_2016.json`.
    private struct Format {
        /// The side of the square, the longest edge or the height, in pixels.
        let edge: Int
        let isCropped: Bool
        private let limitsHeight: Bool

        init(_ id: Int) {
            switch id {
            case 1: self.init(edge: 70, cropped: true)
            case 2: self.init(edge: 140, cropped: true)
            case 3: self.init(edge: 280, cropped: true)
            case 100, 200, 440, 600: self.init(edge: id, cropped: true)
            case 4, 14: self.init(edge: 900)
            case 5: self.init(edge: 1170)
            case 6: self.init(edge: 1080, height: true)
            case 20, 32: self.init(edge: 300, height: true)
            case 21, 33: self.init(edge: 600, height: true)
            case 30: self.init(edge: 256)
            case 31: self.init(edge: 450, height: true)
            case 34: self.init(edge: 1000)
            case 35: self.init(edge: 1500)
            case 36: self.init(edge: 2000)
            default: self.init(edge: id)
            }
        }

        private init(edge: Int, cropped: Bool = false, height: Bool = false) {
            self.edge = edge
            self.isCropped = cropped
            self.limitsHeight = height
        }

        var distance: Int { abs(edge - 280) }

        /// The pixels of the file, as far as they can be worked out from the original's.
        func delivered(from original: PixelSize?) -> PixelSize? {
            if isCropped { return PixelSize(width: edge, height: edge) }
            return limitsHeight ? original?.fitting(height: edge) : original?.fitting(longestEdge: edge)
        }
    }
}

// MARK: - Wire format
// Spelled as on the wire, so a field can be found in the vendor's page by name.

private struct WireList500px: Decodable {
    let photos: WireList<WirePhoto>
    let total_pages: WireInt?
    let total_items: WireInt?
}

private struct WireEnvelope: Decodable {
    let photo: WirePhoto
}

private struct WirePhoto: Decodable {
    let id: WireID
    let name: WireText
    let description: WireText?
    let user: WireUser?
    let url: String?
    let width: WireInt?
    let height: WireInt?
    let image_url: WireImageURL?
    let images: WireList<WireImage>?
    let votes_count: WireInt?
    let times_viewed: WireInt?
    let comments_count: WireInt?
    let rating: WireDouble?
    let created_at: WireDate?
    let taken_at: WireDate?
    let tags: WireList<WireText>?
    let license_type: WireInt?
    /// Of our own catalogue, whose licences the vendor's numbers do not cover.
    let license: WireText?
    let category: WireInt?
    let nsfw: WireBool?
    let camera: WireText?
    let lens: WireText?
    let focal_length: WireText?
    let iso: WireText?
    let shutter_speed: WireText?
    let aperture: WireText?
    let latitude: WireDouble?
    let longitude: WireDouble?
}

private struct WireUser: Decodable {
    let id: WireID?
    let username: WireText?
    let fullname: WireText?
}

private struct WireImage: Decodable {
    let size: WireInt?
    let url: String?
    let https_url: String?
    /// Of our own catalogue: the vendor never says the file's pixels.
    let width: WireInt?
    let height: WireInt?
}

/// One address, or, since 2018, a list in an order of its own.
private struct WireImageURL: Decodable {
    let first: String?

    init(from decoder: any Decoder) throws {
        if let text = try? decoder.singleValueContainer().decode(String.self) {
            first = text
        } else {
            first = try WireList<String>(from: decoder).elements.first
        }
    }
}
