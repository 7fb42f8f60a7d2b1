import Foundation
import GalleryCore

/// OrderedTurns selections into photos: from what was shown last, from the feed, from pages, from standard input.
///
/// It gives them a batch at a time, and asks for no more than the batch needs: a feed may be longer than memory.
struct SelectionResolver: Sendable {
    /// The services of everything that is chosen.
    let loaders: ServiceLoaders
    /// What has passed and what has not.
    private(set) var sieve: FilterRun

    private let catalog: ServiceCatalog
    private var feed: IndexedFeed
    private let selections: [Selection]
    private var rest: ArraySlice<Selection>
    private var isBegun = false
    /// The range that is being gone through, its last page's photos that are not weighed yet, and standard input.
    private var walk: Walk?
    private var unweighed: ArraySlice<IndexedPhoto> = []
    private var input: StandardInput?
    private var given = SeenPhotos()
    private var leftOut = SeenPhotos()
    /// Whether one range is all there is: a walk has each photo once by itself.
    private let isOneRange: Bool
    private var chosen = ResolvedPhotos()
    /// What ends it once what had come before has been given.
    private var fault: (any ActionableError)?

    /// A feed gone through page by page, for a range or to its end.
    private struct Walk {
        var pages: FeedWalk
        let range: ClosedRange<Int>
        let name: String
        var found = false
    }

    /// A chooser of what `selections` name; `sieve` is what ranges pass, photos named one by one are
    /// taken whatever it says.
    ///
    /// - Parameter connections: requests on the wire at once, from 1.
    /// - Throws: a usage error where the service lacks the feed, where an address is no photo's page, or where
    ///   the line names a feed that is for adults alone and `includesAdult` is false.
    init(
        _ context: Context, _ selections: [Selection], service: ServiceOptions, feed: FeedOptions,
        sieve: FilterRun, includesAdult: Bool = true, connections: Int = 6
    ) async throws {
        catalog = try context.catalog()
        for case .page(let url) in selections { _ = try catalog.knownPhoto(atPage: url) }
        let requested = try RequestedFeed(context, service, feed)
        try catalog.require(requested.feed, of: requested.source.service)
        loaders = try ServiceLoaders(context, service, at: requested.source, connections: connections)
        // What was listed once was to be seen.
        let list = try await loaders.list(
            requested.feed, includingAdult: includesAdult || feed.named == nil)
        self.feed = IndexedFeed(requested, list)
        self.selections = selections
        rest = selections[...]
        isOneRange = selections.count == 1 && selections[0] != .standardInput
        self.sieve = sieve
    }

    /// The next photos, a page or so; `nil` when nothing is left, or the limit is reached.
    ///
    /// An error that ends the choice comes after what was chosen before it.
    mutating func next() async throws -> ResolvedPhotos? {
        if let fault { throw fault }
        if !isBegun {
            try await preload()
            isBegun = true
        }
        chosen = ResolvedPhotos()
        do {
            while chosen.photos.count < PhotoLoader.largePageSize, !sieve.isFull {
                // Who writes to us line by line should see that each is taken up.
                if input != nil, !chosen.isEmpty { break }
                guard try await goOn() else { break }
            }
        } catch let error as any ActionableError where !chosen.isEmpty {
            fault = error
        }
        return chosen.isEmpty ? nil : chosen
    }

    /// All at once, where there is no way around it; what cannot be had behind the first is among the failures.
    mutating func all() async throws -> ResolvedPhotos {
        var all = ResolvedPhotos()
        do {
            while let more = try await next() { all.add(more) }
        } catch let error as any ActionableError where !all.isEmpty {
            all.failures.append(.further(error))
        }
        return all
    }

    /// Makes room for as many more: so many of the photos turned out to be copies.
    mutating func takeBack(_ photos: Int) { sieve.takeBack(photos) }

    /// Photos in all, those that filters leave out from now on included; `nil` while nobody knows.
    var expected: Int? {
        let counts = selections.map { selection -> Int? in
            switch selection {
            case .index, .page: 1
            case .range(let range): feed.count(from: range.lowerBound, atMost: range.count)
            case .from(let first): feed.count(from: first)
            case .standardInput: nil
            }
        }
        guard counts.allSatisfy({ $0 != nil }) else { return nil }
        return sieve.passingAtMost(of: counts.reduce(0) { $0 + ($1 ?? 0) })
    }

    /// One step: photos of a page weighed, a page loaded, or the next selection begun. False at the end.
    private mutating func goOn() async throws -> Bool {
        if let photo = unweighed.popFirst() {
            weigh(photo)
        } else if walk != nil {
            try await walkOn()
        } else if input != nil {
            let lines = try await input?.next()
            if lines == nil { input = nil }
            chosen.failures += lines?.failures ?? []
            await take(lines?.photos ?? [])
        } else if let selection = rest.popFirst() {
            try await begin(selection)
        } else {
            return false
        }
        return true
    }

    private mutating func begin(_ selection: Selection) async throws {
        switch selection {
        case .index(let index): try await take(index)
        case .range(let range): try await take(range)
        case .from(let first): setOut(first...Int.max, named: "photo \(first)")
        case .page(let url): try await take(page: url)
        case .standardInput: input = StandardInput()
        }
    }

    /// Each photo once: what an earlier page or selection had has been weighed.
    private mutating func weigh(_ photo: IndexedPhoto) {
        let id = photo.photo.id
        guard !given.contains(id), !leftOut.contains(id) else { return }
        if sieve.passes(photo.photo) { add(photo) } else if !isOneRange { _ = leftOut.isNew(id) }
    }

    private mutating func add(_ photo: IndexedPhoto) {
        if isOneRange || given.isNew(photo.photo.id) { chosen.photos.append(photo) }
    }

    private mutating func fail(_ index: Int, named name: String) {
        chosen.failures.append(
            .init(index: index, name: name, error: feed.reason(missing: index, named: name)))
    }
}

// MARK: - Indexes

extension SelectionResolver {
    /// Places near each other come in one request; with a limit, nobody knows yet how many are needed.
    private mutating func preload() async throws {
        guard sieve.isUnlimited else { return }
        let ranges = Selection.joinedRanges(
            selections, longest: pageSize, gap: PhotoLoader.usualPageSize)
        try await feed.load(ranges)
    }

    private mutating func take(_ index: Int) async throws {
        if !sieve.isUnlimited { try await feed.load(index...index) }
        guard let photo = feed.photo(at: index) else { return fail(index, named: "photo \(index)") }
        chosen.named.insert(photo.photo.id)
        add(photo)
    }

    private mutating func take(_ range: ClosedRange<Int>) async throws {
        let name = "photos \(range.lowerBound)-\(range.upperBound)"
        guard range.count <= pageSize else { return setOut(range, named: name) }
        if !sieve.isUnlimited { try await feed.load(range) }
        unweighed = range.compactMap { feed.photo(at: $0) }[...]
        if unweighed.isEmpty { fail(range.lowerBound, named: name) }
    }

    /// With a limit, few are needed at a time. What one request does not bring is gone through page by page.
    private var pageSize: Int {
        feed.pageSize(near: sieve.isUnlimited ? PhotoLoader.largePageSize : PhotoLoader.usualPageSize)
    }

    /// Page by page, to the range's end, the feed's or the limit, whichever is first.
    private mutating func setOut(_ range: ClosedRange<Int>, named name: String) {
        walk = Walk(pages: FeedWalk(range, pageSize: pageSize), range: range, name: name)
    }

    private mutating func walkOn() async throws {
        guard var walk else { return }
        // Taken out, so that what it has seen is not copied.
        self.walk = nil
        guard let slice = walk.pages.next else {
            if !walk.found { fail(walk.range.lowerBound, named: walk.name) }
            return
        }
        let page = try await feed.page(slice, within: walk.range)
        let photos = walk.pages.take(page)
        walk.found = walk.found || !photos.isEmpty
        unweighed = photos[...]
        self.walk = walk
    }
}

// MARK: - Pages, standard input

extension SelectionResolver {
    private mutating func take(page: URL) async throws {
        let id = try catalog.knownPhoto(atPage: page)
        chosen.named.insert(id)
        await lookUp([IndexedPhoto(index: nil, photo: Photo(id: id, title: ""))])
    }

    /// Photos from standard input were chosen by whoever wrote the lines: no filter applies.
    private mutating func take(_ photos: [IndexedPhoto]) async {
        let provisional = loaders.provisional(photos.map(\.photo))
        guard !provisional.isEmpty else { return photos.forEach { add($0) } }
        await lookUp(photos) { provisional.contains($0.id) }
    }

    /// Takes photos as their details know them: who is named by an address may be known by another
    /// identifier, and is one photo.
    private mutating func lookUp(
        _ photos: [IndexedPhoto], where isWanted: (Photo) -> Bool = { _ in true }
    ) async {
        let details = await loaders.details(of: photos.map(\.photo).filter(isWanted))
        for entry in photos {
            switch details[entry.photo.id] {
            case .success(let detail):
                chosen.details[detail.photo.id] = detail
                if chosen.named.contains(entry.photo.id) { chosen.named.insert(detail.photo.id) }
                add(IndexedPhoto(index: entry.index, photo: detail.photo))
            case .failure(let error):
                chosen.failures.append(.init(index: entry.index, name: entry.label, error: error))
            case nil: add(entry)
            }
        }
    }
}
