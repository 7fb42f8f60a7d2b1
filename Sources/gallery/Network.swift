import Foundation
import GalleryCore
import Synchronization

/// How requests are sent, and what is told meanwhile.
struct NetworkSettings: Sendable {
    /// Seconds without a byte after which a transfer is given up.
    let idleTimeout: Int
    /// Further tries after a passing fault.
    let retries: Int
    /// Whether services are asked whatever the cache holds.
    let refreshes: Bool
    let isQuiet: Bool
    /// Whether each request is told.
    let isVerbose: Bool

    /// How files are downloaded: as patiently as replies.
    ///
    /// - Parameter jobs: files at once, from 1.
    func downloads(jobs: Int) -> Downloader.Configuration {
        var configuration = Downloader.Configuration()
        configuration.jobs = jobs
        configuration.idleTimeout = idleTimeout
        configuration.retries = retries
        return configuration
    }
}

extension Context {
    /// Loaders of every service, the one of `address` among them.
    ///
    /// - Parameters:
    ///   - connections: Requests under way at once, from 1.
    ///   - sendsKey: Whether that one gets its key: not at an address that the user has not named.
    func loaders(
        _ network: NetworkSettings, at address: ServiceAddress, connections: Int = 6, sendsKey: Bool = true
    ) -> ServiceLoaders {
        var configuration = APIClient.Configuration()
        configuration.idleTimeout = network.idleTimeout
        configuration.retries = network.retries
        configuration.refreshes = network.refreshes
        let message: @Sendable (String) -> Void = { [terminal] in terminal.message(PlainText.line($0)) }
        let web = URLSessionTransport(
            workers: WorkerProcess.workers, connections: connections,
            log: network.isVerbose ? message : nil)
        return ServiceLoaders(
            catalog(keyless: sendsKey ? nil : address.service), at: address,
            bases: self.configuration.baseURLs,
            client: APIClient(
                transport: catalog().transport(for: address, web: web), configuration: configuration,
                shared: shared, report: waitReport(network)))
    }

    /// Reports each wait of half a second or more; with `-v` every wait, and every reply from the cache. Counts
    /// photos that could not be read, to be told once.
    func waitReport(_ network: NetworkSettings) -> @Sendable (APIEvent) -> Void {
        guard !network.isQuiet else { return { _ in } }
        return { [terminal, isVerbose = network.isVerbose] event in
            switch event {
            case .reused(let address):
                if isVerbose { terminal.message("GET \(PlainText.line(address)) (cached)") }
            case .leftOut(let list, let errors): LeftOutPhotos.ofThisCommand.add(errors, of: list)
            case .waiting(_, let duration, let reason):
                if duration >= .milliseconds(500) || isVerbose {
                    let seconds = Int((duration / .seconds(1)).rounded(.up))
                    terminal.message("Waiting \(seconds) s: \(PlainText.line(reason)).")
                }
            }
        }
    }

    /// The folder of pictures kept for viewing; missing ones come through `transport`.
    func pictures(through transport: any HTTPTransport, _ network: NetworkSettings) -> PictureFolder {
        PictureFolder(
            folders.pictures,
            downloader: Downloader(
                transport: transport, configuration: network.downloads(jobs: 1), paces: shared.paces))
    }
}

/// Photos of this process's lists that could not be read, until that is told.
final class LeftOutPhotos: Sendable {
    /// Those of the running command.
    static let ofThisCommand = LeftOutPhotos()

    private struct State {
        /// Pages whose photos are counted: one may be read twice.
        var lists: Set<String> = []
        var count = 0
        var first: ImportError?
        /// Files of a folder that are no pictures, by kind.
        var otherFiles: String?
    }

    private let state = Mutex(State())

    /// Counts the photos of one page of a list, once.
    func add(_ errors: [ImportError], of list: String) {
        state.withLock { state in
            guard state.lists.insert(list).inserted else { return }
            for error in errors {
                if case .otherFiles(_, let counts) = error {
                    state.otherFiles = counts
                } else {
                    state.count += 1
                    state.first = state.first ?? error
                }
            }
        }
    }

    /// One line about those added since the last time, if there are any, and one about other files.
    func tell(_ terminal: Terminal) {
        let (first, count, otherFiles) = state.withLock { state in
            defer { (state.count, state.first, state.otherFiles) = (0, nil, nil) }
            return (state.first, state.count, state.otherFiles)
        }
        if let first {
            let reason = PlainText.line(first.description)
            let ending = reason.hasSuffix(".") ? String(reason.dropLast()) : reason
            terminal.message(
                "Left out \(count) \(count == 1 ? "photo" : "photos"): \(ending)\(count > 1 ? ", and so on" : "")."
            )
        }
        if let otherFiles { terminal.message("Left out \(otherFiles).") }
    }
}
