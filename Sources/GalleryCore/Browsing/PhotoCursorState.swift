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
    /// How a load ended.
    enum Outcome: Sendable {
        case file(DownloadedFile)
        case failed(any ActionableError)
        /// The service offers no file.
        case unavailable
    }

    private struct Load {
        let number: Int
        /// `nil` while the file's address is not known.
        var task: Task<Void, Never>?
        var progress: PhotoCursorState.Progress?
        /// `nil` while it runs.
        var outcome: Outcome?
    }

    private var loads: [Int: Load] = [:]
    private var last = 0

    /// Opens a load of the file at `index`, with a number by which later reports of it are recognized.
    mutating func open(_ index: Int) {
        last += 1
        loads[index] = Load(number: last)
    }

    /// The loads that run.
    var running: [Int] { loads.keys.filter { loads[$0]?.outcome == nil }.sorted() }

    /// Whether there is no load at `index`, running or ended.
    func isOpen(_ index: Int) -> Bool { loads[index] == nil }

    /// Whether the file at `index` has begun to arrive, or its load has ended.
    func hasBegun(_ index: Int) -> Bool { loads[index]?.progress != nil || loads[index]?.outcome != nil }

    /// The number of the load at `index` whose transfer has not begun; `nil` for none.
    func waiting(at index: Int) -> Int? {
        loads[index].flatMap { $0.task == nil && $0.outcome == nil ? $0.number : nil }
    }

    /// The indexes whose loads have not begun.
    var waiting: [Int] { loads.keys.filter { waiting(at: $0) != nil }.sorted() }

    mutating func begin(_ index: Int, _ task: Task<Void, Never>) { loads[index]?.task = task }

    /// Drops the load at `index`, unless it has ended; later reports of it are ignored.
    mutating func cancel(_ index: Int) {
        guard isRunning(index, loads[index]?.number) else { return }
        loads.removeValue(forKey: index)?.task?.cancel()
    }

    private func isRunning(_ index: Int, _ number: Int?) -> Bool {
        loads[index].map { $0.number == number && $0.outcome == nil } ?? false
    }

    /// Takes progress; returns false for one that is late, or of a load that was dropped.
    mutating func take(_ progress: PhotoCursorState.Progress, at index: Int, _ number: Int) -> Bool {
        guard isRunning(index, number), progress.received >= loads[index]?.progress?.received ?? 0
        else { return false }
        loads[index]?.progress = progress
        return true
    }

    /// Takes the end of a load; see ``take(_:at:_:)``.
    mutating func end(_ index: Int, _ number: Int, _ outcome: Outcome) -> Bool {
        guard isRunning(index, number) else { return false }
        loads[index]?.outcome = outcome
        return true
    }

    /// Forgets the failure of the load at `index`, so that it can be opened again.
    mutating func forgetFailure(_ index: Int) {
        if case .failed? = loads[index]?.outcome { loads[index] = nil }
    }

    /// The progress of the load at `index`; `nil` where none has begun.
    func progress(_ index: Int) -> PhotoCursorState.Progress? {
        guard let load = loads[index], load.task != nil, load.outcome == nil else { return nil }
        return load.progress ?? .init(received: 0, expected: nil)
    }

    /// The file at `index`, where it has come.
    func file(at index: Int) -> DownloadedFile? {
        if case .file(let file)? = loads[index]?.outcome { file } else { nil }
    }

    /// The file at `index` for who looks at it.
    func picture(at index: Int) -> PhotoCursorState.Picture {
        switch loads[index]?.outcome {
        case .file(let file)?: .ready(file)
        case .failed(let error)?: .failed(error)
        case .unavailable?: .unavailable
        case nil: loads[index]?.progress.map { .loading($0) } ?? .waiting
        }
    }
}
