import Arguments
import Foundation
import GalleryTestSupport
import TerminalPictures
import Testing

@testable import gallery

/// The help of the built program.
@Suite(.fewAtOnce, .timeLimit(.minutes(2))) struct HelpEndToEndTests {
    private static let commands = [
        "popular", "search", "user", "favorites", "show", "fetch", "browse", "mark", "unmark", "marked",
        "rate",
        "verify", "services", "config", "doctor", "cache", "web", "collage",
    ]

    private static func help(on command: String) throws -> [String] {
        let command = try #require(Gallery.command(at: [command]))
        return HelpPage.arranged(Gallery.fullMessage(for: CleanExit.helpRequest(command)))
            .components(separatedBy: "\n")
    }

    @Test(arguments: commands)
    func `a command's help has examples that fit, and its own options before those it shares`(
        command: String
    ) throws {
        let help = try Self.help(on: command)
        let examples = help.drop { $0 != "Examples:" }.dropFirst().prefix { $0.hasPrefix("  gallery ") }
        #expect((2...3).contains(examples.count), "\(help)")
        for line in examples { #expect(line.count <= 80 && line.contains(" \(command)")) }
        let titles = help.filter { $0.hasSuffix(" OPTIONS:") || $0 == "OPTIONS:" }
        let shared = HelpPage.shared.map { "\($0.key):" }
        let places = titles.map { shared.firstIndex(of: $0) ?? -1 }
        #expect(places == places.sorted(), "\(titles)")
        for (title, topic) in HelpPage.shared where titles.contains("\(title):") {
            let place = try #require(help.firstIndex(of: "\(title):"))
            #expect(help[place + 1] == "  more: gallery help \(topic)")
        }
    }

    @Test func `fetch says what an index refers to`() throws {
        let words = try Self.help(on: "fetch").joined(separator: " ").split(separator: " ")
        #expect(
            words.joined(separator: " ").contains(
                "An index refers to the list shown last in this terminal session"))
    }

    @Test func `the help lists the commands in groups, then the topics`() async throws {
        try await withBuiltProduct("gallery") { gallery in
            let help = try await gallery.run(["help"], environment: ["COLUMNS": "80"])
            let titles = help.lines.filter { $0.hasSuffix(":") && $0 == $0.uppercased() }
            #expect(
                titles == [
                    "OPTIONS:", "LOOK SUBCOMMANDS:", "GET SUBCOMMANDS:", "JUDGE SUBCOMMANDS:",
                    "PUBLISH SUBCOMMANDS:", "SET UP SUBCOMMANDS:", "TOPICS:",
                ])
            #expect(!help.output.contains("XDG_") && !help.output.contains("excludeTags"))
            let words = help.lines.compactMap { $0.firstMatch(of: /^  ([a-z-]+)[ ,]/).map { String($0.1) } }
            #expect(Set(Self.commands + HelpTopic.all.map(\.name)).isSubset(of: words), "\(help.output)")
            for other in [["--help"], ["-h"]] {
                #expect(try await gallery.run(other, environment: ["COLUMNS": "80"]).output == help.output)
            }
        }
    }

    @Test func `help is asked for in any order`() async throws {
        try await withBuiltProduct("gallery") { gallery in
            let help = try await gallery.run(["help", "fetch"])
            for line in [["--help", "fetch"], ["fetch", "help"], ["fetch", "--help"], ["-h", "fetch"]] {
                #expect(try await gallery.runWell(line).output == help.output, "\(line)")
            }
            let page = try await gallery.runWell(["help", "--man", "gallery"])
            #expect(page.output == ManualPage(named: "gallery").map { $0.text + "\n" })
        }
    }

    @Test func `an option that does nothing is not in the help`() throws {
        let marked = HelpPage(of: Gallery.Marked.self).options
        #expect(
            !marked.contains("--service") && !marked.contains("--base-url") && !marked.contains("--folder"))
        #expect(marked.contains("--timeout") && marked.contains("--tag"))
        #expect(!HelpPage(of: Gallery.Verify.self).options.contains("--folder"))
    }

    @Test(arguments: ManualPage.names)
    func `mandoc takes every manual page`(name: String) async throws {
        let text = try #require(ManualPage(named: name)).text
        #expect(text.hasPrefix(".TH \"GALLERY"))
        let mandoc = try needed(
            "mandoc", ProcessRun.find("mandoc", in: ["PATH": "/usr/bin:/opt/homebrew/bin"]))
        try await withTemporaryDirectory { folder in
            let file = folder.appending(path: name == "sources" ? "gallery.5" : "gallery.1")
            try Data("\(text)\n".utf8).write(to: file)
            let verdict = try await ProcessRun(mandoc, ["-Tlint", file.path], [:]).outcome()
            #expect(verdict.succeeded, "\(String(decoding: verdict.output, as: UTF8.self))")
        }
    }

    @Test func `the manual has its sections, and every command's own options are on one page`() throws {
        let main = try #require(ManualPage(named: "gallery")).text.replacing("\\-", with: "-")
        for title in [
            "NAME", "SYNOPSIS", "DESCRIPTION", "COMMANDS", "OPTIONS", "EXIT STATUS", "ENVIRONMENT", "FILES",
            "EXAMPLES", "SEE ALSO",
        ] { #expect(main.contains("\n.SH \"\(title)\"\n"), "\(title)") }
        for command in Gallery.configuration.subcommands {
            let page = ManualPage.names.contains(command.name) ? ManualPage(named: command.name) : nil
            let text = page?.text.replacing("\\-", with: "-") ?? main
            for option in HelpPage(of: command).options {
                #expect(text.contains(option), "\(command.name) \(option)")
            }
        }
        let keys = try #require(ManualPage(named: "browse")).text
        #expect(keys.contains("\n.SH \"KEYS\"\n") && keys.contains("tournament: the best ten"))
    }
}

@Suite struct HelpTopicTests {
    private static let names = [
        "selection", "filters", "names", "keys", "services", "sources", "formats", "settings", "environment",
        "scripting", "exit-status", "files",
    ]

    @Test func `there are twelve, each with a summary`() {
        #expect(HelpTopic.all.map(\.name) == Self.names)
        #expect(
            HelpTopic.all.allSatisfy { $0.summary.hasSuffix(".") && $0.name.count + $0.summary.count < 76 })
    }

    @Test(arguments: names, [40, 80, 132])
    func `a topic fits the terminal`(name: String, columns: Int) throws {
        let lines = try #require(HelpTopic.named(name)).page.lines(columns: columns)
        #expect(lines.count > 5 && lines.first?.isEmpty == false && !lines.contains { $0.contains("{FEED") })
        // Lines as one types them are not wrapped.
        let typed = ["  gallery ", "  \"", "  {\"", "  http_"]
        for line in lines where !typed.contains(where: line.hasPrefix) {
            #expect(DisplayWidth.usual.of(line) <= columns, "\(line)")
        }
    }

    @Test(arguments: [
        ("filters", "--orientation"), ("filters", "--unique"), ("selection", "--feed"), ("names", "{index}"),
        ("keys", "tournament: the best ten"), ("keys", "order of a folder"), ("keys", "& D"),
        ("services", "wallhaven"), ("services", "closed in 2018"), ("sources", "adultRankings"),
        ("sources", "a[k$=.jpg|.png]"), ("sources", "cropped"), ("formats", "JPEG XL"), ("formats", "grid"),
        ("settings", "excludeTags"), ("environment", "GALLERY_PIXIV_SESSION"), ("environment", "NO_COLOR"),
        ("scripting", "photos.json"), ("files", "--forget"),
    ])
    func `a topic says`(name: String, text: String) throws {
        let lines = try #require(HelpTopic.named(name)).page.lines(columns: 200)
        #expect(lines.contains { $0.contains(text) }, "\(lines.joined(separator: "\n"))")
    }

    @Test func `every setting and every exit status is in its topic`() throws {
        let settings = try #require(HelpTopic.named("settings")).page.lines(columns: 80)
        for setting in Setting.all { #expect(settings.contains { $0.hasPrefix("  \(setting.name) ") }) }
        let statuses = try #require(HelpTopic.named("exit-status")).page.lines(columns: 80)
        for status in ExitStatus.allCases {
            #expect(statuses.contains { $0.hasPrefix("  \(status.rawValue) ") })
        }
    }
}
