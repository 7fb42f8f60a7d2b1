import Foundation
import GalleryTestSupport
import Testing

/// What the shells offer for the built program's own options.
@Suite(.fewAtOnce, .timeLimit(.minutes(2))) struct CompletionEndToEndTests {
    private static let services = [
        "500px", "artic", "cleveland", "commons", "feed", "flickr", "folder", "iiif", "inaturalist", "met",
        "nasa", "openverse", "own", "picsum", "pixiv", "sample", "wallhaven",
    ]
    private static let lines: [(line: String, offered: [String])] = [
        ("gallery popular -s ", services), ("gallery --service o", ["openverse", "own"]),
        ("gallery fetch --list ", ["best of", "trip"]), ("gallery marked --list=t", ["trip"]),
        ("gallery -s own --ranking ", ["rare"]),
        ("gallery web -s met -s own,flickr --ranking ", ["interesting", "rare"]),
        ("gallery popular --service=own --ranking=r", ["rare"]),
        ("gallery fetch --service=f", ["feed", "flickr", "folder"]),
        ("gallery popular --ranking dail", ["daily", "daily_ai", "daily_r18", "daily_r18_ai"]),
        ("gallery fetch --ranking=fresh_t", ["fresh_today"]),
        ("gallery fetch --feed ", ["favorites", "marked", "popular", "search", "user"]),
        ("gallery browse --feed s", ["search"]), ("gallery hel", ["help"]), ("gallery help ca", ["cache"]),
        ("gallery help sel", ["selection"]), ("gallery help exit", ["exit-status"]),
        ("gallery help cache ", ["clear", "info"]),
        ("gallery browse --picture ", ["auto", "iterm", "kitty", "none", "sixel", "symbols"]),
        ("gallery services --format ", ["json", "text"]),
        ("gallery config ", ["edit", "get", "list", "path", "set", "unset"]),
        ("gallery config get excl", ["excludeAuthors", "excludeTags"]),
        ("gallery config set keys.f", ["keys.flickr"]), ("gallery doctor --format j", ["json"]),
    ]

    private func expectOffers(_ shell: CompletingShell) async throws {
        let offered = try await withBuiltProduct { gallery in
            let script = try await gallery.run(["--generate-completion-script", shell.name]).output
            // What is there since the script was made.
            for list in ["trip", "best of"] { _ = try await gallery.run(["mark", "1", "--list", list]) }
            let folder = gallery.home.appending(path: ".config/gallery/sources")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let source = try String(contentsOf: Fixture.url("sources/picsum.json"), encoding: .utf8)
                .replacing(#"["list"]"#, with: #"["rare"]"#)
            try Data(source.utf8).write(to: folder.appending(path: "own.json"))
            var environment = gallery.environment
            let path = environment["PATH"] ?? ""
            environment["PATH"] = gallery.executable.deletingLastPathComponent().path + ":" + path
            return try await shell.complete(Self.lines.map(\.line), script, environment: environment)
        }
        #expect(offered.count == Self.lines.count)
        for (line, offered) in zip(Self.lines, offered) { #expect(offered == line.offered, "\(line.line)") }
    }

    @Test(.needs("bash", CompletingShell.bash.isInstalled))
    func `bash completes values`() async throws {
        try await expectOffers(.bash)
    }

    @Test(.needs("zsh", CompletingShell.zsh.isInstalled))
    func `zsh completes values`() async throws {
        try await expectOffers(.zsh)
    }

    @Test(.needs("fish", CompletingShell.fish.isInstalled))
    func `fish completes values`() async throws {
        try await expectOffers(.fish)
    }
}
