import Foundation
import GalleryTestSupport
import Testing

@testable import Arguments

/// What the shells themselves offer, given our scripts.
@Suite(.fewAtOnce, .timeLimit(.minutes(1))) struct CompletionTests {
    /// Lines, and what is offered at their ends.
    private static let lines: [(line: String, offered: [String])] = [
        ("gallery fet", ["fetch"]),
        ("gallery help col", ["collage"]),
        ("gallery cache ", ["clear", "info"]),
        ("gallery bookmarks --format j", ["json", "jsonl"]),
        ("gallery fetch --orientation ", ["landscape", "portrait", "square"]),
        ("gallery fetch --orientation=p", ["portrait"]),
        ("gallery --orientation s", ["square"]),
        ("gallery fetch --o", ["--orientation", "--overwrite"]),
        (
            "gallery help ",
            Gallery.configuration.subcommands.flatMap { [$0.typedName] + $0.configuration.aliases }.sorted()
        ), ("gallery help cache ", ["clear", "info"]),
        ("gallery fetch --name ", []),
        ("gallery fetch -- --o", []),
        ("gallery fetch -d ", ["odd 'name'", "photos"]),
        ("gallery verify p", ["photos"]),
        ("gallery collage -o p", ["page.svg", "photos"]),
    ]

    @Test(.needs("bash", CompletingShell.bash.isInstalled))
    func `bash offers what may come next`() async throws {
        try await expectOffers(.bash, script(.bash))
    }

    @Test(.needs("zsh", CompletingShell.zsh.isInstalled))
    func `zsh offers the same`() async throws {
        try await expectOffers(.zsh, script(.zsh))
    }

    @Test(.needs("fish", CompletingShell.fish.isInstalled))
    func `fish offers the same`() async throws {
        try await expectOffers(.fish, script(.fish))
    }

    @Test(arguments: CompletionShell.allCases)
    func `the flag prints the shell's script`(shell: CompletionShell) async {
        let script = CompletionTree(root: Gallery.self).script(for: shell)
        #expect(
            await Answer(to: ["--generate-completion-script", shell.rawValue])
                == Answer(text: script, status: 0))
        #expect(await Answer(to: ["fetch", "--generate-completion-script=\(shell.rawValue)"]).text == script)
    }

    private func expectOffers(_ shell: CompletingShell, _ script: String) async throws {
        let offered = try await shell.complete(Self.lines.map(\.line), script)
        #expect(offered.count == Self.lines.count)
        for (line, offered) in zip(Self.lines, offered) { #expect(offered == line.offered, "\(line.line)") }
    }

    private func script(_ shell: CompletionShell) -> String {
        CompletionTree(root: Gallery.self).script(for: shell)
    }
}
