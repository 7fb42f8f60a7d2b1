import Curation
import Foundation
import GalleryCore

/// Rates photos: on this machine, and where the user said so beside the files of folders.
struct PhotoRater: Sendable {
    private let store: RatingStore
    private let writesFiles: Bool

    init(_ context: Context, writesFiles: Bool) {
        store = context.folders.ratings
        self.writesFiles = writesFiles
    }

    /// Gives photos stars from 1 to 5, or 0 to take them away. Those returned are rated on this machine alone, since
    /// their XMP files could not be written.
    func rate(_ photos: [Photo], _ rating: Int) async throws -> [ResolvedPhotos.Failure] {
        // First here: whatever becomes of the files, the rating is not lost.
        try await store.rate(photos, rating)
        var written: [Photo] = []
        var failures: [ResolvedPhotos.Failure] = []
        for photo in photos {
            guard writesFiles, let file = photo.ownFile else { continue }
            if let fault = await RatingWriter.write(rating, to: file) {
                failures.append(.init(IndexedPhoto(index: nil, photo: photo), fault))
            } else {
                written.append(photo)
            }
        }
        // What another program writes into these later counts then.
        try await store.rate(written, nil)
        return failures
    }
}
