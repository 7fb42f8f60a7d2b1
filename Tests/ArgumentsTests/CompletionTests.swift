import Foundation
import GalleryTestSupport
import Testing

@testable import Arguments

/// What the shells themselves offer, given our scripts.
@Suite(.timeLimit(.minutes(1))) struct CompletionTests {
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
        ("gallery fetch --name ", []),
        ("gallery fetch --pretend", []),
        ("gallery lab fl", []),
        ("gallery fetch -- --o", []),
        ("gallery fetch -d ", ["odd 'name'", "photos"]),
        ("gallery verify p", ["photos"]),
        ("gallery collage -o p", ["page.svg", "photos"]),
    ]

    @Test(.enabled(if: Shell.bash.isInstalled, "bash is not installed"), arguments: lines)
    func `bash offers what may come next`(line: String, offered: [String]) async throws {
        #expect(try await Shell.bash.complete(line) == offered)
    }

    @Test(.enabled(if: Shell.zsh.isInstalled, "zsh is not installed"), arguments: lines)
    func `zsh offers the same`(line: String, offered: [String]) async throws {
        #expect(try await Shell.zsh.complete(line) == offered)
    }

    @Test(.enabled(if: Shell.fish.isInstalled, "fish is not installed"), arguments: lines)
    func `fish offers the same`(line: String, offered: [String]) async throws {
        #expect(try await Shell.fish.complete(line) == offered)
    }

    @Test(arguments: CompletionShell.allCases)
    func `the flag prints the shell's script`(shell: CompletionShell) async {
        let script = CompletionTree(root: Gallery.self).script(for: shell)
        #expect(
            await Answer(to: ["--generate-completion-script", shell.rawValue])
                == Answer(text: script, status: 0))
        #expect(await Answer(to: ["fetch", "--generate-completion-script=\(shell.rawValue)"]).text == script)
        #expect(!script.contains("pretend"))
    }
}

/// An installed shell, made to complete a line in a folder of its own.
private struct Shell {
    let name: String
    /// Arguments before the script's path and the line.
    let driver: [String]

    static let bash = Shell(name: "bash", driver: ["--norc", "--noprofile", "-c", bashDriver, "bash"])
    static let zsh = Shell(name: "zsh", driver: ["-f", Fixture.folder.appending(path: "complete.zsh").path])
    static let fish = Shell(
        name: "fish", driver: ["--no-config", "-c", "source $argv[1]; complete -C $argv[2]", "--"])

    /// Takes the line apart as bash does, at spaces and `=`, and calls the completion function.
    private static let bashDriver = #"""
        source "$1"
        read -ra COMP_WORDS <<< "${2//=/ = }"
        [[ $2 == *[\ =] ]] && COMP_WORDS+=('')
        COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
        _gallery
        (( ${#COMPREPLY[@]} )) && printf '%s\n' "${COMPREPLY[@]}"
        """#

    private var path: String? {
        ["/bin", "/usr/bin", "/usr/local/bin", "/opt/homebrew/bin"].map { "\($0)/\(name)" }
            .first(where: FileManager.default.isExecutableFile)
    }

    var isInstalled: Bool { path != nil }

    func complete(_ line: String) async throws -> [String] {
        try await withProgram(at: URL(filePath: try #require(path))) { shell in
            let files = FileManager.default
            for name in ["photos", "odd 'name'"] {
                try files.createDirectory(
                    at: shell.folder.appending(path: name), withIntermediateDirectories: true)
            }
            for name in ["page.svg", "other.txt"] {
                try Data().write(to: shell.folder.appending(path: name))
            }
            let script = shell.folder.appending(path: ".script")
            let text = CompletionTree(root: Gallery.self).script(
                for: try #require(CompletionShell(rawValue: name)))
            try Data(text.utf8).write(to: script)
            let outcome = try await shell.run(driver + [script.path, line])
            return outcome.lines.map { plain($0[...]) }.sorted()
        }
    }

    /// The candidate alone: without fish's explanation, zsh's quoting, a folder's slash, the option before `=`.
    private func plain(_ candidate: Substring) -> String {
        var text = String(candidate.prefix { $0 != "\t" })
        if name == "zsh" { text.replace("\\", with: "") }
        if text.last == "/" { text.removeLast() }
        if let value = text.split(separator: "=").last, text.hasPrefix("--") { text = String(value) }
        return text
    }
}
