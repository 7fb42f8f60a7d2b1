/// What a picture looks like from afar: where it gets darker from left to right, in eight rows of eight steps.
///
/// It stays nearly the same when a picture is scaled, brightened, or compressed anew, and from one photo of a series to
/// the next. Pictures that differ may have the same one, so it says what to compare, and not what to leave out.
///
/// Source: the "difference hash" of Neal Krawetz, hackerfactor.com, 2013.
package struct PictureSketch: Hashable, Sendable {
    /// A bit for each step, row by row.
    private var steps: UInt64 = 0

    /// The most bits that differ between two that look alike, of 64.
    private static let mostDifferences = 10

    private static let (columns, rows) = (9, 8)

    /// - Parameters:
    ///   - bytes: The pixels, row by row, of at least three bytes each.
    ///   - width: At least nine, or there is no sketch.
    ///   - height: At least eight, or there is no sketch.
    package init?(_ bytes: [UInt8], width: Int, height: Int, bytesPerPixel: Int) {
        guard width >= Self.columns, height >= Self.rows, bytesPerPixel >= 3,
            bytes.count >= width * height * bytesPerPixel
        else { return nil }
        for row in 0..<Self.rows {
            let lines = height * row / Self.rows..<height * (row + 1) / Self.rows
            let means = (0..<Self.columns).map { column in
                let places = width * column / Self.columns..<width * (column + 1) / Self.columns
                var sum = 0
                for line in lines {
                    for place in places {
                        let start = (line * width + place) * bytesPerPixel
                        sum += Int(bytes[start]) + 2 * Int(bytes[start + 1]) + Int(bytes[start + 2])
                    }
                }
                return Double(sum) / Double(lines.count * places.count)
            }
            for (left, right) in zip(means, means.dropFirst()) { steps = steps << 1 | (left > right ? 1 : 0) }
        }
    }

    /// Whether somebody who saw both would say that they look alike.
    package func looksLike(_ other: PictureSketch) -> Bool {
        (steps ^ other.steps).nonzeroBitCount <= Self.mostDifferences
    }
}
