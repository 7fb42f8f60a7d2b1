import Basics

extension PictureLayout {
    /// Rows of pictures in their own proportions, every row as wide as the canvas.
    ///
    /// Breaks fall where all rows together come closest to the target height, as in a well-set
    /// paragraph, rather than wherever a row is full.
    ///
    /// - Parameter targetHeight: the height rows should have, in pixels, from 1.
    static func rows(_ sizes: [PixelSize], width: Int, targetHeight: Int, gap: Int) -> PictureLayout {
        let measure = RowMeasure(
            ratios: sizes.map(\.ratio), width: Double(max(1, width)), target: Double(max(1, targetHeight)),
            gap: Double(max(0, gap)))
        var frames: [LayoutFrame] = []
        var top = 0.0
        for row in measure.bestRows() {
            let bottom = top + measure.height(of: row).rounded()
            var left = 0.0
            for index in row {
                let right = left + measure.ratios[index] * measure.height(of: row)
                frames.append(LayoutFrame(left: left, top: top, right: right, bottom: bottom))
                left = right + measure.gap
            }
            top = bottom + measure.gap
        }
        return PictureLayout(frames: frames)
    }
}

private struct RowMeasure {
    let ratios: [Double]
    let width: Double
    let target: Double
    let gap: Double

    /// The height at which a row fills the width.
    func height(of row: Range<Int>) -> Double {
        let room = max(Double(row.count), width - gap * Double(row.count - 1))
        return max(1, room / ratios[row].reduce(0, +))
    }

    /// The rows whose heights are closest to the target, by the sum of squares.
    func bestRows() -> [Range<Int>] {
        // The best way to set the pictures before each break: its cost, and where its last row begins.
        var best: [(cost: Double, start: Int)] = [(0, 0)]
        for end in ratios.indices.map({ $0 + 1 }) {
            var choice = (cost: Double.infinity, start: end - 1)
            for start in stride(from: end - 1, through: 0, by: -1) {
                let row = start..<end
                let cost = best[start].cost + cost(of: row)
                if cost < choice.cost { choice = (cost, start) }
                // Longer rows are only lower.
                if height(of: row) < target / 4 { break }
            }
            best.append(choice)
        }
        var rows: [Range<Int>] = []
        var end = ratios.count
        while end > 0 {
            rows.append(best[end].start..<end)
            end = best[end].start
        }
        return rows.reversed()
    }

    private func cost(of row: Range<Int>) -> Double {
        let gaps = gap * Double(row.count - 1)
        // No room for the gaps: only where nothing else is left.
        guard row.count == 1 || width - gaps >= Double(row.count) else { return 1e12 }
        let height = height(of: row)
        let miss = max(height / target, target / height) - 1
        return miss * miss
    }
}
