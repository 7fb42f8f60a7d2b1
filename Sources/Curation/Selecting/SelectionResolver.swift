import Foundation
import GalleryCore

/// Resolves selections to photos: from what was shown last, the feed, pages, and standard input. Gives one batch at a
/// time and requests no more than that batch needs: a feed may not fit into memory.
package struct SelectionResolver: Sendable {
    package let loaders: ServiceLoaders
    /// What has passed and what was left out so far.
    package private(set) var filter: FilterRun
    /// What the pages of the feed show so far.
    private(set) var walk = FeedWalk()

    private let selections: [Selection]
    private let input: PhotoInput
    /// The folder of a page, if standard input is that page's description.
    package var page: URL? { input.page }
    /// The folders of this machine whose files lists may name: whoever wrote one may have named any.
    package var roots: [URL] { [loaders.base(of: Folder.word), page].compactMap(\.self) }
    /// The paths of the folders of this machine of which pictures are selected, but for single files.
    package var listed: [String] {
        let isOfFeed = feed.requested.feed.feed != nil && feed.requested.place.hasPrefix("/")
        return selections.compactMap { selection in
            switch selection {
            case .path(let path): FolderScan.isFolder(path) ? path : nil
            case .index, .range, .from: isOfFeed ? feed.requested.place : nil
            case .page, .standardInput: nil
            }
        }
    }
    private var feed: IndexedFeed
    /// The selections that have not begun; `nil` before the first.
    private var rest: ArraySlice<Selection>?
    private var source: Source?
    /// Photos of the page requested last that the filter has not seen.
    private var unfiltered: ArraySlice<IndexedPhoto> = []
    private var given = SeenPhotos()
    private var rejected = SeenPhotos()
    /// The error that ends the selection, held back until everything before it has been given.
    private var fault: (any ActionableError)?
    /// Whether the photos have been given in another order than that of their list.
    private var isOrdered = false

    private enum Source {
        case pages(FeedPages, of: FeedSpan)
        case input(PhotoInput)
    }

    private struct FeedSpan {
        let indexes: ClosedRange<Int>
        let name: String
        /// Whether it is of the feed, and not of a folder that was named besides.
        var isOfFeed = true
        var isFound = false

        var isOpen: Bool { indexes.upperBound == .max }
    }

    /// A resolver of `selections` in `feed`: the filter is for ranges, and photos named one by one are taken in any
    /// case. Throws ``SelectionError`` if an address is not a photo's.
    package init(
        _ selections: [Selection], in feed: IndexedFeed, loaders: ServiceLoaders, filter: FilterRun,
        input: PhotoInput
    ) throws(SelectionError) {
        for case .page(let url) in selections { _ = try loaders.photo(at: url) }
        (self.feed, self.loaders) = (feed, loaders)
        (self.selections, self.filter, self.input) = (selections, filter, input)
        let isOpen = selections.contains { if case .from = $0 { true } else { false } }
        self.filter.orderBeforeLimit(mayBeEndless: isOpen && !feed.list.isAtHand)
        // What is named besides is taken however old it is.
        self.filter.isInDateOrder = selections.count == 1 && feed.list.isInDateOrder
    }

    /// Whether no photo of the feed can have been passed over. May take a request for each boundary of pages.
    func isWhole() async -> Bool {
        guard !walk.isInDoubt else { return false }
        for boundary in walk.boundaries {
            guard let page = try? await feed.list.current(boundary.index),
                page.photos.contains(where: { $0.photo.id == boundary.photo && $0.index == boundary.index })
            else { return false }
        }
        return true
    }

    /// The name, in a manifest, of a run through a feed to its end, if that begins with the newest and is all that is
    /// selected. Another filter, or size, brings other photos.
    func nameOfRun(_ size: PhotoFileSize) -> String? {
        guard selections.count == 1, case .from = selections[0], feed.list.isNewestFirst, filter.order == nil
        else { return nil }
        let (address, list) = (feed.requested.address, feed.requested.feed)
        let base = address.base?.absoluteString ?? ""
        let text = "\(address.service) \(base) \(list) \(size) \(filter.filter)"
        return "\(address.service) \(list.word) \(Hexadecimal.text(Digest.hash(Array(text.utf8))))"
    }

    /// The next `count` photos, or about a page of those that are there soon, or all in another order; `nil` if none is
    /// left or the limit is reached. An error is thrown after everything before it has been given.
    package mutating func next(_ count: Int? = nil) async throws -> ResolvedPhotos? {
        guard filter.order != nil else { return try await nextOfList(count) }
        guard !isOrdered else { return nil }
        isOrdered = true
        let all = try await all()
        return all.isEmpty ? nil : all
    }

    private mutating func nextOfList(_ count: Int? = nil) async throws -> ResolvedPhotos? {
        if let fault { throw fault }
        var resolved = ResolvedPhotos()
        do {
            if rest == nil { try await begin() }
            while resolved.photos.count < count ?? PhotoLoader.largePageSize, !filter.isFull {
                if count == nil, !resolved.isEmpty, unfiltered.isEmpty {
                    switch source {
                    // A writer that sends line by line sees each line taken up.
                    case .input: return resolved
                    // Where few photos match, those of one page do not wait for the next.
                    case .pages where filter.isSelective: return resolved
                    case .pages, nil: break
                    }
                }
                guard try await proceed(&resolved) else { break }
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
            while let more = try await nextOfList() { all.add(more) }
        } catch let error as any ActionableError where !all.isEmpty {
            all.failures.append(.further(error))
        }
        all.photos = try filter.ordered(all.photos)
        return all
    }

    /// Makes room for more photos in place of `photos` that turned out to be duplicates.
    package mutating func takeBack(_ photos: Int) {
        filter.takeBack(photos)
        isOrdered = false
    }

    /// Photos in all, including those that the filter has yet to leave out; `nil` while unknown.
    package var expected: Int? {
        var sum = 0
        for selection in selections {
            let count: Int? =
                switch selection {
                case .index, .page: 1
                case .path(let path): FolderScan.isFolder(path) ? nil : 1
                case .range(let range): feed.count(from: range.lowerBound, atMost: range.count)
                case .from(let first): feed.count(from: first)
                case .standardInput: nil
                }
            guard let count else { return nil }
            sum += count
        }
        return filter.passingAtMost(of: sum)
    }

    /// Loads nearby indexes in one request; with a limit, it is not known yet how many are needed.
    private mutating func begin() async throws {
        if filter.isUnlimited {
            try await feed.load(
                Selection.joinedRanges(selections, longest: pageSize, gap: PhotoLoader.usualPageSize))
        }
        rest = selections[...]
    }

    /// Takes one step: filters a photo, loads a page, or begins the next selection. False at the end.
    private mutating func proceed(_ resolved: inout ResolvedPhotos) async throws -> Bool {
        if let photo = unfiltered.popFirst() {
            sift(photo, &resolved)
            return true
        }
        switch source {
        case .pages(var pages, var range)?:
            // Moved out of self, so that the set of seen photos is not copied.
            source = nil
            guard !range.isOpen || filter.goesOn() else { break }
            let page = try await pages.next()
            if range.isOfFeed { walk = pages.walk }
            guard let photos = page else {
                if !range.isFound { fail(range, &resolved) }
                break
            }
            if range.isOfFeed { feed.total = pages.total ?? feed.total }
            range.isFound = range.isFound || !photos.isEmpty
            // Indexes are of the feed.
            unfiltered = range.isOfFeed ? photos[...] : photos.map { .init(index: nil, photo: $0.photo) }[...]
            source = .pages(pages, of: range)
        case .input(var lines)?:
            source = nil
            guard let batch = try await lines.next() else { break }
            await take(batch, &resolved)
            source = .input(lines)
        case nil:
            guard let selection = rest?.popFirst() else { return false }
            try await begin(selection, &resolved)
        }
        return true
    }

    private mutating func begin(_ selection: Selection, _ resolved: inout ResolvedPhotos) async throws {
        switch selection {
        case .index(let index):
            try await begin(index...index, named: "photo \(index)", &resolved)
            if let photo = unfiltered.popFirst() {
                resolved.named.insert(photo.photo.id)
                add(photo, &resolved)
            }
        case .range(let range):
            try await begin(range, named: "photos \(range.lowerBound)-\(range.upperBound)", &resolved)
        case .from(let first): try await begin(first...Int.max, named: "photo \(first)", &resolved)
        case .page(let url):
            let id = try loaders.photo(at: url)
            resolved.named.insert(id)
            await lookUp([IndexedPhoto(index: nil, photo: Photo(id: id, title: ""))], &resolved)
        case .path(let path): await begin(path, &resolved)
        case .standardInput: source = .input(input)
        }
    }

    private mutating func begin(_ path: String, _ resolved: inout ResolvedPhotos) async {
        let pictures = loaders.pictures(at: [path])
        if FolderScan.isFolder(path) {
            let pages = pictures.pages(1...Int.max, pageSize: .max)
            source = .pages(pages, of: FeedSpan(indexes: 1...Int.max, name: path, isOfFeed: false))
        } else if access(path, F_OK) == 0 {
            let id = PhotoID(service: Folder.word, value: path)
            resolved.named.insert(id)
            await lookUp([IndexedPhoto(index: nil, photo: Photo(id: id, title: ""))], &resolved)
        } else {
            let error = SelectionError.nothing(path: PlainText.line(path), isFolder: false)
            resolved.failures.append(.init(index: nil, name: PlainText.line(path), error: error))
        }
    }

    private mutating func begin(
        _ range: ClosedRange<Int>, named name: String, _ resolved: inout ResolvedPhotos
    ) async throws {
        guard range.count <= pageSize else {
            source = .pages(feed.pages(range, pageSize: pageSize), of: FeedSpan(indexes: range, name: name))
            return
        }
        if !filter.isUnlimited { try await feed.load(range) }
        unfiltered = range.compactMap { feed.photo(at: $0) }[...]
        if unfiltered.isEmpty { fail(FeedSpan(indexes: range, name: name), &resolved) }
    }

    /// As large as possible where a filter may leave out most; small with a limit, where few photos are needed.
    private var pageSize: Int {
        feed.list.pageSizes.size(
            near: filter.isSelective
                ? .max
                : filter.isUnlimited || filter.order != nil
                    ? PhotoLoader.largePageSize : PhotoLoader.usualPageSize)
    }

    /// Adds a photo that passes; one that an earlier page or selection had is not filtered again.
    private mutating func sift(_ photo: IndexedPhoto, _ resolved: inout ResolvedPhotos) {
        let id = photo.photo.lastingID
        guard !given.contains(id), !rejected.contains(id) else { return }
        if filter.passes(photo) { add(photo, &resolved) } else { rejected.insert(id) }
    }

    /// Adds a photo unless it was given before; `isRemembered` if it was described before this process started.
    private mutating func add(
        _ photo: IndexedPhoto, _ resolved: inout ResolvedPhotos, isRemembered: Bool? = nil
    ) {
        guard given.isNew(photo.photo.lastingID) else { return }
        resolved.photos.append(filter.ratings.applied(to: photo))
        if isRemembered ?? photo.index.map(feed.isRemembered) ?? false {
            resolved.remembered.insert(photo.photo.id)
        }
    }

    private func fail(_ span: FeedSpan, _ resolved: inout ResolvedPhotos) {
        let (index, name) = (span.indexes.lowerBound, span.name)
        let error: any ActionableError =
            span.isOfFeed
            ? feed.reason(missing: index, named: name)
            : SelectionError.nothing(path: PlainText.line(name), isFolder: true)
        resolved.failures.append(.init(index: span.isOfFeed ? index : nil, name: name, error: error))
    }
}

// MARK: - Pages, standard input

extension SelectionResolver {
    /// No filter applies to standard input: whoever wrote the lines has chosen.
    private mutating func take(_ batch: [PhotoInput.Entry], _ resolved: inout ResolvedPhotos) async {
        var photos: [IndexedPhoto] = []
        var unknown: Set<PhotoID> = []
        let roots = roots
        for entry in batch {
            switch entry {
            case .photo(let photo):
                if let file = photo.entry.photo.ownFile, FolderScan.find(file, below: roots) == nil {
                    let path = PlainText.line(file.path(percentEncoded: false))
                    resolved.failures.append(.init(photo.entry, SelectionError.outside(path: path)))
                    continue
                }
                photos.append(photo.entry)
                resolved.details[photo.entry.photo.id] = photo.detail
            case .address(let url, let line):
                do throws(SelectionError) {
                    let id = try loaders.photo(at: url)
                    unknown.insert(id)
                    photos.append(IndexedPhoto(index: nil, photo: Photo(id: id, title: "")))
                } catch {
                    resolved.failures.append(.init(index: nil, name: "line \(line)", error: error))
                }
            case .failure(let failure): resolved.failures.append(failure)
            }
        }
        unknown.formUnion(loaders.provisional(photos.map(\.photo)))
        await lookUp(photos, &resolved) { unknown.contains($0.id) }
    }

    /// Adds photos as their details describe them: a photo named by its address may have another identifier.
    private mutating func lookUp(
        _ photos: [IndexedPhoto], _ resolved: inout ResolvedPhotos,
        where isWanted: (Photo) -> Bool = { _ in true }
    ) async {
        let details = await loaders.details(of: photos.map(\.photo).filter(isWanted))
        for entry in photos {
            switch details[entry.photo.id] {
            case .success(let detail):
                resolved.details[detail.photo.id] = detail
                if resolved.named.contains(entry.photo.id) { resolved.named.insert(detail.photo.id) }
                add(IndexedPhoto(index: entry.index, photo: detail.photo), &resolved, isRemembered: false)
            case .failure(let error): resolved.failures.append(.init(entry, error))
            // As the lines on standard input describe it.
            case nil: add(entry, &resolved, isRemembered: true)
            }
        }
    }
}

extension ServiceLoaders {
    fileprivate func photo(at url: URL) throws(SelectionError) -> PhotoID {
        if let id = photo(atPage: url) { return id }
        let page = PlainText.excerpt(url.absoluteString, limit: 120)
        guard let list = catalog.feed(atPage: url) else { throw .unknownPage(page) }
        let isAlbum =
            PageAddress(url)?.path.contains { ["albums", "sets", "galleries"].contains($0) } == true
        throw .listPage(page, service: list.service, feed: list.feed, isAlbum: isAlbum)
    }
}
