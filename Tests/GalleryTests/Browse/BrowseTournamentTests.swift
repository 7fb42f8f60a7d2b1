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
            let folder = try gallery.makeFolder("p")
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
    /// - Parameter hasNotice: Whether something else stands where the question does, which goes with the help.
    private func asks(
        _ first: Int, _ second: Int, _ browse: Browsing, after keys: String = "", hasNotice: Bool = false
    ) async throws {
        browse.type(keys + (hasNotice ? "?q" : ""))
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
            try await browse.type("T", shows: "Which is better? ← or → · 0 of about 5 choices · rank 1 of 4")
            try await asks(1, 2, browse)
            for (key, first, second) in [("\u{1B}[C", 3, 4), ("l", 2, 4), ("1", 1, 4), ("2", 1, 3)] {
                try await asks(first, second, browse, after: key)
            }
            try await browse.shows("4 of about 5 choices · rank 3 of 4")
            try await browse.type(
                "h", shows: "The best 4 are found. Enter lists them; u takes the last choice back.")
            try await asks(1, 3, browse, after: "u")
            try await browse.type("h", shows: "The best 4 are found.")
            // One key too many names nothing.
            try await browse.type("h\r", shows: "Keep the ranking as the list: best_")
            try await browse.type("\r", shows: "The best 4 are in the list 'best', the very best first.")
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
            try await again.type("\r", shows: "Keep the ranking as the list: best-2_")
            try await again.type("\u{1B}", shows: "Enter lists them")
            #expect(try await again.quit() == 0)
        }
    }

    @Test(.needs("chafa") { await PictureBench.has(.chafa) })
    func `photos whose thumbnails look alike meet before others`() async throws {
        try await withBuiltProduct { gallery in
            let folder = try gallery.makeFolder("p")
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
            try await asks(2, 4, browse, after: "T")
            #expect(try await browse.quit() == 0)
        }
    }

    @Test func `it is left and taken up, with what was taken back`() async throws {
        try await withFolder { gallery, _ in
            let browse = try browse(gallery)
            try await asks(1, 2, browse, after: "T")
            try await asks(3, 4, browse, after: "l")
            try await asks(2, 4, browse, after: "l")
            try await asks(3, 4, browse, after: "u")
            try await browse.type("\u{1B}", shows: "The tournament is kept; T takes it up.")
            try await browse.type("T", shows: "Tournament taken up: 1 of about 4 choices.")
            try await asks(3, 4, browse, hasNotice: true)
            // The help is the tournament's.
            try await browse.type("?", shows: "the left photo is better")
            try await browse.type("qx", shows: "Press ← or → for the better one")
            #expect(try await browse.quit() == 0)
            let later = try self.browse(gallery)
            try await later.type("T", shows: "Tournament taken up: 1 of about 4 choices.")
            try await later.type("T", shows: "Begin the tournament anew? (y/n)")
            try await asks(1, 2, later, after: "y")
            try await later.type("u", shows: "Nothing was chosen yet.")
            #expect(try await later.quit() == 0)
        }
    }

    @Test func `after kill -9, and without a file that is gone, it goes on`() async throws {
        try await withFolder(of: 5) { gallery, folder in
            let browse = try browse(gallery)
            try await asks(1, 2, browse, after: "T")
            try await asks(3, 4, browse, after: "l")
            browse.type("l")
            try await keeps("-2,-2", gallery)
            browse.product.send(SIGKILL)
            _ = try await browse.product.outcome()
            // 2 had beaten 1, which plays on without it.
            try FileManager.default.removeItem(at: folder.appending(path: "2.png"))
            let later = try self.browse(gallery)
            try await later.type("T", shows: "Tournament taken up: 2 of about ")
            try await asks(1, 5, later, hasNotice: true)
            // 4 had beaten 3, too.
            try FileManager.default.removeItem(at: folder.appending(path: "4.png"))
            try await later.type("1", shows: "4.png is gone, and left out.")
            for (first, second) in [(1, 3), (3, 5)] {
                try await asks(first, second, later, hasNotice: first == 1)
                later.type("1")
            }
            try await later.shows("The best 3 are found.")
            try FileManager.default.removeItem(at: folder.appending(path: "5.png"))
            try await later.type("\r", shows: "5.png is gone, and left out.")
            try await later.type("\r", shows: "Keep the ranking as the list: best_")
            try await later.type("\r", shows: "The best 2 are in the list 'best'")
            #expect(try await later.quit() == 0)
        }
    }
}

extension Sequence where Element: Hashable {
    fileprivate func uniqued() -> [Element] {
        var seen: Set<Element> = []
        return filter { seen.insert($0).inserted }
    }
}
