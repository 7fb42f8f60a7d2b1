import Foundation
import GalleryCore

extension IndexedPhoto {
    /// Photo `index` of a made-up feed.
    package static func sample(_ index: Int, service: String = "s", hasFull: Bool = true) -> IndexedPhoto {
        let file = address(index)
        return IndexedPhoto(
            index: index,
            photo: Photo(
                id: PhotoID(service: service, value: "\(index)"), title: "Photo \(index)",
                thumbnail: Rendition(url: file, size: nil),
                full: hasFull ? Rendition(url: file, size: nil) : nil))
    }

    package static func address(_ index: Int) -> URL { URL(filePath: "/photos/\(index).jpg") }
}
