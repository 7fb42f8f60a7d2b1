import Foundation
import GalleryCore
import GalleryTestSupport
import PictureFiles
import ProductTestSupport
import Testing

@testable import TerminalPictures
@testable import gallery

/// Programs are known by what they say of themselves: whatever else has their names is passed over.
@Suite(.fewAtOnce, .timeLimit(.minutes(2)))
struct HelperProgramTests {
    /// What a program does that has another's name.
    enum Impostor: String, CaseIterable, CustomTestStringConvertible {
        case nonsense = "echo 'a b c'"
        case silence = ":"
        case failure = "exit 1"
        case flood = "exec cat /dev/zero"
        case hang = "exec sleep 600"
        /// It says its name, as most programs do in an error.
        case name = "echo \"${0##*/}: something else\""
        /// It says the right thing, in vain.
        case failingNamesake = "echo 'vips-8 chafa'; exit 1"

        var testDescription: String { rawValue }
    }

    private static let all =
        ConverterProgram.all.map(\.program) + SVGDrawing.helpers + [.chafa, Desktop.opener]

    @Test(arguments: Impostor.allCases)
    func `of two programs of a name the one that is what it says is taken`(impostor: Impostor) async throws {
        try await withTemporaryDirectory { folder in
            let (before, real) = (folder.appending(path: "before"), folder.appending(path: "real"))
            for place in [before, real] {
                try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
            }
            let programs = Self.all.filter { $0.place == nil }
            let script = "#!/bin/sh\nPATH=/usr/bin:/bin\n\(impostor.rawValue)\n"
            for name in Set(programs.flatMap(\.names)) {
                try await PictureBench.program(name, script, in: before, isItself: false)
            }
            func paths(_ path: String) async -> [String?] {
                await withTaskGroup(of: (Int, String?).self) { group in
                    for (number, program) in programs.enumerated() {
                        group.addTask { (number, await program.path(in: ["PATH": path])) }
                    }
                    return await group.reduce(into: [Int: String?]()) { $0[$1.0] = $1.1 }
                        .sorted { $0.key < $1.key }.map(\.value)
                }
            }
            #expect(await paths(before.path).allSatisfy { $0 == nil })
            for program in programs {
                let script = "#!/bin/sh\necho '\(program.beginnings[0]) 1'\n"
                try await PictureBench.program(program.names[0], script, in: real, isItself: false)
            }
            let found = await paths("\(before.path):\(real.path)")
            #expect(found == programs.map { "\(real.path)/\($0.names[0])" })
        }
    }

    @Test func `nothing is asked twice in a run, unless another file takes its place`() async throws {
        try await withTemporaryDirectory { folder in
            let log = folder.appending(path: "asked")
            let script = "#!/bin/sh\necho asked >> '\(log.path)'\necho 'Chafa version 1'\n"
            try await PictureBench.program("chafa", script, in: folder, isItself: false)
            let environment = ["PATH": folder.path]
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<20 {
                    group.addTask {
                        #expect(await HelperProgram.chafa.path(in: environment) == folder.path + "/chafa")
                    }
                }
            }
            #expect(PictureBench.words(log).count == 1)
            try FileManager.default.removeItem(at: folder.appending(path: "chafa"))
            #expect(await HelperProgram.chafa.path(in: environment) == nil)
            try await PictureBench.program(
                "chafa", "#!/bin/sh\nexec echo other\n", in: folder, isItself: false)
            #expect(await HelperProgram.chafa.path(in: environment) == nil)
        }
    }

    @Test func `entries of PATH that hold no programs are passed over`() async throws {
        try await withTemporaryDirectory { folder in
            let files = FileManager.default
            for name in ["a", "b", "c", "good"] {
                try files.createDirectory(at: folder.appending(path: name), withIntermediateDirectories: true)
            }
            // A folder, a file that may not be run, one of another architecture, and one that is a program.
            try files.createDirectory(
                at: folder.appending(path: "a/chafa"), withIntermediateDirectories: true)
            try Data("#!/bin/sh\n".utf8).write(to: folder.appending(path: "b/chafa"))
            try await PictureBench.program(
                "chafa", "\u{7F}ELF\u{2}\u{2}\u{1}\n", in: folder.appending(path: "c"), isItself: false)
            try await PictureBench.program("chafa", "#!/bin/sh\n", in: folder.appending(path: "good"))
            let places = ["a", "b", "c"].map { folder.path + "/" + $0 }
            let others = ["", ".", "bin", "/nowhere", "/proc/1/root"] + places
            for path in [others, Array(repeating: "/x", count: 5_000) + others] {
                let environment = ["PATH": (path + [folder.path + "/good"]).joined(separator: ":")]
                #expect(
                    await HelperProgram.chafa.path(in: environment) == folder.path + "/good/chafa")
            }
            for environment in [[:], ["PATH": ""], ["PATH": "good:."]] {
                #expect(await HelperProgram.chafa.path(in: environment) == nil)
            }
        }
    }

    // MARK: - Converters over pictures

    @Test(arguments: [
        // Which of five pictures the first of two programs fails on, and on how many it is tried.
        ("11111", 3), ("00000", 5), ("11011", 5), ("01111", 4), ("10111", 5),
    ])
    func `a converter that fails on three pictures in a row is not tried again`(fails: String, tries: Int) {
        var record = ConverterRecord()
        var tried = 0
        for fails in fails {
            guard record.isTried("a", on: .jpeg) else { continue }
            tried += 1
            if fails == "1" {
                record.noteFailures(of: ["a"], on: .jpeg, isConverted: true)
                record.noteSuccess(of: "b", on: .jpeg)
            } else {
                record.noteSuccess(of: "a", on: .jpeg)
            }
        }
        #expect(tried == tries)
        #expect(record.isTried("a", on: .heif) && record.isTried("b", on: .jpeg))
    }

    @Test func `pictures that nothing converts cost no converter its place, unless it is alone`() {
        var record = ConverterRecord()
        for _ in 0..<9 { record.noteFailures(of: ["a", "b"], on: .jpeg, isConverted: false) }
        #expect(record.isTried("a", on: .jpeg) && record.isTried("b", on: .jpeg))
        for _ in 0..<3 { record.noteFailures(of: ["a"], on: .jpeg, isConverted: false) }
        #expect(!record.isTried("a", on: .jpeg) && record.isTried("a", on: nil))
    }

    @Test(arguments: ["exit 1", "echo nonsense", "cat '%/7.jpg'", ":", "head -c 80000000 /dev/zero"])
    func `the next converter makes what the first one fails on`(script: String) async throws {
        try await withTemporaryDirectory { folder in
            let log = folder.appending(path: "tries")
            let script = script.replacing("%", with: folder.path)
            try await PictureBench.program(
                "vipsthumbnail", "#!/bin/sh\nPATH=/usr/bin:/bin\necho try >> '\(log.path)'\n\(script)\n",
                in: folder)
            try await PictureBench.program(
                "ffmpeg", "#!/bin/sh\nexec /bin/cat '\(folder.path)/16.jpg'\n", in: folder)
            for edge in [7, 16] {
                try Pictures.jpeg(width: edge, height: edge / 2)
                    .write(to: folder.appending(path: "\(edge).jpg"))
            }
            let converter = PictureConverter(["PATH": folder.path])
            let file = try PictureBench.file(Pictures.jpeg(width: 32, height: 16), "a.jpg", in: folder)
            for _ in 0..<5 {
                let result = try await converter.convert(file, longestEdge: 16)
                #expect(ImageHeader(PictureBytes(result.bytes))?.size?.width == 16)
            }
            #expect(PictureBench.words(log).count == 3)
        }
    }

    // MARK: - The built program

    /// Runs the body with a folder of impostors, to be first on `PATH`, and an empty one after it.
    private func withImpostors(
        _ impostor: Impostor,
        _ body: (BuiltProduct, _ path: [String: String], _ real: URL) async throws -> Void
    ) async throws {
        try await withBuiltProduct { gallery in
            let (before, real) = (
                gallery.home.appending(path: "before"), gallery.home.appending(path: "real")
            )
            for place in [before, real] {
                try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
            }
            let script = "#!/bin/sh\nPATH=/usr/bin:/bin\n\(impostor.rawValue)\n"
            for name in Set(Self.all.flatMap(\.names)) {
                try await PictureBench.program(name, script, in: before, isItself: false)
            }
            try await body(gallery, ["PATH": "\(before.path):\(real.path)"], real)
        }
    }

    @Test(arguments: [Impostor.nonsense, .failure])
    func `a page and a collage are made by the next program, or say what is missing`(
        impostor: Impostor
    ) async throws {
        try await withImpostors(impostor) { gallery, path, real in
            let album = gallery.home.appending(path: "album")
            try FileManager.default.createDirectory(at: album, withIntermediateDirectories: true)
            try Pictures.jpeg(width: 3000, height: 2000).write(to: album.appending(path: "a.jpg"))
            let page = ["web", "--folder", album.path, "-o"]
            let bare = try await gallery.run(page + ["bare"], environment: path)
            #expect(bare.status == 0 && bare.errors.contains("Install vipsthumbnail"), "\(bare.all)")
            let line = ["collage", "1", "--width", "320", "--format", "png", "-o", "c.png"]
            let missing = try await gallery.run(line, environment: path)
            #expect(missing.status == 66, "\(missing.all)")
            #expect(
                missing.errors.hasPrefix("Error: Drawing a collage needs rsvg-convert or Chromium.\nHelp: "))

            let svg = try await gallery.run(
                ["collage", "1", "--width", "320", "-o", "c.svg"], environment: path)
            #expect(svg.status == 0, "\(svg.all)")
            let text = try String(contentsOf: gallery.folder.appending(path: "c.svg"), encoding: .utf8)
            let height = try #require(text.firstMatch(of: /height="([0-9]+)"/).flatMap { Int($0.1) })
            try Pictures.png(width: 320, height: height).write(to: real.appending(path: "drawn.png"))
            try await PictureBench.program(
                "rsvg-convert",
                """
                #!/bin/sh
                for word; do case $word in --output=*) out=${word#--output=};; esac; done
                /bin/cp '\(real.path)/drawn.png' "$out"
                """, in: real)
            let drawn = try await gallery.run(line, environment: path)
            #expect(drawn.status == 0 && drawn.lines == ["c.png"], "\(drawn.all)")
            #expect(try InspectedPicture(gallery.folder.appending(path: "c.png")).type == .png)

            try await PictureBench.program(
                "ffmpeg",
                """
                #!/bin/sh
                PATH=/usr/bin:/bin; for word; do case $word in *scale=*) size=${word#*scale=};; esac; done
                size=${size%:flags*}; echo "$size" >> '\(real.path)/made'; exit 1
                """, in: real)
            let made = try await gallery.run(page + ["site"], environment: path)
            #expect(made.status == 0, "\(made.all)")
            #expect(!PictureBench.words(real.appending(path: "made")).isEmpty)
            let doctor = try await gallery.run(["doctor"], environment: path)
            #expect(doctor.output.contains("/before/convert is not ImageMagick\n"), "\(doctor.output)")
        }
    }

    @Test(
        arguments: [Impostor.nonsense, .silence],
        [["popular", "--format", "grid"], ["show", "--picture", "1"]])
    func `without chafa a terminal says in one line what to install`(
        impostor: Impostor, line: [String]
    ) async throws {
        try await withImpostors(impostor) { gallery, path, _ in
            let run = try gallery.start(line, environment: path, terminal: TerminalSize())
            run.type("\u{1B}[?62;22c")
            let outcome = try await run.outcome()
            #expect(outcome.status == 0, "\(outcome.all)")
            let advice = "To see pictures here, \(Chafa.advice)"
            #expect(outcome.output.components(separatedBy: advice).count == 2, "\(outcome.output)")
        }
    }
}
