import Foundation
import GalleryCore

/// What became of selections: photos in the order they were named, each once, and what could not be had.
struct Chosen {
    var photos: [IndexedPhoto] = []
    var failures: [Failure] = []
    /// Details that had to be asked for on the way.
    var details: [PhotoID: PhotoDetail] = [:]
    /// Photos named by themselves, which no filter applies to.
    var named: Set<PhotoID> = []

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
    /// What has passed and what has not.
    var sieve: Sieve
    private var loaded: [Int: Photo] = [:]
    /// What was asked for already: with `--unique`, selections are gone through again for more.
    private var pages: [ClosedRange<Int>: Page] = [:]
    private var total: Int?
    private var seen: Set<PhotoID> = []
    var chosen = Chosen()

    /// A chooser; `sieve` is what ranges pass, photos named one by one are taken whatever it says.
    init(_ context: Context, service: ServiceOptions, feed: FeedOptions, sieve: Sieve) throws {
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
        try await preload(selections)
        for selection in selections where !sieve.isFull {
            switch selection {
            case .index(let index): try await take(index)
            case .range(let range): try await take(range, named: "\(range.lowerBound)-\(range.upperBound)")
            case .from(let first): try await takeAll(from: first)
            case .page(let url): try await take(page: url)
            case .standardInput: for photo in try await StandardInput.photos() { take(photo) }
            }
        }
        return chosen
    }

    // MARK: - Indexes

    /// Places near each other come in one request; with a limit, nobody knows yet how many are needed.
    private mutating func preload(_ selections: [Selection]) async throws {
        guard sieve.isUnlimited else { return }
        var merged: [ClosedRange<Int>] = []
        for range in selections.compactMap(\.indexes).sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = merged.last, range.lowerBound - last.upperBound <= PhotoLoader.usualPageSize {
                merged[merged.count - 1] = last.lowerBound...max(last.upperBound, range.upperBound)
            } else {
                merged.append(range)
            }
        }
        for range in merged where !range.allSatisfy({ memory[$0] != nil }) { _ = try await load(range) }
    }

    private mutating func load(_ range: ClosedRange<Int>) async throws -> Page {
        if let page = pages[range] { return page }
        let page = try await loaders.list(feed, of: source.service).photos(range, of: feed)
        if sieve.isUnique { pages[range] = page }
        for entry in page.photos {
            if let index = entry.index { loaded[index] = entry.photo }
        }
        total = page.total ?? total
        return page
    }

    private func photo(at index: Int) -> Photo? { memory[index] ?? loaded[index] }

    private mutating func take(_ index: Int) async throws {
        if photo(at: index) == nil, !sieve.isUnlimited { _ = try await load(index...index) }
        guard let photo = photo(at: index) else { return fail(index, named: "photo \(index)") }
        chosen.named.insert(photo.id)
        add(IndexedPhoto(index: index, photo: photo))
    }

    private mutating func take(_ range: ClosedRange<Int>, named name: String) async throws {
        var found = false
        for part in range.pages(of: sieve.isUnlimited ? range.count : PhotoLoader.usualPageSize) {
            guard !sieve.isFull else { return }
            if !sieve.isUnlimited, !part.allSatisfy({ memory[$0] != nil }) { _ = try await load(part) }
            let photos = part.compactMap { index in
                photo(at: index).map { IndexedPhoto(index: index, photo: $0) }
            }
            found = found || !photos.isEmpty
            guard !photos.isEmpty else { break }
            filter(photos)
        }
        if !found { fail(range.lowerBound, named: "photos \(name)") }
    }

    private mutating func takeAll(from first: Int) async throws {
        var start = first
        while !sieve.isFull {
            let page = try await load(start...(start + PhotoLoader.largePageSize - 1))
            filter(page.photos)
            guard page.hasMore, let last = page.photos.last?.index else { break }
            start = last + 1
        }
        if start == first, loaded.keys.allSatisfy({ $0 < first }) { fail(first, named: "photo \(first)") }
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
        switch try await loaders.details(of: [Photo(id: id, title: "")])[id] {
        case .success(let detail):
            chosen.details[id] = detail
            chosen.named.insert(detail.photo.id)
            add(IndexedPhoto(index: nil, photo: detail.photo))
        case .failure(let error):
            chosen.failures.append(.init(index: nil, name: "photo \(id.value)", error: error))
        case nil: break
        }
    }

    /// A photo from standard input was chosen by whoever wrote the line: no filter applies.
    private mutating func take(_ photo: IndexedPhoto) { add(photo) }

    private mutating func filter(_ photos: [IndexedPhoto]) {
        for photo in sieve.passing(photos) { add(photo) }
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

extension ClosedRange<Int> {
    /// The range in pieces of at most `size`.
    fileprivate func pages(of size: Int) -> [ClosedRange<Int>] {
        stride(from: lowerBound, through: upperBound, by: size).map {
            $0...Swift.min($0 + size - 1, upperBound)
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
