import Basics
import Foundation
import TerminalPictures

/// An edit of the configuration file: on a copy, which takes its place once it can be used.
struct SettingsEdit {
    let file: ConfigurationFile
    let environment: [String: String]

    /// Throws ``ConfigurationError`` where the copy cannot be used; it is kept then.
    func run(_ terminal: Terminal) async throws {
        let editor = try editor
        let former = try file.data()
        let draft = file.draft
        let shown = PlainText.line(draft.path)
        if FileManager.default.fileExists(atPath: draft.path) {
            guard former == nil || date(draft) >= date(file.url) else {
                throw CommandFault(
                    .inputOutput,
                    "'\(shown)' is an edit that was not finished, and the file has changed since.",
                    hint: "Take from it what you need, remove it, then edit again.")
            }
            terminal.message("Going on with the edit that was not finished. Remove '\(shown)' to begin anew.")
        } else {
            try PrivateFile.replace(draft, with: former ?? Data("{\n}\n".utf8), isDurable: false)
        }
        let ending = await ProcessRun(editor.program, editor.arguments + [draft.path], environment)
            .foreground()
        if let problem = editor.command.problem(ending) {
            discard(unless: former)
            throw CommandFault(
                .someFailed, problem, hint: "Nothing is changed. VISUAL or EDITOR names another editor.")
        }
        guard let edited = try ConfigurationFile.data(at: draft.path) else {
            throw CommandFault(.missing, "The editor has left no file; nothing is changed.")
        }
        if edited == former ?? Data("{\n}\n".utf8) {
            discard(unless: edited)
            terminal.message("Nothing is changed.")
            return
        }
        // Both may be wrong; then the copy is what is being edited.
        do { _ = try Configuration(edited, at: file.url, home: file.home) } catch let error
            as ConfigurationError
        {
            terminal.message(
                "Your edit is kept in '\(shown)'; run 'gallery config edit' again to go on with it.")
            throw error
        }
        guard try file.data() == former else {
            throw CommandFault(
                .inputOutput, "The file has changed meanwhile; your edit is kept in '\(shown)'.",
                hint: "Take from it what you need, remove it, then edit again.")
        }
        try file.write(edited)
        try? FileManager.default.removeItem(at: draft)
    }

    private func discard(unless data: Data?) {
        if FileManager.default.contents(atPath: file.draft.path) == data ?? Data("{\n}\n".utf8) {
            try? FileManager.default.removeItem(at: file.draft)
        }
    }

    private func date(_ url: URL) -> Date {
        (try? FileManager.default.attributesOfItem(atPath: url.path)[.modificationDate] as? Date)
            ?? .distantPast
    }

    private var editor: (command: UserCommand, program: String, arguments: [String]) {
        get throws {
            let named = ["VISUAL", "EDITOR"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
            if let named {
                guard let words = UserCommand.words(of: named),
                    let program = UserCommand(words: words).program(in: environment)
                else {
                    throw CommandFault(
                        .missing, "The editor '\(PlainText.excerpt(named))' is not installed.",
                        hint: "Set VISUAL or EDITOR to one that is.")
                }
                return (UserCommand(words: words), program, Array(words.dropFirst()))
            }
            for name in ["editor", "nano", "vi"] {
                if let program = ProcessRun.find(name, in: environment) {
                    return (UserCommand(words: [name]), program, [])
                }
            }
            throw CommandFault(
                .missing, "No editor is installed.", hint: "Set VISUAL or EDITOR to the one you use.")
        }
    }
}
