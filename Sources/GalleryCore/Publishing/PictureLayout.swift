/// Where pictures stand on a canvas.
///
/// Each way to lay them out is an extension: ``grid(_:columns:width:gap:)``, ``rows(_:width:targetHeight:gap:)``,
/// and ``mosaic(_:width:gap:)``. Sizes are the pictures' own; the canvas's width is from 1 pixel, the gap
/// between pictures from 0.
package struct PictureLayout: Hashable {
    /// The frame of each picture, in the order given.
    let frames: [LayoutFrame]

    /// The canvas's height in pixels; 0 without pictures.
    var height: Int { frames.map { $0.y + $0.height }.max() ?? 0 }
}

/// Where a layout puts a picture, in pixels from the canvas's top left corner.
struct LayoutFrame: Hashable {
    let x: Int
    let y: Int
    /// At least 1, as the height is.
    let width: Int
    let height: Int

    /// A frame whose edges are the nearest pixels, so that neighbors stay neighbors.
    init(left: Double, top: Double, right: Double, bottom: Double) {
        (x, y) = (Int(left.rounded()), Int(top.rounded()))
        width = max(1, Int(right.rounded()) - x)
        height = max(1, Int(bottom.rounded()) - y)
    }

    /// The share of a picture that is cut off where it fills this frame, from 0 to 1.
    func crop(of ratio: Double) -> Double {
        let stretch = Double(width) / Double(height) / ratio
        return 1 - min(stretch, 1 / stretch)
    }
}

extension PixelSize {
    /// Width by height.
    var ratio: Double { Double(width) / Double(height) }
}
