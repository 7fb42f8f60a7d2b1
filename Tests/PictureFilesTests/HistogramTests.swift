import PictureFiles
import Testing

@Suite struct HistogramTests {
    private static func grays(_ values: [UInt8]) -> [UInt8] { values.flatMap { [$0, $0, $0] } }

    @Test(
        arguments: [
            ("black", grays([0, 0, 0]), [1, 0, 0, 0], 1, 0),
            ("white", grays([255, 255]), [0, 0, 0, 1], 0, 1),
            ("gray", grays([128, 128]), [0, 0, 1, 0], 0, 0),
            ("a gradient", grays((0...255).map { $0 }), [1, 1, 1, 1], 2.0 / 256, 2.0 / 256),
            // What is clipped leaves the others as high as they are.
            (
                "a clipped sky", grays([64, 128, 128] + Array(repeating: 255, count: 97)), [0, 0.5, 1, 1], 0,
                0.97
            ),
            ("nothing", [], [0, 0, 0, 0], 0, 0),
        ] as [(String, [UInt8], [Double], Double, Double)])
    func `columns and clipping`(
        name: String, pixels: [UInt8], heights: [Double], shadows: Double, highlights: Double
    ) {
        let histogram = Histogram(pixels, bytesPerPixel: 3)
        for channel in Histogram.Channel.allCases {
            #expect(histogram.heights(channel, columns: 4) == heights, "\(name)")
        }
        #expect(histogram.clipped == (shadows, highlights))
    }

    @Test func `colors are counted apart, by their weight in the luminance`() {
        let histogram = Histogram([255, 0, 0, 255, 0, 0], bytesPerPixel: 3)
        #expect(histogram.heights(.red, columns: 2) == [0, 1])
        #expect(histogram.heights(.green, columns: 2) == [1, 0])
        // 0.2126 of 255 is 54.
        #expect(histogram.heights(.luminance, columns: 256).firstIndex(of: 1) == 54)
    }

    @Test func `what is transparent is not counted, and neither is half a pixel`() {
        let histogram = Histogram([255, 255, 255, 0, 9, 9, 9, 255, 7], bytesPerPixel: 4)
        #expect(histogram.clipped == (0, 0))
        #expect(histogram.heights(.luminance, columns: 256).firstIndex(of: 1) == 9)
    }

    @Test(arguments: [-1, 0, 1, 7, 64, 256, 1000])
    func `any number of columns will do`(columns: Int) {
        let histogram = Histogram(Self.grays((0...255).map { $0 }), bytesPerPixel: 3)
        let heights = histogram.heights(.blue, columns: columns)
        #expect(heights.count == min(max(1, columns), 256) && heights.allSatisfy { $0 == 1 })
    }
}
