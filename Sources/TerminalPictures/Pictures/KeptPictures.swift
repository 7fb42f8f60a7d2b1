import Foundation
import PictureFiles
import Synchronization

/// Pictures that were made of others, as files, of which the last ones are kept.
final class KeptPictures<Key: Hashable & Sendable>: Sendable {
    /// The oldest first, each in a folder that lasts as long as it.
    private let kept = Mutex<[(key: Key, folder: ScratchFolder, picture: InspectedPicture)]>([])

    /// The picture for a key: the kept one, or what `make` makes; `nil` if that fails.
    func picture<Fault>(
        _ key: Key, _ make: () async throws(Fault) -> PictureConverter.Result
    ) async throws(Fault) -> InspectedPicture? {
        if let known = kept.withLock({ $0.first { $0.key == key } }) { return known.picture }
        let made = try await make()
        let name = "picture.\(made.type.fileExtension)"
        guard let folder = try? PictureConverter.scratch(holding: name, Data(made.bytes)),
            let picture = try? await PicturePainter.inspected(folder.url.appending(path: name)).get()
        else { return nil }
        kept.withLock { kept in
            kept.append((key, folder, picture))
            // The one that is looked at, its neighbors, and one in parts.
            if kept.count > 8 { kept.removeFirst() }
        }
        return picture
    }
}
