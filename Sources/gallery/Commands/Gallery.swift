import Arguments
import Foundation
import GalleryCore
import TerminalPictures

@main
struct Gallery: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "gallery", abstract: "List, view, and download photos from photo services.",
        discussion: HelpTopic.discussion(of: "gallery"),
        // Only where it is asked for: that reads a file.
        version: CommandLine.arguments.contains("--version") ? Release.description : Release.version,
        subcommands: [
            Popular.self, Search.self, User.self, Favorites.self, Show.self, Browse.self, Fetch.self,
            Verify.self, Mark.self, Unmark.self, Rate.self, Marked.self, Web.self, Collage.self,
            Services.self, Config.self, Doctor.self, Cache.self, Help.self,
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
        if let fault = CommandFault.unreadableWord {
            Terminal.system.report(fault)
            Foundation.exit(fault.status.rawValue)
        }
        let words = Array(CommandLine.arguments.dropFirst())
        Foundation.exit(await Program(words, .ofProcess).run())
    }
}

extension Gallery {
    /// Titles for the list of commands, each with the first command below it.
    static let groups: KeyValuePairs = [
        "LOOK": "popular", "GET": "fetch", "JUDGE": "mark", "PUBLISH": "web", "SET UP": "services",
    ]
}

extension ParsableCommand {
    /// The word that users type.
    static var name: String { configuration.commandName ?? String(describing: Self.self).lowercased() }

    /// The names of all commands below this one, aliases among them.
    static var commandNames: [String] {
        configuration.subcommands.flatMap { [$0.name] + $0.configuration.aliases }
    }

    /// The command that `words` lead to from this one; `nil` where one of them is none.
    static func command(at words: some Collection<String>) -> (any ParsableCommand.Type)? {
        guard let first = words.first else { return self }
        let next = configuration.subcommands.first {
            $0.name == first || $0.configuration.aliases.contains(first)
        }
        return next?.command(at: words.dropFirst())
    }
}
