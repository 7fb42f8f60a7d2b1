import Arguments
import GalleryCore

extension Gallery {
    /// Prints what stage two knows of photos.
    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Show the details of photos.",
            discussion: """
                Examples:
                  gallery show 3
                  gallery show 3-5 --format json
                  gallery show --picture https://commons.wikimedia.org/wiki/File:Sea.jpg
                """)

        @OptionGroup var photos: SelectionArgument

        @Option(help: "Output format for the details.")
        var format = DetailFormat.text

        @Flag(help: "Show each picture above its details, if the terminal can.")
        var picture = false

        @OptionGroup(title: "Feed options")
        var feed: FeedOptions

        @OptionGroup(title: "Service options")
        var service: ServiceOptions

        func validate() throws {
            if picture, format != .text {
                throw ValidationError("'--picture' can only be used with '--format text'.")
            }
        }

        func run() async throws { try await run(in: .live()) }

        func run(in context: Context) async throws {
            var resolver = try await SelectionResolver(
                context, photos.selection, service: service, feed: feed, filter: .everything)
            let resolved = try await resolver.all()
            let known = known(resolved)
            let asked = await resolver.loaders.details(
                of: resolved.photos.map(\.photo).filter { known[$0.id] == nil })
            let details = known.mapValues(Result.success).merging(asked) { known, _ in known }
            var outcome = DetailedPhotos(resolved, details)
            if picture {
                outcome.failures += try await show(outcome.photos, resolver.loaders, context)
            } else {
                try print(outcome.photos, isSingle: photos.namesOne && outcome.photos.count == 1, context)
            }
            try Failures.end(outcome.failures, context.terminal, succeeded: outcome.photos.count)
        }

        /// The details that nobody need be asked for: marked photos are kept whole.
        private func known(_ chosen: ResolvedPhotos) -> [PhotoID: PhotoDetail] {
            guard feed.named == .marked, !service.refresh else { return chosen.details }
            let kept = chosen.photos.map { ($0.photo.id, PhotoDetail(photo: $0.photo)) }
            return chosen.details.merging(kept) { _, kept in kept }
        }

        private func print(
            _ photos: [DetailedPhotos.Element], isSingle: Bool, _ context: Context
        ) throws {
            try context.terminal.results(format.lines(photos, isSingle: isSingle, context))
        }

        /// Prints each picture above its details.
        ///
        /// - Returns: the pictures that did not come.
        private func show(
            _ photos: [DetailedPhotos.Element], _ loaders: ServiceLoaders, _ context: Context
        ) async throws -> [ResolvedPhotos.Failure] {
            let prints = PicturePrints(context, service, loaders)
            return try await prints.print(photos.map(\.entry)) { offset in
                try print([photos[offset]], isSingle: true, context)
            }
        }
    }
}

/// Photos with their details, and those whose details could not be had.
private struct DetailedPhotos {
    typealias Element = (entry: IndexedPhoto, detail: PhotoDetail)

    private(set) var photos: [Element] = []
    var failures: [ResolvedPhotos.Failure]

    /// The photos that were chosen, as `details` know them.
    init(_ chosen: ResolvedPhotos, _ details: DetailResults) {
        failures = chosen.failures
        for entry in chosen.photos {
            switch details[entry.photo.id] {
            case .success(let detail):
                photos.append((IndexedPhoto(index: entry.index, photo: detail.photo), detail))
            case .failure(let error):
                failures.append(.init(entry, error))
            case nil: break
            }
        }
    }
}

extension SelectionArgument {
    /// Whether one photo is named, so that one object answers it rather than a list of one.
    fileprivate var namesOne: Bool {
        guard selection.count == 1 else { return false }
        switch selection[0] {
        case .index, .page: return true
        case .range, .from, .standardInput: return false
        }
    }
}

/// How details are printed.
enum DetailFormat: String, ExpressibleByArgument, CaseIterable {
    case text, json, jsonl, url

    func lines(_ photos: [(IndexedPhoto, PhotoDetail)], isSingle: Bool, _ context: Context) -> [String] {
        switch self {
        case .text:
            let text = DetailText(
                width: context.abilities.columns, style: Style(isOn: context.abilities.colorsResults))
            return Array(photos.map { text.lines($0, $1) }.joined(separator: [""]))
        case .jsonl: return photos.map { $0.json(with: $1).text }
        case .json where isSingle: return photos.map { $0.json(with: $1).text }
        case .json:
            let lines = photos.map { $0.json(with: $1).text }
            return ["["] + lines.dropLast().map { $0 + "," } + lines.suffix(1) + ["]"]
        case .url:
            let details = photos.map { ($0.photo.id, $1) }
            return URLRows().lines(for: photos.map(\.0), Dictionary(details) { first, _ in first })
        }
    }
}
