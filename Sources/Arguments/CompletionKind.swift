/// What a shell offers when the user asks to complete a value.
public struct CompletionKind: Sendable {
    enum Choice: Sendable {
        case `default`
        case list([String])
        case file(extensions: [String])
        case directory
    }

    let choice: Choice

    /// The shell's own choice, usually files.
    public static var `default`: CompletionKind { CompletionKind(choice: .default) }
    /// These words.
    public static func list(_ words: [String]) -> CompletionKind { CompletionKind(choice: .list(words)) }
    /// Files, those with one of the given extensions; all where none is given.
    public static func file(extensions: [String] = []) -> CompletionKind {
        CompletionKind(choice: .file(extensions: extensions))
    }
    /// Folders.
    public static var directory: CompletionKind { CompletionKind(choice: .directory) }
}

/// A shell that a completion script can be written for.
public struct CompletionShell: RawRepresentable, Hashable, CaseIterable, Sendable {
    /// The name of the shell's program.
    public let rawValue: String

    /// Knows `zsh`, `bash` and `fish`, and nothing else.
    public init?(rawValue: String) {
        guard Self.allCases.contains(where: { $0.rawValue == rawValue }) else { return nil }
        self.init(name: rawValue)
    }

    private init(name: String) { rawValue = name }

    /// The Z shell.
    public static var zsh: CompletionShell { CompletionShell(name: "zsh") }
    /// The GNU Bourne-again shell, from 3.2, which macOS still has.
    public static var bash: CompletionShell { CompletionShell(name: "bash") }
    /// The friendly interactive shell.
    public static var fish: CompletionShell { CompletionShell(name: "fish") }
    /// In the order in which messages list them.
    public static var allCases: [CompletionShell] { [.zsh, .bash, .fish] }
}
