/// The state of a ``PhotoCursor`` at one moment.
public struct PhotoCursorState: Sendable {
    /// The progress of a file.
    public struct Progress: Hashable, Sendable {
        /// Bytes received.
        public let received: Int64
        /// The size of the file in bytes; `nil` until the server has said, or if it does not.
        public let expected: Int64?

        /// `received` bytes of `expected`.
        public init(received: Int64, expected: Int64?) {
            (self.received, self.expected) = (received, expected)
        }
    }

    /// The file of the current photo.
    public enum Picture: Sendable {
        /// Requested; nothing has arrived.
        case waiting
        case loading(Progress)
        case ready(DownloadedFile)
        case failed(any ActionableError)
        /// The service offers none.
        case unavailable

        /// Whether nothing more is expected: it is there, or it will not come by itself.
        public var isSettled: Bool {
            switch self {
            case .waiting, .loading: false
            case .ready, .failed, .unavailable: true
            }
        }

        var progress: Progress? { if case .loading(let progress) = self { progress } else { nil } }
    }

    /// A file of the current photo that could not be loaded, or not be shown.
    public struct Setback: Sendable {
        /// The file.
        public let rendition: Rendition
        /// Why, in one sentence.
        public let reason: String
        var error: DownloadError?
    }

    /// An end of the feed that a move ran into.
    public enum Edge: Hashable, Sendable {
        case first, last
        case beyond(Int)
    }

    /// Counts up with every change of the cursor.
    package internal(set) var serial = 0
    /// The current photo; `nil` before the first page has been loaded, and in an empty feed.
    public internal(set) var current: IndexedPhoto?
    /// The current photo's details; `nil` until they have been loaded.
    public internal(set) var detail: PhotoDetail?
    /// The current photo's file.
    public internal(set) var picture = Picture.waiting
    /// The file that ``picture`` has, of the size that it really has; `nil` until there is one.
    public internal(set) var rendition: Rendition?
    /// Whether that is the full-size file.
    public internal(set) var isFull = false
    /// The file that was shown before a larger one came; `nil` for none.
    public internal(set) var smaller: DownloadedFile?
    /// The progress of a larger file that takes the place of the one that is there; `nil` for none.
    public internal(set) var larger: Progress?
    /// The last of the photo's files that another one takes the place of, because it failed; `nil` for none.
    public internal(set) var setback: Setback?
    /// The file of the next photo in the direction of travel; `nil` until it has been loaded.
    public internal(set) var upcoming: DownloadedFile?
    /// The progress of the file being loaded ahead; `nil` for none.
    public internal(set) var preload: Progress?
    /// Whether the current photo is the feed's last; `nil` until the page after it has been loaded.
    public internal(set) var isLast: Bool?
    /// The number of photos in the feed; `nil` until the service has said.
    public internal(set) var total: Int?
    /// The known photos around the current one, without a gap between pages.
    public internal(set) var run: [IndexedPhoto] = []
    /// Whether ``run`` begins with the feed's first photo.
    public internal(set) var isRunFromStart = false
    /// Whether ``run`` ends with the feed's last photo.
    public internal(set) var isRunToEnd = false
    /// How many photos at the end of ``run`` are passed over, since they are not wanted.
    public internal(set) var passedOver = 0
    /// Whether looking for a wanted one was given up there; ``PhotoCursor/retry()`` goes on with it.
    public internal(set) var hasGivenUp = false
    /// Whether a move waits for a page.
    public internal(set) var isWaitingForPage = false
    /// Why the page that a move waits for could not be loaded.
    public internal(set) var pageError: ServiceError?
    /// The end that the last move ran into; `nil` for none.
    public internal(set) var edge: Edge?
    /// Whether the feed has no photos.
    public internal(set) var isEmpty = false

    /// A state in which nothing is known.
    public init() {}
}

struct FileLoads: Sendable {
    struct Load {
        /// The file on its way; `nil` for none, as while its address is not known.
        var transfer: (rendition: Rendition, task: Task<Void, Never>)?
        var picture = PhotoCursorState.Picture.waiting
        var ladder = RenditionLadder()
        var larger: PhotoCursorState.Progress?
        var smaller: DownloadedFile?
        var setback: PhotoCursorState.Setback?
    }

    private var loads: [Int: Load] = [:]

    subscript(index: Int) -> Load? { loads[index] }

    mutating func open(_ index: Int) { loads[index] = Load() }

    /// The loads without a file so far.
    var running: [Int] { loads.keys.filter { loads[$0]?.picture.isSettled == false }.sorted() }

    /// The loads that have a file and are getting a larger one.
    var growing: [Int] {
        loads.keys.filter { loads[$0]?.picture.isSettled == true && loads[$0]?.transfer != nil }.sorted()
    }

    func isOpen(_ index: Int) -> Bool { loads[index] == nil }

    /// Whether the file at `index` has begun to arrive, or its load has ended.
    func hasBegun(_ index: Int) -> Bool { if case .waiting = picture(at: index) { false } else { true } }

    /// Whether nothing is on its way at `index`, where something may be.
    func isIdle(_ index: Int) -> Bool {
        guard let load = loads[index], load.transfer == nil else { return false }
        return !load.picture.isSettled || file(at: index) != nil
    }

    /// The indexes whose transfers have not begun.
    var waiting: [Int] { running.filter(isIdle) }

    mutating func begin(_ index: Int, _ rendition: Rendition, _ task: Task<Void, Never>) {
        loads[index]?.transfer = (rendition, task)
    }

    /// Drops the load at `index`, unless it has a file or has ended: its canceled task has nothing more to report.
    mutating func cancel(_ index: Int) {
        guard loads[index]?.picture.isSettled == false else { return }
        loads.removeValue(forKey: index)?.transfer?.task.cancel()
    }

    /// Cancels what is on its way at `index`; the file that is there stays.
    mutating func stop(_ index: Int) {
        loads[index]?.transfer?.task.cancel()
        loads[index]?.transfer = nil
        loads[index]?.larger = nil
    }

    /// Takes progress; returns false for what is late.
    mutating func take(_ progress: PhotoCursorState.Progress, at index: Int) -> Bool {
        guard let load = loads[index] else { return false }
        let former = load.larger ?? load.picture.progress
        guard progress.received >= former?.received ?? 0 else { return false }
        if load.picture.isSettled {
            loads[index]?.larger = progress
        } else {
            loads[index]?.picture = .loading(progress)
        }
        return true
    }

    /// Takes a file that has come, of `size` pixels by itself, for an edge of so many pixels.
    mutating func take(_ file: DownloadedFile, size: PixelSize?, for edge: Int, at index: Int) {
        guard var load = loads[index], let rendition = load.transfer?.rendition else { return }
        (load.transfer, load.larger) = (nil, nil)
        if load.ladder.take(rendition, size: size, for: edge) {
            load.smaller = self.file(at: index)
            load.picture = .ready(file)
        }
        loads[index] = load
    }

    /// Takes the failure of a transfer: another file may do.
    mutating func fail(_ error: DownloadError, at index: Int) {
        guard var load = loads[index], let rendition = load.transfer?.rendition else { return }
        (load.transfer, load.larger) = (nil, nil)
        load.ladder.fail(rendition, isFinal: !error.isAboutFile)
        load.setback = .init(rendition: rendition, reason: error.description, error: error)
        if !load.picture.isSettled { load.picture = error.isAboutFile ? .waiting : .failed(error) }
        loads[index] = load
    }

    /// The file at `index` cannot be shown: the one before it is, and another one is loaded.
    mutating func refuse(_ index: Int, _ reason: String) {
        guard var load = loads[index], let rendition = load.ladder.shown else { return }
        load.picture = load.smaller.map { .ready($0) } ?? .waiting
        load.smaller = nil
        load.ladder.refuse()
        load.setback = .init(rendition: rendition, reason: reason)
        loads[index] = load
    }

    mutating func end(_ index: Int, _ picture: PhotoCursorState.Picture) { loads[index]?.picture = picture }

    /// Forgets the failures of the load at `index`, so that it can be opened again.
    mutating func forgetFailure(_ index: Int) {
        if case .failed = picture(at: index) { loads[index] = nil }
        loads[index]?.ladder.forgive()
        loads[index]?.setback = nil
    }

    func progress(_ index: Int) -> PhotoCursorState.Progress? {
        guard let load = loads[index], load.transfer != nil, !load.picture.isSettled else { return nil }
        return load.picture.progress ?? .init(received: 0, expected: nil)
    }

    func file(at index: Int) -> DownloadedFile? {
        if case .ready(let file) = picture(at: index) { file } else { nil }
    }

    func picture(at index: Int) -> PhotoCursorState.Picture { loads[index]?.picture ?? .waiting }
}

extension DownloadError {
    fileprivate var isAboutFile: Bool {
        switch self {
        case .refused(_, let status, _): status != 429 && status != 503
        case .notAPicture, .empty, .incomplete, .brokenAtHost, .damaged: true
        default: false
        }
    }
}
