import Foundation

/// The photos that selections named, in their order and each once, and what could not be had.
package struct ResolvedPhotos: Sendable {
    /// The photos.
    package var photos: [IndexedPhoto] = []
    /// What was named and is not among the photos.
    package var failures: [Failure] = []
    /// Details that had to be requested on the way, or came with photos on standard input.
    package var details: [PhotoID: PhotoDetail] = [:]
    /// Photos named one by one, which no filter applies to.
    package var named: Set<PhotoID> = []
    /// Photos known since before this process started, whose image addresses may have expired.
    package var remembered: Set<PhotoID> = []

    /// Nothing yet.
    package init() {}

    /// Something named that could not be had.
    package struct Failure: Sendable {
        /// The index, where it was named by one.
        package let index: Int?
        /// What messages call it, such as `photo 7`.
        package let name: String
        /// The reason.
        package let error: any ActionableError

        /// The failure of what was named by `index` or as `name`.
        package init(index: Int?, name: String, error: any ActionableError) {
            self.index = index
            self.name = name
            self.error = error
        }

        /// The failure of everything that would have followed, however much that is.
        package static func further(_ error: any ActionableError) -> Failure {
            Failure(index: nil, name: "further photos", error: error)
        }
    }

    package var isEmpty: Bool { photos.isEmpty && failures.isEmpty }

    /// Appends what came later.
    package mutating func add(_ more: ResolvedPhotos) {
        photos += more.photos
        failures += more.failures
        details.merge(more.details) { first, _ in first }
        named.formUnion(more.named)
        remembered.formUnion(more.remembered)
    }
}

extension IndexedPhoto {
    /// What messages call the photo, such as `photo 7`.
    package var label: String {
        index.map { "photo \($0)" } ?? "photo \(PlainText.excerpt(photo.id.value))"
    }
}

/// Resolves selections to photos: from what was shown last, the feed, pages, and standard input.
///
/// Gives one batch at a time and requests no more than that batch needs: a feed may not fit into memory.
package struct SelectionResolver: Sendable {
    /// The services of every selected photo.
    package let loaders: ServiceLoaders
    /// What has passed and what was left out so far.
    package private(set) var filter: FilterRun

    private var feed: IndexedFeed
    private let selections: [Selection]
    private let input: PhotoInput
    private var rest: ArraySlice<Selection>
    private var isBegun = false
    private var walk: Walk?
    /// Photos of the page walked last that the filter has not seen.
    private var unfiltered: ArraySlice<IndexedPhoto> = []
    /// The input being read; `nil` before and after.
    private var reading: PhotoInput?
    private var given = SeenPhotos()
    private var leftOut = SeenPhotos()
    /// Whether one range is all there is, in which case a walk alone gives each photo once.
    private let isOneRange: Bool
    private var resolved = ResolvedPhotos()
    /// The error that ends the selection, held back until everything before it has been given.
    private var fault: (any ActionableError)?

    /// A feed walked page by page, for a range or to its end.
    private struct Walk {
        var pages: FeedWalk
        let range: ClosedRange<Int>
        let name: String
        var found = false
    }

    /// A resolver of `selections` in `feed`.
    ///
    /// - Parameters:
    ///   - filter: Applied to ranges; photos named one by one are taken in any case.
    ///   - input: Where the selection ``Selection/standardInput`` reads from.
    /// - Throws: ``SelectionError/unknownPage(_:)`` or ``SelectionError/listPage(_:service:feed:)`` if an address
    ///   is not a photo's.
    package init(
        _ selections: [Selection], in feed: IndexedFeed, loaders: ServiceLoaders, filter: FilterRun,
        input: PhotoInput
    ) throws(SelectionError) {
        for case .page(let url) in selections { _ = try loaders.photo(atPage: url) }
        self.feed = feed
        self.loaders = loaders
        self.selections = selections
        self.filter = filter
        self.input = input
        rest = selections[...]
        isOneRange = selections.count == 1 && selections[0] != .standardInput
    }

    /// The next photos, about a page; `nil` where nothing is left or the limit is reached.
    ///
    /// An error that ends the selection is thrown after everything before it has been given.
    package mutating func next() async throws -> ResolvedPhotos? {
        if let fault { throw fault }
        if !isBegun {
            try await preload()
            isBegun = true
        }
        resolved = ResolvedPhotos()
        do {
            while resolved.photos.count < PhotoLoader.largePageSize, !filter.isFull {
                // A writer that sends line by line sees each line taken up.
                if reading != nil, !resolved.isEmpty { break }
                // Where few photos match, those of one page do not wait for the next.
                if filter.isSelective, walk != nil, unfiltered.isEmpty, !resolved.isEmpty { break }
                guard try await proceed() else { break }
            }
        } catch let error as any ActionableError where !resolved.isEmpty {
            fault = error
        }
        return resolved.isEmpty ? nil : resolved
    }

    /// All photos at once; an error after the first ones is among the failures.
    package mutating func all() async throws -> ResolvedPhotos {
        var all = ResolvedPhotos()
        do {
            while let more = try await next() { all.add(more) }
        } catch let error as any ActionableError where !all.isEmpty {
            all.failures.append(.further(error))
        }
        return all
    }

    /// Makes room for more photos in place of `photos` that turned out to be copies.
    package mutating func takeBack(_ photos: Int) { filter.takeBack(photos) }

    /// Photos in all, including those that the filter has yet to leave out; `nil` while unknown.
    package var expected: Int? {
        let counts = selections.map { selection -> Int? in
            switch selection {
            case .index, .page: 1
            case .range(let range): feed.count(from: range.lowerBound, atMost: range.count)
            case .from(let first): feed.count(from: first)
            case .standardInput: nil
            }
        }
        guard counts.allSatisfy({ $0 != nil }) else { return nil }
        return filter.passingAtMost(of: counts.reduce(0) { $0 + ($1 ?? 0) })
    }

    /// Whether photos are taken from an open range.
    package var isWalkingToEnd: Bool { walk.map(isWalkingToEnd) ?? false }

    private func isWalkingToEnd(_ walk: Walk) -> Bool { walk.range.upperBound == .max }

    /// Takes one step: filters a photo, loads a page, or begins the next selection. False at the end.
    private mutating func proceed() async throws -> Bool {
        if let photo = unfiltered.popFirst() {
            sift(photo)
        } else if walk != nil {
            try await walkOn()
        } else if reading != nil {
            let batch = try await reading?.next()
            if batch == nil { reading = nil }
            if let batch { await take(batch) }
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
        case .from(let first): beginWalk(first...Int.max, named: "photo \(first)")
        case .page(let url): try await take(page: url)
        case .standardInput: reading = input
        }
    }

    /// Adds a photo that passes; one that an earlier page or selection had is not filtered again.
    private mutating func sift(_ photo: IndexedPhoto) {
        let id = photo.photo.id
        guard !given.contains(id), !leftOut.contains(id) else { return }
        if filter.passes(photo.photo) { add(photo) } else if !isOneRange { _ = leftOut.isNew(id) }
    }

    /// - Parameter isFresh: Whether the service has just described it.
    private mutating func add(_ photo: IndexedPhoto, isFresh: Bool = false) {
        guard isOneRange || given.isNew(photo.photo.id) else { return }
        resolved.photos.append(photo)
        if !isFresh, reading != nil || photo.index.map(feed.isRemembered) == true {
            resolved.remembered.insert(photo.photo.id)
        }
    }

    private mutating func fail(_ index: Int, named name: String) {
        resolved.failures.append(
            .init(index: index, name: name, error: feed.reason(missing: index, named: name)))
    }
}

// MARK: - Indexes

extension SelectionResolver {
    /// Loads nearby indexes in one request; with a limit, nobody knows yet how many are needed.
    private mutating func preload() async throws {
        guard filter.isUnlimited else { return }
        let ranges = Selection.joinedRanges(
            selections, longest: pageSize, gap: PhotoLoader.usualPageSize)
        try await feed.load(ranges)
    }

    private mutating func take(_ index: Int) async throws {
        if !filter.isUnlimited { try await feed.load(index...index) }
        guard let photo = feed.photo(at: index) else { return fail(index, named: "photo \(index)") }
        resolved.named.insert(photo.photo.id)
        add(photo)
    }

    private mutating func take(_ range: ClosedRange<Int>) async throws {
        let name = "photos \(range.lowerBound)-\(range.upperBound)"
        guard range.count <= pageSize else { return beginWalk(range, named: name) }
        if !filter.isUnlimited { try await feed.load(range) }
        unfiltered = range.compactMap { feed.photo(at: $0) }[...]
        if unfiltered.isEmpty { fail(range.lowerBound, named: name) }
    }

    /// As large as possible where a filter may leave out most; small with a limit, where few photos are needed.
    private var pageSize: Int {
        guard !filter.isSelective else { return feed.pageSize(near: .max) }
        return feed.pageSize(near: filter.isUnlimited ? PhotoLoader.largePageSize : PhotoLoader.usualPageSize)
    }

    private mutating func beginWalk(_ range: ClosedRange<Int>, named name: String) {
        walk = Walk(pages: FeedWalk(range, pageSize: pageSize), range: range, name: name)
    }

    private mutating func walkOn() async throws {
        guard var walk else { return }
        // Moved out of self, so that the set of seen photos is not copied.
        self.walk = nil
        guard !isWalkingToEnd(walk) || filter.goesOn() else { return }
        guard let slice = walk.pages.next else {
            if !walk.found { fail(walk.range.lowerBound, named: walk.name) }
            return
        }
        let page = try await feed.page(slice, within: walk.range)
        let photos = walk.pages.take(page)
        walk.found = walk.found || !photos.isEmpty
        unfiltered = photos[...]
        self.walk = walk
    }
}

// MARK: - Pages, standard input

extension SelectionResolver {
    private mutating func take(page: URL) async throws {
        let id = try loaders.photo(atPage: page)
        resolved.named.insert(id)
        await lookUp([IndexedPhoto(index: nil, photo: Photo(id: id, title: ""))])
    }

    /// No filter applies to standard input: whoever wrote the lines has chosen.
    private mutating func take(_ batch: PhotoInput.Batch) async {
        var photos: [IndexedPhoto] = []
        var unknown: Set<PhotoID> = []
        for entry in batch.entries {
            switch entry {
            case .photo(let photo):
                photos.append(photo.entry)
                resolved.details[photo.entry.photo.id] = photo.detail
            case .address(let url, let line):
                do throws(SelectionError) {
                    let id = try loaders.photo(atPage: url)
                    unknown.insert(id)
                    photos.append(IndexedPhoto(index: nil, photo: Photo(id: id, title: "")))
                } catch {
                    resolved.failures.append(.init(index: nil, name: "line \(line)", error: error))
                }
            case .failure(let failure): resolved.failures.append(failure)
            }
        }
        unknown.formUnion(loaders.provisional(photos.map(\.photo)))
        guard !unknown.isEmpty else { return photos.forEach { add($0) } }
        await lookUp(photos) { unknown.contains($0.id) }
    }

    /// Adds photos as their details describe them: a photo named by its address may have another identifier.
    private mutating func lookUp(
        _ photos: [IndexedPhoto], where isWanted: (Photo) -> Bool = { _ in true }
    ) async {
        let details = await loaders.details(of: photos.map(\.photo).filter(isWanted))
        for entry in photos {
            switch details[entry.photo.id] {
            case .success(let detail):
                resolved.details[detail.photo.id] = detail
                if resolved.named.contains(entry.photo.id) { resolved.named.insert(detail.photo.id) }
                add(IndexedPhoto(index: entry.index, photo: detail.photo), isFresh: true)
            case .failure(let error):
                resolved.failures.append(.init(index: entry.index, name: entry.label, error: error))
            case nil: add(entry)
            }
        }
    }
}

extension ServiceLoaders {
    /// The photo that the page at `url` shows.
    fileprivate func photo(atPage url: URL) throws(SelectionError) -> PhotoID {
        if let id = catalog.photo(atPage: url, of: address.service) { return id }
        let page = PlainText.excerpt(url.absoluteString, limit: 120)
        guard let list = catalog.feed(atPage: url) else { throw .unknownPage(page) }
        throw .listPage(page, service: list.service, feed: list.feed)
    }
}
