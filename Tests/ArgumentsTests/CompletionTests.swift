import Foundation
import Testing

@testable import Arguments

/// What the shells themselves offer, given our scripts.
@Suite struct CompletionTests {
    @Test(arguments: [
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
    ])
    func `bash and zsh and fish offer the same`(line: String, offered: [String]) throws {
        for shell in Shell.all {
            guard shell.isInstalled else {
                print("skipped: \(shell.name) is not installed")
                continue
            }
            #expect(try shell.complete(line) == offered, "\(shell.name)")
        }
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

    static let all = [
        Shell(name: "bash", driver: ["--norc", "--noprofile", "-c", bash, "bash"]),
        Shell(name: "zsh", driver: ["-f", Fixture.folder.appending(path: "complete.zsh").path]),
        Shell(name: "fish", driver: ["--no-config", "-c", "source $argv[1]; complete -C $argv[2]", "--"]),
    ]

    /// Takes the line apart as bash does, at spaces and `=`, and calls the completion function.
    private static let bash = #"""
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

    func complete(_ line: String) throws -> [String] {
        let folder = FileManager.default.temporaryDirectory.appending(path: "completion-\(UUID())")
        defer { try? FileManager.default.removeItem(at: folder) }
        for name in ["photos", "odd 'name'"] {
            try FileManager.default.createDirectory(
                at: folder.appending(path: name), withIntermediateDirectories: true)
        }
        for name in ["page.svg", "other.txt"] { try Data().write(to: folder.appending(path: name)) }
        let script = folder.appending(path: ".script")
        let text = CompletionTree(root: Gallery.self).script(
            for: try #require(CompletionShell(rawValue: name)))
        try text.write(to: script, atomically: true, encoding: .utf8)

        let process = Process()
        let output = Pipe()
        process.executableURL = URL(filePath: try #require(path))
        process.arguments = driver + [script.path, line]
        process.currentDirectoryURL = folder
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        try process.run()
        let printed = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return String(decoding: printed, as: UTF8.self).split(separator: "\n").map(plain).sorted()
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
