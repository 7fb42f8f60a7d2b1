import Foundation
import GalleryTestSupport
import ProductTestSupport
import Testing

/// The built program and what users of other downloaders look for in `fetch`.
@Suite(.fewAtOnce, .timeLimit(.minutes(2))) struct FetchWishesEndToEndTests {
    @Test func `a command runs with each file that was downloaded, and its failure is one line`() async throws
    {
        try await withGallery(PixelServer(count: 4)) { gallery, _, source in
            let text = """
                #!/bin/sh
                echo "$2 $GALLERY_ID $GALLERY_TITLE $GALLERY_STATUS [$GALLERY_500PX_KEY]" >>log
                [ -s "$2" ] || exit 9
                echo seen
                [ "$GALLERY_ID" != 3 ]

                """
            try await PictureBench.program("hook.sh", text, in: gallery.folder)
            let line = ["fetch", "1-4", "--exec", "./hook.sh 'a word'"] + source
            let outcome = try await gallery.run(line, environment: ["GALLERY_500PX_KEY": "hush-hush"])
            #expect(outcome.status == 1, "\(outcome.all)")
            #expect(outcome.lines.sorted() == (1...4).map { "\($0)_Photo \($0).jpg" })
            let failures = outcome.errors.split(separator: "\n").filter { $0.hasPrefix("Error: ") }
            #expect(failures.count == 1, "\(outcome.errors)")
            #expect(failures.first?.hasPrefix("Error: photo 3: './hook.sh' ended with status 1.") == true)
            #expect(outcome.errors.contains("\nseen\n") || outcome.errors.hasPrefix("seen\n"))
            #expect(outcome.errors.contains("4 fetched, 0 kept, 0 failed"), "\(outcome.errors)")
            let log = gallery.folder.appending(path: "log")
            let runs = try String(contentsOf: log, encoding: .utf8).split(separator: "\n").sorted()
            let expected = (1...4).map { id in
                let file = gallery.folder.appending(path: "\(id)_Photo \(id).jpg").path
                return "\(file) \(id) Photo \(id) fetched []"
            }
            #expect(runs.map { $0.trimmingPrefix("/private") } == expected[...].map { $0[...] })
            // What is kept did not arrive.
            #expect(try await gallery.run(line).status == 0)
            #expect(try String(contentsOf: log, encoding: .utf8).split(separator: "\n").count == 4)
        }
    }

    @Test func `a title longer than a variable may be is cut for the command`() async throws {
        try await withBuiltProduct { gallery in
            let picture = gallery.folder.appending(path: "a.jpg")
            try Pictures.jpeg(bytes: 3000).write(to: picture)
            let title = String(repeating: "é", count: 1 << 17)
            let line =
                #"{"service":"folder","id":"a","title":"\#(title)","full":{"url":"\#(picture.absoluteString)"}}"#
            let outcome = try await gallery.run(
                [
                    "fetch", "-", "-d", "got", "--name", "{id}", "--folder", gallery.folder.path, "--exec",
                    "sh -c 'printf %s \"$GALLERY_TITLE\" | wc -c > length'",
                ], input: Data(line.utf8))
            #expect(outcome.status == 0, "\(outcome.all.prefix(500))")
            let length = try String(contentsOf: gallery.folder.appending(path: "length"), encoding: .utf8)
            #expect(Int(length.trimmingCharacters(in: .whitespacesAndNewlines)) == 16_384)
        }
    }

    @Test(arguments: [
        ("no-such-program", 66, "'no-such-program' is not installed."),
        ("./none.sh", 66, "'./none.sh' is not installed."),
        ("'", 64, "The value ''' is invalid for '--exec <command>': it must be a command, with every quote"),
    ])
    func `a command that cannot be run is said before anything is downloaded`(
        command: String, status: Int32, error: String
    ) async throws {
        try await withGallery(PixelServer(count: 2)) { gallery, server, source in
            let outcome = try await gallery.run(["fetch", "1-2", "--exec", command] + source)
            #expect(outcome.status == status)
            #expect(outcome.errors.hasPrefix("Error: \(error)"), "\(outcome.errors)")
            #expect(server.requests.isEmpty)
        }
    }

    @Test func `an archive knows what was ever downloaded, whatever the folder`() async throws {
        try await withGallery(PixelServer(count: 5)) { gallery, server, source in
            let archive = ["--archive", "lists/had.jsonl"] + source
            #expect(try await gallery.run(["fetch", "1-3", "-d", "a"] + archive).lines.count == 3)
            try FileManager.default.removeItem(at: gallery.folder.appending(path: "a"))
            let next = try await gallery.run(["fetch", "1-5", "-d", "b"] + archive)
            #expect(next.lines == ["b/4_Photo 4.jpg", "b/5_Photo 5.jpg"], "\(next.all)")
            #expect(next.errors.contains("Left out 3 photos: downloaded before.\n"))
            // What a folder has beside it is noted as well.
            #expect(try await gallery.run(["fetch", "1-5", "-d", "c"] + source).lines.count == 5)
            try FileManager.default.removeItem(at: gallery.folder.appending(path: "lists"))
            #expect(try await gallery.run(["fetch", "1-5", "-d", "c"] + archive).lines.count == 5)
            let images = server.requests.count { $0.path.hasPrefix("/full") }
            let last = try await gallery.run(["fetch", "1-5", "-d", "d"] + archive)
            #expect(last.status == 0 && last.lines.isEmpty, "\(last.all)")
            #expect(server.requests.count { $0.path.hasPrefix("/full") } == images)
        }
    }

    @Test(arguments: ["Buy milk.", "Buy milk.\nAnd bread.\n", "SQLite format 3\0\n\u{1}"])
    func `a file that is no archive stays as it is`(text: String) async throws {
        try await withGallery(PixelServer(count: 2)) { gallery, server, source in
            let file = gallery.folder.appending(path: "notes.txt")
            try Data(text.utf8).write(to: file)
            let outcome = try await gallery.run(["fetch", "1-2", "--archive", "notes.txt"] + source)
            #expect(outcome.status == 74, "\(outcome.all)")
            #expect(outcome.errors.contains("it is no archive of downloads"), "\(outcome.errors)")
            #expect(try String(contentsOf: file, encoding: .utf8) == text)
            #expect(try FileManager.default.contentsOfDirectory(atPath: gallery.folder.path) == ["notes.txt"])
        }
    }

    @Test func `a command that takes its time holds up no download`() async throws {
        try await withGallery(PixelServer(count: 3)) { gallery, _, source in
            // Ends once all three files are there, which is never if each has to wait for the command before it.
            let wait = "while [ $(ls | grep -c jpg$) -lt 3 ]; do sleep 0.05; done"
            let line = ["fetch", "1-3", "-j", "1", "--exec", "sh -c '\(wait)'"]
            let outcome = try await gallery.run(line + source)
            #expect(outcome.status == 0 && outcome.lines.count == 3, "\(outcome.all)")
        }
    }

    @Test func `a list of photos may have comments, and be a file`() async throws {
        try await withGallery(PixelServer(count: 5)) { gallery, _, source in
            let photos = try await gallery.run(["popular", "--range", "2-4", "--format", "jsonl"] + source)
            let list = Data("# mine\n\n\(photos.output)  # and no more\nno photo\n".utf8)
            let names = (2...4).map { "\($0)_Photo \($0).jpg" }
            let piped = try await gallery.run(["fetch", "-"] + source, input: list)
            #expect(piped.status == 1 && piped.lines == names, "\(piped.all)")
            #expect(piped.errors.hasPrefix("Error: Line 7 of standard input is not a photo.\n"))
            try list.write(to: gallery.folder.appending(path: "list.txt"))
            let read = try await gallery.run(["fetch", "1", "--input", "list.txt"] + source)
            #expect(read.status == 1 && read.lines == ["1_Photo 1.jpg"] + names, "\(read.all)")
            #expect(read.errors.hasPrefix("Error: Line 7 of 'list.txt' is not a photo.\n"))
            try Data("https://example.org/x\n".utf8).write(to: gallery.folder.appending(path: "list.txt"))
            let unknown = try await gallery.run(["fetch", "--input", "list.txt"] + source)
            #expect(unknown.status == 64, "\(unknown.all)")
            #expect(unknown.errors.split(separator: "Error: ").count == 1, "\(unknown.all)")
            try Data("{\n\"service\":\"500px\"}".utf8).write(to: gallery.folder.appending(path: "list.txt"))
            let several = try await gallery.run(["fetch", "--input", "list.txt"] + source)
            #expect(several.status == 65, "\(several.all)")
            #expect(several.errors.hasPrefix("Error: A photo's JSON is on several lines of 'list.txt'.\n"))
            let missing = try await gallery.run(["fetch", "--input", "none.txt"] + source)
            #expect(!missing.errors.contains("Help: "), "\(missing.errors)")
            #expect(missing.status == 66 && missing.errors.hasPrefix("Error: 'none.txt' could not be read: "))
            #expect(try await gallery.run(["fetch"] + source).errors.hasPrefix("Error: Missing expected"))
        }
    }

    @Test func `one photo goes to standard output`() async throws {
        try await withGallery(PixelServer(count: 3)) { gallery, _, source in
            let outcome = try await gallery.run(["fetch", "2", "-o", "-"] + source)
            #expect(outcome.status == 0, "\(outcome.errors)")
            #expect(outcome.outputData == PixelServer.picture(2))
            #expect(outcome.errors.hasPrefix("1 fetched, 0 kept, 0 failed, "), "\(outcome.errors)")
            #expect(try FileManager.default.contentsOfDirectory(atPath: gallery.folder.path).isEmpty)
            let refusals = [
                ["1-2", "-o", "-"], ["2", "-o", "a.jpg"], ["2", "-o", "-", "--dry-run"],
                ["2", "-o", "-", "--archive", "had"], ["2", "-o", "-", "--exec", "true"],
            ]
            for line in refusals {
                let refused = try await gallery.run(["fetch"] + line + source)
                #expect(refused.status == 64 && refused.errors.hasPrefix("Error: '--output"))
            }
            #expect(try await gallery.run(["fetch", "9", "-o", "-"] + source).status == 66)
        }
    }
}
