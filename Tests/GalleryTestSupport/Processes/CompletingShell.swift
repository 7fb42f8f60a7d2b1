import Foundation

/// An installed shell, made to complete a line in a folder of its own.
public struct CompletingShell: Sendable {
    /// The program's name, as in `--generate-completion-script`.
    public let name: String
    /// Arguments before the script's path and the line.
    private let driver: [String]

    /// The bash that is installed.
    public static let bash = CompletingShell(
        name: "bash", driver: ["--norc", "--noprofile", "-c", bashDriver, "bash"])
    /// The zsh that is installed.
    public static let zsh = CompletingShell(
        name: "zsh", driver: ["-f", Fixture.url("arguments/complete.zsh").path])
    /// The fish that is installed.
    public static let fish = CompletingShell(
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

    /// Whether the shell is installed.
    public var isInstalled: Bool { path != nil }

    /// What the shell offers at the end of `line`, given the completion script of `gallery`, in a folder with
    /// two folders and two files.
    public func complete(_ line: String, _ script: String) async throws -> [String] {
        try await withProgram(at: URL(filePath: path ?? "")) { shell in
            let files = FileManager.default
            for name in ["photos", "odd 'name'"] {
                try files.createDirectory(
                    at: shell.folder.appending(path: name), withIntermediateDirectories: true)
            }
            for name in ["page.svg", "other.txt"] {
                try Data().write(to: shell.folder.appending(path: name))
            }
            let file = shell.folder.appending(path: ".script")
            try Data(script.utf8).write(to: file)
            let outcome = try await shell.run(driver + [file.path, line])
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
