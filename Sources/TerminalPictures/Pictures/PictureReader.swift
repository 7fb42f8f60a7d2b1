import Basics
import Foundation
import PictureFiles

/// A file to look at, and the one whose pixels are shown.
package struct WantedLook: Hashable, Sendable {
    package let file: URL
    package let pixels: URL

    package init(file: URL, pixels: URL) { (self.file, self.pixels) = (file, pixels) }
}

/// What a picture's file says of itself, and how its pixels are distributed.
package struct PictureLook: Hashable, Sendable {
    /// What the file says; empty where it cannot be read.
    package let metadata: PictureMetadata
    /// `nil` where it cannot be read.
    package let size: PixelSize?
    /// `nil` where the pixels cannot be read.
    package let histogram: Histogram?
    /// What to say of the histogram, or in its place; `nil` for nothing.
    package let remark: String?

    /// What is clipped, in words; `nil` without a histogram.
    package var clipped: String? {
        guard let clipped = histogram?.clipped else { return nil }
        func percent(_ share: Double) -> String {
            // A line is not broken before the sign.
            (share > 0 && share < 0.01 ? "below 1" : "\(Int((share * 100).rounded()))") + "\u{A0}%"
        }
        return "Shadows \(percent(clipped.shadows)) clipped, highlights \(percent(clipped.highlights))."
    }
}

/// Reads pictures for ``PictureLook``: pixels come from chafa, small and in true colors.
package struct PictureReader: Sendable {
    let chafa: Chafa
    let colors: TrueColors
    /// The one that was asked for last; who asks for another one ends it.
    private let latest = LatestWork<WantedLook, PictureLook>()

    private static let longestEdge = 512

    package init(_ chafa: Chafa, _ colors: TrueColors) { (self.chafa, self.colors) = (chafa, colors) }

    /// Looks at a file, and at the pixels of one that shows the same.
    package func look(at wanted: WantedLook) async -> PictureLook {
        await latest.value(for: wanted) {
            let picture = try? await PicturePainter.inspected(wanted.file).get()
            let metadata = await onThread { picture?.metadata } ?? PictureMetadata()
            let (histogram, remark) = await histogram(of: wanted.pixels)
            return PictureLook(metadata: metadata, size: picture?.size, histogram: histogram, remark: remark)
        }
    }

    /// What pictures look like, as far as that can be read of small files, by their keys.
    package func sketches<Key: Hashable & Sendable>(of files: [Key: URL]) async -> [Key: PictureSketch] {
        let sketches = await files.concurrentMap(atMost: 4) { key, file in (key, await sketch(of: file)) }
        return Dictionary(uniqueKeysWithValues: sketches).compactMapValues(\.self)
    }

    private func sketch(of file: URL) async -> PictureSketch? {
        guard let picture = try? await PicturePainter.inspected(file).get() else { return nil }
        let size = picture.size.fitting(longestEdge: 64)
        guard
            let pixels = try? await chafa.pixels(picture, (size.width, size.height), background: "808080")[0]
        else { return nil }
        return PictureSketch(
            pixels.bytes, width: pixels.width, height: pixels.height,
            bytesPerPixel: pixels.hasOpacity ? 4 : 3)
    }

    private func histogram(of file: URL) async -> (Histogram?, String?) {
        guard let picture = try? await PicturePainter.inspected(file).get() else { return (nil, nil) }
        do throws(Chafa.Fault) {
            let (source, remark) = try await colors.shown(picture, longestEdge: Self.longestEdge)
            let size = source.size.fitting(longestEdge: Self.longestEdge)
            let pixels = try await chafa.pixels(source, (size.width, size.height), background: nil)[0]
            return (Histogram(pixels.bytes, bytesPerPixel: pixels.hasOpacity ? 4 : 3), remark)
        } catch {
            return (nil, error == .missing ? "For the histogram, \(Chafa.advice)" : nil)
        }
    }
}
