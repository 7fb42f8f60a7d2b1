import Arguments
import Foundation
import GalleryCore

/// Which service is asked, and how.
struct ServiceOptions: ParsableArguments {
    @Option(
        name: .shortAndLong,
        help: "Service to use. (default: GALLERY_SERVICE, the configuration file's, or sample)")
    var service: ServiceName?

    @Option(
        name: .customLong("base-url"),
        help: "Base URL of the service's API, for a mirror or a compatible server.",
        transform: ServiceOptions.webAddress)
    var baseURL: URL?

    @Option(
        help: ArgumentHelp("Folder to list with the service 'folder'. (default: .)", valueName: "path"),
        completion: .directory)
    var folder: String?

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
        guard timeout > 0 else {
            throw ValidationError("'--timeout' must be 1 or more.")
        }
        guard retries >= 0 else {
            throw ValidationError("'--retries' must be 0 or more.")
        }
        if let folder {
            guard !folder.isEmpty else { throw ValidationError("'--folder' must not be empty.") }
            guard (service?.rawValue ?? Folder.word) == Folder.word, baseURL == nil else {
                throw ValidationError("'--folder' can only be used with the service 'folder'.")
            }
        }
    }

    /// Whether the line names a service anew.
    var namesSource: Bool { service != nil || baseURL != nil || folder != nil }

    /// The service the line names, or the environment's, or the usual one.
    func source(_ context: Context) throws -> ServiceAddress {
        let service = try service?.rawValue ?? (folder == nil ? usualService(context) : Folder.word)
        if baseURL != nil, !context.catalog().hasAPI(service) {
            throw UnusedBaseURL(service: service)
        }
        guard service == Folder.word else {
            return ServiceAddress(
                service: service, base: baseURL ?? context.configuration.baseURLs[service])
        }
        let folder = folder?.expandingHome(context.folders.home) ?? context.configuration.folder ?? "."
        return ServiceAddress(service: service, base: URL(filePath: folder))
    }

    /// How patient it is with hosts, and what it tells meanwhile.
    var network: NetworkSettings {
        // At most a year, since timers count in milliseconds and smaller parts, and would overflow.
        NetworkSettings(
            idleTimeout: min(timeout, 365 * 86_400), retries: retries, refreshes: refresh, isQuiet: quiet,
            isVerbose: verbose)
    }

    private func usualService(_ context: Context) throws -> String {
        let usual = UsualService(context)
        if case .environment(let name) = usual, ServiceName(argument: name) == nil {
            throw UnknownService(name: PlainText.excerpt(name))
        }
        return usual.name
    }

    private static func webAddress(_ text: String) throws -> URL {
        guard let url = WebAddress.url(text) else {
            throw ValidationError("a base URL begins with 'http://' or 'https://' and names a host.")
        }
        return url
    }
}

/// A service, by the word users type.
struct ServiceName: ExpressibleByArgument {
    let rawValue: String

    static var allValueStrings: [String] { ServiceCatalog.names }
    static var defaultCompletionKind: CompletionKind { .list(allValueStrings) }

    /// The names in this user's configuration file; `nil` where that cannot be used, which the command then says.
    private static let configured: [String]? = {
        let folders = Folders(ProcessInfo.processInfo.environment)
        let configuration = try? Configuration(contentsOf: folders.configurationFile, home: folders.home) {
            _ in
        }
        return configuration?.services.map(\.name)
    }()

    init?(argument: String) {
        guard ServiceCatalog.names.contains(argument) || Self.configured?.contains(argument) ?? true else {
            return nil
        }
        rawValue = argument
    }
}

/// The service has no API that a base URL could be the address of.
private struct UnusedBaseURL: StatusError {
    let service: String
    var description: String { "'--base-url' cannot be used with the service '\(service)'." }
    var hint: String? {
        "Add '--service' with one of: \(ServiceCatalog.namesWithAPI.joined(separator: ", "))."
    }
    var status: ExitStatus { .usage }
}

/// The environment names a service that there is not.
private struct UnknownService: StatusError {
    let name: String
    var description: String { "GALLERY_SERVICE is '\(name)', which is not a service." }
    var hint: String? { "Set it to one of: \(ServiceName.allValueStrings.joined(separator: ", "))." }
    var status: ExitStatus { .usage }
}

/// The service where none is named, and who chose it.
enum UsualService {
    /// The environment; the name may be unknown.
    case environment(String)
    case configuration(String)
    case standard

    init(_ context: Context) {
        if let name = context.environment["GALLERY_SERVICE"], !name.isEmpty {
            self = .environment(name)
        } else {
            self = context.configuration.service.map { .configuration($0) } ?? .standard
        }
    }

    var name: String {
        switch self {
        case .environment(let name), .configuration(let name): name
        case .standard: ServiceCatalog.names[0]
        }
    }
}
