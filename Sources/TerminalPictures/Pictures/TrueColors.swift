import Basics
import Foundation
import PictureFiles

/// Pictures that chafa shows in false colors, or not at all, converted to sRGB in about the size they are shown in.
package final class TrueColors: Sendable {
    private struct Key: Hashable {
        let file: FileIdentity
        let edge: Int
        let frames: Int
    }

    private let converter: PictureConverter
    private let kept = KeptPictures<Key>()

    package init(_ environment: [String: String]) { converter = PictureConverter(environment) }

    /// The picture to show for one, and what to say of it: of one with false colors the converted one, which may have
    /// them, too, where a converter hands its profile on; the same where it cannot be converted.
    func shown(
        _ picture: InspectedPicture, longestEdge: Int, frames: Int = 1
    ) async throws(Chafa.Fault) -> (picture: InspectedPicture, remark: String?) {
        // Chafa inverts CMYK, knows no profiles, and takes AVIF and HEIC for others.
        guard await onThread({ picture.conversionSource.needsTrueColors }) else { return (picture, nil) }
        let shown = try await self.picture(picture, longestEdge: longestEdge, frames: frames) ?? picture
        let isFalse = await onThread { shown.conversionSource.needsTrueColors }
        return (shown, isFalse ? PictureConverter.falseColors : nil)
    }

    /// The picture with at least so many pixels on its longer edge, if it has them; `nil` if it cannot be converted. An
    /// animation stays one of so many `frames`. Throws ``Chafa/Fault/cancelled``.
    func picture(
        _ picture: InspectedPicture, longestEdge: Int, frames: Int = 1
    ) async throws(Chafa.Fault) -> InspectedPicture? {
        // Few sizes, so that a window that grows by a cell finds the same one.
        let edge = [1024, 2048, 4096].first { $0 >= longestEdge } ?? 8192
        let key = Key(file: picture.identity, edge: min(edge, picture.size.longestEdge), frames: frames)
        do throws(PictureConverter.Fault) {
            return try await kept.picture(key) { () async throws(PictureConverter.Fault) in
                try await converter.convert(
                    URL(filePath: picture.path), longestEdge: key.edge,
                    format: frames > 1 ? .animation(frames: frames) : .plain)
            }
        } catch {
            if error == .cancelled { throw .cancelled }
            return nil
        }
    }
}
