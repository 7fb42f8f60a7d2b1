import Basics
import Foundation
import GalleryTestSupport
import Testing

/// Which list an index refers to.
@Suite(.fewAtOnce, .timeLimit(.minutes(2)))
struct SessionEndToEndTests {
    @Test func `an index refers to the list of its own terminal, whatever a script has listed since`()
        async throws
    {
        try await withProgram(at: URL(filePath: "/bin/sh")) { shell in
            let product = [
                "GALLERY": try ProductLocation.executable("gallery").path, "PATH": "/usr/bin:/bin",
            ]
            let script = """
                "$GALLERY" user spacex > /dev/null; echo listed
                read line; "$GALLERY" fetch 1 --dry-run
                """
            let user = try shell.start(["-c", script], environment: product, terminal: TerminalSize())
            #expect(try await user.waitForOutput("listed"))
            let other = try await shell.run(
                ["-c", "\"$GALLERY\" popular > /dev/null; \"$GALLERY\" fetch 1 --dry-run"],
                environment: product)
            #expect(other.output.contains("Eileen Collins"))
            user.type("go\n")
            let outcome = try await user.outcome()
            #expect(outcome.output.contains("Falcon 9") && !outcome.output.contains("Eileen Collins"))
        }
    }

    @Test func `a service that the environment names anew is not the one listed`() async throws {
        try await withBuiltProduct { gallery in
            let folder = gallery.folder.appending(path: "p")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try Pictures.png(width: 2, height: 2).write(to: folder.appending(path: "mine.png"))
            let sample = ["GALLERY_SERVICE": "sample"]
            for (listing, fetching, title) in [
                ([:], [:], "mine"), ([:], sample, "Eileen Collins"), (sample, sample, "mine"),
            ] {
                _ = try await gallery.run(["popular", "--folder", "p"], environment: listing)
                let plan = try await gallery.run(["fetch", "1", "--dry-run"], environment: fetching)
                #expect(plan.output.contains(title))
            }
        }
    }

    @Test func `lists of sessions that are over go after a while`() async throws {
        try await withBuiltProduct { gallery in
            let lists = gallery.home.appending(path: ".local/state/gallery/lists")
            try FileManager.default.createDirectory(at: lists, withIntermediateDirectories: true)
            // No process has the highest number that a system may give, and one that is running.
            let boot = System.bootSession.prefix(8)
            let stays = ["\(boot)-\(getpid())", "\(boot)-2147483646"]
            let goes = ["\(boot)-2147483647", "before-1"]
            for name in stays + goes {
                let file = lists.appending(path: name + ".jsonl")
                try Data("{}\n".utf8).write(to: file)
                let age: Double = name.hasSuffix("46") ? 0 : 40 * 86_400
                try FileManager.default.setAttributes(
                    [.modificationDate: Date(timeIntervalSinceNow: -age)], ofItemAtPath: file.path)
            }
            _ = try await gallery.run(["popular"])
            let left = try FileManager.default.contentsOfDirectory(atPath: lists.path)
            #expect(stays.allSatisfy { left.contains($0 + ".jsonl") })
            #expect(!goes.contains { left.contains($0 + ".jsonl") })
        }
    }

    @Test func `fetch says what an index refers to`() async throws {
        try await withBuiltProduct { gallery in
            let help = try await gallery.run(["fetch", "--help"])
            #expect(help.output.contains("An index refers to the list shown last in this terminal session"))
        }
    }
}
