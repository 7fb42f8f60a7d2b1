import GalleryTestSupport
import Testing

@testable import GalleryCore

/// Rows, cells, and mosaics: pure values, checked by tables and by what holds for any pictures.
@Suite(.fewAtOnce) struct LayoutTests {
    struct RowCase: CustomTestStringConvertible {
        let name: String
        let sizes: [(Int, Int)]
        var lastRow = JustifiedRows.LastRow.filled
        /// Pictures a row.
        let rows: [Int]
        /// The first row's height, and the canvas's.
        let heights: (Int, Int)

        var testDescription: String { name }
    }

    @Test(arguments: [
        RowCase(name: "no pictures", sizes: [], rows: [], heights: (0, 0)),
        RowCase(name: "one picture fills the width", sizes: [(400, 200)], rows: [1], heights: (500, 500)),
        RowCase(
            name: "one picture stands at the target where it may end early", sizes: [(400, 200)],
            lastRow: .natural, rows: [1], heights: (200, 200)),
        RowCase(
            name: "five squares are one row", sizes: .init(repeating: (9, 9), count: 5), rows: [5],
            heights: (192, 192)),
        RowCase(
            name: "six squares are one row, since two would be farther from the target",
            sizes: .init(repeating: (9, 9), count: 6), rows: [6], heights: (158, 158)),
        RowCase(
            name: "ten squares are two rows", sizes: .init(repeating: (9, 9), count: 10), rows: [5, 5],
            heights: (192, 394)),
        RowCase(
            name: "a panorama takes in what would be as high as the canvas is wide",
            sizes: [(100, 100), (4000, 400), (100, 100)], lastRow: .natural, rows: [2, 1],
            heights: (90, 300)),
        RowCase(
            name: "portraits share a row", sizes: .init(repeating: (300, 600), count: 10), rows: [10],
            heights: (182, 182)),
    ])
    func `rows break where they come closest to the target`(test: RowCase) throws {
        let sizes = try test.sizes.map { try #require(PixelSize(width: $0.0, height: $0.1)) }
        let layout = JustifiedRows(sizes, width: 1000, targetHeight: 200, gap: 10, lastRow: test.lastRow)
        #expect(layout.rows.map(\.count) == test.rows)
        #expect(layout.frames.first?.height ?? 0 == test.heights.0)
        #expect(layout.height == test.heights.1)
    }

    @Test(
        arguments: [
            (1, nil, [1]), (2, nil, [2]), (3, nil, [3]), (4, nil, [2, 2]), (5, nil, [3, 2]),
            (6, nil, [3, 3]),
            (7, nil, [3, 2, 2]), (12, nil, [4, 4, 4]), (5, 4, [3, 2]), (3, 9, [3]), (3, 1, [1, 1, 1]),
        ] as [(Int, Int?, [Int])])
    func `a grid leaves no hole`(count: Int, columns: Int?, rows: [Int]) throws {
        let sizes = Array(repeating: try #require(PixelSize(width: 3, height: 2)), count: count)
        let layout = GridLayout(sizes, columns: columns, width: 900, gap: 6)
        let tops = Set(layout.frames.map(\.y)).sorted()
        #expect(tops.map { top in layout.frames.count { $0.y == top } } == rows)
        #expect(layout.frames.allSatisfy { $0.crop(of: sizes[0]) < 0.01 })
    }

    @Test(arguments: 1...60)
    func `rows and mosaics fill a rectangle and crop next to nothing`(seed: Int) throws {
        var chance = SeededGenerator(seed: UInt64(seed))
        let sizes = try (0..<Int.random(in: 1...20, using: &chance)).map { _ in
            try #require(
                PixelSize(
                    width: .random(in: 300...1200, using: &chance),
                    height: .random(in: 300...1200, using: &chance)))
        }
        let gap = Int.random(in: 0...12, using: &chance)
        let rows = JustifiedRows(sizes, width: 1500, targetHeight: 300, gap: gap)
        for layout in [rows, MosaicLayout(sizes, width: 1500, gap: gap)] as [any PictureLayout] {
            #expect(layout.frames.count == sizes.count)
            #expect(zip(layout.frames, sizes).allSatisfy { $0.crop(of: $1) < 0.1 })
            #expect(Self.fills(layout, width: 1500, gap: gap))
        }
    }

    @Test func `a grid fills its rectangle too`() throws {
        let sizes = Array(repeating: try #require(PixelSize(width: 4, height: 3)), count: 11)
        #expect(Self.fills(GridLayout(sizes, columns: 4, width: 1201, gap: 7), width: 1201, gap: 7))
    }

    @Test func `the narrowest canvas and the widest gap still give every picture a pixel`() throws {
        let sizes = Array(repeating: try #require(PixelSize(width: 5000, height: 3)), count: 9)
        for layout in [
            JustifiedRows(sizes, width: 1, targetHeight: 1, gap: 1000),
            GridLayout(sizes, width: 1, gap: 1000),
            MosaicLayout(sizes, width: 1, gap: 1000),
        ] as [any PictureLayout] {
            #expect(layout.frames.count == 9)
            #expect(layout.frames.allSatisfy { $0.width >= 1 && $0.height >= 1 && $0.x >= 0 && $0.y >= 0 })
        }
    }

    @Test func `a thousand pictures are laid out in order`() throws {
        let sizes = try (0..<1000).map { try #require(PixelSize(width: 300 + $0 % 7 * 100, height: 400)) }
        let rows = JustifiedRows(sizes, width: 1200, targetHeight: 200, gap: 8)
        #expect(rows.rows.flatMap { Array($0) } == Array(0..<1000))
        #expect(rows.frames.allSatisfy { (150...260).contains($0.height) })
        #expect(MosaicLayout(sizes, width: 1200, gap: 8).frames.count == 1000)
    }

    /// Whether frames lie in the canvas, side by side without overlap, with nothing but gaps between them.
    private static func fills(_ layout: any PictureLayout, width: Int, gap: Int) -> Bool {
        // Grown by the gap to the right and down, the frames must cover every point of the grown canvas once.
        let (right, bottom) = (width + gap, layout.height + gap)
        let edges = Set(layout.frames.flatMap { [$0.x, $0.x + $0.width + gap] }).sorted()
        let levels = Set(layout.frames.flatMap { [$0.y, $0.y + $0.height + gap] }).sorted()
        guard edges.first == 0, levels.first == 0, edges.last == right, levels.last == bottom else {
            return false
        }
        for (left, next) in zip(edges, edges.dropFirst()) {
            for (top, below) in zip(levels, levels.dropFirst()) {
                // Edges are rounded one by one: a sliver of a pixel may be covered twice, or not at all.
                guard next - left > 2, below - top > 2 else { continue }
                let (x, y) = ((left + next) / 2, (top + below) / 2)
                let count = layout.frames.count {
                    $0.x <= x && x < $0.x + $0.width + gap && $0.y <= y && y < $0.y + $0.height + gap
                }
                if count != 1 { return false }
            }
        }
        return true
    }
}
