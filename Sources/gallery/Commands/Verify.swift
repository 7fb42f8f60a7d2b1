import Arguments
import Curation
import Foundation
import GalleryCore
import TerminalPictures

extension Gallery {
    struct Verify: ContextCommand {
        static let configuration = CommandConfiguration("verify", "Check that downloaded files are intact.")

        @Argument(help: "Folder to check. (default: the configuration file's, or .)", completion: .directory)
        var folder: String?

        @Flag(help: "Download damaged and missing files again, and remove parts left for 30 days.")
        var repair = false

        @Flag(help: "Forget missing files, which you have deleted: they are not missed any more.")
        var forget = false

        @Flag(help: "Begin a new manifest where nothing of the old one can be read, and keep that.")
        var adopt = false

        @OptionGroup(title: "Service options")
        var choice: ServiceChoice

        @OptionGroup(title: "Network options")
        var network: NetworkOptions

        private var service: ServiceOptions { ServiceOptions(choice, network) }

        func validate() throws {
            if folder == "" { throw ValidationError("'<folder>' must not be empty.") }
        }

        func run(in context: Context) async throws {
            let directory = context.directory(folder)
            try Self.check(directory)
            if repair { Interrupt.tellNothingFetched(context.terminal, isQuiet: service.quiet) }
            let folder = TargetFolder(URL(filePath: directory))
            if adopt, let kept = try await folder.setManifestAside() {
                if !service.quiet {
                    context.terminal.message(
                        "The manifest is '\(kept)' now. The next fetch records pictures whose names have their photos' "
                            + "ids, and downloads the others again.")
                }
                return
            }
            let check = try FolderCheck(of: folder)
            guard check.hasManifest else {
                throw CommandFault(
                    .missing, "'\(PlainText.line(directory))' has no manifest, '.gallery.jsonl'.")
            }
            if !service.quiet { await folder.tellUnreadableLines(context.terminal) }
            let found = try await findings(of: check, folder, context)
            let broken = found[.broken, default: []] + found[.damaged, default: []]
            let damaged = broken + (forget ? [] : found[.missing, default: []])
            guard repair else {
                if !damaged.isEmpty { throw ExitCode(ExitStatus.someFailed.rawValue) }
                return
            }
            guard !damaged.isEmpty else { return }
            do {
                try await Repair(
                    entries: damaged, folder: folder, directory: directory, service: service,
                    context: context, source: service.source(context)
                ).run()
            } catch {
                // Some may have come all the same.
                try? await check.removeReplaced(broken)
                throw error
            }
            try await check.removeReplaced(broken)
        }

        /// What is wrong in the folder, after it was told; what is to be forgotten or removed is.
        private func findings(
            of check: FolderCheck, _ folder: TargetFolder, _ context: Context
        ) async throws -> [Kind: [ManifestEntry]] {
            func say(_ path: String, _ reason: String) throws {
                try context.terminal.result("\(PlainText.line(path)): \(reason)")
                // At once: the next file may be a long one.
                try context.terminal.flush()
            }
            var counts: [Kind: Int] = [:]
            // Not the others: a folder may have more files than should be in memory.
            var found: [Kind: [ManifestEntry]] = [:]
            try await check.forEachFinding { finding in
                var (kind, reason) = finding.state.words
                if [.broken, .damaged, .missing].contains(kind) {
                    found[kind, default: []].append(finding.entry)
                }
                if forget, kind == .missing { (kind, reason) = (.forgotten, "missing, and forgotten now") }
                counts[kind, default: 0] += 1
                let isTrouble = kind != .changed && kind != .moved
                if let reason, !service.quiet || isTrouble { try say(finding.entry.file, reason) }
            }
            if repair { await folder.clearLeftovers() }
            let parts = await check.oldParts(removing: repair)
            if !parts.isEmpty { counts[.oldParts] = parts.count }
            if forget { try await check.forget(found[.missing, default: []]) }
            guard !service.quiet else { return found }
            for part in parts {
                try say(part, "no photo has claimed it for 30 days" + (repair ? ", and is removed" : ""))
            }
            context.terminal.message(Kind.summary(of: counts))
            return found
        }

        /// - Throws: What stands in the way of reading the folder at `path`.
        private static func check(_ path: String) throws(CommandFault) {
            let name = PlainText.line(path)
            do throws(SystemCall.Failure) { _ = try SystemCall.openFolder(path) } catch {
                switch error.code {
                case ENOENT: throw CommandFault(.missing, "There is no folder '\(name)'.")
                case ENOTDIR: throw CommandFault(.missing, "'\(name)' is not a folder.")
                case let code:
                    let reason = String(cString: strerror(code))
                    throw CommandFault(.inputOutput, "'\(name)' cannot be read: \(reason).")
                }
            }
        }
    }
}

/// What the summary counts files as, in its order and words.
private enum Kind: String, CaseIterable {
    case whole, broken, damaged, missing, changed, incomplete, moved, forgotten
    case oldParts = "old parts"

    static func summary(of counts: [Kind: Int]) -> String {
        let sums = allCases.compactMap { kind in counts[kind].map { (kind, $0) } }
        return (sums.isEmpty ? [(Kind.whole, 0)] : sums)
            .map { "\($1) \($0 == .oldParts && $1 == 1 ? "old part" : $0.rawValue)" }
            .joined(separator: ", ")
    }
}

extension FolderCheck.Finding.State {
    /// What the summary counts it as, and what is said of the file; `nil` for nothing.
    fileprivate var words: (kind: Kind, reason: String?) {
        switch self {
        case .whole: (.whole, nil)
        case .changed: (.changed, "changed since it was downloaded")
        case .broken(let reason): (.broken, reason)
        case .damaged(let reason): (.damaged, "damaged: \(reason), and nobody has written to it")
        case .missing: (.missing, "missing")
        case .moved(let path): (.moved, "it is '\(PlainText.line(path))' now")
        case .incomplete(let reason): (.incomplete, "it is incomplete, as is the host's copy: \(reason)")
        }
    }
}

/// Fetches files again under the names they have, each from where it came from.
private struct Repair {
    let entries: [ManifestEntry]
    let folder: TargetFolder
    let directory: String
    let service: ServiceOptions
    let context: Context
    let source: ServiceAddress

    func run() async throws {
        var files: [FetchPlan.File] = []
        var failures: [ResolvedPhotos.Failure] = []
        var transport = RoutedTransport(otherwise: loaders(at: source).images)
        let sources = Dictionary(grouping: entries.enumerated(), by: { address(of: $0.element) })
        for (address, entries) in sources.sorted(by: { $0.value[0].offset < $1.value[0].offset }) {
            let loaders = loaders(at: address)
            let details = await loaders.details(of: entries.map { Photo(id: $0.element.photo, title: "") })
            for (_, entry) in entries {
                do {
                    let detail = try details[entry.photo]?.get()
                    let file = try file(entry, detail, number: files.count, loaders)
                    files.append(file)
                    for item in [file.item] + file.item.standIns {
                        transport.routes[item.source.url] = loaders.images
                    }
                } catch let error as any ActionableError {
                    failures.append(.init(index: nil, name: PlainText.line(entry.file), error: error))
                }
            }
        }
        var settings = FetchSettings(
            directory: directory, named: .standard, service.downloads(jobs: context.configuration.jobs))
        settings.downloads.overwrites = true
        let supply = FetchSupply(FetchPlan(files: files, failures: failures))
        try await FetchRun(
            supply: supply, folder: folder, transport: transport, settings: settings, service: service,
            context: context
        ).run()
    }

    // MARK: - Where files came from

    private func address(of entry: ManifestEntry) -> ServiceAddress {
        if service.baseURL != nil || service.folder != nil, source.service == entry.service { return source }
        let recorded = entry.base.flatMap { text in
            entry.service == Folder.word
                ? URL(string: text).flatMap { $0.isFileURL ? $0 : nil } : WebAddress.url(text)
        }
        if let recorded { return ServiceAddress(service: entry.service, base: recorded) }
        let configured = context.configuration.baseURLs[entry.service]
        return entry.service == source.service
            ? source : ServiceAddress(service: entry.service, base: configured)
    }

    /// A key goes to addresses that the user has named, not to one that somebody may have put into a manifest.
    private func loaders(at address: ServiceAddress) -> ServiceLoaders {
        let shown = context.remembered.map { ServiceAddress(service: $0.service, base: $0.base) }
        let isNamed =
            address.base == nil || address == source || address == shown
            || address.base == context.configuration.baseURLs[address.service]
        return context.loaders(
            service, at: address, connections: context.configuration.jobs, sendsKey: isNamed)
    }

    private func file(
        _ entry: ManifestEntry, _ detail: PhotoDetail?, number: Int, _ loaders: ServiceLoaders
    ) throws -> FetchPlan.File {
        // No name of ours has anything that a terminal would obey: somebody else wrote that line.
        guard let detail, !entry.file.unicodeScalars.contains(where: PlainText.isHidden),
            let files = try? FetchPlan.renditions(detail.photo, detail, entry.size),
            case let page = entry.size == .thumbnail ? 0 : entry.page, files.indices.contains(page)
        else {
            throw ServiceError.missing(
                service: entry.service, what: "file for '\(PlainText.excerpt(entry.file))'")
        }
        var item = DownloadItem(
            number: number, photo: entry.photo, page: entry.page, size: entry.size,
            source: try loaders.imageRequest(files[page][0], of: detail.photo),
            name: entry.file.withoutExtension, isNameUnique: true, base: loaders.base(of: entry.service))
        try item.stand(in: files[page].dropFirst(), of: detail.photo, loaders)
        return FetchPlan.File(
            entry: IndexedPhoto(index: nil, photo: detail.photo), detail: detail, address: files[page][0].url,
            item: item)
    }
}

/// Sends each request through the transport of the service that its file comes from.
private struct RoutedTransport: HTTPTransport {
    var routes: [URL: any HTTPTransport] = [:]
    let otherwise: any HTTPTransport

    func send(
        _ request: HTTPRequest, idleTimeout: Int, to sink: some BodySink
    ) async throws(TransportError) -> HTTPHead {
        try await route(of: request).send(request, idleTimeout: idleTimeout, to: sink)
    }

    func current(_ request: HTTPRequest) async throws(TransportError) -> HTTPRequest {
        try await route(of: request).current(request)
    }

    func renewed(_ request: HTTPRequest) async -> HTTPRequest? { await route(of: request).renewed(request) }

    private func route(of request: HTTPRequest) -> any HTTPTransport { routes[request.url] ?? otherwise }
}

extension String {
    fileprivate var withoutExtension: String { lastIndex(of: ".").map { String(self[..<$0]) } ?? self }
}
