/// Width and height of a picture in pixels, each from 1.
public struct PixelSize: Hashable, Sendable, Codable {
    /// Pixels from left to right, at least 1.
    public let width: Int

    /// Pixels from top to bottom, at least 1.
    public let height: Int

    /// A size, or `nil` if a side is missing, below 1, or more than any picture's: services send 0 to withhold it.
    public init?(width: Int?, height: Int?) {
        guard let width, let height, (1...Self.mostPixels).contains(width),
            (1...Self.mostPixels).contains(height)
        else { return nil }
        self.width = width
        self.height = height
    }

    /// Of a side: what PNG's header can hold.
    private static let mostPixels = Int(Int32.max)

    /// The longer of both sides.
    public var longestEdge: Int { max(width, height) }

    /// Whether the picture is landscape, portrait, or square.
    public var orientation: Orientation { width > height ? .landscape : width < height ? .portrait : .square }

    /// This size scaled down to fit a square of `edge` pixels; never enlarged.
    public func fitting(longestEdge edge: Int) -> PixelSize { scaled(by: edge, of: longestEdge) }

    /// This size scaled down to fit `limit` pixels of width; never enlarged.
    package func fitting(width limit: Int) -> PixelSize { scaled(by: limit, of: width) }

    /// This size scaled down to fit `limit` pixels of height; never enlarged.
    public func fitting(height limit: Int) -> PixelSize { scaled(by: limit, of: height) }

    /// This size scaled down to fit a box; never enlarged.
    package func fitting(_ box: PixelSize) -> PixelSize {
        let isWider = Double(width) / Double(height) > Double(box.width) / Double(box.height)
        return isWider ? scaled(by: box.width, of: width) : fitting(height: box.height)
    }

    private func scaled(by limit: Int, of side: Int) -> PixelSize {
        guard side > limit, limit > 0 else { return self }
        let factor = Double(limit) / Double(side)
        return PixelSize(
            width: max(1, Int((Double(width) * factor).rounded())),
            height: max(1, Int((Double(height) * factor).rounded()))) ?? self
    }
}

/// The orientation of a picture.
public enum Orientation: String, Hashable, Sendable, CaseIterable {
    /// Wider than high, higher than wide, and as wide as high.
    case landscape, portrait, square
}
