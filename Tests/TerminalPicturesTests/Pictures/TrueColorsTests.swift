import Foundation
import GalleryTestSupport
import PictureFiles
import ProductTestSupport
import Testing

@testable import TerminalPictures

/// Pictures whose colors chafa does not know.
@Suite(.fewAtOnce, .timeLimit(.minutes(1)))
struct TrueColorsTests {
    /// Paints `file` with a chafa and a converter that note what they are given, and returns what chafa read, and what
    /// there is to say.
    private func painted(
        _ file: Data, _ name: String, _ part: PicturePart = .whole, converts: Bool = true,
        made content: Data = Pictures.jpeg(width: 64, height: 48), chafa: String = PictureBench.transparent
    ) async throws -> (read: [String], remark: String?) {
        try await withTemporaryDirectory { folder in
            let file = try PictureBench.file(file, name, in: folder)
            let (path, log) = try await PictureBench.chafa(in: folder, chafa)
            let made = folder.appending(path: "made")
            try content.write(to: made)
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
            let outcome = try await painter.paint(file, part, in: PictureBox(columns: 20, rows: 10))
            let read = PictureBench.words(log).filter { $0.hasPrefix("/") }
                .map { URL(filePath: $0).lastPathComponent }
            return (read, outcome.picture?.remark)
        }
    }

    /// An APP2 segment with a profile.
    private static let jpegWithProfile: Data = {
        var jpeg = Pictures.jpeg(width: 64, height: 48)
        let profile =
            [UInt8](repeating: 0, count: 36) + Array("acsp".utf8) + [UInt8](repeating: 0, count: 104)
        jpeg.insert(
            contentsOf: [0xFF, 0xE2, 0, 160] + Array("ICC_PROFILE\0".utf8) + [1, 1] + profile, at: 2)
        return jpeg
    }()

    @Test func `an AVIF goes through the converter`() async throws {
        let (read, remark) = try await painted(Pictures.avif(width: 64, height: 48), "a.avif")
        #expect(read == ["picture.jpg"] && remark == nil)
    }

    @Test func `a JPEG that may have other colors than sRGB does, too, and no other one`() async throws {
        #expect(try await painted(Self.jpegWithProfile, "a.jpg").read == ["picture.jpg"])
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

    @Test func `a converter that hands the profile on has changed nothing, which is said`() async throws {
        let (read, remark) = try await painted(Self.jpegWithProfile, "a.jpg", made: Self.jpegWithProfile)
        #expect(read == ["picture.jpg"])
        #expect(remark?.hasPrefix("The colors may be wrong; to see them right, install ") == true)
    }

    @Test func `an animation goes through the converter as a whole, or else as it is`() async throws {
        let webp = try Fixture.data("pictures/p3.webp")
        let made = Pictures.animatedWebP(width: 300, height: 200, delays: [100, 70])
        let converted = try await painted(webp, "a.webp", .frame(1), made: made)
        #expect(converted.read == ["picture.webp"] && converted.remark == nil)
        for (converts, made) in [(false, made), (true, Pictures.webp(width: 300, height: 200))] {
            let (read, remark) = try await painted(
                webp, "a.webp", .frame(1), converts: converts, made: made)
            #expect(read == ["a.webp"])
            #expect(remark?.hasPrefix("The colors may be wrong; to see them right, install ") == true)
        }
    }

    @Test(
        .needs("chafa") { await PictureBench.has(.chafa) },
        arguments: [
            ("vipsthumbnail", "p3.webp", true), ("vipsthumbnail", "p3.gif", false),
            ("convert", "p3.webp", true), ("convert", "p3.gif", true), ("ffmpeg", "p3.webp", false),
        ])
    func `each program that can makes every frame right, and no other one tries`(
        name: String, picture: String, isAble: Bool
    ) async throws {
        let environment = ProcessInfo.processInfo.environment
        let program = try #require(ConverterProgram.all.first { $0.program.names.contains(name) })
        let converter = PictureConverter(environment, programs: [program])
        _ = try needed(program.program.product, await converter.isInstalled ? program : nil)
        let file = Fixture.url("pictures/\(picture)")
        let format = PictureConverter.Format.animation(frames: 3)
        guard isAble else {
            await #expect(throws: PictureConverter.Fault.failed(name)) {
                try await converter.convert(file, longestEdge: 1024, format: format)
            }
            return
        }
        let result = try await converter.convert(file, longestEdge: 1024, format: format)
        try await withTemporaryDirectory { folder in
            let made = try InspectedPicture(PictureBench.file(Data(result.bytes), "a.webp", in: folder))
            #expect(made.timeline?.delays == [200, 200, 200])
            let frames = try await Chafa(environment).pixels(
                made, (30, 20), background: "000000", isAnimated: true)
            #expect(frames.count == 3)
            for frame in frames {
                let middle = (frame.height / 2 * frame.width + frame.width / 2) * 3
                let color = Array(frame.bytes[middle..<middle + 3])
                #expect(color[0] > 250 && color[1] < 8 && color[2] < 8, "\(color)")
            }
        }
    }

    @Test func `what chafa cannot read may be read by the converter`() async throws {
        let chafa = "case \"$*\" in *picture.jpg) \(PictureBench.transparent);; *) exit 1;; esac"
        let (read, _) = try await painted(Pictures.jpeg(width: 64, height: 48), "a.jpg", chafa: chafa)
        #expect(read == ["a.jpg", "picture.jpg"])
    }
}
