import Foundation
import GalleryTestSupport
import Testing

@testable import gallery

/// The help of the built program.
@Suite(.fewAtOnce, .timeLimit(.minutes(2))) struct HelpEndToEndTests {
    private static let commands = [
        "popular", "search", "user", "favorites", "show", "fetch", "browse", "mark", "unmark", "marked",
        "verify", "services", "config", "doctor", "cache", "web", "collage",
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

    @Test func `the manual page has a section for every command, with its options, and mandoc takes it`()
        async throws
    {
        try await withBuiltProduct("gallery") { gallery in
            let page = try await gallery.run(["help", "--man"])
            #expect(page.status == 0 && page.lines.first?.hasPrefix(".TH \"GALLERY\" 1 20") == true)
            #expect(Set(Self.commands).isSubset(of: try await Self.words("SUBCOMMANDS:", [], gallery)))
            var waiting: [[String]] = [[]]
            while let path = waiting.popLast() {
                let title = ".SS \"\((["gallery"] + path).joined(separator: " "))\""
                let section = page.lines.drop { !path.isEmpty && $0 != title }.dropFirst()
                    .prefix { !$0.hasPrefix(".SS ") }.joined(separator: "\n").replacing("\\-", with: "-")
                #expect(!section.isEmpty, "\(title)")
                for option in try await Self.words("OPTIONS:", path, gallery) {
                    #expect(section.contains(option), "\(title) lacks \(option)")
                }
                waiting += try await Self.words("SUBCOMMANDS:", path, gallery).map { path + [$0] }
            }
            let mandoc = try needed(
                "mandoc", ProcessRun.find("mandoc", in: ["PATH": "/usr/bin:/opt/homebrew/bin"]))
            let file = gallery.home.appending(path: "gallery.1")
            try page.outputData.write(to: file)
            let verdict = try await ProcessRun(mandoc, ["-Tlint", file.path], [:]).outcome()
            #expect(verdict.succeeded, "\(String(decoding: verdict.output, as: UTF8.self))")
        }
    }

    /// The first words of the lines that a section of the help has at its margin.
    private static func words(
        _ section: String, _ command: [String], _ gallery: BuiltProduct
    ) async throws -> [String] {
        try await gallery.run(["help"] + command, environment: ["COLUMNS": "80"]).lines
            .drop { $0 != section }.dropFirst().prefix { !$0.isEmpty }
            .compactMap { $0.firstMatch(of: /^  (?:-., )?([^ ,=]+)/).map { String($0.1) } }
    }
}
