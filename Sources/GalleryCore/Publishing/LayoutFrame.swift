/// Where a layout puts a picture, in pixels from the canvas's top left corner.
public struct LayoutFrame: Hashable, Sendable {
    /// Pixels from the left edge.
    public let x: Int
    /// Pixels from the top edge.
    public let y: Int
    /// Pixels from left to right, at least 1.
    public let width: Int
    /// Pixels from top to bottom, at least 1.
    public let height: Int

    /// A frame; a side below 1 becomes 1.
    public init(x: Int, y: Int, width: Int, height: Int) {
        self.x = x
        self.y = y
        self.width = max(1, width)
        self.height = max(1, height)
    }

    /// A frame whose edges are the nearest pixels, so that neighbors stay neighbors.
    init(left: Double, top: Double, right: Double, bottom: Double) {
        let (x, y) = (Int(left.rounded()), Int(top.rounded()))
        self.init(x: x, y: y, width: Int(right.rounded()) - x, height: Int(bottom.rounded()) - y)
    }

    /// The share of a picture that is cut off where it fills this frame, from 0 to 1.
    public func crop(of picture: PixelSize) -> Double {
        let stretch = Double(width) / Double(height) / picture.ratio
        return 1 - min(stretch, 1 / stretch)
    }
}

extension PixelSize {
    /// Width by height.
    var ratio: Double { Double(width) / Double(height) }
}

/// Pictures on a canvas.
public protocol PictureLayout: Sendable {
    /// The frame of each picture, in the order given.
    var frames: [LayoutFrame] { get }
    /// The canvas's height in pixels; 0 without pictures.
    var height: Int { get }
}
