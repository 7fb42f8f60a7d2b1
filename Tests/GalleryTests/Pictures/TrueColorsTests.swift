import Foundation
import GalleryCore
import GalleryTestSupport
import Testing

@testable import gallery

/// Pictures whose colors chafa does not know.
@Suite(.fewAtOnce, .timeLimit(.minutes(1)))
struct TrueColorsTests {
    /// Paints `file` with a chafa and a converter that note what they are given, and returns what chafa read, and what
    /// there is to say.
    private func painted(
        _ file: Data, _ name: String, converts: Bool = true, chafa: String = PictureBench.transparent
    ) async throws -> (read: [String], remark: String?) {
        try await withTemporaryDirectory { folder in
            let file = try PictureBench.file(file, name, in: folder)
            let (path, log) = try await PictureBench.chafa(in: folder, chafa)
            let made = folder.appending(path: "made.jpg")
            try Pictures.jpeg(width: 64, height: 48).write(to: made)
            if converts {
                try await PictureBench.program(
                    "vipsthumbnail", "#!/bin/sh\nexec cat '\(made.path)'\n", in: folder)
            }
            // No converter of this machine.
            let bin = folder.appending(path: "bin")
            try FileManager.default.createDirectory(at: bin, withIntermediateDirectories: true)
            for tool in ["sh", "cat", "env", "sort", "head", "base64", "tr", "printf"] {
                let program = ProcessRun.find(tool, in: ProcessInfo.processInfo.environment)
                try FileManager.default.createSymbolicLink(
                    atPath: bin.path + "/" + tool, withDestinationPath: try #require(program))
            }
            let only = path.replacing("/usr/bin:/bin", with: bin.path)
            let painter = PictureBench.painter(.kitty, path: only)
            let outcome = try await painter.paint(file, in: PictureBox(columns: 20, rows: 10))
            let read = PictureBench.words(log).filter { $0.hasPrefix("/") }
                .map { URL(filePath: $0).lastPathComponent }
            return (read, outcome.picture?.remark)
        }
    }

    @Test func `an AVIF goes through the converter`() async throws {
        let (read, remark) = try await painted(Pictures.avif(width: 64, height: 48), "a.avif")
        #expect(read == ["picture.jpg"] && remark == nil)
    }

    @Test func `a JPEG that may have other colors than sRGB does, too, and no other one`() async throws {
        // An APP2 segment with a profile.
        var jpeg = Pictures.jpeg(width: 64, height: 48)
        jpeg.insert(contentsOf: [0xFF, 0xE2, 0, 16] + Array("ICC_PROFILE\0".utf8) + [1, 1], at: 2)
        #expect(try await painted(jpeg, "a.jpg").read == ["picture.jpg"])
        #expect(try await painted(Pictures.jpeg(width: 64, height: 48), "a.jpg").read == ["a.jpg"])
    }

    @Test(arguments: [("Display P3", ["picture.jpg"]), ("sRGB IEC61966-2.1", [])])
    func `a PNG does, too, unless its profile is that of sRGB`(profile: String, read: [String]) async throws {
        let content = Array("\(profile)\0\0".utf8) + [0x78, 0x9C, 1, 2, 3]
        let png = PNG.adding([("iCCP", content)], to: Array(Pictures.png(width: 64, height: 48)))
        #expect(try await painted(Data(png), "a.png").read == read)
    }

    @Test func `without a converter it is shown as chafa sees it, which is said`() async throws {
        let (read, remark) = try await painted(
            Pictures.avif(width: 64, height: 48), "a.avif", converts: false)
        #expect(read == ["a.avif"])
        #expect(remark?.hasPrefix("The colors may be wrong; to see them right, install ") == true)
    }

    @Test func `what chafa cannot read may be read by the converter`() async throws {
        let chafa = "case \"$*\" in *picture.jpg) \(PictureBench.transparent);; *) exit 1;; esac"
        let (read, _) = try await painted(Pictures.jpeg(width: 64, height: 48), "a.jpg", chafa: chafa)
        #expect(read == ["a.jpg", "picture.jpg"])
    }
}
