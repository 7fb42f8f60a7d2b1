import Arguments
import Basics
import Foundation
import TerminalPictures

/// The command of `--exec`, run with a photo's file: words split at spaces, as quotes allow, and no shell unless named.
struct UserCommand: Hashable, Sendable {
    /// At least one.
    let words: [String]

    init(words: [String]) { self.words = words }

    init(line: String) throws {
        guard let words = Self.words(of: line) else {
            throw ValidationError("it must be a command, with every quote closed.")
        }
        self.words = words
    }

    /// The words of a command line with single and double quotes; `nil` for an open quote or no words.
    static func words(of line: String) -> [String]? {
        var words: [String] = []
        var word: String?
        var quote: Character?
        for character in line {
            switch (character, quote) {
            case (let end, let open?) where end == open: quote = nil
            case (_, _?): word?.append(character)
            case ("'", nil), ("\"", nil):
                quote = character
                word = word ?? ""
            case (" ", nil):
                if let word { words.append(word) }
                word = nil
            default: word = (word ?? "") + String(character)
            }
        }
        if let word { words.append(word) }
        return quote == nil && !words.isEmpty ? words : nil
    }

    /// The arguments for a file: in place of `$1`, else as the last one. For a shell's script it is `$1`.
    func arguments(for file: String) -> [String] {
        let arguments = Array(words.dropFirst())
        if arguments.contains("$1") { return arguments.map { $0 == "$1" ? file : $0 } }
        return arguments + (arguments.first == "-c" ? ["gallery", file] : [file])
    }

    /// What is wrong with how it ended; `nil` for nothing.
    func problem(_ ending: ProcessRun.Ending?) -> String? {
        let name = PlainText.excerpt(words[0])
        return switch ending {
        case .status(0)?, .stillRunning?: nil
        case .status(let status)?: "'\(name)' ended with status \(status)."
        case .signal(let signal)?: "'\(name)' was ended by signal \(signal)."
        case .timedOut?: "'\(name)' took longer than a day."
        case .wroteTooMuch?: "'\(name)' printed too much."
        default: "'\(name)' could not be run."
        }
    }

    /// The program's path; `nil` if it is not installed. One of the working folder is run only by its path.
    func program(in environment: [String: String]) -> String? {
        guard words[0].contains("/") else { return ProcessRun.find(words[0], in: environment) }
        let path = URL(filePath: words[0]).absoluteURL.path
        return ProcessRun.isProgram(path) ? path : nil
    }

    /// Runs it to its end, with `facts` added to its environment; returns what went wrong.
    func problem(
        with file: URL, _ environment: [String: String], facts: [String: String], print: (String) -> Void
    ) async -> String? {
        guard let program = program(in: environment) else { return nil }
        var run = ProcessRun(program, arguments(for: file.absoluteURL.path), environment)
        // The system takes no variable of more than 128 KiB; a character has four bytes at most.
        run.environment.merge(facts.mapValues { String($0.unicodeScalars.prefix(8192)) }) { $1 }
        run.timeLimit = .seconds(86_400)
        guard let outcome = try? await run.outcome() else { return nil }
        String(decoding: outcome.output, as: UTF8.self).split(separator: "\n").forEach {
            print(PlainText.line(String($0)))
        }
        return problem(outcome.ending)
    }
}
