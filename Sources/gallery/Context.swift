import Foundation
import GalleryCore

/// What commands reach: the environment, the terminal, the network.
struct Context: Sendable {
    let environment: [String: String]
    let terminal: Terminal
    let abilities: TerminalAbilities
    let folders: Folders

    /// The process's own.
    static var live: Context {
        let environment = ProcessInfo.processInfo.environment
        return Context(
            environment: environment, terminal: .system, abilities: .current(environment),
            folders: Folders(environment))
    }

    /// Every service, with the keys that are set.
    func catalog() throws -> ServiceCatalog {
        var keys: [String: Secret] = [:]
        keys["500px"] = environment[FiveHundredPixels.keyVariable].flatMap { Secret($0) }
        return ServiceCatalog(keys: keys, sample: try Installation.sample())
    }

    /// The transport that web addresses and the bundled catalogue's files go through.
    func transport(_ options: ServiceOptions, connections: Int = 6) throws -> any HTTPTransport {
        SchemeTransport(
            web: URLSessionTransport(connections: connections),
            file: FileTransport(roots: [try Installation.sample()]))
    }

    /// A loader for one service.
    func loader(_ source: Source, _ options: ServiceOptions) throws -> PhotoLoader {
        PhotoLoader(
            service: try catalog().service(named: source.service, base: source.base),
            client: APIClient(transport: try transport(options), idleTimeout: options.timeout))
    }

    /// What is marked on this machine; says what of it cannot be read.
    func marks() async throws -> MarkStore.Marks {
        let marks = try await MarkStore(file: folders.marks).marks()
        if let warning = marks.warning { terminal.message("Warning: \(warning)") }
        return marks
    }

    /// A loader for what is marked on this machine.
    func loader(_ marks: MarkStore.Marks) -> PhotoLoader {
        PhotoLoader(service: marks.service, client: APIClient(transport: FileTransport(roots: [])))
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
    let state: URL
    /// Pictures that were looked at.
    let pictures: URL

    init(_ environment: [String: String]) {
        func folder(_ variable: String, _ fallback: String) -> URL {
            // The specification: a relative path there is invalid and ignored.
            if let path = environment[variable], path.hasPrefix("/") { return URL(filePath: path) }
            let home = environment["HOME"].flatMap { $0.isEmpty ? nil : $0 } ?? NSHomeDirectory()
            return URL(filePath: home).appending(path: fallback)
        }
        state = folder("XDG_STATE_HOME", ".local/state").appending(path: "gallery")
        pictures = folder("XDG_CACHE_HOME", ".cache").appending(path: "gallery/browse")
    }

    var rememberedFeed: URL { state.appending(path: "feed.jsonl") }
    var browsePositions: URL { state.appending(path: "positions.jsonl") }
    var browseSettings: URL { state.appending(path: "browse.json") }
    var marks: URL { state.appending(path: "marks.jsonl") }
}
