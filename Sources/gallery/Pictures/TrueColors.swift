import Foundation
import GalleryCore

/// Pictures that chafa shows in false colors, or not at all, converted to sRGB in about the size they are shown in.
final class TrueColors: Sendable {
    private struct Key: Hashable {
        let file: FileIdentity
        let edge: Int
    }

    private let converter: PictureConverter
    private let kept = KeptPictures<Key>()

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
        do throws(PictureConverter.Fault) {
            return try await kept.picture(key) { () async throws(PictureConverter.Fault) in
                let result = try await converter.convert(
                    URL(filePath: picture.path), longestEdge: key.edge, format: .plain)
                return (result.bytes, result.type)
            }
        } catch {
            if error == .cancelled { throw .cancelled }
            return nil
        }
    }
}
