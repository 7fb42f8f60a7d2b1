import Basics
import Testing

@testable import TerminalPictures

struct PictureFitTests {
    @Test(arguments: [
        // size, box, cell → columns, rows, width, height
        ([400, 200], [20, 10], [10, 20], [20, 5, 200, 100]),
        ([200, 400], [20, 10], [10, 20], [10, 10, 100, 200]),
        ([200, 200], [20, 10], [10, 20], [20, 10, 200, 200]),
        ([1, 1], [20, 10], [10, 20], [20, 10, 200, 200]),
        ([300, 200], [80, 24], [8, 16], [72, 24, 576, 384]),
        ([3, 1000], [80, 24], [8, 16], [1, 24, 8, 384]),
        ([60_000, 1], [80, 24], [8, 16], [80, 1, 640, 16]), ([1, 60_000], [1, 1], [8, 16], [1, 1, 8, 16]),
        ([100, 100], [0, 0], [8, 16], [1, 1, 8, 16]),
        // 3:2 in a box as wide as high: 19 rows of 20 pixels are 57 columns of 10.
        ([6000, 4000], [58, 40], [10, 20], [57, 19, 570, 380]),
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

    @Test func `the aspect is kept to one percent or so, inside the box`() throws {
        for (width, height) in [(3, 2), (2, 3), (16, 9), (1, 1), (4, 1), (4, 9), (5, 7)] {
            for (columns, rows) in [(23, 9), (40, 20), (80, 20), (155, 43), (200, 56), (60, 60)] {
                for cell in [(8, 16), (9, 19), (10, 22), (7, 15)] {
                    let fit = PictureFit(
                        try #require(PixelSize(width: width, height: height)),
                        in: PictureBox(columns: columns, rows: rows),
                        cell: try #require(CellSize(width: cell.0, height: cell.1)))
                    #expect(fit.columns <= columns && fit.rows <= rows)
                    let found = Double(fit.width) / Double(fit.height) * Double(height) / Double(width)
                    let tolerance = min(columns, rows) < 15 ? 0.06 : 0.03
                    #expect(
                        max(found, 1 / found) < 1 + tolerance,
                        "\(width):\(height) in \(columns)×\(rows) \(cell)")
                }
            }
        }
    }

    @Test(arguments: [
        ([1400, 900], [1000, 874]), ([900, 1400], [1000, 874]), ([500, 500], [1000, 1000]),
        ([4000, 3000], [9000, 9000]),
    ])
    func `a limit of pixels is kept`(size: [Int], limit: [Int]) throws {
        let cell = try #require(CellSize(width: 10, height: 20))
        let fit = PictureFit(columns: size[0] / 10, rows: size[1] / 20, cell: cell)
        let most = try #require(PixelSize(width: limit[0], height: limit[1]))
        let limited = fit.limited(to: most, cell: cell)
        #expect(limited.width <= limit[0] && limited.height <= limit[1])
        #expect(limited.width * limited.height <= SixelLimit.mostPixels)
        #expect(
            fit.width <= limit[0] && fit.width * fit.height < 4_000_000 && fit.height <= limit[1]
                ? limited == fit : limited != fit)
    }

    @Test(arguments: [
        // pixels, aspect, chafa's cell → columns and rows
        ([756, 187], 4.0, [8, 8], [90, 23]), ([200, 100], 2.0, [8, 8], [24, 12]),
        ([200, 100], 2.0, [10, 20], [19, 5]), ([768, 510], 1.5, [8, 8], [95, 63]),
        ([4, 4], 1.0, [8, 8], [1, 1]), ([80, 3], 1000.0, [8, 8], [10, 1]),
        ([8, 800], 0.001, [8, 8], [1, 100]),
    ])
    func `sixels show the aspect by themselves`(
        size: [Int], ratio: Double, cell: [Int], cells: [Int]
    ) {
        let found = ChafaCells.within((size[0], size[1]), ratio: ratio, cell: (cell[0], cell[1]))
        #expect([found.columns, found.rows] == cells)
        #expect(cells[0] * cell[0] <= max(size[0], cell[0]) && cells[1] * cell[1] <= max(size[1], cell[1]))
    }

    @Test(arguments: [(0, 0), (10, 0), (1, 2), (10, 100), (30, 10), (5000, 5000), (-10, -20)])
    func `what can be no cell is none`(width: Int, height: Int) {
        #expect(CellSize(width: width, height: height) == nil)
    }
}
