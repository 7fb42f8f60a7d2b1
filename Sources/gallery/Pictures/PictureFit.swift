import GalleryCore

/// How large a picture becomes in a box.
struct PictureFit: Hashable, Sendable {
    /// Cells it touches.
    let columns: Int
    let rows: Int
    /// Pixels of the terminal it covers.
    let width: Int
    let height: Int
    /// Whether the box's width, not its height, is what limits it.
    let isLimitedByWidth: Bool

    /// The largest size of a picture's shape in `box`; small pictures are enlarged, as all others are.
    init(_ size: PixelSize, in box: PictureBox, cell: PictureCell) {
        let room = (width: max(1, box.columns) * cell.width, height: max(1, box.rows) * cell.height)
        let scale = min(Double(room.width) / Double(size.width), Double(room.height) / Double(size.height))
        isLimitedByWidth = room.width * size.height <= room.height * size.width
        width = min(room.width, max(1, Int((Double(size.width) * scale).rounded())))
        height = min(room.height, max(1, Int((Double(size.height) * scale).rounded())))
        columns = (width + cell.width - 1) / cell.width
        rows = (height + cell.height - 1) / cell.height
    }
}
