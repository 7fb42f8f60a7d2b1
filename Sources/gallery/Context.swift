import Foundation
import GalleryCore

/// What commands reach: the environment, the terminal, the network.
struct Context: Sendable {
    let environment: [String: String]
    let terminal: Terminal
    let abilities: TerminalAbilities
    let folders: Folders
    let configuration: Configuration

    /// The process's own.
    ///
    /// - Throws: ``ConfigurationError`` where the configuration file cannot be used.
    static func live() throws -> Context {
        let environment = ProcessInfo.processInfo.environment
        let folders = Folders(environment)
        return Context(
            environment: environment, terminal: .system, abilities: .current(environment), folders: folders,
            configuration: try Configuration(contentsOf: folders.configurationFile, home: folders.home) {
                Terminal.system.message(PlainText.line($0))
            })
    }

    /// Every service, with the keys that are set: the environment's go before the file's.
    func catalog() throws -> ServiceCatalog {
        let keys = ServiceCatalog.keyVariables.compactMapValues { variable in
            environment[variable].flatMap { Secret($0) }
        }
        return ServiceCatalog(
            keys: configuration.keys.merging(keys) { _, environment in environment },
            sample: try Installation.sample())
    }

    /// The transport that web addresses and the bundled catalogue's files go through.
    func transport(_ options: ServiceOptions, connections: Int = 6) throws -> any HTTPTransport {
        SchemeTransport(
            web: URLSessionTransport(connections: connections, log: requestLog(options)),
            file: FileTransport(roots: [try Installation.sample()]))
    }

    /// `-v`: each request and reply on standard error; secrets are blanked before they come here.
    private func requestLog(_ options: ServiceOptions) -> RequestLog? {
        guard options.verbose else { return nil }
        return { [terminal] line in terminal.message(PlainText.line(line)) }
    }

    // MARK: - The remembered feed

    /// What was listed last; `nil` where nothing was.
    var remembered: RememberedFeed? { RememberedFeed(contentsOf: folders.rememberedFeed) }

    /// Remembers what was shown. A state folder that cannot be written loses the memory, not the list.
    func remember(_ feed: RememberedFeed) {
        do {
            try feed.merged(with: remembered).write(to: folders.rememberedFeed)
        } catch {
            terminal.message("Warning: the list is not remembered. \(PlainText.line("\(error)"))")
        }
    }
}

/// Which service, and where its API is.
struct Source: Hashable, Sendable {
    let service: String
    let base: URL?
}

/// The user's folders by the XDG base directory specification.
struct Folders: Sendable {
    let home: URL
    let state: URL
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
        configuration = folder("XDG_CONFIG_HOME", ".config")
    }

    var rememberedFeed: URL { state.appending(path: "feed.jsonl") }
    var configurationFile: URL { configuration.appending(path: "config.json") }
}
