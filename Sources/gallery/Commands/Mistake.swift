import Arguments
import Curation
import Foundation
import GalleryCore

/// What people type who know other programs.
enum Mistake {
    /// What is meant by words that are no commands, and by options that some commands lack.
    private static let meanings = [
        "list": "popular", "ls": "popular", "download": "fetch", "get": "fetch", "view": "browse",
        "open": "browse", "version": "--version", "completion": "--generate-completion-script bash",
        "--json": "--format json", "--jsonl": "--format jsonl", "--csv": "--format csv",
        "--directory": "--output", "--output": "--directory", "--count": "--limit", "--max": "--limit",
    ]

    /// The one of `names` that `word` was meant to be, perhaps with a value; `nil` where none is near.
    static func meant(by word: String, among names: [String]) -> String? {
        let meaning = meanings[word].flatMap { meaning in
            names.contains { meaning == $0 || meaning.hasPrefix($0 + " ") } ? meaning : nil
        }
        return meaning ?? word.nearest(among: names)
    }
}

extension CommandFault {
    /// A key was given as an argument. It is not repeated.
    static let keyOnTheLine = CommandFault(
        .usage, "A key is not taken from the command line, where others can see it.",
        hint: """
            Leave it out and type it, or pipe it in. If that was a real key, change it: your shell's history has it \
            now.
            """)

    /// The first word that is not UTF-8: the standard library would mend it, to another folder, another search.
    static var unreadableWord: CommandFault? {
        let words = UnsafeBufferPointer(start: CommandLine.unsafeArgv, count: Int(CommandLine.argc))
        for case let word? in words.dropFirst() where String(validatingCString: word) == nil {
            let word = PlainText.excerpt(String(cString: word))
            return CommandFault(
                .usage, "'\(word)' on the command line is not valid UTF-8.",
                hint: "Rename the file or folder, or use a symbolic link with a UTF-8 name.")
        }
        return nil
    }

    /// A service that is named twice: the parser takes the last alone.
    init?(repeatedService words: [String]) {
        let words = words.prefix { $0 != "--" }
        let places = words.indices.filter {
            ["-s", "--service"].contains(words[$0]) || words[$0].hasPrefix("--service=")
        }
        guard places.count > 1 else { return nil }
        let names = places.compactMap { place in
            words[place].split(separator: "=").dropFirst().first.map(String.init)
                ?? (words.indices.contains(place + 1) ? words[place + 1] : nil)
        }
        self.init(
            .usage, "'--service' is given \(places.count) times.",
            hint: "For all of them: -s \(names.joined(separator: ",").shellWord)")
    }

    /// What is wrong with a line that the parser refused; `nil` where its own `message` says it best.
    init?(mistakeOf words: [String], refusedWith message: String) {
        guard let first = words.first else { return nil }
        // The parser would repeat what follows, which is a key.
        if first == "config", let place = words.firstIndex(where: { SettingName($0).isSecret }),
            place + 1 < words.count
        {
            self = .keyOnTheLine
        } else if let fault = Self(commandOf: words) ?? Self(numberIn: words) {
            self = fault
        } else if let fault = Self(optionIn: words, refusedWith: message) {
            self = fault
        } else {
            return nil
        }
    }

    /// A command that there is not, or that is not where commands are.
    private init?(commandOf words: [String]) {
        let commands = Gallery.commandNames
        let path = words.prefix { !$0.hasPrefix("-") }
        if words[0].hasPrefix("-") {
            guard let place = words.firstIndex(where: commands.contains),
                let line = Self.line(Array(words[place...] + words[..<place]))
            else { return nil }
            self.init(.usage, "Options go after the command.", hint: "Put the command first: \(line)")
        } else if !commands.contains(words[0]), !Self.isPath(words[0]) {
            self.init(
                .usage, "'\(PlainText.excerpt(words[0]))' is not a command.",
                hint: Self.command(near: words[0], commands))
        } else if path.count > 1, let group = Gallery.command(at: path.prefix(1)),
            !group.commandNames.isEmpty, group.command(at: path[1...1]) == nil
        {
            let line = "gallery \(words[0])"
            let meant = Mistake.meant(by: path[1], among: group.commandNames)
            self.init(
                .usage, "'\(PlainText.excerpt(path[1]))' is not a command of '\(line)'.",
                hint: meant.map { "Did you mean '\(line) \($0)'?" }
                    ?? "Use one of: \(group.commandNames.joined(separator: ", ")).")
        } else {
            return nil
        }
    }

    private init?(numberIn words: [String]) {
        guard
            let place = words.indices.dropFirst().first(where: { words[$0].wholeMatch(of: /-[0-9]+/) != nil })
        else { return nil }
        if Self.line(words[..<place] + ["1" + words[place]] + words[(place + 1)...]) != nil {
            self.init(
                .usage, "'\(words[place])' is not an option.",
                hint: "Use '1\(words[place])' for the photos up to that index.")
            return
        }
        var joined = words
        joined.replaceSubrange((place - 1)...place, with: [words[place - 1] + "=" + words[place]])
        do {
            _ = try Gallery.parseAsRoot(joined)
            return nil
        } catch {
            let message = Gallery.fullMessage(for: error)
            guard words[place - 1].hasPrefix("-"), !message.hasPrefix("Error: Unknown") else { return nil }
            self.init(.usage, Self.sentence(of: message))
        }
    }

    /// An option that the command does not have: the parser blames its value, if it names the option at all.
    private init?(optionIn words: [String], refusedWith message: String) {
        let path = words.prefix(words[0].hasPrefix("-") ? 0 : 1)
        guard let command = Gallery.command(at: path.isEmpty ? ["popular"] : path) else { return nil }
        let known = HelpPage(of: command).options + ["--generate-completion-script"]
        let names = words.prefix { $0 != "--" }.map { String($0.prefix { $0 != "=" }) }
        guard let unknown = names.first(where: { $0.hasPrefix("--") && !known.contains($0) }) else {
            return nil
        }
        let shown = PlainText.excerpt(unknown)
        let meant = Mistake.meant(by: unknown, among: known)
        let line = (["gallery"] + path).joined(separator: " ")
        if !message.hasPrefix("Error: Unknown option") {
            self.init(
                .usage, Self.sentence(of: message),
                hint: "'\(line)' has no option '\(shown)'. "
                    + (meant.map { "Did you mean '\($0)'?" } ?? "'\(line) --help' lists its options."))
        } else if let meant, !message.contains("'\(meant)'") {
            self.init(.usage, "Unknown option '\(shown)'.", hint: "Did you mean '\(meant)'?")
        } else {
            return nil
        }
    }

    /// The parser's first line without its title.
    private static func sentence(of message: String) -> String {
        String(message.prefix { $0 != "\n" }.trimmingPrefix("Error: "))
    }

    private static func command(near word: String, _ commands: [String]) -> String {
        if (try? Selection(word)) != nil { return "Did you mean 'gallery show \(word.shellWord)'?" }
        let meant = Mistake.meant(by: word, among: commands + ["--version", "--generate-completion-script"])
        return meant.map { "Did you mean 'gallery \($0)'?" } ?? "'gallery --help' lists the commands."
    }

    /// The line as one types it in a shell; `nil` if the parser would refuse this one too.
    private static func line(_ words: [String]) -> String? {
        guard (try? Gallery.parseAsRoot(words)) != nil else { return nil }
        return (["gallery"] + words.map(\.shellWord)).joined(separator: " ")
    }

    private static func isPath(_ word: String) -> Bool {
        if case .path? = try? Selection(word) { true } else { false }
    }
}
