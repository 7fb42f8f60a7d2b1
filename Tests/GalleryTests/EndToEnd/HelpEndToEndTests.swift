import GalleryTestSupport
import Testing

/// The help of the built program.
@Suite(.fewAtOnce, .timeLimit(.minutes(2))) struct HelpEndToEndTests {
    private static let commands = [
        "popular", "search", "user", "favorites", "show", "fetch", "browse", "mark", "unmark", "marked",
        "verify", "services", "cache", "web", "collage",
    ]

    @Test(arguments: commands)
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
            #expect(help.output.contains("gallery/config.json: service, directory, name, jobs"))
            #expect(help.output.contains("gallery --generate-completion-script"))
            // A line of the list that is too long goes on at the margin.
            let start = try #require(help.lines.firstIndex(of: "Environment:")) + 1
            let end = try #require(help.lines[start...].firstIndex(of: ""))
            for line in help.lines[start..<end] { #expect(line.hasPrefix("  ")) }
        }
    }

    @Test func `the manual page has a section for every command, and no line that is a stray request`()
        async throws
    {
        try await withBuiltProduct("gallery") { gallery in
            let page = try await gallery.run(["help", "--man"])
            #expect(page.status == 0 && page.lines.first?.hasPrefix(".TH \"GALLERY\" 1 20") == true)
            for command in Self.commands {
                #expect(page.lines.contains(".SS \"gallery \(command)\""), "\(command)")
            }
            let requests = Set([".TH", ".SH", ".SS", ".B", ".PP", ".TP", ".nf", ".fi"])
            for line in page.lines where line.hasPrefix(".") || line.hasPrefix("'") {
                #expect(requests.contains(String(line.prefix { $0 != " " })), "\(line)")
            }
        }
    }
}
