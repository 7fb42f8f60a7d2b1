import Foundation
import GalleryTestSupport
import TerminalPictures
import Testing

/// The built program in a pseudo-terminal.
@Suite(.fewAtOnce, .timeLimit(.minutes(2)))
struct BrowseTests {
    @Test func `next, previous, go to, the feed's end, help and quit`() async throws {
        try await withBrowsing { browse in
            try await browse.shows("1 of 12")
            for (keys, place) in [
                ("n", "2 of 12"), (" ", "3 of 12"), ("\u{1B}[C", "4 of 12"), ("\u{1B}[B", "5 of 12"),
            ] {
                try await browse.type(keys, shows: place)
            }
            for (keys, place) in [("p", "4 of 12"), ("\u{1B}[D", "3 of 12"), ("\u{1B}[A", "2 of 12")] {
                try await browse.type(keys, shows: place)
            }
            try await browse.type("p", shows: "1 of 12")
            try await browse.type("p", shows: "This is the first photo.")
            try await browse.type("g12\r", shows: "Falcon 9 Ascent")
            try await browse.type("n", shows: "This is the last photo.")
            try await browse.type("g99\r", shows: "There is no photo 99: the feed has 12.")
            try await browse.type("\u{1B}[H", shows: "1 of 12")
            try await browse.type("\u{1B}[F", shows: "12 of 12")
            try await browse.type("?", shows: "first, last, an index")
            browse.type("x")
            try await browse.screen { !$0.lines.contains { $0.contains("first, last, an index") } }
        }
    }

    @Test func `End goes to the end of a large folder at once, whose length is known`() async throws {
        try await withBuiltProduct { gallery in
            let folder = try gallery.makeFolder("p")
            let picture = Pictures.png(width: 2, height: 2)
            for number in 1...700 { try picture.write(to: folder.appending(path: "\(number).png")) }
            let browse = try await Browsing.open(gallery, ["1", "--folder", "p"], shows: "1 of 700")
            try await browse.type("\u{1B}[F", shows: "700 of 700")
            try await browse.type("\u{1B}[H", shows: "1 of 700")
            try await browse.type("\t\u{1B}[F", shows: "700 of 700")
            #expect(try await browse.quit() == 0)
        }
    }

    @Test func `it opens where one left, and the list shows where that was`() async throws {
        try await withBuiltProduct { gallery in
            let first = try await Browsing.open(gallery, shows: "1 of 12")
            try await first.type("nnnn", shows: "5 of 12")
            #expect(try await first.quit() == 0)
            let list = try await gallery.run(["popular"])
            #expect(list.lines.first { $0.hasPrefix("›") }?.contains("  5  ") == true)
            let second = try await Browsing.open(gallery, shows: "5 of 12")
            #expect(try await second.quit() == 0)
        }
    }

    @Test func `keys typed before the start are kept`() async throws {
        try await withBuiltProduct { gallery in
            let browse = try Browsing(gallery, ["1"])
            try await browse.type("nn", shows: "3 of 12")
            #expect(try await browse.quit() == 0)
        }
    }

    @Test func `a file that was removed meanwhile is gone`() async throws {
        try await withBuiltProduct { gallery in
            let folder = try gallery.makeFolder("p")
            for name in 1...9 {
                try Pictures.png(width: 2, height: 2).write(to: folder.appending(path: "\(name).png"))
            }
            let browse = try Browsing(gallery, ["1", "--folder", "p", "--ranking", "name"])
            try await browse.screen { $0.lines[0].hasPrefix("1.png") }
            try FileManager.default.removeItem(at: folder.appending(path: "8.png"))
            try await browse.type("g8\r", shows: "The file is gone.")
            #expect(try await browse.quit() == 0)
        }
    }

    @Test func `f brings a folder's file under its own name, and takes no other file's place`() async throws {
        try await withBuiltProduct { gallery in
            let folder = try gallery.makeFolder("p")
            try Pictures.jpeg(bytes: 5000, seed: 1).write(to: folder.appending(path: "a.jpg"))
            for result in ["Fetched out/a.jpg", "Kept out/a.jpg"] {
                let browse = try await Browsing.open(
                    gallery, ["1", "--folder", "p", "-d", "out"], shows: "1 of 1")
                try await browse.type("f", shows: result)
                #expect(try await browse.quit() == 0)
            }
            // Its own folder has it already, and gets nothing else.
            let browse = try await Browsing.open(gallery, ["1", "--folder", "p", "-d", "p"], shows: "1 of 1")
            try await browse.type("f", shows: "photo 1: '")
            #expect(try await browse.quit() == 0)
            let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            #expect(names == ["a.jpg"])
            let bytes = try Data(contentsOf: folder.appending(path: "a.jpg"))
            #expect(bytes == Pictures.jpeg(bytes: 5000, seed: 1))
        }
    }

    @Test func `the theme is kept, and without colors there is none`() async throws {
        try await withBuiltProduct { gallery in
            let first = try await Browsing.open(gallery, shows: "1 of 12")
            #expect(!first.product.output.contains("48;5;231"))
            first.type("t")
            try await first.product.waitForOutput("48;5;231")
            #expect(try await first.quit() == 0)
            let second = try await Browsing.open(gallery, shows: "1 of 12")
            #expect(!second.product.output.contains("48;5;234"))
            #expect(try await second.quit() == 0)
            for environment in [["NO_COLOR": "1"], ["TERM": "vt100", "COLORTERM": "truecolor"]] {
                let plain = try await Browsing.open(gallery, environment: environment, shows: "1 of 12")
                #expect(!plain.product.output.contains("48;5"))
                #expect(try await plain.quit() == 0)
            }
        }
    }

    @Test func `a window that changes while it starts is filled`() async throws {
        try await withBuiltProduct { gallery in
            // What is read at the start comes when the test says so.
            let state = try gallery.makeFolder("~/.local/state/gallery")
            let settings = state.appending(path: "browse.json").path
            #expect(mkfifo(settings, 0o600) == 0)
            let browse = try Browsing(gallery)
            let pipe = try #require(await onThread { FileHandle(forWritingAtPath: settings) })
            browse.resize(to: TerminalSize(columns: 100, rows: 30))
            try pipe.close()
            try await browse.screen { $0.lines[0].hasSuffix("1 of 12") && $0.lines[29].hasPrefix("? help") }
            #expect(try await browse.quit() == 0)
        }
    }

    @Test func `marks are seen at once, kept whole, and listed`() async throws {
        try await withBuiltProduct { gallery in
            let browse = try await Browsing.open(gallery, ["3"], shows: "3 of 12")
            try await browse.type("m", shows: "* 3 of 12")
            try await browse.shows("Marked.")
            #expect(try await browse.quit() == 0)
            #expect(try await gallery.run(["mark", "7", "3"]).errors == "1 marked, 1 already marked\n")
            let list = try await gallery.run(["popular"])
            #expect(list.lines.filter { $0.contains("*") }.count == 2)
            let marked = try await Browsing.open(gallery, ["--feed", "marked"], shows: "China")
            try await marked.shows("1 of 2")
            #expect(try await marked.quit() == 0)
            let fetch = try await gallery.runWell(["fetch", "1-", "--feed", "marked", "-d", "out"])
            #expect(fetch.lines == ["out/1007_China.jpg", "out/1003_Falcon 9 Launch.jpg"])
            #expect(try await gallery.run(["unmark", "1", "--feed", "marked"]).errors == "1 unmarked\n")
            #expect(
                try await gallery.run(["show", "1-", "--feed", "marked"]).lines.first?.contains("Falcon 9")
                    == true)
            // The other one's mark is gone from its screen, too.
            #expect(try await gallery.run(["popular"]).lines.filter { $0.contains("*") }.count == 1)
        }
    }

    @Test func `a mark that cannot be kept is not shown`() async throws {
        try await withBuiltProduct { gallery in
            try gallery.makeFolder("~/.local/state/gallery/marks.jsonl.lock")
            let browse = try await Browsing.open(gallery, size: TerminalSize(columns: 250), shows: "1 of 12")
            try await browse.type("m", shows: "could not be written")
            try await browse.type("?", shows: "mark, choose the list")
            browse.type(" ")
            let screen = try await browse.shows("1 of 12")
            #expect(!screen.lines[0].contains("*"))
            #expect(try await browse.quit() == 0)
        }
    }

    @Test func `the author's photos open, and Backspace comes back to the place before`() async throws {
        try await withBrowsing(["3"]) { browse in
            try await browse.shows("3 of 12")
            try await browse.type("a", shows: "user spacex")
            try await browse.shows("1 of 2")
            try await browse.type("n", shows: "2 of 2")
            try await browse.type("a", shows: "These are already this author's photos.")
            try await browse.type("\u{7F}", shows: "3 of 12")
            try await browse.type("\u{7F}", shows: "There is no feed to go back to.")
        }
    }

    @Test(arguments: [["browse"], ["browse", "3", "--feed", "popular"]])
    func `without a terminal it says what to use instead`(words: [String]) async throws {
        try await withBuiltProduct { gallery in
            let outcome = try await gallery.run(words, expecting: 64)
            #expect(outcome.output.isEmpty)
            #expect(outcome.errors.contains("gallery show") && outcome.errors.contains("gallery fetch"))
            try await gallery.run(words, environment: ["TERM": "dumb"], expecting: 64)
        }
    }
}
