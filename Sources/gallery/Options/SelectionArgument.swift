import Arguments
import Foundation
import GalleryCore

/// The photos that the command line names.
struct SelectionArgument: ParsableArguments {
    @Argument(
        help:
            "An index '7', a range '3-9' or '90-', a photo's web address, or '-' to read JSON or addresses from standard input.",
        transform: SelectionArgument.selection)
    var selection: [Selection]

    static func selection(_ word: String) throws -> Selection {
        do throws(Selection.Malformed) {
            return try Selection(word)
        } catch {
            throw ValidationError(error.description)
        }
    }
}

extension RequestedFeed {
    /// The list that the command line or the environment names, or the one that was shown last in this terminal
    /// session.
    ///
    /// - Throws: A usage error where the environment names an unknown service.
    init(_ context: Context, _ service: ServiceOptions, _ options: FeedOptions) throws {
        var shown = service.namesSource || options.named != nil ? nil : context.remembered
        // One that was set all along has been overridden by the line that listed.
        if let list = shown, case .environment(let name) = UsualService(context), name != list.service,
            name != list.variable
        {
            shown = nil
        }
        self.init(
            address: try shown.map { ServiceAddress(service: $0.service, base: $0.base) }
                ?? service.source(context),
            feed: shown?.feed ?? options.named ?? .feed(.popular()), shown: shown)
    }
}

extension SelectionResolver {
    /// A resolver of what the command line selects.
    ///
    /// - Parameters:
    ///   - includesAdult: Whether the command line may name a feed that holds adult photos only.
    ///   - connections: Requests under way at once, from 1.
    /// - Throws: A usage error where the service lacks the feed, an address is not a photo's page, or the feed
    ///   holds adult photos only.
    init(
        _ context: Context, _ selections: [Selection], service: ServiceOptions, feed: FeedOptions,
        filter: FilterRun, includesAdult: Bool = true, connections: Int = 6
    ) async throws {
        let service = service.naming(serviceOf: selections, context)
        let requested = try RequestedFeed(context, service, feed)
        let loaders = context.loaders(service.network, at: requested.address, connections: connections)
        if service.baseURL != nil {
            for case .page(let url) in selections {
                let id = loaders.catalog.photo(atPage: url, of: requested.address.service)
                guard let id, id.service != requested.address.service else { continue }
                throw ForeignPage(
                    page: PlainText.excerpt(url.absoluteString, limit: 120), service: id.service)
            }
        }
        // A feed that was shown before may be used again.
        let list = try await context.list(
            requested.feed, loaders, includesAdult: includesAdult || feed.named == nil)
        // Filters apply to ranges alone.
        if selections.contains(where: \.isRange), let obstacle = filter.obstacle(in: list, loaders.catalog) {
            throw obstacle
        }
        try self.init(
            selections, in: IndexedFeed(requested, list), loaders: loaders, filter: filter,
            input: PhotoInput(read: StandardInput.read))
    }
}

extension ServiceOptions {
    /// These options, with the service of the first page among `selections` where only a base URL is given.
    fileprivate func naming(serviceOf selections: [Selection], _ context: Context) -> ServiceOptions {
        guard baseURL != nil, service == nil else { return self }
        var named = self
        for case .page(let url) in selections {
            let usual = UsualService(context).name
            guard let id = context.catalog().photo(atPage: url, of: usual) else { continue }
            named.service = id.service == usual ? nil : ServiceName(argument: id.service)
            break
        }
        return named
    }
}

extension Selection {
    /// Whether it is a range of indexes, open or not.
    fileprivate var isRange: Bool {
        switch self {
        case .range, .from: true
        case .index, .page, .standardInput: false
        }
    }
}

/// The base URL is for another service than the page.
private struct ForeignPage: StatusError {
    let page: String
    let service: String
    var description: String { "'--base-url' is not for '\(page)', which is a page of \(service)." }
    var hint: String? { "Add '--service \(service)', or leave out '--base-url'." }
    var status: ExitStatus { .usage }
}

/// Standard input, as bytes.
private enum StandardInput {
    /// The next bytes, read off the cooperative threads since a pipe may take its time; none at the end.
    @Sendable static func read() async throws -> Data {
        try await withCheckedThrowingContinuation { continuation in
            DispatchQueue(label: "gallery.standard-input").async {
                var buffer = [UInt8](repeating: 0, count: 1 << 16)
                let count = SystemCall.retrying {
                    Foundation.read(STDIN_FILENO, &buffer, buffer.count)
                }
                if count < 0 {
                    continuation.resume(throwing: Unreadable(code: errno))
                } else {
                    continuation.resume(returning: Data(buffer.prefix(count)))
                }
            }
        }
    }

    /// Standard input is a folder, or closed.
    private struct Unreadable: StatusError {
        let code: Int32

        var description: String { "Standard input could not be read: \(String(cString: strerror(code)))." }
        var hint: String? { "Pipe in the output of '--format jsonl'." }
        var status: ExitStatus { .inputOutput }
    }
}
