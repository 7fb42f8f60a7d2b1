import Foundation
import GalleryCore

/// All that the screen depends on: a value, changed by keys and by what arrives.
struct BrowseModel: Sendable {
    /// What is looked at, and how.
    enum Mode: Hashable, Sendable {
        /// One photo with its lines and bars.
        case photo
        /// One photo and nothing else.
        case alone
        /// Thumbnails.
        case grid
    }

    /// A sentence at the bottom, until the next key.
    struct Notice: Hashable, Sendable {
        var text: String
        var isError = false
    }

    var size: Frame.Size
    var theme = Theme.night
    var mode = Mode.photo
    var showsDetails = false
    var showsHelp = false
    /// The digits typed after `g`; `nil` where nobody types.
    var prompt: String?
    var notice: Notice?
    /// The feed in words, such as `popular · sample`.
    var feed = ""
    /// Feeds one can go back to.
    var depth = 0
    var cursor = PhotoCursorState()
    var marks: Set<PhotoID> = []
    var grid = GridCell()
    /// Thumbnails that are on disk.
    var thumbnails: [PhotoID: URL] = [:]
    /// What is said instead of a picture that cannot be shown, by its file.
    var words: [URL: [String]] = [:]
    /// Whether the terminal shows pictures as far as we know.
    var paints = true
    /// Where the spinner stands.
    var tick = 0

    init(size: Frame.Size) {
        self.size = size
    }

    /// The photo that keys are about.
    var photo: IndexedPhoto? {
        mode == .grid ? cursor.run.first { $0.index == grid.selected } ?? cursor.current : cursor.current
    }

    /// The same, with what its details have added by now.
    var wholePhoto: IndexedPhoto? {
        guard let photo, let whole = cursor.detail?.photo, whole.id == photo.photo.id else { return photo }
        return IndexedPhoto(index: photo.index, photo: whole)
    }

    /// Whether keys have led to where the photos have not come yet.
    var isWaitingForPage: Bool {
        guard cursor.pageError == nil else { return false }
        return cursor.isWaitingForPage || mode == .grid && grid.overshoot > 0
    }

    /// Whether something on the screen moves by itself.
    var isSpinning: Bool {
        if isWaitingForPage || cursor.pageError == nil && cursor.current == nil && !cursor.isEmpty {
            return true
        }
        guard mode != .grid, cursor.current != nil else { return false }
        switch cursor.picture {
        case .waiting: return true
        case .loading(let progress): return progress.expected == nil
        case .ready, .failed, .unavailable: return false
        }
    }
}

/// What a key or an arrival asks to be done.
enum BrowseAction: Hashable, Sendable {
    /// So many photos on; negative is back.
    case move(Int)
    case go(Int)
    case goToLast
    case retry
    /// Nobody looks at one photo any more, or somebody does again.
    case rest, resume
    /// The pages around what the grid shows.
    case look(beyond: Int, count: Int)
    case fetch(IndexedPhoto)
    case mark(IndexedPhoto)
    case unmark(IndexedPhoto)
    case open(URL)
    case author(IndexedPhoto)
    case back
    case keep(Theme)
    case quit

    /// Steps that come together are one.
    static func merged(_ actions: [BrowseAction]) -> [BrowseAction] {
        actions.reduce(into: []) { result, action in
            if case .move(let more) = action, case .move(let count)? = result.last {
                result[result.count - 1] = .move(count + more)
            } else {
                result.append(action)
            }
        }
    }
}
