import Foundation
import GalleryCore

package struct Ratings: Hashable, Sendable {
    /// From 0 to 5, where 0 overrides what a photo's file says.
    private var stars: [PhotoID: Int]

    /// Ratings from 0 to 5, by ``Photo/ratingID``.
    package init(_ stars: [PhotoID: Int] = [:]) { self.stars = stars }

    /// The photo with its rating: one that was given here counts more than what its file says.
    package func applied(to photo: Photo) -> Photo {
        guard let given = stars[photo.ratingID] else { return photo }
        var photo = photo
        photo.stars = given == 0 ? nil : given
        return photo
    }

    package func applied(to entry: IndexedPhoto) -> IndexedPhoto {
        IndexedPhoto(index: entry.index, photo: applied(to: entry.photo))
    }

    /// Rates a photo, or takes its rating away.
    package mutating func rate(_ photo: Photo, _ stars: Int) { self.stars[photo.ratingID] = stars }
}

extension Photo {
    /// This photo with the rating that its own file, or the XMP file beside it, says by now, if they say any. Blocks.
    package func ratedByFile() -> Photo {
        guard let rating = ownFile.flatMap(Folder.rating) else { return self }
        var photo = self
        photo.stars = rating == 0 ? nil : rating
        return photo
    }

    /// What ratings know it by: of a folder's file its path, since names repeat from folder to folder.
    package var ratingID: PhotoID { lastingID }
}
