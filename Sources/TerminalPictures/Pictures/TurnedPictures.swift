import Basics
import Foundation
import PictureFiles

/// Pictures turned by quarters, as files that whatever shows pictures takes like any other: of a JPEG one that says
/// another orientation, of others one of the pixels that chafa sees.
final class TurnedPictures: Sendable {
    private struct Key: Hashable {
        let file: FileIdentity
        let quarters: Int
        let background: String?
    }

    private let kept = KeptPictures<Key>()

    /// The longest JPEG that is copied, in bytes.
    private static let longest = 128 << 20
    /// The most pixels of others, and the least of the shorter edge: chafa counts in whole cells.
    private static let (mostPixels, leastEdge) = (3_000_000, 800)

    func picture(
        _ picture: InspectedPicture, by quarters: Int, background: String?, _ chafa: Chafa
    ) async throws(Chafa.Fault) -> InspectedPicture {
        guard quarters % 4 != 0 else { return picture }
        let isCopied = picture.type == .jpeg && picture.length <= Self.longest
        let key = Key(file: picture.identity, quarters: quarters, background: isCopied ? nil : background)
        let turned = try await kept.picture(key) { () async throws(Chafa.Fault) in
            if isCopied, let turned = await onThread({ picture.turnedJPEG(by: quarters) }) {
                return .init(bytes: turned, type: .jpeg)
            }
            let size = picture.size
            let edge = Double(min(size.width, size.height))
            let scale = max(1, Double(Self.leastEdge) / edge)
            let wanted = PictureFit.limited(
                (Int(Double(size.width) * scale), Int(Double(size.height) * scale)), toPixels: Self.mostPixels
            )
            let pixels = try await chafa.pixels(picture, wanted, background: background)
            guard let pixels = pixels.first?.turned(by: quarters) else { throw .failed }
            return .init(bytes: pixels.png, type: .png)
        }
        guard let turned else { throw .failed }
        return turned
    }
}

extension InspectedPicture {
    /// This blocks.
    fileprivate func turnedJPEG(by quarters: Int) -> [UInt8]? {
        (try? SystemCall.read(file, at: 0, count: length)).map { Turning.jpeg($0, turnedBy: quarters) }
    }
}

extension KittyPixels {
    var png: [UInt8] { PNG.stored(width: width, height: height, bytesPerPixel: hasOpacity ? 4 : 3, bytes) }
}
