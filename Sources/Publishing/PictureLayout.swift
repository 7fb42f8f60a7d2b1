import Basics

/// Where pictures stand on a canvas.
///
/// Each way to lay them out is an extension: ``grid(_:columns:width:gap:)``, ``rows(_:width:targetHeight:gap:)``,
/// and ``mosaic(_:width:gap:)``. Sizes are the pictures' own; the canvas's width is from 1 pixel, the gap
/// between pictures from 0.
package struct PictureLayout: Hashable {
    let frames: [LayoutFrame]

    /// The canvas's height in pixels; 0 without pictures.
    var height: Int { frames.map { $0.y + $0.height }.max() ?? 0 }

    /// Of layouts of one width, the one whose height is closest to `height`; the first where any height will do.
    static func closest(_ layouts: [PictureLayout], toHeight height: Int?) -> PictureLayout {
        func miss(_ layout: PictureLayout) -> Double {
            guard let height else { return 0 }
            let stretch = Double(max(1, layout.height)) / Double(height)
            return max(stretch, 1 / stretch)
        }
        return layouts.min { miss($0) < miss($1) } ?? PictureLayout(frames: [])
    }

    /// The same layout on a canvas of a given size: it fills it where that cuts off no more than the share `mostCrop`
    /// of a picture, and stands whole in its middle elsewhere.
    func fitted(width: Int, height: Int, mostCrop: Double) -> PictureLayout {
        let own = (frames.map { $0.x + $0.width }.max() ?? 0, self.height)
        guard own.0 > 0, own.1 > 0 else { return self }
        var (across, down) = (Double(width) / Double(own.0), Double(height) / Double(own.1))
        if 1 - min(across / down, down / across) > mostCrop {
            across = min(across, down)
            down = across
        }
        let left = (Double(width) - across * Double(own.0)) / 2
        let top = (Double(height) - down * Double(own.1)) / 2
        return PictureLayout(
            frames: frames.map { frame in
                LayoutFrame(
                    left: left + across * Double(frame.x), top: top + down * Double(frame.y),
                    right: left + across * Double(frame.x + frame.width),
                    bottom: top + down * Double(frame.y + frame.height))
            })
    }
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
