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
        ), ("gallery hel", ["help"]), ("gallery help cache ", ["clear", "info"]),
        ("gallery fetch --name ", []),
        ("gallery lab on --sec", []),
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
        #expect(!script.contains(/secret\b/))
    }

    /// A command with a choice of its own, below another.
    private struct Shop: ParsableCommand {
        static let configuration = CommandConfiguration(subcommands: [Buy.self], defaultSubcommand: Buy.self)
    }

    private struct Buy: ParsableCommand {
        private static let answer = CompletionKind.custom { line, place, prefix in
            ["\(line.count)", "\(place)", prefix]
        }
        @Argument(completion: answer) var first: String?
        @Argument var second: String?
        @Option(name: [.short, .long], completion: answer) var color: String?
        @Option(completion: .list(["red"])) var paint: String?
    }

    @Test(arguments: [
        ("buy -- --color 3 2 shop buy --color gre", "4\n3\ngr"), ("buy -- -c 2 0 shop buy -c", "3\n2\n"),
        ("-- --color 9 2 shop", "1\n9\n"), ("buy -- positional@0 1 9 shop é", "2\n1\né"),
        ("buy -- positional@1 1 1 shop x", ""), ("buy -- --paint 1 1 shop x", ""),
        ("sell -- --none 1 1 shop x", ""), ("buy -- --color -1 -1 shop x", "2\n-1\n"),
    ])
    func `a shell that asks gets the program's own choice`(question: String, answer: String) {
        let words = ["---completion"] + question.split(separator: " ").map(String.init)
        var text: String?
        do { _ = try Shop.parseAsRoot(words) } catch { text = Shop.fullMessage(for: error) }
        #expect(text == answer)
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
