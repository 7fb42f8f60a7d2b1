import Arguments
import Foundation
import GalleryCore

/// Which service is asked, and how.
struct ServiceOptions: ParsableArguments {
    @Option(
        name: .shortAndLong,
        help: "Where photos come from. (default: GALLERY_SERVICE, else the configuration's, else sample)")
    var service: ServiceName?

    @Option(
        name: .customLong("base-url"),
        help: "The service's API lives elsewhere: a mirror, a compatible server.",
        transform: ServiceOptions.webAddress)
    var baseURL: URL?

    @Option(
        help: ArgumentHelp("The folder of the service 'folder'. (default: .)", valueName: "path"),
        completion: .directory)
    var folder: String?

    @Option(help: ArgumentHelp("Give up when nothing arrives for this long.", valueName: "seconds"))
    var timeout = 30

    @Option(help: ArgumentHelp("Further tries after a passing fault.", valueName: "count"))
    var retries = 4

    @Flag(help: "Ask the service again, whatever the cache holds.")
    var refresh = false

    @Flag(name: .shortAndLong, help: "Errors only.")
    var quiet = false

    @Flag(name: .shortAndLong, help: "Each request on standard error.")
    var verbose = false

    func validate() throws {
        guard timeout > 0 else {
            throw ValidationError("'--timeout \(timeout)' would give up at once. Use 1 or more seconds.")
        }
        guard retries >= 0 else {
            throw ValidationError("'--retries \(retries)' is no number of tries. Use 0 or more.")
        }
        if let folder {
            guard !folder.isEmpty else { throw ValidationError("'--folder' names no folder.") }
            guard (service?.rawValue ?? Folder.word) == Folder.word, baseURL == nil else {
                throw ValidationError("'--folder' is for the service 'folder' alone.")
            }
        }
    }

    /// Whether the line names a service anew.
    var namesSource: Bool { service != nil || baseURL != nil || folder != nil }

    /// The service the line names, or the environment's, or the usual one.
    func source(_ context: Context) throws -> ServiceAddress {
        let service = try service?.rawValue ?? (folder == nil ? usualService(context) : Folder.word)
        guard service == Folder.word else { return ServiceAddress(service: service, base: baseURL) }
        let folder = (folder ?? ".").expandingHome(context.folders.home)
        return ServiceAddress(service: service, base: URL(filePath: folder))
    }

    /// Seconds without a byte after which a transfer is given up: at most a year, since timers count in
    /// milliseconds and smaller parts, and would overflow.
    var idleTimeout: Int { min(timeout, 365 * 86_400) }

    /// How files are downloaded where the line is as patient as with replies.
    ///
    /// - Parameter jobs: files at once, from 1.
    func downloads(jobs: Int) -> Downloader.Configuration {
        var configuration = Downloader.Configuration()
        configuration.jobs = jobs
        configuration.idleTimeout = idleTimeout
        configuration.retries = retries
        return configuration
    }

    private func usualService(_ context: Context) throws -> String {
        let usual = UsualService(context)
        if case .environment(let name) = usual, ServiceName(argument: name) == nil {
            throw UnknownService(name: PlainText.excerpt(name))
        }
        return usual.name
    }

    private static func webAddress(_ text: String) throws -> URL {
        guard let url = URL(string: text), let scheme = url.scheme?.lowercased(),
            ["http", "https"].contains(scheme), url.host?.isEmpty == false
        else {
            throw ValidationError("an address begins with 'http://' or 'https://' and names a host.")
        }
        return url
    }
}

/// A service, by the word users type.
struct ServiceName: ExpressibleByArgument {
    let rawValue: String

    static var allValueStrings: [String] { ServiceCatalog.names }

    init?(argument: String) {
        guard ServiceCatalog.names.contains(argument) else { return nil }
        rawValue = argument
    }
}

/// The environment names a service that there is not.
private struct UnknownService: StatusError {
    let name: String
    var description: String { "GALLERY_SERVICE is '\(name)', which is no service." }
    var hint: String? { "Set it to one of: \(ServiceName.allValueStrings.joined(separator: ", "))." }
    var status: ExitStatus { .usage }
}
