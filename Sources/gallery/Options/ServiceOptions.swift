import Arguments
import Curation
import Foundation
import GalleryCore

struct ServiceChoice: ParsableArguments {
    @Option(
        name: .shortAndLong,
        help: """
            Service to use, or several such as 'commons,openverse'. (default: GALLERY_SERVICE, the configuration \
            file's, or sample)
            """)
    var service: ServiceName?

    @Option(
        name: .customLong("base-url"),
        help: "Base URL of the service's API, for a mirror or a compatible server.",
        transform: ServiceChoice.webAddress)
    var baseURL: URL?

    func validate() throws { if let mistake = service?.mistake { throw ValidationError(mistake) } }

    private static func webAddress(_ text: String) throws -> URL {
        guard let url = WebAddress.url(text) else {
            throw ValidationError("a base URL begins with 'http://' or 'https://' and names a host.")
        }
        return url
    }
}

struct FolderOption: ParsableArguments {
    @Option(
        help: ArgumentHelp("Folder to list with the service 'folder'. (default: .)", valueName: "path"),
        completion: .directory)
    var folder: String?
}

struct NetworkOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Give up if no data arrives for this long.", valueName: "seconds"))
    var timeout = 30

    @Option(help: ArgumentHelp("Retry temporary failures this many times.", valueName: "count"))
    var retries = 4

    @Flag(help: "Ask the service again instead of using cached answers.")
    var refresh = false

    @Flag(name: .shortAndLong, help: "Print errors only.")
    var quiet = false

    @Flag(name: .shortAndLong, help: "Print each request to standard error.")
    var verbose = false

    func validate() throws {
        try require("--timeout", timeout, in: 1...Int.max)
        try require("--retries", retries, in: 0...Int.max)
    }
}

@dynamicMemberLookup
struct ServiceOptions: ParsableArguments {
    @OptionGroup(title: "Service options") var choice: ServiceChoice
    @OptionGroup(title: "Service options") var place: FolderOption
    @OptionGroup(title: "Network options") var network: NetworkOptions

    subscript<Value>(dynamicMember path: KeyPath<ServiceChoice, Value>) -> Value { choice[keyPath: path] }
    subscript<Value>(dynamicMember path: KeyPath<FolderOption, Value>) -> Value { place[keyPath: path] }
    subscript<Value>(dynamicMember path: KeyPath<NetworkOptions, Value>) -> Value { network[keyPath: path] }

    init() {}

    /// Those of a command that takes no folder, or, without a choice, asks only where it must.
    init(_ choice: ServiceChoice?, _ network: NetworkOptions) {
        var (usual, place) = (ServiceChoice(), FolderOption())
        (usual.service, usual.baseURL, place.folder) = (nil, nil, nil)
        (self.choice, self.place, self.network) = (choice ?? usual, place, network)
    }

    func validate() throws {
        guard let folder = place.folder else { return }
        guard !folder.isEmpty else { throw ValidationError("'--folder' must not be empty.") }
        guard choice.service?.names.contains(Folder.word) ?? true, choice.baseURL == nil else {
            throw ValidationError("'--folder' can only be used with the service 'folder'.")
        }
    }

    var namesSource: Bool { choice.service != nil || choice.baseURL != nil || place.folder != nil }

    /// Lists the pictures at absolute paths: one folder as the service's own, by `feed`, anything else as it was named.
    /// Throws status 66 where nothing is there, and a usage error where the line names a source, too.
    mutating func take(_ paths: [String], _ feed: FeedReference) throws -> FeedReference {
        let isOther = ![nil, Folder.word].contains(choice.service?.rawValue)
        if isOther || choice.baseURL != nil || place.folder != nil {
            let option = isOther ? "--service" : choice.baseURL != nil ? "--base-url" : "--folder"
            throw CommandFault(.usage, "'\(option)' cannot be used with a path.")
        }
        if let missing = paths.first(where: { access($0, F_OK) != 0 }) {
            throw SelectionError.nothing(path: PlainText.line(missing), isFolder: false)
        }
        choice.service = ServiceName(Folder.word)
        guard paths.count > 1 || !FolderScan.isFolder(paths[0]) else {
            place.folder = paths[0]
            return feed
        }
        return .paths(paths)
    }

    func source(_ context: Context, of feed: FeedReference? = nil) throws -> ServiceAddress {
        if case .paths = feed { return ServiceAddress(service: Folder.word, base: nil) }
        let service =
            try choice.service?.rawValue ?? (place.folder == nil ? usualService(context) : Folder.word)
        let address = ServiceAddress(service: service, base: nil)
        let catalog = context.catalog
        if let unknown = ServiceName(service).names.first(where: { catalog.entry(named: $0) == nil }) {
            throw Self.unknown(unknown, in: catalog)
        }
        if choice.baseURL != nil, address.services.count > 1 {
            throw CommandFault(
                .usage, "'--base-url' is the address of one service, not of several.",
                hint: "Put theirs in the configuration file as 'baseURLs'.")
        }
        if choice.baseURL != nil, !catalog.hasAPI(service) {
            throw CommandFault(
                .usage, "'--base-url' cannot be used with the service '\(service)'.",
                hint: "Add '--service' with one of: \(ServiceCatalog.namesWithAPI.joined(separator: ", ")).")
        }
        guard address.services.contains(Folder.word) else {
            return ServiceAddress(
                service: service, base: choice.baseURL ?? context.configuration.baseURLs[service])
        }
        let folder = place.folder?.expandingHome(context.folders.home) ?? context.configuration.folder ?? "."
        return ServiceAddress(service: service, base: URL(filePath: folder))
    }

    /// Seconds without a byte after which a transfer is given up: at most a year, since timers would overflow.
    var idleTimeout: Int { min(network.timeout, 365 * 86_400) }

    /// How files are downloaded, `jobs` at once: as patiently as replies.
    func downloads(jobs: Int) -> Downloader.Configuration {
        var configuration = Downloader.Configuration()
        configuration.jobs = jobs
        configuration.idleTimeout = idleTimeout
        configuration.retries = network.retries
        return configuration
    }

    private func usualService(_ context: Context) throws -> String {
        let usual = UsualService(context)
        let names = ServiceName(usual.name)
        let unknown = names.names.first { context.catalog.entry(named: $0) == nil }
        if usual.origin == .environment, names.mistake != nil || unknown != nil {
            let known = ServiceName.allValueStrings
            throw CommandFault(
                .usage, "GALLERY_SERVICE is '\(PlainText.excerpt(usual.name))', which is not a service.",
                hint: unknown?.nearest(among: known).map { "Did you mean '\($0)'?" }
                    ?? "Set it to one of: \(known.joined(separator: ", ")).")
        }
        return usual.name
    }

    private static func unknown(_ name: String, in catalog: ServiceCatalog) -> CommandFault {
        let known = catalog.entries.map(\.name)
        return CommandFault(
            .usage, "There is no service '\(PlainText.excerpt(name))'.",
            hint: name.nearest(among: known).map { "Did you mean '\($0)'?" }
                ?? "Known: \(known.joined(separator: ", ")).")
    }
}

/// A service, by the word users type, or several with commas between them.
struct ServiceName: ExpressibleByArgument {
    let rawValue: String

    /// Read for help and completion alone.
    static var allValueStrings: [String] { catalog.entries.map(\.name) }

    static var defaultCompletionKind: CompletionKind { .custom { _, _, _ in allValueStrings } }

    /// The services that are known, and those of this user's configuration where that can be used.
    private static let catalog: ServiceCatalog = {
        let folders = Folders(ProcessInfo.processInfo.environment)
        let configuration = try? Configuration(
            contentsOf: folders.configurationFile, home: folders.home, warn: { _ in })
        return ServiceCatalog(
            keys: [:], configured: configuration?.services ?? [], sources: configuration?.sources ?? [])
    }()

    /// The rankings of the services that the words of a line name, or of all where they name none.
    static func rankings(on words: [String]) -> [String] {
        // Some shells hand over `--service=met` as three words.
        let words = words.flatMap { $0.split(separator: "=", maxSplits: 1) }
        let option = words.dropLast().lastIndex { ["-s", "--service"].contains($0) }
        let named = option.map { ServiceName(String(words[$0 + 1])).names.compactMap(catalog.entry) } ?? []
        return Set((named.isEmpty ? catalog.entries : named).flatMap(\.rankings)).sorted()
    }

    init(_ name: String) { rawValue = name }

    /// Spaces may follow a comma.
    init?(argument: String) {
        let names = argument.split(separator: ",", omittingEmptySubsequences: false)
        self.init(names.map { $0.trimmingCharacters(in: .whitespaces) }.joined(separator: ","))
    }

    var names: [String] { rawValue.split(separator: ",", omittingEmptySubsequences: false).map(String.init) }

    /// What is wrong with it, whatever services there are, in a sentence; `nil` for nothing.
    var mistake: String? {
        let shown = PlainText.excerpt(rawValue)
        var seen: Set<String> = []
        for name in names {
            if name.isEmpty, names.count > 1 {
                return "'--service \(shown)' has a comma without a service on both sides."
            }
            guard seen.insert(name).inserted else {
                return "'--service \(shown)' names '\(PlainText.excerpt(name))' twice."
            }
        }
        return nil
    }
}

struct UsualService {
    enum Origin { case environment, configuration, standard }

    /// One in the environment may be unknown.
    let name: String
    let origin: Origin

    init(_ context: Context) {
        let named = context.environment["GALLERY_SERVICE"].flatMap { $0.isEmpty ? nil : $0 }
        let configured = context.configuration.service
        name = named ?? configured ?? ServiceCatalog.bundled
        origin = named != nil ? .environment : configured != nil ? .configuration : .standard
    }
}
