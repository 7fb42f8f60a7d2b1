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
            self.received = received
            self.expected = expected
        }
    }

    /// The file of the current photo.
    public enum Picture: Sendable {
        /// Requested; nothing has arrived.
        case waiting
        /// Arriving.
        case loading(Progress)
        /// On disk, and complete.
        case ready(DownloadedFile)
        /// It could not be loaded.
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

        /// Its progress; `nil` unless it is arriving.
        var progress: Progress? {
            if case .loading(let progress) = self { progress } else { nil }
        }
    }

    /// An end of the feed that a move ran into.
    public enum Edge: Hashable, Sendable {
        case first, last
        /// There is no photo at this index.
        case beyond(Int)
    }

    /// The current photo; `nil` before the first page has been loaded, and in an empty feed.
    public internal(set) var current: IndexedPhoto?
    /// The current photo's details; `nil` until they have been loaded.
    public internal(set) var detail: PhotoDetail?
    /// The current photo's file.
    public internal(set) var picture = Picture.waiting
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

/// The loads of a cursor's files, by index.
struct FileLoads: Sendable {
    private struct Load {
        /// `nil` while the file's address is not known.
        var task: Task<Void, Never>?
        var picture = PhotoCursorState.Picture.waiting
    }

    private var loads: [Int: Load] = [:]

    mutating func open(_ index: Int) { loads[index] = Load() }

    /// The loads that run.
    var running: [Int] { loads.keys.filter { loads[$0]?.picture.isSettled == false }.sorted() }

    /// Whether there is no load at `index`, running or ended.
    func isOpen(_ index: Int) -> Bool { loads[index] == nil }

    /// Whether the file at `index` has begun to arrive, or its load has ended.
    func hasBegun(_ index: Int) -> Bool {
        if case .waiting = picture(at: index) { false } else { true }
    }

    /// Whether the transfer of the load at `index` has not begun.
    func isWaiting(_ index: Int) -> Bool {
        loads[index].map { $0.task == nil && !$0.picture.isSettled } ?? false
    }

    /// The indexes whose transfers have not begun.
    var waiting: [Int] { loads.keys.filter(isWaiting).sorted() }

    mutating func begin(_ index: Int, _ task: Task<Void, Never>) { loads[index]?.task = task }

    /// Drops the load at `index`, unless it has ended: its task is canceled, which has nothing to report any more.
    mutating func cancel(_ index: Int) {
        guard loads[index]?.picture.isSettled == false else { return }
        loads.removeValue(forKey: index)?.task?.cancel()
    }

    /// Takes progress, or the end; returns false for what is late, or of a load that was dropped.
    mutating func take(_ picture: PhotoCursorState.Picture, at index: Int) -> Bool {
        guard let load = loads[index], !load.picture.isSettled,
            picture.progress?.received ?? .max >= load.picture.progress?.received ?? 0
        else { return false }
        loads[index]?.picture = picture
        return true
    }

    /// Forgets the failure of the load at `index`, so that it can be opened again.
    mutating func forgetFailure(_ index: Int) {
        if case .failed = picture(at: index) { loads[index] = nil }
    }

    /// The progress of the load at `index`; `nil` where none has begun.
    func progress(_ index: Int) -> PhotoCursorState.Progress? {
        guard let load = loads[index], load.task != nil, !load.picture.isSettled else { return nil }
        return load.picture.progress ?? .init(received: 0, expected: nil)
    }

    /// The file at `index`, where it has come.
    func file(at index: Int) -> DownloadedFile? {
        if case .ready(let file) = picture(at: index) { file } else { nil }
    }

    /// The file at `index` for who looks at it.
    func picture(at index: Int) -> PhotoCursorState.Picture { loads[index]?.picture ?? .waiting }
}
