import Foundation
import GalleryTestSupport
import PictureFiles
import ProductTestSupport
import Testing

@testable import GalleryCore
@testable import TerminalPictures
@testable import gallery

/// `e`: what the file says, and its histogram.
@Suite(.fewAtOnce, .timeLimit(.minutes(2))) struct HistogramLinesTests {
    /// Half of the pixels are black, a quarter is white, and a quarter is red.
    private static let histogram = Histogram(
        [0, 0, 0, 0, 0, 0, 255, 255, 255, 255, 0, 0], bytesPerPixel: 3)

    private static func look(_ histogram: Histogram? = histogram, remark: String? = nil) -> PictureLook {
        var metadata = PictureMetadata()
        (metadata.camera, metadata.aperture) = ("Leica\u{1B}[2J Q2", "f/2.8")
        return PictureLook(
            metadata: metadata, size: PixelSize(width: 64, height: 48), histogram: histogram, remark: remark)
    }

    @Test func `columns are drawn in eighths of a line`() {
        let counts = [0, 1, 2, 3, 4, 5, 6, 6]
        let pixels: [UInt8] = counts.enumerated().flatMap { value, count in
            (0..<count).flatMap { _ in [UInt8(value * 32), 0, 0] }
        }
        let steps = Histogram(pixels, bytesPerPixel: 3)
        #expect(steps.lines(.red, columns: 8, rows: 1) == [" ▁▃▄▅▇██"])
        #expect(steps.lines(.red, columns: 8, rows: 2) == ["    ▃▅██", " ▃▅█████"])
    }

    @Test func `e shows it in place of the details, and e again nothing`() {
        var model = ScreenState.model(columns: 60, rows: 40)
        _ = model.press(.character("e"))
        #expect(model.wantedLook?.pixels == ScreenState.file(7).url)
        #expect(ScreenState.lines(model).contains { $0.contains("Reading the file …") })
        (model.sidePanel.lookedAt, model.sidePanel.look) = (model.wantedLook, Self.look())
        let lines = ScreenState.lines(model)
        #expect(lines.contains("Camera       Leica[2J Q2") && lines.contains("Aperture     f/2.8"))
        #expect(lines.contains("Pixels       64×48"))
        #expect(lines.contains("Shadows 50\u{A0}% clipped, highlights 25\u{A0}%."))
        #expect(!lines.contains { $0.hasPrefix("Id ") || $0.hasPrefix("Service ") })
        // The next photo's is not this one's.
        model.cursor.current = ScreenState.entry(8)
        model.cursor.picture = .ready(ScreenState.file(8))
        #expect(!ScreenState.lines(model).contains { $0.contains("Leica") })
        _ = model.press(.character("i"))
        #expect(model.sidePanel.isShown && model.wantedLook == nil)
        #expect(ScreenState.lines(model).contains { $0.hasPrefix("Id ") })
        _ = model.press(.character("e"))
        _ = model.press(.character("e"))
        #expect(!model.sidePanel.isShown && model.wantedLook == nil)
    }

    @Test(arguments: [
        (1.0 / 3, 0.004, "Shadows 33\u{A0}% clipped, highlights below 1\u{A0}%."),
        (0, 1, "Shadows 0\u{A0}% clipped, highlights 100\u{A0}%."),
    ])
    func `shares are told in percent`(shadows: Double, highlights: Double, text: String) {
        let (black, white) = (Int(shadows * 3000), Int(highlights * 3000))
        let grays =
            Array(repeating: 0 as UInt8, count: black) + Array(repeating: 255, count: white)
            + Array(repeating: 99, count: 3000 - black - white)
        let histogram = Histogram(grays.flatMap { [$0, $0, $0] }, bytesPerPixel: 3)
        #expect(Self.look(histogram).clipped == text)
        for width in 20...40 {
            let lines = ScreenState.model().wrapped(text, width: width)
            #expect(!lines.contains { $0.hasPrefix("%") }, "\(lines)")
        }
    }

    private func look(chafa: String?, _ file: Data = Pictures.jpeg(width: 64, height: 48)) async throws
        -> PictureLook
    {
        try await withTemporaryDirectory { folder in
            let file = try PictureBench.file(file, "a.jpg", in: folder)
            var path = "/nowhere"
            if let chafa { path = try await PictureBench.chafa(in: folder, chafa).path }
            let environment = ["PATH": path]
            let reader = PictureReader(Chafa(environment), TrueColors(environment))
            return await reader.look(at: WantedLook(file: file, pixels: file))
        }
    }

    @Test func `pixels come from chafa, and without it a line says so`() async throws {
        let white = PictureBench.transparent.replacing("/dev/zero", with: "/dev/zero | tr '\\0' '\\377'")
        let read = try await look(chafa: white)
        #expect(read.clipped == "Shadows 0\u{A0}% clipped, highlights 100\u{A0}%." && read.remark == nil)
        #expect(read.facts(width: 40) == ["Pixels       64×48"])
        let missing = try await look(chafa: nil)
        #expect(missing.histogram == nil && missing.clipped == nil)
        #expect(missing.remark?.hasPrefix("For the histogram, install chafa: ") == true)
        for script in ["exit 1", "printf x", "kill -9 $$"] {
            let failed = try await look(chafa: script)
            #expect(failed.histogram == nil && failed.facts(width: nil) == ["Pixels       64×48"])
        }
    }

    @Test func `lines say it, too`() async throws {
        try await withBuiltProduct { gallery in
            let outcome = try await gallery.run(
                ["browse", "--plain", "1"], input: Data("e\n".utf8))
            #expect(
                outcome.status == 0 && outcome.lines.contains { $0.hasPrefix("Pixels ") }, "\(outcome.all)")
        }
    }
}
