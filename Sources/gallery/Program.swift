import Arguments
import Curation
import Foundation
import GalleryCore
import PictureFiles
import TerminalPictures

/// A command that works in a ``Context``.
protocol ContextCommand: AsyncParsableCommand {
    static var configurationUse: ConfigurationUse { get }
    func run(in context: Context) async throws
}

extension ContextCommand {
    static var configurationUse: ConfigurationUse { .required }

    func run() async throws { try await run(in: Context(.ofProcess, Self.configurationUse)) }
}

/// What a command does about a configuration file that cannot be used.
enum ConfigurationUse {
    /// It fails.
    case required
    /// It warns, and takes the defaults.
    case optional
    /// It takes the defaults in silence, since it may mend the file; nor does it need a cache.
    case mending
}

/// One run of the program: a line, done in given surroundings.
struct Program {
    private let words: [String]
    private let surroundings: Surroundings

    /// - Parameter words: What follows the program's name.
    init(_ words: [String], _ surroundings: Surroundings) {
        (self.words, self.surroundings) = (words, surroundings)
    }

    /// Does what the line says, and reports what went wrong.
    ///
    /// - Returns: The exit status.
    func run() async -> Int32 {
        do {
            try await perform()
            return ExitStatus.done.rawValue
        } catch let failure as any ActionableError {
            return report(failure)
        } catch is ClosedPipe {
            return ExitStatus.done.rawValue
        } catch {
            return end(error)
        }
    }

    private func perform() async throws {
        var command = try Gallery.parseAsRoot(words)
        guard let command = command as? any ContextCommand else { return try command.run() }
        let context = try Context(surroundings, type(of: command).configurationUse)
        defer { context.leftOut.tell(context.terminal) }
        try await command.run(in: context)
        if context.leftOut.hasFailedService { throw ExitCode(ExitStatus.someFailed.rawValue) }
    }

    private func report(_ failure: any ActionableError) -> Int32 {
        surroundings.terminal.report(failure)
        return ExitStatus(of: failure).rawValue
    }

    /// Ends as the parser does, unless more can be said of the line. A command that ran has said what there is to say,
    /// and throws its status alone.
    private func end(_ error: any Error) -> Int32 {
        let status = Gallery.exitCode(for: error)
        if !(error is ExitCode), status == .validationFailure, let mistake = CommandFault(mistakeOf: words) {
            return report(mistake)
        }
        let text = Gallery.fullMessage(for: error)
        do {
            if status != .success { try surroundings.terminal.flush() }
            if !text.isEmpty, status == .success { try surroundings.terminal.results([text]) }
        } catch let failure as any ActionableError {
            return report(failure)
        } catch {
            return status.rawValue
        }
        if !text.isEmpty, status != .success { surroundings.terminal.message(text) }
        return status.rawValue
    }
}

extension CommandFault {
    /// The first word of this process's line that is not UTF-8. The standard library would mend it: the name of another
    /// folder, another search.
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

    /// A key was given as an argument. It is not repeated.
    static let keyOnTheLine = CommandFault(
        .usage, "A key is not taken from the command line, where others can see it.",
        hint: """
            Leave it out and type it, or pipe it in. If that was a real key, change it: your shell's history has it \
            now.
            """)

    /// What is wrong with a line that the parser refused, where a line that it accepts was probably meant; `nil` where
    /// the parser's own message says it best.
    fileprivate init?(mistakeOf words: [String]) {
        let commands = Gallery.commandNames
        guard let first = words.first else { return nil }
        // The parser would repeat what follows, which is a key.
        if first == "config", let place = words.firstIndex(where: { SettingName($0).isSecret }),
            place + 1 < words.count
        {
            self = .keyOnTheLine
            return
        }
        if !first.hasPrefix("-"), !commands.contains(first) {
            self.init(
                .usage, "'\(PlainText.excerpt(first))' is not a command.",
                hint: Self.command(near: first, commands))
        } else if first.hasPrefix("-"), let place = words.firstIndex(where: commands.contains),
            let line = Self.line(Array(words[place...] + words[..<place]))
        {
            self.init(.usage, "Options go after the command.", hint: "Put the command first: \(line)")
        } else if let place = words.firstIndex(where: { $0.wholeMatch(of: /-[0-9]+/) != nil }),
            Self.line(words.replacing(place, with: "1" + words[place])) != nil
        {
            self.init(
                .usage, "'\(words[place])' is not an option.",
                hint: "Use '1\(words[place])' for the photos up to that index.")
        } else if let place = words.indices.dropFirst().first(where: { Self.isList(words[$0]) }),
            let line = Self.line(words.replacing(place, with: "-"))
        {
            let file = words[place]
            self.init(
                .usage, "'\(PlainText.excerpt(file))' is a file, not a photo.",
                hint: "To read photos from it: \(line) < \(file.shellWord)")
        } else {
            return nil
        }
    }

    private static func command(near word: String, _ commands: [String]) -> String {
        if (try? Selection(word)) != nil { return "Did you mean 'gallery show \(word.shellWord)'?" }
        return word.nearest(among: commands).map { "Did you mean 'gallery \($0)'?" }
            ?? "'gallery --help' lists the commands."
    }

    /// The line as one types it in a shell; `nil` if the parser would refuse this one too.
    private static func line(_ words: [String]) -> String? {
        guard (try? Gallery.parseAsRoot(words)) != nil else { return nil }
        return (["gallery"] + words.map(\.shellWord)).joined(separator: " ")
    }

    /// Whether it is a file that may describe photos.
    private static func isList(_ word: String) -> Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: word, isDirectory: &isFolder) && !isFolder.boolValue
            && PictureType(fileExtension: URL(filePath: word).pathExtension) == nil
    }
}

extension [String] {
    fileprivate func replacing(_ place: Int, with word: String) -> [String] {
        var words = self
        words[place] = word
        return words
    }
}
