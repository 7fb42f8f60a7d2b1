import Foundation
import GalleryCore

/// The files of thumbnails: made of pictures in a folder, loaded of all others.
struct ThumbnailFiles: Sendable {
    private let store: ThumbnailStore
    private let loaders: ServiceLoaders
    private let pictures: PictureFolder

    init(_ context: Context, _ loaders: ServiceLoaders, _ pictures: PictureFolder) {
        store = ThumbnailStore(context.environment)
        (self.loaders, self.pictures) = (loaders, pictures)
    }

    /// Thumbnails and whether each has the pixels that its `edge` is to have; if it `makes` any, also missing ones.
    func files(
        of photos: [Photo], _ edge: Int, makes: Bool = true
    ) async -> [PhotoID: (file: URL, isSharp: Bool)] {
        var found: [PhotoID: (file: URL, isSharp: Bool)] = [:]
        // A camera's own one that nearly fills its cell will do.
        let toMake = photos.filter { photo in
            guard let thumbnail = photo.thumbnail, photo.ownFile != nil else { return false }
            return thumbnail.url == photo.full?.url || (thumbnail.size?.longestEdge ?? 0) * 5 < edge * 4
        }
        // Those of the desktop are shared.
        let made = await store.thumbnails(of: toMake.compactMap(\.ownFile), edge: edge, makes: makes)
        for photo in photos {
            if let file = photo.ownFile, let made = made[file] {
                found[photo.id] = made
            } else if makes || !toMake.contains(photo) || photo.thumbnail?.url != photo.full?.url,
                let file = await loaded(photo)
            {
                found[photo.id] = (file, !toMake.contains(photo))
            }
        }
        return found
    }

    private func loaded(_ photo: Photo) async -> URL? {
        let request = try? photo.thumbnail.map { try loaders.imageRequest($0, of: photo) }
        guard let request else { return nil }
        return try? await pictures.file(of: photo.id, request).url
    }
}
