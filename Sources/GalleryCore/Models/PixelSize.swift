/// Width and height of a picture in pixels, each from 1.
public struct PixelSize: Hashable, Sendable, Codable {
    /// Pixels from left to right, at least 1.
    public let width: Int

    /// Pixels from top to bottom, at least 1.
    public let height: Int

    /// A size, or `nil` where either side is missing or below 1, as services
    /// that withhold a size send 0.
    public init?(width: Int?, height: Int?) {
        guard let width, let height, width > 0, height > 0 else { return nil }
        self.width = width
        self.height = height
    }

    /// How the picture stands: wider than high, higher than wide, or neither.
    public var orientation: Orientation {
        width > height ? .landscape : width < height ? .portrait : .square
    }

    /// This size made to fit a square of `edge` pixels; never enlarged.
    public func fitting(longestEdge edge: Int) -> PixelSize {
        let longest = max(width, height)
        guard longest > edge, edge > 0 else { return self }
        return scaled(by: Double(edge) / Double(longest))
    }

    /// This size made to fit `limit` pixels of height; never enlarged.
    public func fitting(height limit: Int) -> PixelSize {
        guard height > limit, limit > 0 else { return self }
        return scaled(by: Double(limit) / Double(height))
    }

    private func scaled(by factor: Double) -> PixelSize {
        PixelSize(
            width: max(1, Int((Double(width) * factor).rounded())),
            height: max(1, Int((Double(height) * factor).rounded()))) ?? self
    }
}

/// How a picture stands.
public enum Orientation: String, Hashable, Sendable, CaseIterable {
    /// Wider than high.
    case landscape
    /// Higher than wide.
    case portrait
    /// As wide as high.
    case square
}
