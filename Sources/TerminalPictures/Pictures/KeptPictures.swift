import Foundation
import PictureFiles
import Synchronization

/// Pictures that were made of others, as files, of which the last ones are kept.
final class KeptPictures<Key: Hashable & Sendable>: Sendable {
    /// A picture, in a folder that lasts as long as it.
    private struct Kept: Sendable {
        let key: Key
        let folder: ScratchFolder
        let picture: InspectedPicture
    }

    /// The oldest first.
    private let kept = Mutex<[Kept]>([])

    /// How many to keep: the one that is looked at, its neighbors, and one in parts.
    private static var most: Int { 8 }

    /// The picture for a key: the kept one, or what `make` makes; `nil` if that fails.
    func picture<Fault>(
        _ key: Key, _ make: () async throws(Fault) -> (bytes: [UInt8], type: PictureType)
    ) async throws(Fault) -> InspectedPicture? {
        if let known = kept.withLock({ $0.first { $0.key == key } }) { return known.picture }
        let made = try await make()
        let name = "picture.\(made.type.fileExtension)"
        guard let folder = try? PictureConverter.scratch(holding: name, Data(made.bytes)),
            let picture = try? await PicturePainter.inspected(folder.url.appending(path: name)).get()
        else { return nil }
        kept.withLock { kept in
            kept.append(Kept(key: key, folder: folder, picture: picture))
            if kept.count > Self.most { kept.removeFirst() }
        }
        return picture
    }
}
