import Basics

extension PictureLayout {
    /// Cells of one proportion that fill the canvas.
    ///
    /// The rows' counts differ by one at most; where a row has fewer cells these are larger, so that no
    /// hole is left and no cell is flatter than another.
    ///
    /// - Parameter columns: cells a row at most, from 1; about as many as rows where `nil`.
    static func grid(_ sizes: [PixelSize], columns: Int? = nil, width: Int, gap: Int) -> PictureLayout {
        let columns = max(1, min(columns ?? self.columns(for: sizes.count), sizes.count))
        let gap = Double(max(0, gap))
        let ratios = sizes.map(\.ratio).sorted()
        // The middle one of the pictures' proportions, between 2:3 and 3:2.
        let ratio = ratios.isEmpty ? 1.5 : min(1.5, max(2 / 3, ratios[ratios.count / 2]))
        let rows = (sizes.count + columns - 1) / columns
        var frames: [LayoutFrame] = []
        var top = 0.0
        for row in 0..<rows {
            let count = sizes.count / rows + (row < sizes.count % rows ? 1 : 0)
            let room = max(Double(count), Double(width) - gap * Double(count - 1))
            let cell = room / Double(count)
            let bottom = top + max(1, (cell / ratio).rounded())
            for column in 0..<count {
                let left = Double(column) * (cell + gap)
                frames.append(LayoutFrame(left: left, top: top, right: left + cell, bottom: bottom))
            }
            top = bottom + gap
        }
        return PictureLayout(frames: frames)
    }

    /// Columns for so many cells that are wider than high: 1, 2, and 3 in a row, 4 in two, 6 in two, 12 in three.
    package static func columns(for count: Int) -> Int {
        count <= 3 ? max(1, count) : Int(Double(count).squareRoot().rounded(.up))
    }
}
