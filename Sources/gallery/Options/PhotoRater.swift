import Curation
import Foundation
import GalleryCore

/// Rates photos: on this machine, and where the user said so in the files of folders.
struct PhotoRater: Sendable {
    private let store: RatingStore
    private let writer: RatingWriter?

    init(_ context: Context, writesFiles: Bool) {
        store = context.folders.ratings
        writer = writesFiles ? RatingWriter(environment: context.environment) : nil
    }

    /// Gives photos stars from 1 to 5, or 0 to take them away.
    ///
    /// - Returns: Those whose files could not be written: they are rated on this machine alone.
    func rate(_ photos: [Photo], _ rating: Int) async throws -> [ResolvedPhotos.Failure] {
        // First here: whatever becomes of the files, the rating is not lost.
        try await store.rate(photos, rating)
        var written: [Photo] = []
        var failures: [ResolvedPhotos.Failure] = []
        for photo in photos {
            guard let writer, let file = photo.ownFile else { continue }
            do throws(FileEditFault) {
                try await writer.write(rating, to: file)
                written.append(photo)
            } catch {
                failures.append(.init(IndexedPhoto(index: nil, photo: photo), error))
            }
        }
        // What another program writes into these later counts then.
        try await store.rate(written, nil)
        return failures
    }
}
