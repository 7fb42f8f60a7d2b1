import Foundation
import GalleryCore

/// What became of selections: photos in the order they were named, each once, and what could not be had.
struct Chosen {
    var photos: [IndexedPhoto] = []
    var failures: [Failure] = []
    /// Details that had to be asked for on the way.
    var details: [PhotoID: PhotoDetail] = [:]

    /// Something named that is not among the photos.
    struct Failure {
        /// The index, where it was one.
        let index: Int?
        /// How it was named, such as `photo 7`.
        let name: String
        let error: any ActionableError
    }
}

/// Turns selections into photos: from what was shown last, from the feed, from pages, from standard input.
struct Chooser {
    private let context: Context
    /// The services of everything that is chosen.
    let loaders: Loaders
    private let source: Source
    private let feed: Feed
    private let memory: [Int: Photo]
    private var sieve: Sieve
    private var loaded: [Int: Photo] = [:]
    private var total: Int?
    /// Photos that filters were asked about.
    private var weighed: Set<PhotoID> = []
    private var seen: Set<PhotoID> = []
    private var chosen = Chosen()

    /// Whether a feed for adults alone may be named.
    private let includesAdult: Bool

    /// A chooser; `sieve` is what ranges pass, photos named one by one are taken whatever it says.
    init(
        _ context: Context, service: ServiceOptions, feed: FeedOptions, sieve: Sieve,
        includesAdult: Bool = true
    ) throws {
        // What was listed once was to be seen.
        self.includesAdult = includesAdult || feed.named == nil
        self.context = context
        self.sieve = sieve
        let remembered = service.namesSource || feed.named != nil ? nil : context.remembered
        self.source =
            try remembered.map { Source(service: $0.service, base: $0.base) } ?? service.source(context)
        self.feed = remembered?.feed ?? feed.named ?? .popular()
        try context.catalog().require(self.feed, of: source.service)
        self.memory = remembered?.photos ?? [:]
        self.loaders = try Loaders(context, service, at: source)
    }

    /// The photos that `selections` name, and the loaders that know their services.
    mutating func choose(_ selections: [Selection]) async throws -> Chosen {
        _ = try await loaders.list(feed, of: source.service, includingAdult: includesAdult)
        try await preload(selections)
        for selection in selections where !sieve.isFull {
            switch selection {
            case .index(let index): try await take(index)
            case .range(let range): try await take(range)
            case .from(let first): try await walk(first...Int.max, named: "photo \(first)")
            case .page(let url): try await take(page: url)
            case .standardInput: try await take(StandardInput.photos())
            }
        }
        return chosen
    }

    /// What the filters kept back, for standard error.
    var summary: String? { sieve.summary }

    // MARK: - Indexes

    /// Places near each other come in one request; with a limit, nobody knows yet how many are needed.
    private mutating func preload(_ selections: [Selection]) async throws {
        guard sieve.isUnlimited else { return }
        var merged: [ClosedRange<Int>] = []
        let ranges = selections.compactMap(\.indexes).filter { $0.count <= PhotoLoader.largePageSize }
        for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = merged.last, range.lowerBound - last.upperBound <= PhotoLoader.usualPageSize {
                merged[merged.count - 1] = last.lowerBound...max(last.upperBound, range.upperBound)
            } else {
                merged.append(range)
            }
        }
        for range in merged { try await load(range) }
    }

    private mutating func load(_ range: ClosedRange<Int>) async throws {
        guard !range.allSatisfy({ memory[$0] != nil }) else { return }
        let page = try await loaders.list(feed, of: source.service).photos(range, of: feed)
        for entry in page.photos {
            if let index = entry.index { loaded[index] = entry.photo }
        }
        total = page.total ?? total
    }

    private func photo(at index: Int) -> IndexedPhoto? {
        (memory[index] ?? loaded[index]).map { IndexedPhoto(index: index, photo: $0) }
    }

    private mutating func take(_ index: Int) async throws {
        if !sieve.isUnlimited { try await load(index...index) }
        guard let photo = photo(at: index) else { return fail(index, named: "photo \(index)") }
        add(photo)
    }

    private mutating func take(_ range: ClosedRange<Int>) async throws {
        let name = "photos \(range.lowerBound)-\(range.upperBound)"
        guard range.count <= pageSize else { return try await walk(range, named: name) }
        if !sieve.isUnlimited { try await load(range) }
        let photos = range.compactMap { photo(at: $0) }
        if photos.isEmpty { fail(range.lowerBound, named: name) }
        filter(photos)
    }

    /// With a limit, few are needed at a time.
    private var pageSize: Int {
        sieve.isUnlimited ? PhotoLoader.largePageSize : PhotoLoader.usualPageSize
    }

    /// Page by page, to the range's end, the feed's or the limit, whichever is first.
    private mutating func walk(_ range: ClosedRange<Int>, named name: String) async throws {
        let loader = try await loaders.list(feed, of: source.service)
        var walk = FeedWalk(range, pageSize: loader.service.pageSizes(of: feed).size(near: pageSize))
        var found = false
        while !sieve.isFull, let slice = walk.next {
            let photos = walk.take(try await page(slice, within: range, loader))
            found = found || !photos.isEmpty
            filter(photos)
        }
        if !found, !sieve.isFull { fail(range.lowerBound, named: name) }
    }

    /// A page of the feed, with what was shown of it as it was shown; all of that asks for nothing.
    private mutating func page(
        _ slice: PageSlice, within range: ClosedRange<Int>, _ loader: PhotoLoader
    ) async throws -> Page {
        let shown = slice.indexes.clamped(to: range).filter { memory[$0] != nil }
        guard shown.count < slice.indexes.clamped(to: range).count else {
            return Page(photos: shown.compactMap { photo(at: $0) }, hasMore: true)
        }
        let page = try await loader.page(slice, of: feed)
        total = page.total ?? total
        let others = page.photos.filter { memory[$0.index ?? 0] == nil }
        let photos = (shown.compactMap { photo(at: $0) } + others).sorted {
            ($0.index ?? 0) < ($1.index ?? 0)
        }
        return page.replacing(photos)
    }

    private mutating func fail(_ index: Int, named name: String) {
        let error = NoSuchIndex(name: name, service: source.service, feed: feed.word, total: total)
        chosen.failures.append(.init(index: index, name: name, error: error))
    }

    // MARK: - Pages, standard input

    private mutating func take(page: URL) async throws {
        guard let id = try context.catalog().photo(atPage: page) else {
            throw UnknownPage(page: PlainText.excerpt(page.absoluteString, limit: 120))
        }
        try await lookUp([IndexedPhoto(index: nil, photo: Photo(id: id, title: ""))])
    }

    /// Photos from standard input were chosen by whoever wrote the lines: no filter applies.
    private mutating func take(_ photos: [IndexedPhoto]) async throws {
        let provisional = loaders.provisional(photos.map(\.photo))
        guard !provisional.isEmpty else { return photos.forEach { add($0) } }
        try await lookUp(photos) { provisional.contains($0.id) }
    }

    /// Takes photos as their details know them: who is named by an address may be known by another
    /// identifier, and is one photo.
    private mutating func lookUp(
        _ photos: [IndexedPhoto], where isWanted: (Photo) -> Bool = { _ in true }
    ) async throws {
        let details = try await loaders.details(of: photos.map(\.photo).filter(isWanted))
        for entry in photos {
            switch details[entry.photo.id] {
            case .success(let detail):
                chosen.details[detail.photo.id] = detail
                add(IndexedPhoto(index: entry.index, photo: detail.photo))
            case .failure(let error):
                chosen.failures.append(.init(index: entry.index, name: entry.label, error: error))
            case nil: add(entry)
            }
        }
    }

    /// Each photo once: what an earlier page or selection had has been weighed.
    private mutating func filter(_ photos: [IndexedPhoto]) {
        for photo in photos where !sieve.isFull && weighed.insert(photo.photo.id).inserted {
            for photo in sieve.passing([photo]) { add(photo) }
        }
    }

    private mutating func add(_ photo: IndexedPhoto) {
        if seen.insert(photo.photo.id).inserted { chosen.photos.append(photo) }
    }
}

extension Selection {
    /// The indexes, where they are known beforehand.
    fileprivate var indexes: ClosedRange<Int>? {
        switch self {
        case .index(let index): index...index
        case .range(let range): range
        case .from, .page, .standardInput: nil
        }
    }
}

/// The feed ends before that index.
struct NoSuchIndex: StatusError {
    let name: String
    let service: String
    let feed: String
    let total: Int?

    var description: String {
        let size = total.map { "it has \($0) \($0 == 1 ? "photo" : "photos")" } ?? "it ends before"
        return "There is no \(name) in the feed '\(feed)' of \(service): \(size)."
    }
    var hint: String? { nil }
    var status: ExitStatus { .missing }
}

/// An address that is no photo's page.
private struct UnknownPage: StatusError {
    let page: String
    var description: String { "'\(page)' is no photo's page of a service we know." }
    var hint: String? { "Services: \(ServiceCatalog.names.joined(separator: ", "))." }
    var status: ExitStatus { .usage }
}
