import Foundation
import GalleryTestSupport
import Testing

/// The built program on its bundled catalog: what a newcomer types first.
@Suite(.fewAtOnce, .inProcess, .timeLimit(.minutes(2))) struct SampleEndToEndTests {
    @Test func `alone, it lists the twelve photographs`() async throws {
        try await withBuiltProduct("gallery") { gallery in
            let outcome = try await gallery.runWell([])
            #expect(outcome.lines.count == 13)
            #expect(outcome.lines[0].hasPrefix(" #  Title"))
            #expect(outcome.lines[4].contains("Chelsea the Cat"))
            #expect(outcome.errors.isEmpty, "\(outcome.errors)")
        }
    }

    @Test func `fetch puts the very bytes there and prints their paths in order`() async throws {
        try await withBuiltProduct("gallery") { gallery in
            let outcome = try await gallery.runWell(["fetch", "1-3", "-d", "photos"])
            #expect(
                outcome.lines == [
                    "photos/1001_Eileen Collins.jpg", "photos/1002_Hubble eXtreme Deep Field.jpg",
                    "photos/1003_Falcon 9 Launch.jpg",
                ])
            #expect(outcome.errors.hasPrefix("3 fetched, 0 kept, 0 failed, 336 KB in "))
            for (path, file) in zip(outcome.lines, ["astronaut", "hubble", "rocket"]) {
                let fetched = try gallery.data(path)
                #expect(fetched == (try Fixture.data("sample/full/\(file).jpg")))
            }
        }
    }

    @Test(arguments: [
        (
            ["show", "99"], 66,
            "Error: There is no photo 99 in the feed 'popular' of sample: it has 12 photos.\n"
        ),
        (
            ["show", "40-50"], 66,
            "Error: There are no photos 40-50 in the feed 'popular' of sample: it has 12 photos.\n"
        ),
        (["fetch", "1", "-d", "/proc/nowhere"], 73, ""),
        (
            ["popular", "--ranking", "bogus"], 64,
            "Error: sample has no ranking 'bogus'.\nHelp: Known: popular.\n"
        ),
        (["user", "nobody"], 66, "Error: sample has no user 'nobody'.\n"),
        (["show", "https://example.com/photo/1"], 64, ""),
    ])
    func `what cannot be done has its status and its sentence`(
        arguments: [String], status: Int32, errors: String
    ) async throws {
        try await withBuiltProduct("gallery") { gallery in
            let outcome = try await gallery.run(arguments, expecting: status)
            #expect(outcome.output.isEmpty)
            #expect(errors.isEmpty || outcome.errors == errors, "\(outcome.errors)")
        }
    }

    @Test func `it finds its catalog from anywhere and through a link`() async throws {
        try await withBuiltProduct("gallery") { gallery in
            let link = gallery.folder.appending(path: "g")
            try FileManager.default.createSymbolicLink(at: link, withDestinationURL: gallery.executable)
            try await withProgram(at: link) { program in
                _ = try await program.runWell(
                    ["--per-page", "1", "--format", "jsonl"], in: URL(filePath: "/"))
            }
        }
    }

    @Test func `without its catalog it says where it looked, and runs every other service`() async throws {
        try await withLocalServer({ WikiServer(count: 30).reply(to: $0) }) { server in
            try await withTemporaryDirectory { folder in
                let copy = folder.appending(path: "gallery")
                // By another process: a descriptor of ours that is open for writing could be inherited by a
                // program that another test starts, and a file open for writing cannot be run.
                try await withProgram(at: URL(filePath: "/bin/cp")) { cp in
                    _ = try await cp.run([ProductLocation.executable("gallery").path, copy.path])
                }
                try await withProgram(at: copy) { program in
                    let source = ["-s", "commons", "--base-url", server.url("w/api.php").absoluteString]
                    let list = try await program.run(
                        ["popular", "--per-page", "3", "--format", "jsonl"] + source)
                    #expect(list.status == 0 && list.lines.count == 3, "\(list.all)")
                    #expect(try await program.run(["fetch", "1-2"]).status == 0)
                    #expect(try await program.run(["mark", "1"]).status == 0)
                    for line in [["show", "1", "--feed", "marked"], ["marked"], ["services"], ["verify"]] {
                        try await program.runWell(line)
                    }
                    let sample = try await program.run(["popular", "-s", "sample"])
                    #expect(sample.status == 66 && sample.errors.contains("or use another service."))
                    #expect(sample.errors.hasPrefix("Error: The bundled photos are missing; "))
                    for place in ["gallery_GalleryCore.resources/sample", "share/gallery/sample"] {
                        #expect(sample.errors.contains(place), "\(sample.errors)")
                    }
                }
            }
        }
    }

    @Test func `on a terminal the table fits and colors stay off where they are not wanted`() async throws {
        try await withBuiltProduct("gallery") { gallery in
            let narrow = try await gallery.run([], terminal: TerminalSize(columns: 40, rows: 24))
            #expect(narrow.output.contains("\u{1B}[1m"))
            let plain = try await gallery.run(
                [], environment: ["NO_COLOR": "1"], terminal: TerminalSize(columns: 40, rows: 24))
            #expect(!plain.output.contains("\u{1B}["))
            let lines = plain.output.split(whereSeparator: \.isNewline)
            #expect(lines.count == 13)
            #expect(lines.allSatisfy { $0.count <= 40 }, "\(plain.output)")
        }
    }

    @Test func `a reader that has gone ends it quietly`() async throws {
        let program = try ProductLocation.executable("gallery").path
        try await withProgram(at: URL(filePath: "/bin/sh")) { shell in
            let outcome = try await shell.run([
                "-c",
                #"{ "$0" --format jsonl; echo "status $?" >&2; } | true; "$0" --format jsonl | head -1 | wc -l"#,
                program,
            ])
            #expect(outcome.errors == "status 0\n", "\(outcome.errors)")
            #expect(outcome.output.contains("1"))
        }
    }

    @Test func `a full disk under standard output is status 74`() async throws {
        let program = try ProductLocation.executable("gallery").path
        guard FileManager.default.fileExists(atPath: "/dev/full") else { return }
        try await withProgram(at: URL(filePath: "/bin/sh")) { shell in
            let outcome = try await shell.run(["-c", #""$0" > /dev/full"#, program], expecting: 74)
            #expect(outcome.errors == "Error: The output could not be written: No space left on device.\n")
        }
    }
}
