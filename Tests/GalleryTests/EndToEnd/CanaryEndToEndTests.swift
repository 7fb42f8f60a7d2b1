import Foundation
import GalleryTestSupport
import PictureFiles
import ProductTestSupport
import TerminalPictures
import Testing

/// What the built program publishes of pictures with a text in each place that their formats have.
@Suite(.fewAtOnce, .timeLimit(.minutes(10))) struct CanaryEndToEndTests {
    private static let programs = [[], ["vipsthumbnail", "convert", "ffmpeg"]]

    @Test(arguments: Thorough.cases(programs, few: 1))
    func `no place of a picture tells on a page or in a collage what it held`(programs: [String]) async throws
    {
        // What is in each place is looked for in the process; a page converts each picture several times.
        let step = Thorough.isOn && programs.isEmpty ? 4 : 8
        let pictures = CanaryPicture.all.enumerated().filter { $0.offset % step == 1 }.map(\.element)
        try await withBuiltProduct { gallery in
            let path = gallery.home.appending(path: "programs")
            try FileManager.default.createDirectory(at: path, withIntermediateDirectories: true)
            for name in programs {
                let found = ProcessRun.find(name, in: ProcessInfo.processInfo.environment)
                try FileManager.default.createSymbolicLink(
                    at: path.appending(path: name), withDestinationURL: URL(filePath: try needed(name, found))
                )
            }
            for (number, picture) in pictures.enumerated() {
                // The credit of a picture is one of what a collage and a safe page keep.
                let folder = gallery.home.appending(path: picture.isCredit ? "all/credits" : "all/album")
                try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
                let file = folder.appending(path: "\(number + 1000).\(picture.type.fileExtension)")
                try Data(picture.bytes).write(to: file)
            }
            var counts: [String] = []
            for (album, metadata) in [("all/album", "safe"), ("all", "none")] {
                let run = try await gallery.run(
                    [
                        "web", "1-", "-s", "folder", "--folder", gallery.home.appending(path: album).path,
                        "-o", metadata,
                        "--metadata-in-pictures", metadata, "--by", "none",
                    ], environment: ["PATH": path.path])
                #expect([0, 1].contains(run.status), "\(run.all)")
                let files = try Self.files(gallery.folder.appending(path: metadata))
                for file in files {
                    #expect(
                        !CanaryPicture.isFound(in: Array(try Data(contentsOf: file))),
                        "\(metadata): \(file.path)")
                }
                let full = files.count { $0.path.contains("/full/") }
                #expect(full >= pictures.count / 3)
                counts.append("\(metadata) \(full) whole files of \(files.count)")
            }
            let run = try await gallery.run(
                [
                    "collage", "1-", "-s", "folder", "--folder",
                    gallery.home.appending(path: "all/album").path, "-o",
                    "c.svg", "--limit", "\(pictures.count)",
                ], environment: ["PATH": path.path])
            #expect([0, 1].contains(run.status), "\(run.all)")
            let drawing = try String(contentsOf: gallery.folder.appending(path: "c.svg"), encoding: .utf8)
            let embedded = drawing.components(separatedBy: ";base64,").dropFirst().map { rest in
                Array(Data(base64Encoded: String(rest.prefix { $0 != "\"" })) ?? Data())
            }
            #expect(embedded.count >= pictures.count / 3 && !embedded.contains(where: CanaryPicture.isFound))
            counts.append("collage \(embedded.count)")
            print("Canaries of \(pictures.count) places, with \(programs): \(counts.joined(separator: ", "))")
        }
    }

    /// The pictures of a page.
    private static func files(_ site: URL) throws -> [URL] {
        try FileManager.default.subpathsOfDirectory(atPath: site.path)
            .filter { $0.hasPrefix("full/") || $0.hasPrefix("thumbs/") }.map { site.appending(path: $0) }
    }
}
