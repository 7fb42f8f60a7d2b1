import Foundation
import Testing

@testable import Arguments

/// What the sample answers to a line: everything it prints, and its status.
struct Answer: Equatable {
    let text: String
    let status: Int32

    /// Parses and runs as `main()` does, but at a width of one's own and without printing.
    init(to words: [String], columns: Int = 80) async {
        do {
            var command = try Gallery.parseAsRoot(words)
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
            (text, status) = ("", 0)
        } catch {
            (text, status) = (
                Outcome(of: error, root: Gallery.self, columns: columns).text,
                Gallery.exitCode(for: error).rawValue
            )
        }
    }

    init(text: String, status: Int32) {
        self.text = text
        self.status = status
    }
}

/// A line of `fixtures/arguments/answers.txt`, with what the real parser answered.
struct Recording {
    let line: String
    let answer: Answer

    static let all: [Recording] = {
        // Each begins with `$ gallery LINE` and ends with `status N`; help pages have empty lines.
        let recordings = Fixture.text("answers.txt").components(separatedBy: "\n$ gallery ")
        return recordings.compactMap { recording in
            var lines = recording.components(separatedBy: "\n")
            while lines.last == "" { lines.removeLast() }
            guard lines.count >= 2, let status = Int32(lines.removeLast().dropFirst("status ".count)) else {
                return nil
            }
            let line = lines.removeFirst()
            let text = lines.joined(separator: "\n")
            return Recording(
                line: line.hasPrefix("$ gallery ") ? String(line.dropFirst("$ gallery ".count)) : line,
                answer: Answer(text: text, status: status))
        }
    }()
}

enum Fixture {
    static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "fixtures/arguments")

    static func text(_ path: String) -> String {
        (try? String(contentsOf: folder.appending(path: path), encoding: .utf8)) ?? ""
    }
}

extension String {
    /// The words of the line, as a shell splits them; single quotes are the only special thing.
    var words: [String] {
        var words: [String] = []
        var word: String?
        var isQuoted = false
        for letter in self {
            switch letter {
            case "'":
                isQuoted.toggle()
                word = word ?? ""
            case " " where !isQuoted:
                if let finished = word { words.append(finished) }
                word = nil
            default: word = (word ?? "") + String(letter)
            }
        }
        return words + (word.map { [$0] } ?? [])
    }
}
