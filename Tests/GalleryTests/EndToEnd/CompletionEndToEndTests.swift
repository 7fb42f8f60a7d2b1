import GalleryTestSupport
import Testing

/// What the shells offer for the built program's own options.
@Suite(.fewAtOnce, .timeLimit(.minutes(2))) struct CompletionEndToEndTests {
    private static let services = [
        "500px", "commons", "flickr", "folder", "openverse", "picsum", "pixiv", "sample",
    ]
    private static let lines: [(line: String, offered: [String])] = [
        ("gallery popular -s ", services), ("gallery --service ", services),
        ("gallery fetch --service=f", ["flickr", "folder"]),
        ("gallery popular --ranking dail", ["daily", "daily_ai", "daily_r18", "daily_r18_ai"]),
        ("gallery fetch --ranking=fresh_t", ["fresh_today"]),
        ("gallery fetch --feed ", ["favorites", "marked", "popular", "search", "user"]),
        ("gallery browse --feed s", ["search"]), ("gallery services --format ", ["json", "text"]),
    ]

    private func offered(_ line: String, by shell: CompletingShell) async throws -> [String] {
        let script = try await withBuiltProduct("gallery") { gallery in
            try await gallery.run(["--generate-completion-script", shell.name]).output
        }
        return try await shell.complete(line, script)
    }

    @Test(.enabled(if: CompletingShell.bash.isInstalled, "bash is not installed"), arguments: lines)
    func `bash completes values`(line: String, offered: [String]) async throws {
        #expect(try await self.offered(line, by: .bash) == offered)
    }

    @Test(.enabled(if: CompletingShell.zsh.isInstalled, "zsh is not installed"), arguments: lines)
    func `zsh completes values`(line: String, offered: [String]) async throws {
        #expect(try await self.offered(line, by: .zsh) == offered)
    }

    @Test(.enabled(if: CompletingShell.fish.isInstalled, "fish is not installed"), arguments: lines)
    func `fish completes values`(line: String, offered: [String]) async throws {
        #expect(try await self.offered(line, by: .fish) == offered)
    }
}
