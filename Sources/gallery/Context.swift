import Curation
import Foundation
import GalleryCore
import TerminalPictures

/// What a run of the program is given: nothing else of the process matters to a command.
struct Surroundings: Sendable {
    let environment: [String: String]
    let terminal: Terminal
    let abilities: TerminalAbilities
    /// What is read as standard input.
    let input: Int32
    let workers: @Sendable () -> NetworkWorkers

    static var ofProcess: Surroundings {
        let environment = ProcessInfo.processInfo.environment
        return Surroundings(
            environment: environment, terminal: .system, abilities: .current(environment),
            input: STDIN_FILENO, workers: { WorkerProcess.workers })
    }
}

/// What a command does about a configuration file that cannot be used.
enum ConfigurationUse {
    case required
    /// It warns, and takes the defaults.
    case optional
    /// It takes the defaults in silence, since it may mend the file; nor does it need a cache.
    case mending
}

/// What commands work with: the environment, the terminal, the user's folders and settings, and the cache.
struct Context: Sendable {
    let environment: [String: String]
    let terminal: Terminal
    let abilities: TerminalAbilities
    /// What is read as standard input.
    let input: Int32
    let workers: @Sendable () -> NetworkWorkers
    let folders: Folders
    let configuration: Configuration
    /// With the keys of the environment, then the configuration. Without the bundled catalog all others work.
    let catalog: ServiceCatalog
    let shared: APIClient.Shared
    /// Photos and services that the command's lists are without.
    let leftOut = LeftOutPhotos()
    let start = ContinuousClock.now

    init(_ surroundings: Surroundings, _ use: ConfigurationUse) throws {
        let (terminal, folders) = (surroundings.terminal, Folders(surroundings.environment))
        func configuration() throws -> Configuration {
            try Configuration(contentsOf: folders.configurationFile, home: folders.home) { warning in
                if use != .mending { terminal.message(PlainText.line(warning)) }
            }
        }
        (environment, self.terminal, abilities) = (surroundings.environment, terminal, surroundings.abilities)
        (input, workers, self.folders) = (surroundings.input, surroundings.workers, folders)
        do { self.configuration = try configuration() } catch
            where use != .required && (error is ConfigurationError || error is DefinitionError)
        {
            if use == .optional { terminal.message("Warning: \(PlainText.line("\(error)"))") }
            self.configuration = Configuration()
        }
        catalog = ServiceCatalog(
            keys: self.configuration.keys, environment: environment,
            configured: self.configuration.services, sources: self.configuration.sources)
        let cache = DiskCache(folder: folders.cache) {
            terminal.message("Warning: Nothing is cached. \(PlainText.line($0.description))")
        }
        shared = APIClient.Shared(cache: use == .mending ? nil : cache)
    }

    /// Throws status 66 if `address` is the bundled catalog's, and that is not installed.
    func requireCatalog(of address: ServiceAddress) throws {
        guard address.services.contains(ServiceCatalog.bundled) else { return }
        do throws(MissingResource) { _ = try Resources.url(of: ServiceCatalog.bundled) } catch {
            let places = error.places.joined(separator: ", ")
            throw CommandFault(
                .missing, "The bundled photos are missing; none of these exists: \(places).",
                hint:
                    "Install the folder 'gallery_GalleryCore.resources' next to the program, or use another service."
            )
        }
    }

    func directory(_ named: String?) -> String {
        named?.expandingHome(folders.home) ?? configuration.directory
    }

    // MARK: - Lists

    /// The marked photos of a list, after a warning where some cannot be read.
    func marks(of list: MarkListName?) async throws -> MarkStore.Marks {
        let marks = try await folders.markLists.marks(of: list)
        if let warning = marks.warning { terminal.message("Warning: \(warning)") }
        return marks
    }

    /// The ratings given on this machine. A file that cannot be read is an error if they `areNeeded`, else a warning.
    func ratings(areNeeded: Bool = false) async throws(PrivateFileError) -> Ratings {
        do { return try await folders.ratings.ratings() } catch  where !areNeeded {
            terminal.message("Warning: Ratings are not shown. \(PlainText.line("\(error)"))")
            return Ratings()
        }
    }

    /// A list to page through. For one call a command: it reads the marks, and warns about those it cannot read.
    func list(
        _ feed: FeedReference, _ loaders: ServiceLoaders, includesAdult: Bool
    ) async throws -> PhotoList {
        if case .paths(let paths) = feed { return loaders.pictures(at: paths) }
        guard let feed = feed.feed else {
            let photos = await followed(try await marks(of: feed.list).photos, feed.list, loaders)
            return loaders.noted(await onThread { photos.map { $0.ratedByFile() } })
        }
        try requireCatalog(of: loaders.address)
        let list = try loaders.list(feed, at: loaders.address)
        guard includesAdult || !list.isAdult else { throw SelectionError.adult(feed) }
        return list
    }

    /// Marked photos, of which those of files that were moved are where these are now, and marked as such from then on.
    private func followed(
        _ photos: [Photo], _ list: MarkListName?, _ loaders: ServiceLoaders
    ) async -> [Photo] {
        let own = photos.compactMap { $0.ownFile?.path(percentEncoded: false) }
        let places = own.isEmpty ? [:] : await onThread { MovedFile.find(own) }
        var moved: [PhotoID: Photo] = [:]
        for photo in photos where !places.isEmpty {
            guard let path = photo.ownFile.flatMap({ places[$0.path(percentEncoded: false)] }) else {
                continue
            }
            var pages = loaders.pictures(at: [path]).pages(1...1, pageSize: 1)
            // What cannot be read there is missed where it was.
            moved[photo.id] = (try? await pages.next())?.first?.photo.lasting
        }
        // Should this fail, they are looked for again the next time.
        if !moved.isEmpty { try? await folders.markLists.store(list).replace(moved) }
        return photos.map { moved[$0.id] ?? $0 }
    }

    /// The list shown last in this terminal session; `nil` where none was.
    var remembered: RememberedFeed? { RememberedFeed(contentsOf: folders.rememberedFeed) }

    /// Remembers what was shown. A state folder that cannot be written costs the memory, not the list.
    func remember(_ feed: RememberedFeed) {
        var feed = feed
        feed.addEarlier(from: folders.rememberedFeed)
        feed.variable = environment["GALLERY_SERVICE"]
        do {
            try feed.write(to: folders.rememberedFeed)
            TerminalSession.removeEnded(from: folders.rememberedFeed.deletingLastPathComponent())
        } catch { terminal.message("Warning: The list is not remembered. \(PlainText.line("\(error)"))") }
    }
}

/// The user's folders, by the XDG Base Directory Specification.
struct Folders: Sendable {
    let home: URL
    let state: URL
    let cache: URL
    private let configuration: URL

    init(_ environment: [String: String]) {
        let home = URL(filePath: environment["HOME"].flatMap { $0.isEmpty ? nil : $0 } ?? NSHomeDirectory())
        func folder(_ variable: String, _ fallback: String) -> URL {
            // The specification: a relative path is invalid and to be ignored.
            let named = environment[variable].flatMap { $0.hasPrefix("/") ? URL(filePath: $0) : nil }
            return (named ?? home.appending(path: fallback)).appending(path: "gallery")
        }
        self.home = home
        state = folder("XDG_STATE_HOME", ".local/state")
        cache = folder("XDG_CACHE_HOME", ".cache")
        configuration = folder("XDG_CONFIG_HOME", ".config")
    }

    var rememberedFeed: URL { state.appending(path: "lists/\(TerminalSession.name).jsonl") }
    var browsePositions: URL { state.appending(path: "positions.jsonl") }
    var tournaments: URL { state.appending(path: "tournaments.jsonl") }
    var browseSettings: URL { state.appending(path: "browse.json") }
    /// Says, by being there, that the first run has been told of.
    var welcome: URL { state.appending(path: "welcome") }
    var ratings: RatingStore { RatingStore(file: state.appending(path: "ratings.jsonl")) }
    var markLists: MarkLists { MarkLists(in: state) }
    var pictures: URL { cache.appending(path: "browse") }
    /// Where files are until the pages that they are of have them.
    var incoming: URL { cache.appending(path: "pages") }
    var digests: URL { cache.appending(path: "digests/files.json") }
    var configurationFile: URL { configuration.appending(path: "config.json") }
}

extension String {
    /// The path as users write it, with a leading `~` or `~/` replaced. Any other `~` belongs to the name, and gets
    /// `./` before it: `URL(filePath:)`, and a shell that it is pasted into, would take it for a user's home folder.
    func expandingHome(_ home: URL) -> String {
        if self == "~" { return home.path }
        if hasPrefix("~/") { return home.appending(path: String(dropFirst(2))).path }
        return hasPrefix("~") ? "./" + self : self
    }

    /// The same as an absolute path, as pictures of folders are known by it.
    func absolute(_ home: URL) -> String {
        let url = URL(filePath: expandingHome(home), directoryHint: .notDirectory)
        return url.standardizedFileURL.path(percentEncoded: false)
    }
}
