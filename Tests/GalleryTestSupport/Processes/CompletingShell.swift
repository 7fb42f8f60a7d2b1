import Foundation

/// An installed shell that completes lines in a folder of its own.
public struct CompletingShell: Sendable {
    /// The shell's name, as in `--generate-completion-script`.
    public let name: String
    /// Arguments before the path of the script and the lines. It prints END after the candidates
    /// for each line.
    private let driver: [String]

    /// The installed bash.
    public static let bash = CompletingShell(
        name: "bash", driver: ["--norc", "--noprofile", "-c", bashDriver, "bash"])
    /// The installed zsh.
    public static let zsh = CompletingShell(
        name: "zsh", driver: ["-f", Fixture.url("arguments/complete.zsh").path])
    /// The installed fish.
    public static let fish = CompletingShell(
        name: "fish", driver: ["--no-config", "-c", fishDriver, "--"])

    private static let fishDriver =
        "source $argv[1]; for line in $argv[2..]; complete -C $line; echo END; end"

    /// Splits each line as bash does, at spaces and `=`, and calls the completion function.
    private static let bashDriver = #"""
        source "$1"
        for line in "${@:2}"; do
            read -ra COMP_WORDS <<< "${line//=/ = }"
            [[ $line == *[\ =] ]] && COMP_WORDS+=('')
            COMP_CWORD=$((${#COMP_WORDS[@]} - 1)) COMPREPLY=()
            _gallery
            (( ${#COMPREPLY[@]} )) && printf '%s\n' "${COMPREPLY[@]}"
            echo END
        done
        """#

    private var path: String? {
        (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map { "\($0)/\(name)" }
            .first(where: FileManager.default.isExecutableFile)
    }

    /// Whether the shell is installed.
    public var isInstalled: Bool { path != nil }

    /// The completions at the end of each line, with the completion script of `gallery`, in a folder that contains
    /// two folders and two files. `environment` says how the script finds the program, and what that knows.
    public func complete(
        _ lines: [String], _ script: String, environment: [String: String] = [:]
    ) async throws -> [[String]] {
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
            let outcome = try await shell.run(driver + [file.path] + lines, environment: environment)
            return outcome.lines.split(separator: "END", omittingEmptySubsequences: false)
                .map { $0.map { plain($0[...]) }.sorted() }.dropLast()
        }
    }

    /// The bare candidate: without fish's description, zsh's quoting, a folder's slash, or the option
    /// before `=`.
    private func plain(_ candidate: Substring) -> String {
        var text = String(candidate.prefix { $0 != "\t" })
        if name == "zsh" { text.replace("\\", with: "") }
        if text.last == "/" { text.removeLast() }
        if let value = text.split(separator: "=").last, text.hasPrefix("--") { text = String(value) }
        return text
    }
}
