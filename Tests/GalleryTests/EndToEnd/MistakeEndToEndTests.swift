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
        (["list"], "'list' is not a command.", "Did you mean 'gallery popular'?"),
        (["ls"], "'ls' is not a command.", "Did you mean 'gallery popular'?"),
        (["download", "1"], "'download' is not a command.", "Did you mean 'gallery fetch'?"),
        (["version"], "'version' is not a command.", "Did you mean 'gallery --version'?"),
        (
            ["completion", "bash"], "'completion' is not a command.",
            "Did you mean 'gallery --generate-completion-script bash'?"
        ),
        (
            ["config", "ls"], "'ls' is not a command of 'gallery config'.",
            "Did you mean 'gallery config list'?"
        ),
        (["--json"], "Unknown option '--json'.", "Did you mean '--format json'?"),
        (["popular", "--json"], "Unknown option '--json'.", "Did you mean '--format json'?"),
        (
            ["web", "1-4", "--directory", "site"],
            """
            The value 'site' is invalid for '<selection>': use an index such as '7', a range such as '3-9', a photo's \
            web address, a path, or '-'.
            """,
            "'gallery web' has no option '--directory'. Did you mean '--output'?"
        ),
        (["popular", "-s", "sample, pixv"], "There is no service 'pixv'.", "Did you mean 'pixiv'?"),
        (["popular", "-s", "comons"], "There is no service 'comons'.", "Did you mean 'commons'?"),
        (["show", "1", "-s", "comons"], "There is no service 'comons'.", "Did you mean 'commons'?"),
        (
            ["popular", "-s", "sample", "-s", "commons"], "'--service' is given 2 times.",
            "For all of them: -s \"sample,commons\""
        ),
        (["help", "fecth"], "There is no help on 'fecth'.", "Did you mean 'gallery help fetch'?"),
        (["help", "filter"], "There is no help on 'filter'.", "Did you mean 'gallery help filters'?"),
        (["--help", "fecth"], "There is no help on 'fecth'.", "Did you mean 'gallery help fetch'?"),
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
    ])
    func `says what was probably meant`(line: [String], error: String, help: String) async throws {
        try await withBuiltProduct("gallery") { gallery in
            let outcome = try await gallery.run(line, expecting: 64)
            #expect(outcome.errors == "Error: \(error)\nHelp: \(help)\n")
        }
    }

    @Test(arguments: [
        (["popular", "--limit", "-1"], "Error: '--limit' must be 1 or more.\n"),
        (
            ["popular", "--sort", "-size"],
            "Error: The value '-size' is invalid for '--sort <key>'. Please provide one"
        ),
        (
            ["popular", "--range", "5..1"],
            "Error: The value '5..1' is invalid for '--range <A-B>': write '1-5'.\n"
        ),
        (["show", "5-1"], "Error: The value '5-1' is invalid for '<selection>': write '1-5'.\n"),
        (["fetch"], "Error: Missing expected argument '<selection> ...'; use '1-' for all of the list.\n"),
    ])
    func `says what is wrong with the value`(line: [String], beginning: String) async throws {
        try await withBuiltProduct("gallery") { gallery in
            let outcome = try await gallery.run(line)
            #expect(outcome.status == 64 && outcome.errors.hasPrefix(beginning), "\(outcome.all)")
        }
    }

    @Test func `spaces may follow the comma between services`() async throws {
        try await withBuiltProduct("gallery") { gallery in
            _ = try await gallery.runWell([
                "popular", "-s", "sample, folder", "--folder", gallery.folder.path,
            ])
        }
    }

    @Test func `500px says that its API is closed`() async throws {
        try await withBuiltProduct("gallery") { gallery in
            let outcome = try await gallery.run(["-s", "500px"])
            #expect(
                outcome.status == 77 && outcome.errors.contains("500px closed its own API in 2018"),
                "\(outcome.all)")
        }
    }

    @Test(arguments: [
        // The values say nothing about where the command is.
        (["--author", "user", "--page", "0"], "Error: '--page' must be from 1 to 1000000.\n"),
        (
            ["popular", "sea"],
            "Error: The value 'sea' is invalid for '<path>': there is no such file or folder.\n"
        ),
        (["--bogus"], "Error: Unknown option '--bogus'"),
        (["show", "1", "--per-page", "-5"], "Error: Unknown option '--per-page'"),
        (
            ["show", "gone"],
            "Error: The value 'gone' is invalid for '<selection>': use an index"
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
            let outcome = try await gallery.run(line, expecting: 64)
            #expect(outcome.errors.hasPrefix(beginning), "\(outcome.errors)")
            #expect(outcome.errors.contains("\nUsage: gallery "))
        }
    }

    @Test func `a template's fields are listed once`() async throws {
        try await withBuiltProduct("gallery") { gallery in
            let outcome = try await gallery.run(["fetch", "1", "--name", "{bogus}"], expecting: 64)
            #expect(outcome.errors.components(separatedBy: "{author}").count == 2, "\(outcome.errors)")
        }
    }

    /// Each line, and what it says of a folder or file that is there and may not be touched.
    @Test(
        .needsOrdinaryUser,
        arguments: [
            ("fetch 1 -d shut", 73, "/work/shut'"), ("fetch 1 -d shut/below", 73, "/work/shut/below'"),
            ("web 1 -o shut/site", 73, "/work/shut/site/'"),
            ("collage 1-6 -o shut/a.svg", 73, "/work/shut/'"),
            ("fetch --input shut/list.json", 74, "'shut/list.json'"),
            ("services --try shut/mine.json", 66, "'shut/mine.json'"),
            ("web 1 -o site --css shut/own.css", 66, "'shut/own.css'"), ("verify shut", 74, "'shut'"),
            ("popular --limit 1", 78, "/config.json'"),
        ])
    func `what may not be read or written has that for its reason`(
        line: String, status: Int32, place: String
    ) async throws {
        try await withBuiltProduct { gallery in
            let shut = gallery.folder.appending(path: "shut")
            let settings = gallery.home.appending(path: ".config/gallery")
            for (folder, isWanted) in [(shut, status != 78), (settings, status == 78)] where isWanted {
                try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
                try Data("{}".utf8).write(to: folder.appending(path: "config.json"))
                try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: folder.path)
            }
            let outcome = try await gallery.run(
                line.split(separator: " ").map(String.init), in: gallery.folder)
            for folder in [shut, settings] {
                _ = try? FileManager.default.setAttributes(
                    [.posixPermissions: 0o700], ofItemAtPath: folder.path)
            }
            #expect(outcome.status == status, "\(outcome.all)")
            let first = outcome.errors.split(separator: "\n").first ?? ""
            #expect(first.contains(place) && first.contains(": Permission denied."), "\(outcome.all)")
        }
    }
}
