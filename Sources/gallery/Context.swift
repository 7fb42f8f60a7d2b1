import Foundation
import GalleryCore

/// What commands reach: the environment, the terminal, the network.
struct Context: Sendable {
    let environment: [String: String]
    let terminal: Terminal
    let abilities: TerminalAbilities
    let folders: Folders
    let configuration: Configuration
    let shared: APIClient.Shared

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
            },
            shared: APIClient.Shared(
                cache: DiskCache(folder: folders.cache) {
                    Terminal.system.message("Warning: Nothing is cached. \(PlainText.line($0.description))")
                }))
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

    /// The transport that web addresses, the bundled files and those of a folder go through.
    ///
    /// - Parameter connections: requests on the wire at once, from 1.
    func transport(
        _ options: ServiceOptions, for source: ServiceAddress, connections: Int = 6
    ) throws -> any HTTPTransport {
        let web = WorkerTransport(
            workers: WorkerProcess.workers, connections: connections, log: requestLog(options))
        let sample = try Installation.sample()
        guard source.service == Folder.word, let folder = source.base else {
            return SchemeTransport(web: web, file: FileTransport(roots: [sample]))
        }
        let files = FolderTransport(folder: folder, files: FileTransport(roots: [sample, folder])) {
            [terminal] line in terminal.message(PlainText.line(line))
        }
        return SchemeTransport(web: web, file: files)
    }

    /// `-v`: each request and reply on standard error; secrets are blanked before they come here.
    private func requestLog(_ options: ServiceOptions) -> RequestLog? {
        guard options.verbose else { return nil }
        return { [terminal] line in terminal.message(PlainText.line(line)) }
    }

    /// The folder that files are fetched to: the line's, else the configuration's.
    func directory(_ named: String?) -> String {
        named?.expandingHome(folders.home) ?? configuration.directory
    }

    /// A client for the API of one service.
    func client(_ policy: ServicePolicy, _ transport: any HTTPTransport, _ options: ServiceOptions)
        -> APIClient
    {
        var configuration = APIClient.Configuration()
        configuration.idleTimeout = options.idleTimeout
        configuration.retries = options.retries
        configuration.refreshes = options.refresh
        return APIClient(
            transport: transport, policy: policy, configuration: configuration, shared: shared,
            report: waitReport(options))
    }

    /// A line on standard error for each wait of half a second and more; with `-v` for any, and for each
    /// reply that was on disk. None where quiet.
    func waitReport(_ options: ServiceOptions) -> @Sendable (APIEvent) -> Void {
        guard !options.quiet else { return { _ in } }
        return { [terminal, isVerbose = options.verbose] event in
            switch event {
            case .reused(let address):
                if isVerbose { terminal.message("GET \(PlainText.line(address)) (cached)") }
            case .waiting(_, let duration, let reason):
                if duration >= .milliseconds(500) || isVerbose {
                    let seconds = Int((duration / .seconds(1)).rounded(.up))
                    terminal.message("Waiting \(seconds) s: \(PlainText.line(reason)).")
                }
            }
        }
    }

    /// The pictures that were looked at; others come through `transport`.
    func pictures(through transport: any HTTPTransport, _ options: ServiceOptions) -> PictureFolder {
        PictureFolder(
            folders.pictures,
            downloader: Downloader(
                transport: transport, configuration: options.downloads(jobs: 1), pauses: shared.pauses))
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
            terminal.message("Warning: The list is not remembered. \(PlainText.line("\(error)"))")
        }
    }
}
