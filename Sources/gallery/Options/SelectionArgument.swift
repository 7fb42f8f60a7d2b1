import Arguments
import Curation
import Foundation
import GalleryCore
import TerminalPictures

private let selectionHelp: ArgumentHelp =
    """
    An index '7', a range '3-9' or '90-', a photo's web address, a file or folder, or '-' to read JSON or addresses \
    from standard input.
    """

struct OptionalSelection: ParsableArguments {
    @Argument(help: selectionHelp, completion: .file(), transform: { try Selection($0) })
    var selection: [Selection] = []
}

extension [Selection] {
    /// Whether one photo is named, rather than several or any number.
    var nameOne: Bool {
        guard count == 1, !self[0].isRange, self[0] != .standardInput else { return false }
        return if case .path(let path) = self[0] { !FolderScan.isFolder(path) } else { true }
    }

    /// The absolute paths that they are; `nil` if there are none, or other words among them.
    func paths(_ context: Context) -> [String]? {
        let paths = absolute(context).compactMap { if case .path(let path) = $0 { path } else { nil } }
        return paths.count == count && count > 0 ? paths : nil
    }

    func absolute(_ context: Context) -> [Selection] {
        map { if case .path(let path) = $0 { .path(path.absolute(context.folders.home)) } else { $0 } }
    }
}

/// Photos that the command line names, whatever they are like.
struct ChosenPhotos: ParsableArguments {
    @Argument(help: selectionHelp, completion: .file(), transform: { try Selection($0) })
    var selection: [Selection]

    @OptionGroup(title: "Feed options")
    var feed: FeedOptions

    @OptionGroup var service: ServiceOptions

    func resolver(_ context: Context) async throws -> SelectionResolver {
        var filter = FilterRun.everything
        // What shows them says where they cannot be read.
        filter.ratings = (try? await context.folders.ratings.ratings()) ?? Ratings()
        return try await SelectionResolver(context, selection, service: service, feed: feed, filter: filter)
    }
}

/// The feed that ranges are of, which of its photos are wanted, and the service.
struct SourceOptions: ParsableArguments {
    @OptionGroup(title: "Feed options")
    var feed: FeedOptions

    @OptionGroup(title: "Filter options")
    var filters: FilterOptions

    @OptionGroup var service: ServiceOptions

    func resolver(
        _ context: Context, _ selections: [Selection], _ filter: FilterRun, connections: Int,
        input: String? = nil, page: URL? = nil
    ) async throws -> SelectionResolver {
        try await SelectionResolver(
            context, selections, service: service, feed: feed, filter: filter,
            includesAdult: filters.adult, connections: connections, input: input, page: page)
    }
}

extension RequestedFeed {
    /// The list that the command line or the environment names, or the one shown last in this terminal session.
    ///
    /// - Parameter isNeeded: Whether photos of the list are selected.
    /// - Throws: A usage error where the environment names an unknown service, or the line two lists.
    init(
        _ context: Context, _ service: ServiceOptions, _ options: FeedOptions, isNeeded: Bool = true
    ) throws {
        if options.marks.list != nil, options.named?.isMarked != true {
            throw CommandFault(.usage, "'--list' goes with '--feed marked' only.")
        }
        var shown = service.namesSource || options.named != nil ? nil : context.remembered
        // One that was set all along has been overridden by the line that listed.
        let usual = UsualService(context)
        if usual.origin == .environment, ![shown?.service, shown?.variable].contains(usual.name) {
            shown = nil
        }
        // The definition of a source may be gone since.
        let names = shown.map { ServiceName($0.service).names } ?? []
        if !isNeeded, names.contains(where: { context.catalog.entry(named: $0) == nil }) { shown = nil }
        self.init(
            address: try shown.map { ServiceAddress(service: $0.service, base: $0.base) }
                ?? service.source(context), feed: shown?.feed ?? options.list, shown: shown)
    }
}

extension SelectionResolver {
    /// A resolver of what the command line selects.
    ///
    /// - Parameters:
    ///   - includesAdult: Whether the command line may name a feed that holds adult photos only.
    ///   - connections: Requests under way at once, from 1.
    ///   - file: A file with photos, after those that are selected; `nil` for none.
    ///   - page: The folder of a page of which standard input may be the description.
    /// - Throws: A usage error where the service lacks the feed, an address is not a photo's page, or the feed
    ///   holds adult photos only.
    init(
        _ context: Context, _ selections: [Selection], service: ServiceOptions, feed: FeedOptions,
        filter: FilterRun, includesAdult: Bool = true, connections: Int = 6, input file: String? = nil,
        page: URL? = nil
    ) async throws {
        let named = service.naming(serviceOf: selections, context)
        let line = named.opening(selections, context)
        let isListed = line.selections.contains { $0.isRange || $0.index != nil }
        let requested = try RequestedFeed(context, line.service, feed, isNeeded: isListed)
        let loaders = context.loaders(line.service, at: requested.address, connections: connections)
        if named.baseURL != nil {
            for case .page(let url) in selections {
                guard let id = loaders.photo(atPage: url), id.service != requested.address.service else {
                    continue
                }
                let page = PlainText.excerpt(url.absoluteString, limit: 120)
                throw CommandFault(
                    .usage, "'--base-url' is not for '\(page)', which is a page of \(id.service).",
                    hint: "Add '--service \(id.service)', or leave out '--base-url'.")
            }
        }
        // A feed that was shown before may be used again.
        let list = try await context.list(
            requested.feed, loaders, includesAdult: includesAdult || feed.named == nil)
        if requested.shown == nil, !requested.feed.isMarked, isListed { line.service.tellOfFirstRun(context) }
        // Filters apply to ranges alone.
        if line.selections.contains(where: \.isRange),
            let obstacle = filter.obstacle(in: list, loaders.catalog)
        {
            throw obstacle
        }
        var input = PhotoInput.standard(context.input, ofPage: page)
        if let file { input = try await PhotoInput(contentsOf: file) }
        try self.init(
            line.selections + (file == nil ? [] : [.standardInput]), in: IndexedFeed(requested, list),
            loaders: loaders, filter: filter, input: input)
    }
}

extension ServiceOptions {
    /// These options, with the service of the first page among `selections` where only a base URL is given.
    fileprivate func naming(serviceOf selections: [Selection], _ context: Context) -> ServiceOptions {
        guard let base = choice.baseURL, choice.service == nil else { return self }
        var named = self
        let bases = Dictionary(uniqueKeysWithValues: ServiceCatalog.namesWithAPI.map { ($0, base) })
        for case .page(let url) in selections {
            let usual = UsualService(context).name
            guard let id = context.catalog.photo(atPage: url, of: usual, at: bases) else { continue }
            named.choice.service = id.service == usual ? nil : ServiceName(id.service)
            break
        }
        return named
    }

    /// These options and selections, with a first address that has the form of a feed's or a manifest's as the base
    /// of its service, or a folder that stands alone or before indexes. These are of its list; without any, all of it
    /// is selected.
    fileprivate func opening(
        _ selections: [Selection], _ context: Context
    ) -> (service: ServiceOptions, selections: [Selection]) {
        let selections = selections.absolute(context)
        var opened = self
        switch selections.first {
        case _ where choice.baseURL != nil || place.folder != nil: return (self, selections)
        case .path(let path)?
        where FolderScan.isFolder(path) && [nil, Folder.word].contains(choice.service?.rawValue)
            && selections.dropFirst().allSatisfy { $0.isRange || $0.index != nil }:
            opened.place.folder = path
        case .page(let url)?:
            guard let name = context.catalog.service(withBase: url),
                choice.service == nil || choice.service?.rawValue == name
            else { return (self, selections) }
            (opened.choice.service, opened.choice.baseURL) = (ServiceName(name), url)
        default: return (self, selections)
        }
        return (opened, selections.count == 1 ? [.from(1)] : Array(selections.dropFirst()))
    }
}

extension Selection {
    /// Whether it is a range of indexes, open or not.
    var isRange: Bool {
        switch self {
        case .range, .from: true
        case .index, .page, .path, .standardInput: false
        }
    }

    var index: Int? { if case .index(let index) = self { index } else { nil } }
}

extension PhotoInput {
    fileprivate static func standard(_ input: Int32, ofPage folder: URL?) -> PhotoInput {
        PhotoInput(from: folder == nil ? nil : input, ofPage: folder) {
            try await read(input, "Standard input", hint: "Pipe in the output of '--format jsonl'.")
        }
    }

    fileprivate init(contentsOf path: String) async throws {
        let name = "'\(PlainText.line(path))'"
        // A pipe opens once somebody writes to it.
        let file = try await onThread {
            Result { () throws(SystemCall.Failure) in try SystemCall.open(path, O_RDONLY) }
                .mapError { Self.fault(name, $0.code) }
        }.get()
        self.init(named: name) { try await Self.read(file.number, name) }
    }

    private static func fault(_ name: String, _ code: Int32, hint: String? = nil) -> CommandFault {
        CommandFault(
            code == ENOENT ? .missing : .inputOutput,
            "\(name) could not be read: \(String(cString: strerror(code))).", hint: hint)
    }

    /// The next bytes, read off the cooperative threads since a pipe may take its time; none at the end.
    private static func read(_ file: Int32, _ name: String, hint: String? = nil) async throws -> Data {
        try await onThread { () -> Result<Data, CommandFault> in
            var buffer = [UInt8](repeating: 0, count: 1 << 16)
            let count = SystemCall.retrying { Foundation.read(file, &buffer, buffer.count) }
            guard count >= 0 else { return .failure(fault(name, errno, hint: hint)) }
            return .success(Data(buffer.prefix(count)))
        }.get()
    }
}
