/// What a cursor shows of its feed at one moment.
public struct PhotoCursorState: Sendable {
    /// How far a file has come.
    public struct Progress: Hashable, Sendable {
        /// Bytes that are here.
        public let received: Int64
        /// The whole file's bytes; `nil` until the server has said, or where it does not.
        public let expected: Int64?

        /// `received` bytes of `expected`.
        public init(received: Int64, expected: Int64?) {
            self.received = received
            self.expected = expected
        }
    }

    /// The file of the photo looked at.
    public enum Picture: Sendable {
        /// Asked for; nothing has come yet.
        case waiting
        /// On its way.
        case loading(Progress)
        /// On disk and whole.
        case ready(DownloadedFile)
        /// It did not come.
        case failed(any ActionableError)
        /// The service offers none.
        case unavailable
    }

    /// An end of the feed that somebody wanted to pass.
    public enum Edge: Hashable, Sendable {
        case first, last
        /// There is no photo at this index.
        case beyond(Int)
    }

    /// The photo looked at; `nil` before the first page has come, and in an empty feed.
    public internal(set) var current: IndexedPhoto?
    /// What stage two says of it; `nil` until it has come.
    public internal(set) var detail: PhotoDetail?
    /// The file of it.
    public internal(set) var picture = Picture.waiting
    /// The file of the photo that is next in the direction of travel, once it is there.
    public internal(set) var upcoming: DownloadedFile?
    /// The file that loads ahead; `nil` where none does.
    public internal(set) var preload: Progress?
    /// Photos in the feed as far as the service says.
    public internal(set) var total: Int?
    /// The known photos around the one looked at, without a hole.
    public internal(set) var run: [IndexedPhoto] = []
    /// Whether ``run`` begins with the feed's first photo.
    public internal(set) var isRunFromStart = false
    /// Whether ``run`` ends with the feed's last photo.
    public internal(set) var isRunToEnd = false
    /// Whether a page is on its way that somebody waits for.
    public internal(set) var isWaitingForPage = false
    /// Why a page that somebody waits for did not come.
    public internal(set) var pageError: ServiceError?
    /// The end that the last move ran into; `nil` where it did not.
    public internal(set) var edge: Edge?
    /// Whether the feed was found to hold no photo.
    public internal(set) var isEmpty = false

    /// Nothing is known yet.
    public init() {}
}
