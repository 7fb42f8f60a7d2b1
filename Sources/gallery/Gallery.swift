import Arguments
import Foundation
import GalleryCore

/// The root command, and the only place that catches.
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
              XDG_STATE_HOME         Folder of gallery/, for marks and the list shown last
                                     (default: ~/.local/state).
              http_proxy, https_proxy, all_proxy, no_proxy
                                     Proxies, in curl's format.
              NO_COLOR               If set, print no colors and show no pictures.
              TERM                   If 'dumb', print no colors and no progress.
              COLUMNS                Width of help, and of terminals that do not
                                     report one.

            Settings in gallery/config.json: service, directory, name, jobs, folder, baseURLs, services, keys.
            Completions: 'gallery --generate-completion-script bash' (or zsh, fish) prints the script.
            """,
        version: "0.1.0",
        subcommands: [
            Popular.self, Search.self, User.self, Favorites.self, Show.self, Fetch.self, Browse.self,
            Web.self, Collage.self, Mark.self, Unmark.self, Marked.self, Verify.self, Services.self,
            Cache.self,
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
        do {
            try UnreadableWord.check()
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

    private static func run() async throws {
        defer { LeftOutPhotos.ofThisCommand.tell(.system) }
        var command = try parseAsRoot()
        if var command = command as? any AsyncParsableCommand {
            try await command.run()
        } else {
            try command.run()
        }
    }

    /// Ends the process as the parser does, with a hint below its text if something else was probably meant.
    private static func end(_ error: any Error) -> Never {
        let hint = UsageHint.text(
            for: Array(CommandLine.arguments.dropFirst()), message: message(for: error),
            commands: commandNames)
        guard let hint else { exit(withError: error) }
        Terminal.system.message(fullMessage(for: error))
        Terminal.system.message("Help: \(PlainText.line(hint))")
        Foundation.exit(exitCode(for: error).rawValue)
    }
}

/// A word of the line is not UTF-8. The standard library would mend it: the name of another folder, another search.
private struct UnreadableWord: StatusError {
    /// As far as it can be read.
    let word: String

    /// - Throws: the first such word that the program was started with.
    static func check() throws(UnreadableWord) {
        for case let word? in UnsafeBufferPointer(
            start: CommandLine.unsafeArgv, count: Int(CommandLine.argc)
        ).dropFirst()
        where String(validatingCString: word) == nil {
            throw UnreadableWord(word: PlainText.excerpt(String(cString: word)))
        }
    }

    var description: String { "'\(word)' on the command line is not valid UTF-8." }
    var hint: String? { "Rename the file or folder, or use a symbolic link with a UTF-8 name." }
    var status: ExitStatus { .usage }
}

/// What was probably meant by arguments that the parser did not expect. Pure.
enum UsageHint {
    /// A sentence for a command line that failed with the parser's `message`; `nil` if nothing is likely.
    static func text(for arguments: [String], message: String, commands: [String]) -> String? {
        guard message.contains("nexpected argument"), let first = arguments.first, !first.hasPrefix("-")
        else {
            return nil
        }
        guard !commands.contains(first) else { return nil }
        let nearest = commands.map { (name: $0, distance: distance(first, $0)) }
            .min { $0.distance < $1.distance }
        guard let nearest, nearest.distance <= (first.count < 5 ? 1 : 2) else { return nil }
        return "Did you mean 'gallery \(nearest.name)'?"
    }

    /// How many letters must be added, removed, replaced, or swapped with the next to turn one word into the other.
    static func distance(_ one: String, _ other: String) -> Int {
        let (one, other) = (Array(one), Array(other))
        var before: [Int] = []
        var last = Array(0...other.count)
        for (row, letter) in one.enumerated() {
            var next = [row + 1]
            for (column, wanted) in other.enumerated() {
                var best = min(
                    next[column] + 1, last[column + 1] + 1, last[column] + (letter == wanted ? 0 : 1))
                if row > 0, column > 0, letter == other[column - 1], one[row - 1] == wanted {
                    best = min(best, before[column - 1] + 1)
                }
                next.append(best)
            }
            (before, last) = (last, next)
        }
        return last[other.count]
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
