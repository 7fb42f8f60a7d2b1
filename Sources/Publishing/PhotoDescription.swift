import Foundation
import GalleryCore

/// A photo as its page's `photos.json` has it: what visitors may know, and the page's own files, by their paths below
/// the page's folder. From these the page is made again.
struct PhotoDescription {
    let photo: PublishedPhoto
    let options: SiteOptions

    var json: JSONValue {
        let full = rendition(photo.original ?? photo.pictures[0])
        // Made ones are made again, of the same.
        let small = photo.small.filter { !$0.isMade && $0 != photo.pictures.first }.map(rendition)
        let known = photo.detail?.photo ?? photo.photo
        let described = known.described(
            as: identifier, page: photo.source, license: photo.licenseAddress, full: full, small: small)
        var detail = photo.detail ?? PhotoDetail(photo: described)
        detail.photo = described
        detail.pages = photo.pictures.count > 1 ? photo.pictures.map { [rendition($0)] } : []
        if !options.showsDetails {
            (detail.camera, detail.lens, detail.focalLength) = (nil, nil, nil)
            (detail.iso, detail.shutterSpeed, detail.aperture) = (nil, nil, nil)
        }
        if !options.showsPlaces || !options.showsDetails { (detail.latitude, detail.longitude) = (nil, nil) }
        return IndexedPhoto(index: photo.entry.index, photo: described).json(with: detail)
    }

    /// That of a file in a folder of this machine is its path, of which a visitor is to know no more than the page's
    /// name tells. It gives the same name again.
    private var identifier: PhotoID {
        let service = photo.photo.id.service
        guard service == Folder.word, photo.name.hasPrefix(service + "_") else { return photo.photo.id }
        return PhotoID(service: service, value: String(photo.name.dropFirst(service.count + 1)))
    }

    private func rendition(_ picture: PublishedPicture) -> Rendition {
        let path = PhotoSite.encoded(picture.path)
        return Rendition(url: URL(string: path) ?? picture.file, size: picture.size, bytes: picture.bytes)
    }
}

extension Photo {
    fileprivate func described(
        as id: PhotoID, page: URL?, license address: URL?, full: Rendition, small: [Rendition]
    ) -> Photo {
        var photo = Photo(
            id: id, title: title, author: author, page: page, size: size, thumbnail: small.first ?? full,
            full: full, renditions: small, likes: likes, views: views, rating: rating, tags: tags,
            category: category, license: license, licenseURL: address, attribution: attribution,
            description: description, alt: alt, isGenerated: isGenerated, isAdult: isAdult,
            pageCount: pageCount)
        photo.publishedDate = publishedDate
        // The clock where it was taken counts, and is not to be lost.
        photo.takenDate = takenDate.map { taken in
            guard let offset = taken.offset, offset != 0 else { return taken }
            return WrittenDate(taken.date + Double(offset), taken.precision, offset: nil)
        }
        return photo
    }
}

extension PublishedPicture {
    /// Whether it was made of another: its name has the digest of that, and the longer edge.
    fileprivate var isMade: Bool {
        path.wholeMatch(of: /thumbs\/[^\/]+\.[0-9a-f]{16}(?:-[0-9]+)?\.[a-z]+/) != nil
    }
}
