import Foundation
import GalleryCore
import Synchronization

/// Pictures that chafa shows in false colors, or not at all, converted to sRGB in about the size they are shown in.
final class TrueColors: Sendable {
    private struct Key: Hashable {
        let file: FileIdentity
        let edge: Int
    }

    /// A picture, in a folder that lasts as long as it.
    private struct Converted: Sendable {
        let key: Key
        let folder: ScratchFolder
        let picture: InspectedPicture
    }

    private let converter: PictureConverter
    /// The last ones, the oldest first.
    private let kept = Mutex<[Converted]>([])

    /// How many to keep: the one that is looked at, its neighbors, and one in parts.
    private static let most = 8

    init(_ environment: [String: String]) { converter = PictureConverter(environment) }

    /// Whether anything is installed that converts.
    var isAble: Bool { converter.isInstalled }

    /// Whether chafa gets its colors wrong: it inverts CMYK, knows no profiles, and takes AVIF and HEIC for others.
    /// This blocks.
    static func areNeeded(for picture: InspectedPicture) -> Bool { picture.conversionSource.needsTrueColors }

    /// The picture with at least so many pixels on its longer edge, or as many as it has; `nil` where it cannot be
    /// converted.
    ///
    /// - Throws: ``Chafa/Fault/cancelled``.
    func picture(
        _ picture: InspectedPicture, longestEdge: Int
    ) async throws(Chafa.Fault) -> InspectedPicture? {
        // Few sizes, so that a window that grows by a cell finds the same one.
        let edge = [1024, 2048, 4096].first { $0 >= longestEdge } ?? 8192
        let key = Key(file: picture.identity, edge: min(edge, picture.size.longestEdge))
        if let known = kept.withLock({ $0.first { $0.key == key } }) { return known.picture }
        do throws(PictureConverter.Fault) {
            let result = try await converter.convert(
                URL(filePath: picture.path), longestEdge: key.edge, format: .plain)
            let name = "picture.\(result.type.fileExtension)"
            let folder = try PictureConverter.scratch(holding: name, Data(result.bytes))
            guard let made = try? await PicturePainter.inspected(folder.url.appending(path: name)).get()
            else { return nil }
            kept.withLock { kept in
                kept.append(Converted(key: key, folder: folder, picture: made))
                if kept.count > Self.most { kept.removeFirst() }
            }
            return made
        } catch {
            if error == .cancelled { throw .cancelled }
            return nil
        }
    }
}
