import Foundation
import PictureFiles

/// A position in a feed that keeps its neighbors loaded, so that the next photo is there when it is wanted.
///
/// Move it with ``go(to:photo:)`` and ``move(by:)``, and follow ``states``:
///
/// ```swift
/// let cursor = PhotoCursor(of: .popular(), from: loader, keepingFilesIn: folder)
/// await cursor.go(to: 1)
/// for await state in cursor.states { … }
/// ```
public actor PhotoCursor {
    /// The cursor's state after every change; a slow reader sees only the latest. For one reader.
    public nonisolated let states: AsyncStream<PhotoCursorState>

    private let source: any CursorSource
    private let updates: AsyncStream<PhotoCursorState>.Continuation
    private var map: FeedMap
    private var window = PrefetchWindow()
    private var batch = DetailBatch()
    private var files = FileLoads()
    private var pages: [Int: Task<Void, Never>] = [:]
    private var detailRequests: [PhotoID: Task<Void, Never>] = [:]
    private var isClosed = false
    private var serial = 0
    private var pageErrors: [Int: ServiceError] = [:]
    private var counting: Task<Void, Never>?
    private var isCounting = false
    private var current: Int?
    /// Where to go once the page on the way there has been loaded.
    private var destination: FeedRoute?
    private var edge: PhotoCursorState.Edge?
    private var isResting = false
    /// How large photos are looked at; `nil` before that is known, until when no file is loaded.
    private var size: ViewSize?
    /// The photo that is enlarged, and how much; another one is not.
    private var zoomed: (photo: PhotoID, factor: Double)?

    /// A cursor over `source`, which requests nothing before the first move. `size` is how large photos are looked at,
    /// `nil` if ``view(at:zoom:of:)`` will say; `isWanted` says which of them are among those to browse.
    package init(
        _ source: some CursorSource, viewedAt size: ViewSize? = .file(.full), includesAdult: Bool = false,
        where isWanted: @escaping @Sendable (Photo) -> Bool = { _ in true }
    ) {
        (self.source, self.size) = (source, size)
        map = FeedMap(
            pageSize: max(1, source.pageSize), includesAdult: includesAdult,
            patience: source.isAtHand ? nil : PhotoList.patience, where: isWanted)
        (states, updates) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// A cursor over `feed`, whose pages and details `loader` loads. Pictures are kept in `folder`, created if missing;
    /// photos are looked at in `size`, those marked as adult only if `includesAdult`.
    public init(
        of feed: Feed, from loader: PhotoLoader, keepingFilesIn folder: URL,
        viewedAt size: ViewSize = .file(.full), includesAdult: Bool = false
    ) {
        let pictures = PictureFolder(
            folder,
            downloader: Downloader(transport: loader.client.transport, paces: loader.client.shared.paces))
        self.init(
            ListSource(.feed(feed, loader), loaders: ServiceLoaders(sharing: loader), pictures: pictures),
            viewedAt: size, includesAdult: includesAdult)
    }

    // MARK: - Moves

    /// Goes to `index`, from 1, or to `photo` if the same page has it at another index by now.
    public func go(to index: Int, photo: PhotoID? = nil) { travel(.index(index, photo: photo)) }

    /// Goes `count` photos ahead, or back if negative. At either end it stays and sets ``PhotoCursorState/edge``.
    public func move(by count: Int) {
        switch destination {
        case .steps(let pending)?: travel(.steps(pending + count))
        // Whoever steps on before the first photo has come means from there.
        case .index(let index, _)? where current == nil: travel(.index(max(1, index + count), photo: nil))
        default: travel(current == nil ? .index(1, photo: nil) : .steps(count))
        }
    }

    /// Goes to the feed's last photo.
    public func goToLast() { travel(.last) }

    /// Loads the pages before and after the known photos around `index`, for a view that scrolls there.
    public func look(beyond index: Int, count: Int) {
        edge = nil
        for direction in [PrefetchWindow.Direction.forward, .backward] {
            if let page = map.neighbors(of: index, direction, count: count).missing, pageErrors[page] == nil {
                load(page: page)
            }
        }
        publish()
    }

    /// Photos are looked at in another size, and `photo` enlarged by `zoom`: loads a larger file where it needs one.
    public func view(at size: ViewSize, zoom: Double = 1, of photo: PhotoID? = nil) {
        guard size != self.size || zoom != zoomed?.factor ?? 1 || photo != zoomed?.photo else { return }
        self.size = size
        zoomed = photo.map { ($0, zoom) }
        for index in files.waiting { advance(index) }
        surround()
    }

    /// The current photo's file cannot be shown: loads another one in its place, if that was not tried before.
    package func refuse(_ file: URL, because reason: String) {
        guard let current, files.file(at: current)?.url == file, files.isIdle(current),
            files[current]?.setback == nil
        else { return }
        var others = files
        others.refuse(current, reason)
        guard others.file(at: current) != nil || next(current, in: others) != nil else { return }
        files = others
        surround()
    }

    /// Loads again what failed: the page, the file, the details; and what has not come, as it may be waiting to retry.
    public func retry() {
        pageErrors = [:]
        edge = nil
        map.searchOn(from: current ?? 1)
        let asked = pages.keys
        cancelPages()
        for task in detailRequests.values { task.cancel() }
        for page in asked { load(page: page) }
        if let destination { return travel(destination) }
        guard let current, let photo = map.photo(at: current)?.photo else { return go(to: 1) }
        batch.retry(photo.id)
        files.forgetFailure(current)
        files.cancel(current)
        surround()
    }

    private func cancelPages() {
        for task in pages.values { task.cancel() }
        pages = [:]
    }

    /// Ends the search for a photo that is wanted, until ``retry()`` goes on with it.
    package func giveUp() {
        cancelPages()
        map.giveUp()
        destination = nil
        edge = current == nil ? nil : .last
        surround()
    }

    /// Stops loading files until ``resume()``; partial files are kept.
    public func rest() {
        isResting = true
        window.rest()
        load()
        publish()
    }

    /// Loads files again after ``rest()``.
    public func resume() {
        isResting = false
        surround()
    }

    /// Ends everything, and ``states``. Nothing is requested after this.
    public func close() {
        window.rest()
        load()
        isClosed = true
        cancelPages()
        for task in detailRequests.values { task.cancel() }
        counting?.cancel()
        // In the place of a state that nobody has read yet, and that would be the last photo's once more.
        updates.yield(PhotoCursorState())
        updates.finish()
    }

    private func travel(_ wish: FeedRoute) {
        (edge, destination, pageErrors) = (nil, nil, [:])
        if wish == .last, isCounting {
            destination = wish
            return publish()
        }
        switch map.resolve(wish, from: current) {
        case .arrived(let index): current = index
        case .missing(let page):
            destination = wish
            load(page: page)
        case .stopped(let at, let edge):
            current = at ?? current
            self.edge = edge
            // A feed that has become shorter opens at its beginning.
            if current == nil, wish != .index(1, photo: nil) { return go(to: 1) }
        }
        surround()
    }

    // MARK: - Around the photo

    private func surround() {
        if !isClosed, let current, map.photo(at: current) != nil {
            let next = map.neighbors(of: current, .forward, count: Self.sight)
            let previous = map.neighbors(of: current, .backward, count: Self.sight)
            if !isResting {
                window.move(to: current, next: next.indexes, previous: previous.indexes)
                load()
                let missing = window.direction == .forward ? next.missing : previous.missing
                if let missing, pageErrors[missing] == nil { load(page: missing) }
                askForDetails(around: current)
            }
        }
        publish()
    }

    /// How many photos before a page's end the next page is requested.
    private static let sight = 5

    private func load(page number: Int) {
        guard !isClosed, number > 0, pages[number] == nil, !map.has(page: number) else { return }
        let slice = PageSlice(number: number, size: source.pageSize)
        pages[number] = Task {
            do throws(ServiceError) {
                let page = try await source.page(slice)
                // One that was canceled has a successor.
                guard !Task.isCancelled else { return }
                pages[number] = nil
                map.add(page, number: number)
                count()
                if let destination { travel(destination) } else { surround() }
            } catch {
                guard !Task.isCancelled else { return }
                pages[number] = nil
                pageErrors[number] = error
                publish()
            }
        }
    }

    /// Asks once how many photos there are, if the pages do not say: the end can be gone to as soon as that is known.
    private func count() {
        guard map.total == nil, counting == nil, !isClosed else { return }
        isCounting = true
        counting = Task {
            let total = await source.total()
            isCounting = false
            map.total = map.total ?? total
            if destination == .last { travel(.last) } else if total != nil { publish() }
        }
    }

    private func askForDetails(around index: Int) {
        let wanted = window.wanted.compactMap { map.photo(at: $0)?.photo }
        // In the direction of travel, details come with those of the current photo.
        let ahead = map.neighbors(of: index, window.direction, count: source.detailsPerRequest - 1).indexes
        let photos = batch.next(wanted, ahead: ahead.compactMap { map.photo(at: $0)?.photo })
        guard let first = photos.first else { return }
        detailRequests[first.id] = Task {
            var results: DetailResults = [:]
            do throws(ServiceError) {
                results = try await source.details(photos)
            } catch {
                for photo in photos { results[photo.id] = .failure(error) }
            }
            detailRequests[first.id] = nil
            batch.take(results, about: photos)
            if Task.isCancelled { for photo in photos { batch.retry(photo.id) } }
            for index in files.waiting { advance(index) }
            surround()
        }
    }
}

// MARK: - Files

extension PhotoCursor {
    private func load() {
        for index in files.growing
        where !window.wanted.contains(index) || next(index) != files[index]?.transfer?.rendition {
            files.stop(index)
        }
        if let current, window.wanted.contains(current) { advance(current) }
        var change = window.change(files)
        for index in change.cancel { files.cancel(index) }
        while !change.start.isEmpty {
            for index in change.start {
                files.open(index)
                advance(index)
            }
            // One without any file lets others go on.
            change = window.change(files)
        }
    }

    /// Starts the transfer of a photo's first file, once its address is known, or of a larger one if that is wanted.
    private func advance(_ index: Int) {
        guard !isClosed, size != nil, files.isIdle(index), let photo = map.photo(at: index)?.photo
        else { return }
        guard let rendition = next(index) else {
            // Without an address, wait for the details.
            guard files.file(at: index) == nil, hasAllFiles(photo) else { return }
            let error: (any ActionableError)? = files[index]?.setback?.error ?? batch.failed[photo.id]
            return files.end(index, error.map { .failed($0) } ?? .unavailable)
        }
        let task = Task {
            do throws(DownloadError) {
                let file = try await source.picture(photo, rendition) { received, expected in
                    guard !Task.isCancelled,
                        files.take(.init(received: received, expected: expected), at: index)
                    else { return }
                    load()
                    publish()
                }
                let size = await Disk.run { PixelSize(ofFile: file.url) }
                guard !Task.isCancelled else { return }
                let whole = self.photo(at: index)?.size ?? size
                let edge = self.size?.edge(of: whole, zoom: zoom(at: index)) ?? 0
                files.take(file, size: size, for: edge, at: index)
            } catch {
                guard !Task.isCancelled else { return }
                files.fail(error, at: index)
            }
            advance(index)
            load()
            publish()
        }
        files.begin(index, rendition, task)
    }

    /// Whether nothing is to come that names more files of `photo`.
    private func hasAllFiles(_ photo: Photo) -> Bool {
        photo.full != nil || batch.known[photo.id] != nil || batch.failed[photo.id] != nil
    }

    /// The photo at `index` with all its files; a list that has the full-size one has them all.
    private func photo(at index: Int) -> Photo? {
        map.photo(at: index).map {
            $0.photo.full == nil ? batch.known[$0.photo.id]?.photo ?? $0.photo : $0.photo
        }
    }

    private func zoom(at index: Int) -> Double {
        index == current && map.photo(at: index)?.photo.id == zoomed?.photo ? zoomed?.factor ?? 1 : 1
    }

    private func next(_ index: Int, in loads: FileLoads? = nil) -> Rendition? {
        guard let size, let listed = map.photo(at: index)?.photo, let photo = photo(at: index)
        else { return nil }
        return ((loads ?? files)[index]?.ladder ?? RenditionLadder())
            .next(of: photo, isComplete: hasAllFiles(listed), at: size, zoom: zoom(at: index))
    }

    // MARK: - State

    private func publish() {
        serial += 1
        updates.yield(state)
    }

    /// The state at this moment.
    public var state: PhotoCursorState {
        var state = PhotoCursorState()
        state.serial = serial
        let entry = current.flatMap { map.photo(at: $0) }
        state.current = entry
        state.detail = entry.flatMap { batch.known[$0.photo.id] }
        if let load = current.flatMap({ files[$0] }) {
            (state.picture, state.rendition) = (load.picture, load.ladder.shown)
            (state.larger, state.smaller, state.setback) = (load.larger, load.smaller, load.setback)
        }
        state.isFull = state.rendition != nil && state.rendition?.url == current.flatMap(photo)?.full?.url
        state.preload = window.wanted.dropFirst().lazy.compactMap { self.files.progress($0) }.first
        state.upcoming = window.wanted.dropFirst().first.flatMap { files.file(at: $0) }
        state.total = map.total
        state.run = map.run(around: current ?? 1)
        if let first = state.run.first?.index, let last = state.run.last?.index {
            state.isRunFromStart = map.neighbor(of: first, .backward) == .end
            state.isRunToEnd = map.neighbor(of: last, .forward) == .end
        }
        switch entry?.index.map({ map.neighbor(of: $0, .forward) }) {
        case .photo: state.isLast = false
        case .end: state.isLast = true
        case .unknown, nil: state.isLast = nil
        }
        (state.passedOver, state.hasGivenUp) = map.search(from: current ?? 1)
        state.isWaitingForPage = destination != nil && (!pages.isEmpty || isCounting)
        // Nobody waits for a page loaded ahead; but at rest, every page was requested by scrolling there.
        state.pageError = destination == nil && !isResting ? nil : pageErrors.values.first
        state.edge = edge
        state.isEmpty = entry == nil && map.has(page: 1) && state.run.isEmpty && pages.isEmpty
        return state
    }
}

/// Loads a cursor's pages, details, and files.
package protocol CursorSource: Sendable {
    /// Takes the bytes so far, and those expected if announced; the first call says that the file has begun to arrive.
    typealias Progress = (_ received: Int64, _ expected: Int64?) -> Void

    /// Photos a page, from 1.
    var pageSize: Int { get }
    /// Photos whose details come in one request; 1 where each costs its own.
    var detailsPerRequest: Int { get }
    /// Whether photos come from this machine, and not from a service that is asked for each page.
    var isAtHand: Bool { get }
    /// The number of photos, where finding out takes no requests to others; `nil` elsewhere.
    func total() async -> Int?
    func page(_ slice: PageSlice) async throws(ServiceError) -> Page
    /// Loads the details of several photos, each with its own result.
    func details(_ photos: [Photo]) async throws(ServiceError) -> DetailResults
    /// Loads a complete file of a photo to disk.
    nonisolated(nonsending) func picture(
        _ photo: Photo, _ rendition: Rendition, progress: Progress
    ) async throws(DownloadError) -> DownloadedFile
}

/// The photos of a list, with files kept in a folder.
package struct ListSource: CursorSource {
    private let list: PhotoList
    private let loaders: ServiceLoaders
    private let pictures: PictureFolder

    /// - Parameter loaders: The services of the photos, which may differ from the list's own.
    package init(_ list: PhotoList, loaders: ServiceLoaders, pictures: PictureFolder) {
        (self.list, self.loaders, self.pictures) = (list, loaders, pictures)
    }

    package var pageSize: Int { list.pageSizes.size(near: PhotoLoader.usualPageSize) }

    package var detailsPerRequest: Int {
        if case .feed(_, let loader) = list { loader.service.detailsPerRequest } else { 1 }
    }

    package func page(_ slice: PageSlice) async throws(ServiceError) -> Page { try await list.page(slice) }
    package var isAtHand: Bool { list.isAtHand }

    /// A folder on this machine is counted in steps, so that its pages need not wait for all of it.
    package func total() async -> Int? {
        guard case .feed = list, isAtHand else { return nil }
        var index = 0
        while !Task.isCancelled {
            index += 2000
            guard let page = try? await list.page(PageSlice(number: index, size: 1)) else { return nil }
            if let total = page.total { return total }
        }
        return nil
    }

    package func details(_ photos: [Photo]) async throws(ServiceError) -> DetailResults {
        await loaders.details(of: photos)
    }

    package nonisolated(nonsending) func picture(
        _ photo: Photo, _ rendition: Rendition, progress: CursorSource.Progress
    ) async throws(DownloadError) -> DownloadedFile {
        let request: HTTPRequest
        do {
            request = try loaders.imageRequest(rendition, of: photo)
        } catch {
            throw .transport(.rejected(error))
        }
        return try await pictures.file(of: photo.id, request, progress: progress)
    }
}
