import Foundation
import GalleryCore
import GalleryTestSupport
import PictureFiles
import ProductTestSupport
import TerminalPictures
import Testing

@testable import gallery

/// Turning a folder's JPEG files, by `browse --plain --write` and in files alone.
@Suite(.fewAtOnce, .timeLimit(.minutes(2))) struct TurnWriterTests {
    /// A JPEG whose EXIF says that it is upright.
    static let jpeg = Data(JPEG.adding(orientation: 1, to: Array(Pictures.jpeg(bytes: 5000, seed: 1))))

    private func withFile(
        _ data: Data = jpeg, _ body: (_ folder: URL, _ file: URL) async throws -> Void
    ) async throws {
        try await withTemporaryDirectory { folder in
            let file = folder.appending(path: "a.jpg")
            try data.write(to: file)
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSince1970: 1_000_000_000), .posixPermissions: 0o640],
                ofItemAtPath: file.path)
            try await body(folder, file)
        }
    }

    private func turn(
        _ file: URL, by quarters: Int = 1, path: String = "/nowhere", variables: [String: String] = [:]
    ) async throws(FileEditFault) {
        let environment = variables.merging(["PATH": path, "HOME": "/nowhere"]) { one, _ in one }
        try await TurnWriter(environment: environment).turn(file, by: quarters)
    }

    @Test func `one byte changes, and its time and permissions stay`() async throws {
        try await withFile { folder, file in
            try await turn(file)
            let turned = try Data(contentsOf: file)
            #expect(turned.count == Self.jpeg.count && zip(turned, Self.jpeg).filter { $0 != $1 }.count == 1)
            #expect(PictureContent.orientation(ofJPEG: Array(turned)) == 6)
            let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
            #expect(attributes[.modificationDate] as? Date == Date(timeIntervalSince1970: 1_000_000_000))
            #expect(attributes[.posixPermissions] as? Int == 0o640)
            try await turn(file, by: 3)
            #expect(try Data(contentsOf: file) == Self.jpeg)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["a.jpg"])
        }
    }

    @Test func `the desktop's thumbnails of it go, and no others`() async throws {
        try await withFile { folder, file in
            let cache = folder.appending(path: "cache")
            let thumbnails = DesktopThumbnails(["XDG_CACHE_HOME": cache.path])
            let size = DesktopThumbnails.sizes[1]
            let other = folder.appending(path: "b.jpg")
            let files = [file, other].map { thumbnails.file(size, ThumbnailNote(file: $0, modified: 7)) }
            try FileManager.default.createDirectory(
                at: files[0].deletingLastPathComponent(), withIntermediateDirectories: true)
            for file in files { try Data("x".utf8).write(to: file) }
            try await turn(file, variables: ["XDG_CACHE_HOME": cache.path])
            #expect(files.map { FileManager.default.fileExists(atPath: $0.path) } == [false, true])
        }
    }

    /// Why a file is not turned; `nil` where it is.
    private func refusal(_ file: URL) async -> String? {
        do throws(FileEditFault) {
            try await turn(file)
            return nil
        } catch {
            return error.description
        }
    }

    @Test(
        arguments: [
            (Pictures.png(width: 4, height: 4), "it is not a whole JPEG"),
            (Data(jpeg.dropLast(2)), "it is not a whole JPEG"),
            (
                Pictures.jpeg(bytes: 5000, seed: 1),
                "its EXIF says no orientation, and exiftool, which adds one, is not installed"
            ),
        ] as [(Data, String)])
    func `what cannot be turned is told, and stays`(data: Data, reason: String) async throws {
        try await withFile(data) { _, file in
            let said = await refusal(file)
            #expect(said == "'a.jpg' could not be turned: \(reason).")
            let left = try Data(contentsOf: file)
            #expect(left == data)
        }
    }

    @Test func `links and read-only files are not turned`() async throws {
        try await withFile { folder, file in
            let link = folder.appending(path: "l\u{1B}[2J.jpg")
            try FileManager.default.createSymbolicLink(atPath: link.path, withDestinationPath: "a.jpg")
            #expect(await refusal(link) == "'l[2J.jpg' could not be turned: it is a link.")
            try FileManager.default.setAttributes([.posixPermissions: 0o440], ofItemAtPath: file.path)
            #expect(await refusal(file) == "'a.jpg' could not be turned: it is read-only.")
            let target = try FileManager.default.destinationOfSymbolicLink(atPath: link.path)
            let left = try Data(contentsOf: file)
            #expect(target == "a.jpg" && left == Self.jpeg)
            try FileManager.default.removeItem(at: file)
            #expect(await refusal(file)?.hasPrefix("'a.jpg' could not be turned: ") == true)
        }
    }

    @Test func `exiftool adds an orientation where there is none`() async throws {
        _ = try needed("exiftool", ProcessRun.find("exiftool", in: ["PATH": "/usr/bin:/opt/homebrew/bin"]))
        let plain = Pictures.jpeg(bytes: 5000, seed: 1)
        try await withFile(plain) { _, file in
            try await turn(file, by: 3, path: "/usr/bin:/bin:/opt/homebrew/bin")
            let turned = Array(try Data(contentsOf: file))
            #expect(
                PictureContent.orientation(ofJPEG: turned) == 8 && turned.suffix(4000) == plain.suffix(4000))
            try await turn(file)
            #expect(PictureContent.orientation(ofJPEG: Array(try Data(contentsOf: file))) == 1)
        }
    }

    @Test(arguments: ["exit 1", "cat", "printf ''", "cat; printf x", "head -c 3000", "kill -9 $$"])
    func `a program that does anything else leaves the file as it is`(script: String) async throws {
        let plain = Pictures.jpeg(bytes: 5000, seed: 1)
        try await withFile(plain) { folder, file in
            try await PictureBench.program("exiftool", "#!/bin/sh\n\(script)\n", in: folder)
            await #expect(throws: FileEditFault.self) {
                try await turn(file, path: folder.path + ":/usr/bin:/bin")
            }
            #expect(try Data(contentsOf: file) == plain)
        }
    }

    /// The orientation of `a.jpg` after lines that were typed into `browse --plain`, and what was said.
    private func browse(_ lines: String, _ words: [String]) async throws -> (Int?, ProductOutcome) {
        try await withBuiltProduct { gallery in
            let folder = gallery.folder.appending(path: "p")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try Self.jpeg.write(to: folder.appending(path: "a.jpg"))
            let outcome = try await gallery.run(
                ["browse", "--plain", "1", "--folder", folder.path] + words, input: Data(lines.utf8))
            let file = Array(try Data(contentsOf: folder.appending(path: "a.jpg")))
            return (PictureContent.orientation(ofJPEG: file), outcome)
        }
    }

    @Test func `lines turn it, too, where they may write`() async throws {
        let (written, outcome) = try await browse("R\nR\nL\n", ["--write"])
        #expect(written == 6 && outcome.status == 0)
        #expect(outcome.lines.suffix(3) == ["Turned right.", "Turned right.", "Turned left."])
        let (kept, refused) = try await browse("R\n", [])
        #expect(kept == 1 && refused.lines.last?.hasPrefix("Nothing was turned: ") == true)
    }

    @Test func `R in browse turns the file, whose copies and layout follow, and L turns it back`()
        async throws
    {
        try await withBuiltProduct { gallery in
            let folder = gallery.folder.appending(path: "p")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let file = folder.appending(path: "a.jpg")
            try Self.jpeg.write(to: file)
            try Pictures.png(width: 4, height: 4).write(to: folder.appending(path: "b.png"))
            let browse = try Browsing(
                gallery, ["1", "--write", "--folder", "p", "--ranking", "name"],
                environment: ["XDG_CACHE_HOME": gallery.folder.path + "/cache"])
            try await browse.shows("1 of 2")
            func orientation() throws -> Int? {
                PictureContent.orientation(ofJPEG: Array(try Data(contentsOf: file)))
            }
            browse.type("R")
            try await browse.shows("Turned right. L turns back.")
            browse.type("g")
            try await browse.shows("Go to photo: _")
            #expect(try orientation() == 6)
            let copies = gallery.folder.appending(path: "cache/gallery/browse")
            for name in try FileManager.default.contentsOfDirectory(atPath: copies.path)
            where name.hasPrefix("folder_a.jpg_") {
                let copy = Array(try Data(contentsOf: copies.appending(path: name)))
                #expect(PictureContent.orientation(ofJPEG: copy) == 6)
            }
            browse.type("\rRL")
            try await browse.shows("Turned left. R turns back.")
            browse.type("L")
            browse.type("g")
            try await browse.shows("Go to photo: _")
            #expect(try Data(contentsOf: file) == Self.jpeg)
            browse.type("\r\u{1B}[C")
            try await browse.shows("2 of 2")
            browse.type("R")
            try await browse.shows("'b.png' could not be turned: it is not a whole JPEG.")
            #expect(try await browse.quit() == 0)
        }
    }
}
