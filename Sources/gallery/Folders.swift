import Foundation

/// The user's folders by the XDG base directory specification.
struct Folders: Sendable {
    let home: URL
    let state: URL
    /// Replies of services.
    let cache: URL
    private let configuration: URL

    init(_ environment: [String: String]) {
        let home = URL(filePath: environment["HOME"].flatMap { $0.isEmpty ? nil : $0 } ?? NSHomeDirectory())
        func folder(_ variable: String, _ fallback: String) -> URL {
            // The specification: a relative path there is invalid and ignored.
            let named = environment[variable].flatMap { $0.hasPrefix("/") ? URL(filePath: $0) : nil }
            return (named ?? home.appending(path: fallback)).appending(path: "gallery")
        }
        self.home = home
        state = folder("XDG_STATE_HOME", ".local/state")
        cache = folder("XDG_CACHE_HOME", ".cache")
        configuration = folder("XDG_CONFIG_HOME", ".config")
    }

    var rememberedFeed: URL { state.appending(path: "feed.jsonl") }
    var browsePositions: URL { state.appending(path: "positions.jsonl") }
    var browseSettings: URL { state.appending(path: "browse.json") }
    var marks: URL { state.appending(path: "marks.jsonl") }
    /// Pictures that were looked at.
    var pictures: URL { cache.appending(path: "browse") }
    var configurationFile: URL { configuration.appending(path: "config.json") }
}

extension String {
    /// The path of a folder as users write it: `~` and what begins with `~/` are below `home`.
    ///
    /// Any other `~` is a character of a name, and gets `./` before it where it is the first: `URL(filePath:)`
    /// would take it for a user's home, and so would the shell that a printed path is pasted into.
    func expandingHome(_ home: URL) -> String {
        if self == "~" { return home.path }
        if hasPrefix("~/") { return home.appending(path: String(dropFirst(2))).path }
        return hasPrefix("~") ? "./" + self : self
    }
}
