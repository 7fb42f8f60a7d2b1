import Arguments
import Foundation
import GalleryCore

extension Gallery {
    /// Finds downloaded files that are damaged or missing.
    struct Verify: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Check that downloaded files are intact.",
            discussion: """
                The folder's manifest, '.gallery.jsonl', lists the files to check.

                Examples:
                  gallery verify photos
                  gallery verify photos --repair
                  gallery verify photos --forget
                """)

        @Argument(help: "Folder to check. (default: the configuration file's, or .)", completion: .directory)
        var folder: String?

        @Flag(help: "Download damaged and missing files again, and remove parts left for 30 days.")
        var repair = false

        @Flag(help: "Also replace files that you have changed; yours go to the trash. As --repair=changed.")
        var repairChanged = false

        @Flag(help: "Forget missing files, which you have deleted: they are not missed any more.")
        var forget = false

        @OptionGroup(title: "Service options")
        var service: ServiceOptions

        func validate() throws {
            if folder == "" { throw ValidationError("'<folder>' must not be empty.") }
        }

        private var repairs: Bool { repair || repairChanged }

        func run() async throws { try await run(in: .live()) }

        func run(in context: Context) async throws {
            let directory = context.directory(folder)
            try FolderFault.check(directory)
            if repairs { Interrupt.sayNothingIsFetched(context.terminal, isQuiet: service.quiet) }
            var (whole, incomplete, moved) = (0, 0, 0)
            var changed: [ManifestEntry] = []
            var broken: [ManifestEntry] = []
            var missing: [ManifestEntry] = []
            let folder = TargetFolder(URL(filePath: directory))
            let check = try FolderCheck(of: folder)
            guard check.hasManifest else { throw NoManifest(path: directory) }
            if !service.quiet { await folder.tellUnreadableLines(context.terminal) }
            try await check.forEachFinding { finding in
                let entry = finding.entry
                switch finding.state {
                case .whole: whole += 1
                case .changed:
                    changed.append(entry)
                    if !service.quiet { try say(entry.file, "it has been changed", context) }
                case .broken(let reason):
                    broken.append(entry)
                    try say(entry.file, reason, context)
                case .incomplete(let reason):
                    incomplete += 1
                    try say(entry.file, "it is incomplete, as is the host's copy: \(reason)", context)
                case .missing:
                    missing.append(entry)
                    try say(
                        entry.file, forget ? "it is missing, and forgotten now" : "it is missing", context)
                case .moved(let path):
                    moved += 1
                    if !service.quiet { try say(entry.file, "it is '\(PlainText.line(path))' now", context) }
                }
            }
            let parts = await check.oldParts(removing: repairs)
            if forget { try await check.forget(missing) }
            if !service.quiet {
                for part in parts {
                    let end = repairs ? ", and is removed" : ""
                    try say(part, "no photo has claimed it for 30 days\(end)", context)
                }
                let others = [
                    (changed.count, "changed"), (incomplete, "incomplete"), (moved, "moved"),
                    (forget ? missing.count : 0, "forgotten"),
                    (parts.count, parts.count == 1 ? "old part" : "old parts"),
                ].filter { $0.0 > 0 }.map { ", \($0.0) \($0.1)" }.joined()
                context.terminal.message(
                    "\(whole) whole, \(broken.count) broken, \(forget ? 0 : missing.count) missing\(others)")
            }
            if forget { missing = [] }
            var damaged = broken + missing
            guard repairs else {
                if !damaged.isEmpty { throw ExitCode(ExitStatus.someFailed.rawValue) }
                return
            }
            if repairChanged { damaged += try await thrownAway(changed, from: directory, context) }
            guard !damaged.isEmpty else { return }
            do {
                try await Repair(damaged, folder, directory, service, context).run()
            } catch {
                // Some may have come all the same.
                try? await check.removeReplaced(broken)
                throw error
            }
            try await check.removeReplaced(broken)
        }

        /// Moves files to the trash.
        ///
        /// - Throws: the status of an output that cannot be written, where one cannot be moved.
        private func thrownAway(
            _ entries: [ManifestEntry], from directory: String, _ context: Context
        ) async throws -> [ManifestEntry] {
            for entry in entries {
                let file = URL(filePath: directory).appending(path: entry.file)
                let notice = await Trash(environment: context.environment).move(file)
                guard notice.isError else { continue }
                context.terminal.message("Error: \(notice.text)")
                throw ExitCode(ExitStatus.inputOutput.rawValue)
            }
            return entries
        }

        /// At once: the next file may be a long one.
        private func say(_ path: String, _ reason: String, _ context: Context) throws {
            try context.terminal.result("\(PlainText.line(path)): \(reason)")
            try context.terminal.flush()
        }
    }
}

/// Fetches files again under the names they have, each from where it came from.
private struct Repair {
    private let entries: [ManifestEntry]
    private let folder: TargetFolder
    private let directory: String
    private let service: ServiceOptions
    private let context: Context
    /// The service that the line names.
    private let source: ServiceAddress

    init(
        _ entries: [ManifestEntry], _ folder: TargetFolder, _ directory: String, _ service: ServiceOptions,
        _ context: Context
    ) throws {
        self.entries = entries
        self.folder = folder
        self.directory = directory
        self.service = service
        self.context = context
        source = try service.source(context)
    }

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
                    transport.routes[file.item.source.url] = loaders.images
                } catch let error as any ActionableError {
                    failures.append(.init(index: nil, name: PlainText.line(entry.file), error: error))
                }
            }
        }
        let settings = FetchSettings(
            directory: directory, name: .standard, jobs: context.configuration.jobs, overwrites: true)
        let supply = FetchSupply(FetchPlan(files: files, failures: failures))
        try await FetchRun(
            supply: supply, folder: folder, transport: transport, settings: settings, service: service,
            context: context
        ).run()
    }

    // MARK: - Where files came from

    /// The line's address for the service that it names, else the one in the manifest.
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
            service.network, at: address, connections: context.configuration.jobs, sendsKey: isNamed)
    }

    private func file(
        _ entry: ManifestEntry, _ detail: PhotoDetail?, number: Int, _ loaders: ServiceLoaders
    ) throws -> FetchPlan.File {
        let pages = detail.map { $0.pages.isEmpty ? [$0.photo.full].compactMap(\.self) : $0.pages } ?? []
        let full = pages.indices.contains(entry.page) ? pages[entry.page] : nil
        // No name of ours has anything that a terminal would obey: somebody else wrote that line.
        guard let rendition = entry.size == .full ? full : detail?.photo.thumbnail, let detail,
            !entry.file.unicodeScalars.contains(where: PlainText.isHidden)
        else {
            throw ServiceError.missing(
                service: entry.service, what: "file for '\(PlainText.excerpt(entry.file))'")
        }
        return FetchPlan.File(
            entry: IndexedPhoto(index: nil, photo: detail.photo), detail: detail, address: rendition.url,
            item: DownloadItem(
                number: number, photo: entry.photo, page: entry.page, size: entry.size,
                source: try loaders.imageRequest(rendition, of: detail.photo),
                name: entry.file.withoutExtension, isNameUnique: true,
                base: loaders.base(of: entry.service)))
    }
}

/// Sends each request through the transport of the service that its file comes from.
private struct RoutedTransport: HTTPTransport {
    var routes: [URL: any HTTPTransport] = [:]
    let otherwise: any HTTPTransport

    init(otherwise: any HTTPTransport) {
        self.otherwise = otherwise
    }

    func send(
        _ request: HTTPRequest, idleTimeout: Int, to sink: some BodySink
    ) async throws(TransportError) -> HTTPHead {
        try await (routes[request.url] ?? otherwise).send(request, idleTimeout: idleTimeout, to: sink)
    }
}

extension String {
    fileprivate var withoutExtension: String { lastIndex(of: ".").map { String(self[..<$0]) } ?? self }
}

/// Nothing was ever downloaded to the folder.
private struct NoManifest: StatusError {
    let path: String
    var description: String {
        "'\(PlainText.line(path))' has no manifest, '.gallery.jsonl'."
    }
    var hint: String? { nil }
    var status: ExitStatus { .missing }
}

/// The folder to verify is not there, or may not be looked into.
private struct FolderFault: StatusError {
    let path: String
    /// The system's number for it.
    let code: Int32

    /// - Throws: what stands in the way of reading the folder at `path`.
    static func check(_ path: String) throws(FolderFault) {
        let folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { throw FolderFault(path: path, code: errno) }
        close(folder)
    }

    var description: String {
        let path = PlainText.line(path)
        return switch code {
        case ENOENT: "There is no folder '\(path)'."
        case ENOTDIR: "'\(path)' is not a folder."
        default: "'\(path)' cannot be read: \(String(cString: strerror(code)))."
        }
    }
    var hint: String? { nil }
    var status: ExitStatus { [ENOENT, ENOTDIR].contains(code) ? .missing : .inputOutput }
}
