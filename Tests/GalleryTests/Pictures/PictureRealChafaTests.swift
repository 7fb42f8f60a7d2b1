import Foundation
import GalleryTestSupport
import Testing

@testable import gallery

/// The real one, of whatever version is here.
@Suite(.enabled(if: PictureBench.hasChafa, "chafa is not installed"), .timeLimit(.minutes(1)))
struct PictureRealChafaTests {
    private let path = ProcessInfo.processInfo.environment["PATH"] ?? ""

    private func paint(_ data: Data, _ name: String, by choice: PictureChoice) async throws -> PaintedPicture
    {
        try await withTemporaryDirectory { folder in
            let file = try PictureBench.file(data, name, in: folder)
            let outcome = try await PictureBench.painter(choice, path: path)
                .paint(file, in: PictureBox(columns: 20, rows: 10))
            return try #require(outcome.picture, "\(outcome)")
        }
    }

    @Test(arguments: ["a.jpg", "a.png", "a.gif", "a.webp"])
    func `symbols fill their rows`(name: String) async throws {
        let data = [
            "a.jpg": Pictures.jpeg(width: 64, height: 32), "a.png": Pictures.png(width: 64, height: 32),
            "a.gif": Pictures.gif(width: 64, height: 32), "a.webp": Pictures.webp(width: 64, height: 32),
        ]
        let picture = try await paint(try #require(data[name]), name, by: .symbols)
        #expect(picture.columns == 20 && picture.rows == 5)
    }

    @Test func `sixels fit their box`() async throws {
        let picture = try await paint(Pictures.jpeg(width: 640, height: 320), "a.jpg", by: .sixel)
        let sixels = try #require(PictureChafaOutput.sixels(try await PictureBench.bytes(picture)))
        #expect((180...200).contains(sixels.width) && (80...100).contains(sixels.height))
    }

    @Test func `pixels for kitty are all there`() async throws {
        let picture = try await paint(Pictures.jpeg(width: 640, height: 320), "a.jpg", by: .kitty)
        let raster = try #require(PictureChafaOutput.raster(try await PictureBench.bytes(picture)))
        #expect((180...200).contains(raster.width) && (80...100).contains(raster.height))
    }
}
