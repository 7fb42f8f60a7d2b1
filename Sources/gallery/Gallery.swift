import Arguments
import Foundation
import GalleryCore

/// The root command.
@main
struct Gallery: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "gallery",
        abstract: "List, view, and download photos from photo services.",
        discussion: """
            Without a command, gallery lists popular photos: those of the bundled catalog, unless \
            --service or GALLERY_SERVICE names another service.

            Examples:
              gallery popular -s commons --limit 5
              gallery fetch 1-3 -d photos
              gallery browse

            Environment:
              GALLERY_SERVICE        The service to use if none is named.
              GALLERY_500PX_KEY      A key for 500px or a compatible server.
              GALLERY_FLICKR_KEY     A key for Flickr.
              GALLERY_PIXIV_SESSION  A session for Pixiv: the cookie PHPSESSID.
              XDG_CONFIG_HOME        Folder of gallery/config.json (default: ~/.config).
              XDG_CACHE_HOME         Folder of gallery/, the cache (default: ~/.cache).
              XDG_STATE_HOME         Folder of gallery/, for marks and the lists shown last
                                     (default: ~/.local/state).
              http_proxy, https_proxy, all_proxy, no_proxy
                                     Proxies, in curl's format.
              NO_COLOR               If set, print no colors and show no pictures.
              TERM                   If 'dumb', print no colors and no progress.
              ACCESSIBLE             If set, browse line by line instead of on a screen.
              COLUMNS                Width of help, and of terminals that do not
                                     report one.

            Settings in gallery/config.json: \(Setting.names).
            'gallery config list' says what each does, 'gallery doctor' what is missing.

            Completions: 'gallery --generate-completion-script bash' (or zsh, fish) prints the script.
            """,
        // Only where it is asked for: that reads a file.
        version: CommandLine.arguments.contains("--version") ? Release.description : Release.version,
        subcommands: [
            Popular.self, Search.self, User.self, Favorites.self, Show.self, Fetch.self, Browse.self,
            Web.self, Collage.self, Mark.self, Unmark.self, Marked.self, Verify.self, Services.self,
            Config.self, Doctor.self, Cache.self,
        ],
        defaultSubcommand: Popular.self)

    static func main() async {
        WorkerProcess.workIfWorker()
        // A closed pipe is an error of write(2) that ends us quietly, not a signal.
        signal(SIGPIPE, SIG_IGN)
        // So is a file beyond the limit of `ulimit -f`: status 74 and a sentence, not a core.
        signal(SIGXFSZ, SIG_IGN)
        Interrupt.catchSignals()
        Memory.keepTogether()
        // Who quits does not wait for a helper, and none stays behind.
        atexit { ChildProcess.killAll() }
        do {
            try checkWords()
            try await run()
        } catch let failure as any ActionableError {
            Terminal.system.report(failure)
            Foundation.exit(ExitStatus(of: failure).rawValue)
        } catch is ClosedPipe {
            Foundation.exit(ExitStatus.done.rawValue)
        } catch {
            end(error)
        }
    }

    private static let words = Array(CommandLine.arguments.dropFirst())

    /// - Throws: A usage error for the first word that is not UTF-8. The standard library would mend it: the name of
    ///   another folder, another search.
    private static func checkWords() throws {
        for case let word? in UnsafeBufferPointer(
            start: CommandLine.unsafeArgv, count: Int(CommandLine.argc)
        ).dropFirst()
        where String(validatingCString: word) == nil {
            let word = PlainText.excerpt(String(cString: word))
            throw CommandFault(
                .usage, "'\(word)' on the command line is not valid UTF-8.",
                hint: "Rename the file or folder, or use a symbolic link with a UTF-8 name.")
        }
    }

    private static func run() async throws {
        defer { LeftOutPhotos.ofThisCommand.tell(.system) }
        var command = try parseAsRoot(words)
        if var command = command as? any AsyncParsableCommand {
            try await command.run()
        } else {
            try command.run()
        }
        if LeftOutPhotos.ofThisCommand.hasFailedService { throw ExitCode(ExitStatus.someFailed.rawValue) }
    }

    /// Ends the process as the parser does, unless more can be said of the line. A command that ran has said what
    /// there is to say, and throws its status alone.
    private static func end(_ error: any Error) -> Never {
        guard !(error is ExitCode), exitCode(for: error) == .validationFailure,
            let mistake = CommandFault(mistakeOf: words)
        else { exit(withError: error) }
        Terminal.system.report(mistake)
        Foundation.exit(mistake.status.rawValue)
    }
}

extension CommandFault {
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

extension Gallery {
    /// The names of all commands, aliases among them.
    static var commandNames: [String] {
        configuration.subcommands.flatMap { command in
            [command.configuration.commandName ?? String(describing: command).lowercased()]
                + command.configuration.aliases
        } + ["help"]
    }
}
