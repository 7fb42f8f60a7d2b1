import Basics
import GalleryTestSupport
import Testing

@testable import Publishing

/// Rows, cells, and mosaics: pure values, checked by tables and by what holds for any pictures.
@Suite(.fewAtOnce) struct LayoutTests {
    struct RowCase: CustomTestStringConvertible {
        let name: String
        let sizes: [(Int, Int)]
        let rows: [Int]
        /// The first row's height, and the canvas's.
        let heights: (Int, Int)

        var testDescription: String { name }
    }

    @Test(arguments: [
        RowCase(name: "no pictures", sizes: [], rows: [], heights: (0, 0)),
        RowCase(name: "one picture fills the width", sizes: [(400, 200)], rows: [1], heights: (500, 500)),
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
            sizes: [(100, 100), (4000, 400), (100, 100)], rows: [3], heights: (82, 82)),
        RowCase(
            name: "portraits share a row", sizes: .init(repeating: (300, 600), count: 10), rows: [10],
            heights: (182, 182)),
    ])
    func `rows break where they come closest to the target`(test: RowCase) throws {
        let sizes = try test.sizes.map { try #require(PixelSize(width: $0.0, height: $0.1)) }
        let layout = PictureLayout.rows(sizes, width: 1000, targetHeight: 200, gap: 10)
        let tops = Set(layout.frames.map(\.y)).sorted()
        #expect(tops.map { top in layout.frames.count { $0.y == top } } == test.rows)
        #expect(layout.frames.first?.height ?? 0 == test.heights.0)
        #expect(layout.height == test.heights.1)
    }

    @Test(arguments: [((5000, 1000), 200), ((1000, 5000), 450), ((300, 250), 250)])
    func `a grid's cells are no panoramas and no pillars`(size: (Int, Int), height: Int) throws {
        let picture = try #require(PixelSize(width: size.0, height: size.1))
        let layout = PictureLayout.grid(
            Array(repeating: picture, count: 4), columns: 2, width: 600, gap: 0)
        #expect(layout.frames.map(\.width) == [300, 300, 300, 300])
        #expect(layout.frames.map(\.height) == [height, height, height, height])
    }

    @Test(
        arguments: [
            (1, nil, [1]), (2, nil, [2]), (3, nil, [3]), (4, nil, [2, 2]), (5, nil, [3, 2]),
            (6, nil, [3, 3]),
            (7, nil, [3, 2, 2]), (12, nil, [4, 4, 4]), (5, 4, [3, 2]), (3, 9, [3]), (3, 1, [1, 1, 1]),
        ] as [(Int, Int?, [Int])])
    func `a grid leaves no hole`(count: Int, columns: Int?, rows: [Int]) throws {
        let sizes = Array(repeating: try #require(PixelSize(width: 3, height: 2)), count: count)
        let layout = PictureLayout.grid(sizes, columns: columns, width: 900, gap: 6)
        let tops = Set(layout.frames.map(\.y)).sorted()
        #expect(tops.map { top in layout.frames.count { $0.y == top } } == rows)
        #expect(layout.frames.allSatisfy { $0.crop(of: sizes[0].ratio) < 0.01 })
    }

    @Test(arguments: Collage.Style.allCases, [1.0, 16.0 / 9, 0.5, 3])
    func `a canvas of any shape has all pictures in it, uncropped but for a little`(
        style: Collage.Style, ratio: Double
    ) throws {
        for count in [1, 2, 5, 6, 12] {
            let photos = try (0..<count).map { number in
                let size = try #require(PixelSize(width: [300, 200, 400][number % 3], height: 200))
                return PublishingSamples.collaged(
                    "A", file: Fixture.url("sample/thumb/clock.jpg"), size: size)
            }
            let collage = Collage(photos, style: style, width: 1200, ratio: ratio)
            let size = try #require(collage.size)
            #expect(size.width == 1200 && abs(size.ratio / ratio - 1) < 0.01)
            for (_, picture, frame) in collage.images {
                #expect(frame.x >= 0 && frame.y >= 0, "\(frame)")
                #expect(frame.x + frame.width <= size.width && frame.y + frame.height <= size.height)
                #expect(style == .grid || frame.crop(of: picture.size.ratio) < 0.16, "\(frame)")
            }
            let across = collage.images.map { $0.frame.x + $0.frame.width }.max() == size.width
            let down = collage.images.map { $0.frame.y + $0.frame.height }.max() == size.height
            #expect(across || down)
        }
    }

    @Test func `a grid's cells fill a canvas of another shape`() throws {
        let size = try #require(PixelSize(width: 300, height: 200))
        let photos = (0..<6).map { _ in
            PublishingSamples.collaged("A", file: Fixture.url("sample/thumb/clock.jpg"), size: size)
        }
        let frames = Collage(photos, width: 1200, ratio: 16.0 / 9).images.map(\.frame)
        #expect(frames.map { $0.x + $0.width }.max() == 1200 && frames.map { $0.y + $0.height }.max() == 675)
        #expect(frames.map(\.x).min() == 0 && frames.map(\.y).min() == 0)
    }

    @Test(arguments: Thorough.cases(1...60, few: 6))
    func `rows and mosaics fill a rectangle and crop next to nothing`(seed: Int) throws {
        var chance = SeededGenerator(seed: UInt64(seed))
        let sizes = try (0..<Int.random(in: 1...20, using: &chance)).map { _ in
            try #require(
                PixelSize(
                    width: .random(in: 300...1200, using: &chance),
                    height: .random(in: 300...1200, using: &chance)))
        }
        let gap = Int.random(in: 0...12, using: &chance)
        let rows = PictureLayout.rows(sizes, width: 1500, targetHeight: 300, gap: gap)
        for layout in [rows, .mosaic(sizes, width: 1500, gap: gap)] {
            #expect(layout.frames.count == sizes.count)
            #expect(zip(layout.frames, sizes).allSatisfy { $0.crop(of: $1.ratio) < 0.1 })
            #expect(Self.fills(layout, width: 1500, gap: gap))
        }
    }

    /// Frames to the pixel: what is a pixel off in one version moves every picture of a wall.
    @Test func `layouts put each frame where they always have`() throws {
        let sizes = try [(3, 2), (2, 3), (1, 1), (16, 9), (4, 3), (3, 4), (2, 1), (5, 4), (9, 16)].map {
            try #require(PixelSize(width: $0.0 * 100, height: $0.1 * 100))
        }
        func frames(_ layout: PictureLayout) -> [[Int]] {
            layout.frames.map { [$0.x, $0.y, $0.width, $0.height] }
        }
        #expect(frames(.mosaic(sizes, width: 1000, gap: 7)) == Self.mosaicFrames)
        #expect(frames(.rows(sizes, width: 1000, targetHeight: 250, gap: 7)) == Self.rowFrames)
        #expect(frames(.grid(sizes, width: 1000, gap: 7)) == Self.gridFrames)
    }

    private static let mosaicFrames = [
        [0, 0, 687, 458], [694, 0, 306, 458], [0, 465, 357, 358], [364, 465, 636, 358], [0, 830, 332, 249],
        [0, 1086, 332, 442], [339, 830, 661, 331], [339, 1168, 451, 360], [797, 1168, 203, 360],
    ]
    private static let rowFrames = [
        [0, 0, 467, 311], [474, 0, 208, 311], [689, 0, 311, 311], [0, 318, 454, 255], [461, 318, 340, 255],
        [808, 318, 192, 255], [0, 580, 517, 259], [524, 580, 324, 259], [855, 580, 145, 259],
    ]
    private static let gridFrames = [
        [0, 0, 329, 263], [336, 0, 328, 263], [671, 0, 329, 263], [0, 270, 329, 263], [336, 270, 328, 263],
        [671, 270, 329, 263], [0, 540, 329, 263], [336, 540, 328, 263], [671, 540, 329, 263],
    ]

    @Test(arguments: Thorough.cases(1...40, few: 4))
    func `the blocks of a mosaic stand a gap apart`(seed: Int) throws {
        var chance = SeededGenerator(seed: UInt64(seed))
        let count = Int.random(in: 8...30, using: &chance)
        let sizes = try (0..<count).map { _ in
            try #require(
                PixelSize(
                    width: .random(in: 300...900, using: &chance),
                    height: .random(in: 300...900, using: &chance)))
        }
        let gap = Int.random(in: 1...12, using: &chance)
        let frames = PictureLayout.mosaic(sizes, width: 1500, gap: gap).frames
        let blocks = (count + PictureLayout.mosaicBlock - 1) / PictureLayout.mosaicBlock
        var bottom = -gap
        for block in 0..<blocks {
            let own = frames[count * block / blocks..<count * (block + 1) / blocks]
            #expect(own.map(\.y).min() == bottom + gap)
            bottom = own.map { $0.y + $0.height }.max() ?? 0
        }
    }

    @Test func `a grid fills its rectangle too`() throws {
        let sizes = Array(repeating: try #require(PixelSize(width: 4, height: 3)), count: 11)
        #expect(Self.fills(.grid(sizes, columns: 4, width: 1201, gap: 7), width: 1201, gap: 7))
    }

    @Test func `the narrowest canvas and the widest gap still give every picture a pixel`() throws {
        let sizes = Array(repeating: try #require(PixelSize(width: 5000, height: 3)), count: 9)
        for layout: PictureLayout in [
            .rows(sizes, width: 1, targetHeight: 1, gap: 1000), .grid(sizes, width: 1, gap: 1000),
            .mosaic(sizes, width: 1, gap: 1000),
        ] {
            #expect(layout.frames.count == 9)
            #expect(layout.frames.allSatisfy { $0.width >= 1 && $0.height >= 1 && $0.x >= 0 && $0.y >= 0 })
        }
    }

    @Test func `a thousand pictures are laid out in order`() throws {
        let count = Thorough.size(1000, small: 200)
        let sizes = try (0..<count).map { try #require(PixelSize(width: 300 + $0 % 7 * 100, height: 400)) }
        let rows = PictureLayout.rows(sizes, width: 1200, targetHeight: 200, gap: 8)
        #expect(zip(rows.frames, rows.frames.dropFirst()).allSatisfy { ($0.y, $0.x) < ($1.y, $1.x) })
        #expect(rows.frames.allSatisfy { (150...260).contains($0.height) })
        #expect(PictureLayout.mosaic(sizes, width: 1200, gap: 8).frames.count == count)
    }

    /// Whether frames lie in the canvas, side by side without overlap, with nothing but gaps between them.
    private static func fills(_ layout: PictureLayout, width: Int, gap: Int) -> Bool {
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
