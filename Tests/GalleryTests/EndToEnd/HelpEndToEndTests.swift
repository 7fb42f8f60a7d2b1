import GalleryTestSupport
import Testing

@testable import gallery

/// The help of the built program.
@Suite(.fewAtOnce, .timeLimit(.minutes(2))) struct HelpEndToEndTests {
    @Test(arguments: [
        "popular", "search", "user", "favorites", "show", "fetch", "browse", "mark", "unmark", "marked",
        "verify", "services", "cache", "web", "collage",
    ])
    func `a command's help has examples that fit`(command: String) async throws {
        try await withBuiltProduct("gallery") { gallery in
            let help = try await gallery.run(["help", command], environment: ["COLUMNS": "80"])
            #expect(help.status == 0)
            let lines = help.lines.drop { $0 != "Examples:" }.dropFirst().prefix {
                $0.hasPrefix("  gallery ")
            }
            #expect((2...3).contains(lines.count), "\(help.output)")
            for line in lines { #expect(line.count <= 80 && line.contains(" \(command)")) }
        }
    }

    @Test func `the program's help names its variables`() async throws {
        try await withBuiltProduct("gallery") { gallery in
            let help = try await gallery.run(["--help"], environment: ["COLUMNS": "80"])
            for variable in [
                "GALLERY_SERVICE", "GALLERY_500PX_KEY", "GALLERY_FLICKR_KEY", "GALLERY_PIXIV_SESSION",
                "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME", "NO_COLOR", "TERM", "COLUMNS",
                "http_proxy,",
            ] {
                #expect(help.lines.contains { $0.hasPrefix("  \(variable) ") }, "\(help.output)")
            }
            // A line of the list that is too long goes on at the margin.
            let start = try #require(help.lines.firstIndex(of: "Environment:")) + 1
            let end = try #require(help.lines[start...].firstIndex(of: ""))
            for line in help.lines[start..<end] { #expect(line.hasPrefix("  ")) }
        }
    }

    @Test(arguments: [
        ("fetch", "fetch", 0), ("fetc", "fetch", 1), ("fecth", "fetch", 1), ("", "abc", 3), ("abc", "", 3),
        ("bookmark", "bookmarks", 1), ("sea", "fetch", 4), ("kitten", "sitting", 3),
    ])
    func `words have a distance`(one: String, other: String, distance: Int) {
        #expect(UsageHint.distance(one, other) == distance)
    }
}
