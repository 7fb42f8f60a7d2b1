import Foundation
import GalleryTestSupport
import ProductTestSupport
import TerminalPictures
import Testing

/// Tournaments in the built program: played, left, taken up, and disturbed.
@Suite(.fewAtOnce, .timeLimit(.minutes(2))) struct BrowseTournamentTests {
    private static let path = ProcessInfo.processInfo.environment["PATH"] ?? ""

    /// A folder of so many pictures, named by number.
    private func withFolder(
        of count: Int = 4, _ body: (_ gallery: BuiltProduct, _ folder: URL) async throws -> Void
    ) async throws {
        try await withBuiltProduct { gallery in
            let folder = gallery.folder.appending(path: "p")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            for number in 1...count {
                try Pictures.png(width: 40 + number, height: 30).write(
                    to: folder.appending(path: "\(number).png"))
            }
            try await body(gallery, folder)
        }
    }

    private func browse(_ gallery: BuiltProduct, _ words: [String] = []) throws -> Browsing {
        try Browsing(gallery, ["1", "--folder", "p", "--ranking", "name"] + words)
    }

    /// Returns once these two are asked about: a choice that comes before is dropped.
    ///
    /// - Parameter notice: Whether something else stands where the question does, which goes with the help.
    private func asks(_ first: Int, _ second: Int, _ browse: Browsing, after notice: Bool = false)
        async throws
    {
        if notice { browse.type("?q") }
        try await browse.screen {
            $0.lines[0].hasPrefix("\(first).png ") && $0.lines[0].hasSuffix(" \(second).png")
                && $0.lines[23].hasPrefix("Which is better?")
        }
    }

    /// Returns once the file of tournaments holds these events.
    private func keeps(_ events: String, _ gallery: BuiltProduct) async throws {
        let file = gallery.home.appending(path: ".local/state/gallery/tournaments.jsonl")
        try await until {
            (try? String(contentsOf: file, encoding: .utf8))?.contains("\"events\":[\(events)]") == true
        }
    }

    @Test func `four photos are ranked in five choices, and become a list in their order`() async throws {
        try await withFolder { gallery, _ in
            let browse = try browse(gallery)
            try await browse.shows("1 of 4")
            browse.type("T")
            try await browse.shows("Which is better? ← or → · 0 of about 5 choices · rank 1 of 4")
            try await asks(1, 2, browse)
            for (key, first, second) in [("\u{1B}[C", 3, 4), ("l", 2, 4), ("1", 1, 4), ("2", 1, 3)] {
                browse.type(key)
                try await asks(first, second, browse)
            }
            try await browse.shows("4 of about 5 choices · rank 3 of 4")
            browse.type("h")
            try await browse.shows("The best 4 are found. Enter lists them; u takes the last choice back.")
            browse.type("u")
            try await asks(1, 3, browse)
            browse.type("h")
            try await browse.shows("The best 4 are found.")
            // One key too many names nothing.
            browse.type("h\r")
            try await browse.shows("Keep the ranking as the list: best_")
            browse.type("\r")
            try await browse.shows("The best 4 are in the list 'best', the very best first.")
            #expect(try await browse.quit() == 0)
            let list = try await gallery.run(["marked", "--list", "best", "--format", "csv"])
            let files = list.output.matches(of: /\d\.png/).map { String($0.output) }
            #expect(files.first == "2.png" && Array(files.uniqued()) == ["2.png", "4.png", "1.png", "3.png"])
            // Another one gets a list of its own.
            let again = try self.browse(gallery)
            again.type("T")
            for (key, first, second) in [("l", 1, 2), ("l", 3, 4), ("h", 2, 4), ("h", 1, 4)] {
                try await asks(first, second, again)
                again.type(key)
            }
            try await again.shows("The best 4 are found.")
            again.type("\r")
            try await again.shows("Keep the ranking as the list: best-2_")
            again.type("\u{1B}")
            try await again.shows("Enter lists them")
            #expect(try await again.quit() == 0)
        }
    }

    @Test(.needs("chafa") { await PictureBench.has(.chafa) })
    func `photos whose thumbnails look alike meet before others`() async throws {
        try await withBuiltProduct { gallery in
            let folder = gallery.folder.appending(path: "p")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            // The last one is a smaller copy of the second, and says nothing of when it was taken.
            let names = ["full/coffee", "full/hopper", "full/rocket", "thumb/hopper"]
            for (number, name) in names.enumerated() {
                try FileManager.default.copyItem(
                    at: Fixture.url("sample/\(name).jpg"), to: folder.appending(path: "\(number + 1).png"))
            }
            let browse = try Browsing(
                gallery, ["1", "--folder", "p", "--ranking", "name", "--picture", "kitty"],
                environment: ["PATH": Self.path])
            let picture = "\u{1B}_Ga=T,"
            try await browse.product.waitForOutput(picture)
            // The four thumbnails of the grid.
            let before = browse.product.output.split(separator: picture).count
            browse.type("\t")
            try await until { [product = browse.product] in
                product.output.split(separator: picture).count >= before + 4
            }
            browse.type("T")
            try await asks(2, 4, browse)
            #expect(try await browse.quit() == 0)
        }
    }

    @Test func `it is left and taken up, with what was taken back`() async throws {
        try await withFolder { gallery, _ in
            let browse = try browse(gallery)
            browse.type("T")
            try await asks(1, 2, browse)
            browse.type("l")
            try await asks(3, 4, browse)
            browse.type("l")
            try await asks(2, 4, browse)
            browse.type("u")
            try await asks(3, 4, browse)
            browse.type("\u{1B}")
            try await browse.shows("The tournament is kept; T takes it up.")
            browse.type("T")
            try await browse.shows("Tournament taken up: 1 of about 4 choices.")
            try await asks(3, 4, browse, after: true)
            // The help is the tournament's.
            browse.type("?")
            try await browse.shows("the left photo is better")
            browse.type("qx")
            try await browse.shows("Press ← or → for the better one")
            #expect(try await browse.quit() == 0)
            let later = try self.browse(gallery)
            later.type("T")
            try await later.shows("Tournament taken up: 1 of about 4 choices.")
            later.type("T")
            try await later.shows("Begin the tournament anew? (y/n)")
            later.type("y")
            try await asks(1, 2, later)
            later.type("u")
            try await later.shows("Nothing was chosen yet.")
            #expect(try await later.quit() == 0)
        }
    }

    @Test func `after kill -9, and without a file that is gone, it goes on`() async throws {
        try await withFolder(of: 5) { gallery, folder in
            let browse = try browse(gallery)
            browse.type("T")
            try await asks(1, 2, browse)
            browse.type("l")
            try await asks(3, 4, browse)
            browse.type("l")
            try await keeps("-2,-2", gallery)
            browse.product.send(SIGKILL)
            _ = try await browse.product.outcome()
            // 2 had beaten 1, which plays on without it.
            try FileManager.default.removeItem(at: folder.appending(path: "2.png"))
            let later = try self.browse(gallery)
            later.type("T")
            try await later.shows("Tournament taken up: 2 of about ")
            try await asks(1, 5, later, after: true)
            // 4 had beaten 3, too.
            try FileManager.default.removeItem(at: folder.appending(path: "4.png"))
            later.type("1")
            try await later.shows("4.png is gone, and left out.")
            for (first, second) in [(1, 3), (3, 5)] {
                try await asks(first, second, later, after: first == 1)
                later.type("1")
            }
            try await later.shows("The best 3 are found.")
            try FileManager.default.removeItem(at: folder.appending(path: "5.png"))
            later.type("\r")
            try await later.shows("5.png is gone, and left out.")
            later.type("\r")
            try await later.shows("Keep the ranking as the list: best_")
            later.type("\r")
            try await later.shows("The best 2 are in the list 'best'")
            #expect(try await later.quit() == 0)
        }
    }

    @Test func `it is over what is selected, or all that is shown, up to 200`() async throws {
        try await withGallery(PhotoServer(count: 230)) { gallery, _, source in
            let browse = try Browsing(gallery, ["1"] + source)
            try await browse.shows("1 of 230")
            browse.type("T")
            try await browse.shows("A tournament takes 200 photos at most: select some in the grid")
            browse.type("\t")
            try await browse.shows("[1 Photo 1")
            browse.type("Vl")
            try await browse.shows("2 selected")
            browse.type("T")
            try await browse.shows("Which is better? ← or → · 0 of about 1 choice · rank 1 of 2")
            browse.type("\u{1B}")
            try await browse.shows("The tournament is kept; T takes it up.")
            browse.type("\t&23\r")
            try await browse.shows("& 23")
            browse.type("T")
            // 23, 123, 223, and 230 on pages that are loaded for it.
            try await browse.shows("rank 1 of 4")
            browse.type("\u{1B}")
            try await browse.shows("The tournament is kept; T takes it up.")
            #expect(try await browse.quit() == 0)
        }
    }
}

extension Sequence where Element: Hashable {
    fileprivate func uniqued() -> [Element] {
        var seen: Set<Element> = []
        return filter { seen.insert($0).inserted }
    }
}
