import Foundation

extension FlickrImporter {
    /// The details in the reply of `getInfo`, with the files of `getSizes` where there is such a reply.
    func detail(_ body: Data, sizes: Data?) throws(ServiceError) -> PhotoDetail {
        let wire = try Reply(service, body).decode(WireInfo.self).photo
        guard wire.media != "video" else {
            throw .missing(service: service, what: "photo \(PlainText.excerpt(wire.id.value)): it is a video")
        }
        var files: [WireSize] = []
        if let sizes { files = try Reply(service, sizes).decode(WireSizes.self).sizes.size.elements }
        var detail = PhotoDetail(photo: photo(wire, FlickrFiles(files)))
        detail.latitude = wire.location?.latitude?.value
        detail.longitude = wire.location?.longitude?.value
        detail.comments = wire.comments.flatMap { Int($0.text) }
        return detail
    }

    private func photo(_ wire: WireDetail, _ files: FlickrFiles) -> Photo {
        Photo(
            id: PhotoID(service: service, value: wire.id.value), title: Markup.plain(wire.title?.text ?? ""),
            author: author(id: wire.owner?.nsid, name: wire.owner?.username, alias: wire.owner?.path_alias),
            page: page(of: wire.id.value, by: wire.owner?.path_alias, or: wire.owner?.nsid),
            size: files.original, thumbnail: files.thumbnail, full: files.full, views: wire.views?.value,
            published: date(wire.dates?.posted),
            taken: taken(wire.dates?.taken, wire.dates?.takengranularity, wire.dates?.takenunknown),
            // `raw` is as the author wrote it, `_content` without spaces and capitals.
            tags: wire.tags?.tag.elements.compactMap { ($0.raw ?? $0._content).map { Markup.plain($0.text) } }
                ?? [],
            license: license(wire.license), description: text(wire.description),
            // 0 is safe, 1 moderate, 2 restricted.
            isAdult: (wire.safety_level?.value ?? 0) > 0)
    }
}

extension FlickrFiles {
    /// From `getSizes`, which names what it may give in ascending size.
    fileprivate init(_ sizes: [WireSize]) {
        let photos = sizes.filter { $0.media != "video" }.compactMap { wire in
            wire.source.flatMap { WebAddress.url($0) }.map { url in
                let size = PixelSize(width: wire.width?.value, height: wire.height?.value)
                return (label: wire.label ?? "", file: Rendition(url: url, size: size))
            }
        }
        let small = ["Large Square", "Small 320", "Small", "Medium", "Thumbnail", "Square", "Medium 640"]
        thumbnail = small.lazy.compactMap { label in photos.first { $0.label == label }?.file }.first
        full = photos.last?.file
        original = photos.last { $0.label == "Original" }?.file.size
    }
}

// MARK: - Wire format
// Spelled as on the wire, so a field can be found in the vendor's page by name.

private struct WireInfo: Decodable {
    let photo: WireDetail
}

private struct WireDetail: Decodable {
    let id: WireID
    let owner: WireOwner?
    let title: FlickrText?
    let description: FlickrText?
    let dates: WireDates?
    let tags: WireTags?
    let comments: FlickrText?
    let location: WireLocation?
    let license: WireInt?
    let views: WireInt?
    let safety_level: WireInt?
    let media: String?

    struct WireOwner: Decodable {
        let nsid: String?
        let username: WireScalar?
        let path_alias: String?
    }

    struct WireDates: Decodable {
        let posted: WireInt?
        let taken: String?
        let takengranularity: WireInt?
        let takenunknown: WireInt?
    }

    struct WireTags: Decodable {
        let tag: WireList<WireTag>
    }

    struct WireTag: Decodable {
        let raw: WireScalar?
        let _content: WireScalar?
    }

    struct WireLocation: Decodable {
        let latitude: WireDouble?
        let longitude: WireDouble?
    }
}

private struct WireSizes: Decodable {
    let sizes: WireSizeList

    struct WireSizeList: Decodable {
        let size: WireList<WireSize>
    }
}

private struct WireSize: Decodable {
    let label: String?
    let source: String?
    let width: WireInt?
    let height: WireInt?
    let media: String?
}
