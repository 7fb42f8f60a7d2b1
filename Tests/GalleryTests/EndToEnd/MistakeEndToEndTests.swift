import Foundation
import GalleryTestSupport
import Testing

/// Lines that the built program refuses, and what it says was probably meant.
@Suite(.fewAtOnce, .inProcess, .timeLimit(.minutes(2))) struct MistakeEndToEndTests {
    @Test(arguments: [
        (["fetc"], "'fetc' is not a command.", "Did you mean 'gallery fetch'?"),
        (["fetc", "--jobs", "3"], "'fetc' is not a command.", "Did you mean 'gallery fetch'?"),
        (["serach", "sea"], "'serach' is not a command.", "Did you mean 'gallery search'?"),
        (["bookmark"], "'bookmark' is not a command.", "Did you mean 'gallery bookmarks'?"),
        (["popluar"], "'popluar' is not a command.", "Did you mean 'gallery popular'?"),
        (["hepl"], "'hepl' is not a command.", "Did you mean 'gallery help'?"),
        (["list"], "'list' is not a command.", "'gallery --help' lists the commands."),
        (
            ["nexpected argument"], "'nexpected argument' is not a command.",
            "'gallery --help' lists the commands."
        ),
        (["7"], "'7' is not a command.", "Did you mean 'gallery show 7'?"),
        (
            ["-s", "flickr", "fetch", "1"], "Options go after the command.",
            "Put the command first: gallery fetch 1 -s flickr"
        ),
        (
            ["--tag", "red sea", "popular"], "Options go after the command.",
            "Put the command first: gallery popular --tag \"red sea\""
        ),
        (["fetch", "-5"], "'-5' is not an option.", "Use '1-5' for the photos up to that index."),
        (
            ["fetch", "photos.txt", "-j", "2"], "'photos.txt' is a file, not a photo.",
            "To read photos from it: gallery fetch - -j 2 < photos.txt"
        ),
    ])
    func `says what was probably meant`(line: [String], error: String, help: String) async throws {
        try await withBuiltProduct("gallery") { gallery in
            try Data().write(to: gallery.folder.appending(path: "photos.txt"))
            let outcome = try await gallery.run(line)
            #expect(outcome.status == 64, "\(outcome.all)")
            #expect(outcome.errors == "Error: \(error)\nHelp: \(help)\n")
        }
    }

    @Test(arguments: [
        // The values say nothing about where the command is.
        (["--author", "user", "--page", "0"], "Error: '--page' must be from 1 to 1000000.\n"),
        (["popular", "sea"], "Error: Unexpected argument 'sea'\n"),
        (["--bogus"], "Error: Unknown option '--bogus'"),
        (["show", "1", "--per-page", "-5"], "Error: Unknown option '--per-page'"),
        (
            ["show", "picture.jpg"],
            "Error: The value 'picture.jpg' is invalid for '<selection>': use an index"
        ),
        (["show", "1,3"], "Error: The value '1,3' is invalid for '<selection>': write '1 3'.\n"),
        (["show", "1..3"], "Error: The value '1..3' is invalid for '<selection>': write '1-3'.\n"),
        (
            ["popular", "--range", "0-2"],
            "Error: The value '0-2' is invalid for '--range <A-B>': indexes start at 1.\n"
        ),
    ])
    func `otherwise the parser says it`(line: [String], beginning: String) async throws {
        try await withBuiltProduct("gallery") { gallery in
            try Data().write(to: gallery.folder.appending(path: "picture.jpg"))
            let outcome = try await gallery.run(line)
            #expect(outcome.status == 64)
            #expect(outcome.errors.hasPrefix(beginning), "\(outcome.errors)")
            #expect(outcome.errors.contains("\nUsage: gallery "))
        }
    }

    @Test func `a template's fields are listed once`() async throws {
        try await withBuiltProduct("gallery") { gallery in
            let outcome = try await gallery.run(["fetch", "1", "--name", "{bogus}"])
            #expect(outcome.status == 64)
            #expect(outcome.errors.components(separatedBy: "{author}").count == 2, "\(outcome.errors)")
        }
    }
}
