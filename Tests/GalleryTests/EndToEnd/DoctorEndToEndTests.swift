import Foundation
import GalleryTestSupport
import ProductTestSupport
import Testing

/// `gallery doctor`, and what a first run is told.
@Suite(.fewAtOnce, .timeLimit(.minutes(2))) struct DoctorEndToEndTests {
    /// A folder of programs that print something, to be the whole `PATH`.
    private func programs(_ scripts: [String: String], _ gallery: BuiltProduct) async throws -> String {
        let folder = gallery.home.appending(path: "bin")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for (name, script) in scripts {
            try await PictureBench.program(name, "#!/bin/sh\n\(script)\n", in: folder, isItself: false)
        }
        return folder.path
    }

    @Test func `it tells what is there, what is missing, and what mends that`() async throws {
        try await withBuiltProduct { gallery in
            let path = try await programs(
                [
                    "ffmpeg": "echo \"ffmpeg version 9 $*\"; echo more",
                    "xdg-open": "printf 'xdg-open\\033[2J 1'", "apt": "exit 1",
                ],
                gallery)
            let outcome = try await gallery.run(
                ["doctor"], environment: ["PATH": path, "LANG": "C", "GALLERY_FLICKR_KEY": "hushhush"])
            #expect(outcome.status == 0, "\(outcome.all)")
            let text = outcome.output
            #expect(
                text.contains("ffmpeg version 9 -version; ~/bin/ffmpeg\n")
                    || text.contains("ffmpeg version 9 -version; \(path)/ffmpeg\n"), "\(text)")
            #expect(
                text.contains(
                    "not installed; needed for pictures in most terminals\n          Help: apt install chafa\n"
                ))
            #expect(text.contains("Help: apt install librsvg2-bin\n"))
            #expect(text.contains("Help: export LC_ALL=C.UTF-8\n"))
            #expect(text.firstMatch(of: /ok +flickr +set in GALLERY_FLICKR_KEY\n/) != nil)
            #expect(text.firstMatch(of: /ok +pixiv +not set\n/) != nil)
            #expect(!text.contains("\u{1B}") && !outcome.all.contains("hushhush"))
            // It looks, and makes nothing.
            #expect(!FileManager.default.fileExists(atPath: gallery.home.appending(path: ".local").path))
        }
    }

    @Test func `no name, password, or home is in it`() async throws {
        try await withBuiltProduct { gallery in
            _ = try await gallery.run(
                ["config", "set", "services.club.like", "500px"])
            _ = try await gallery.run(["config", "set", "services.club.key"], input: Data("hushhush".utf8))
            _ = try await gallery.run([
                "config", "set", "services.club.baseURL", "http://ann:pass-word@127.0.0.1:9/v1",
            ])
            let outcome = try await gallery.run(
                ["doctor", "--network", "--timeout", "20"],
                environment: [
                    "https_proxy": "ann:pass-word@127.0.0.1:9",
                    "http_proxy": "http://ann:pass-word@127.0.0.1:9",
                    "HTTP_PROXY": "http://pass-word", "no_proxy": "localhost",
                ])
            // No proxy is there, so no service is.
            #expect(outcome.status == 1, "\(outcome.all)")
            #expect(outcome.output.firstMatch(of: /broken +commons +/) != nil, "\(outcome.output)")
            #expect(
                outcome.output.firstMatch(
                    of: /https_proxy +http:\/\/127\.0\.0\.1:9.* \(with a name and a password\)/) != nil)
            for secret in ["hushhush", "pass-word", "ann", gallery.home.path] {
                #expect(!outcome.all.contains(secret), "\(outcome.all)")
            }
        }
    }

    @Test func `what is broken is status 1`() async throws {
        try await withBuiltProduct { gallery in
            let file = gallery.home.appending(path: ".config/gallery/config.json")
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data("{\"jobs\": 99, \"keys\": {\"flickr\": \"hushhush\"}}".utf8).write(to: file)
            let outcome = try await gallery.run(["doctor"])
            #expect(outcome.status == 1, "\(outcome.all)")
            #expect(
                outcome.output.contains(
                    "'~/.config/gallery/config.json' cannot be used: 'jobs' is not a number"))
            #expect(outcome.output.contains("Help: gallery config edit\n"))
            #expect(!outcome.all.contains("hushhush"))
            _ = try await gallery.run(["config", "set", "jobs", "9"])
            try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file.path)
            let open = try await gallery.run(["doctor"])
            #expect(
                open.status == 0
                    && open.output.contains("others can read its keys\n          Help: chmod 600 "))
            // Where a folder should be, there is a file.
            try Data().write(to: gallery.home.appending(path: ".cache"))
            let blocked = try await gallery.run(["doctor"])
            #expect(
                blocked.status == 1
                    && blocked.output.contains("~/.cache/gallery is not there and cannot be made"))
        }
    }

    @Test func `it asks the terminal that there is, wherever the output goes`() async throws {
        try await withProgram(at: URL(filePath: "/bin/sh")) { shell in
            let gallery = try ProductLocation.executable("gallery").path
            let run = try shell.start(
                ["-c", "\"$GALLERY\" doctor >out; cat out"],
                environment: ["GALLERY": gallery, "PATH": "/usr/bin:/bin"],
                terminal: TerminalSize(columns: 132, rows: 43))
            #expect(try await run.waitForOutput("\u{1B}[c"))
            run.type("\u{1B}_Gi=31;OK\u{1B}\\\u{1B}P>|kitty(0.30.1)\u{1B}\\\u{1B}[?62;c")
            let outcome = try await run.outcome()
            #expect(outcome.output.contains("xterm-256color, 132×43"), "\(outcome.output)")
            #expect(outcome.output.firstMatch(of: /program +kitty\(0\.30\.1\)/) != nil)
            #expect(outcome.output.firstMatch(of: /pictures +kitty/) != nil)
        }
    }

    // MARK: - A first run

    private static let line = "These twelve photographs are a demo."

    @Test(arguments: [["popular"], [], ["fetch", "1", "--dry-run"], ["show", "1"]])
    func `a first run says once which photographs these are`(words: [String]) async throws {
        try await withBuiltProduct { gallery in
            let first = try await gallery.run(words, terminal: TerminalSize())
            #expect(
                first.output.contains(Self.line) && first.output.contains("'gallery -s commons'")
                    && first.output.contains("'gallery --folder ~/Pictures'"),
                "\(first.all)")
            let second = try await gallery.run(words, terminal: TerminalSize())
            #expect(second.status == 0 && !second.output.contains(Self.line), "\(second.all)")
        }
    }

    @Test func `nothing is said to pipes, to the quiet, or to who has named a service or made settings`()
        async throws
    {
        try await withBuiltProduct { gallery in
            #expect(try await gallery.run(["popular"]).errors == "")
            let runs: [([String], [String: String])] = [
                (["popular", "-q"], [:]), (["popular", "-s", "sample"], [:]),
                (["popular"], ["GALLERY_SERVICE": "sample"]), (["services"], [:]), (["--help"], [:]),
            ]
            for (words, environment) in runs {
                let run = try await gallery.run(words, environment: environment, terminal: TerminalSize())
                #expect(run.status == 0 && !run.output.contains(Self.line), "\(run.all)")
            }
            _ = try await gallery.run(["config", "set", "jobs", "2"])
            let set = try await gallery.run(["popular"], terminal: TerminalSize())
            #expect(!set.output.contains(Self.line))
        }
    }

    @Test func `where that cannot be remembered, it is not said each time`() async throws {
        try await withBuiltProduct { gallery in
            try FileManager.default.createDirectory(
                at: gallery.home.appending(path: ".local"), withIntermediateDirectories: true)
            try Data().write(to: gallery.home.appending(path: ".local/state"))
            let run = try await gallery.run(["popular"], terminal: TerminalSize())
            #expect(run.status == 0 && !run.output.contains(Self.line), "\(run.all)")
        }
    }
}
