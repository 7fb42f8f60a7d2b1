import GalleryCore
import Testing

@testable import gallery

struct PictureFitTests {
    @Test(arguments: [
        // size, box, cell → columns, rows, width, height
        ([400, 200], [20, 10], [10, 20], [20, 5, 200, 100]),
        ([200, 400], [20, 10], [10, 20], [10, 10, 100, 200]),
        ([200, 200], [20, 10], [10, 20], [20, 10, 200, 200]),
        ([1, 1], [20, 10], [10, 20], [20, 10, 200, 200]),
        ([300, 200], [80, 24], [8, 16], [72, 24, 576, 384]),
        ([3, 1000], [80, 24], [8, 16], [1, 24, 1, 384]),
        ([60_000, 1], [80, 24], [8, 16], [80, 1, 640, 1]), ([1, 60_000], [1, 1], [8, 16], [1, 1, 1, 16]),
        ([100, 100], [0, 0], [8, 16], [1, 1, 8, 8]),
    ])
    func `as large as the box and the shape allow`(
        size: [Int], box: [Int], cell: [Int], fit: [Int]
    ) throws {
        let found = PictureFit(
            try #require(PixelSize(width: size[0], height: size[1])),
            in: PictureBox(columns: box[0], rows: box[1]),
            cell: try #require(CellSize(width: cell[0], height: cell[1])))
        #expect([found.columns, found.rows, found.width, found.height] == fit)
    }

    @Test(arguments: [(0, 0), (10, 0), (1, 2), (10, 100), (30, 10), (5000, 5000), (-10, -20)])
    func `what can be no cell is none`(width: Int, height: Int) {
        #expect(CellSize(width: width, height: height) == nil)
    }
}
