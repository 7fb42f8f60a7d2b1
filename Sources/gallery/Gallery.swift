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
        if let fault = CommandFault.unreadableWord {
            Terminal.system.report(fault)
            Foundation.exit(fault.status.rawValue)
        }
        let words = Array(CommandLine.arguments.dropFirst())
        Foundation.exit(await Program(words, .ofProcess).run())
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
