import GalleryTestSupport
import Testing

/// What the shells offer for the built program's own options.
@Suite(.fewAtOnce, .timeLimit(.minutes(2))) struct CompletionEndToEndTests {
    private static let services = [
        "500px", "artic", "cleveland", "commons", "feed", "flickr", "folder", "iiif", "inaturalist", "met",
        "nasa", "openverse", "picsum", "pixiv", "sample", "wallhaven",
    ]
    private static let lines: [(line: String, offered: [String])] = [
        ("gallery popular -s ", services), ("gallery --service ", services),
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
        let script = try await withBuiltProduct("gallery") { gallery in
            try await gallery.run(["--generate-completion-script", shell.name]).output
        }
        let offered = try await shell.complete(Self.lines.map(\.line), script)
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
