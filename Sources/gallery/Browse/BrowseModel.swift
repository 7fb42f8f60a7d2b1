import Curation
import Foundation
import GalleryCore
import PictureFiles
import TerminalPictures

/// Everything the screen depends on, as a value that keys and events change.
struct BrowseModel: Sendable {
    enum Mode: Hashable, Sendable {
        /// One photo with its title and bars.
        case photo
        case alone
        case grid
    }

    /// A message in the status line, until the next key.
    struct Notice: Hashable, Sendable {
        var text: String
        var isError = false
    }

    struct Download: Hashable, Sendable {
        /// Which photo's, and for what; `nil` for the folder that `f` fetches to.
        struct Key: Hashable, Sendable {
            let photo: PhotoID
            let use: FileUse?
        }

        let label: String
        var progress: PhotoCursorState.Progress?
    }

    /// What came of downloads that were started together.
    struct DownloadTally: Hashable, Sendable {
        private var (done, failed) = (0, 0)
        private var error: Notice?

        mutating func count(_ result: Notice) {
            if result.isError { (failed, error) = (failed + 1, result) } else { done += 1 }
        }

        /// `nil` where there was one at most, which has its own.
        var notice: Notice? {
            guard done + failed > 1 else { return nil }
            guard let error else { return Notice(text: "Fetched or kept \(done) photos.") }
            return Notice(text: "\(done) fetched or kept, \(failed) failed. \(error.text)", isError: true)
        }
    }

    enum Prompt: Hashable, Sendable {
        /// For a text, and what of it has been typed.
        case line(Line, String)
        case restart
        case trash([Trash.Item])
    }

    /// What a text is typed for, in the words of the question.
    enum Line: String, Hashable, Sendable {
        case index = "Go to photo"
        case find = "Find"
        case list = "Mark into the list"
        case filter = "Show only (landscape, marked, 4-, text …)"
        case date = "Go to the date (2024, 2024-05, 2024-05-17)"
        case feed = "Open (service, feed, text)"
        case ranking = "Keep the ranking as the list"

        /// What it takes of a text: as an index nine digits, which exceed any feed and fit an integer.
        func taken(of text: String) -> String {
            self == .index ? String(text.filter { ("0"..."9").contains($0) }.prefix(9)) : text
        }
    }

    var size: Frame.Size
    var theme = Theme.night
    var mode = Mode.photo
    var sidePanel = SidePanel()
    /// Whether thumbnails of the photos around it stand below the photo.
    var showsStrip = false
    /// The page of the help that is shown, from 0; `nil` for none.
    var helpPage: Int?
    /// What is being typed in the status line; `nil` if nothing is.
    var prompt: Prompt?
    /// Keys that were typed and not pressed yet, and what they wait for.
    var typed: [Key] = []
    var hold: Hold?
    /// The search that `n` and `N` repeat; `nil` if none is on.
    var search: PhotoSearch?
    /// The photo in whose place the one before is shown, for a moment.
    var heldPhoto: PhotoID?
    /// The photo whose finished progress bar is no longer shown.
    var settledPhoto: PhotoID?
    /// How much of the photo is shown, and of the pinned one.
    var viewport = Viewport()
    /// The photo that others are compared with; `nil` for none.
    var pin: PinnedPhoto?
    var contest: Contest?
    var isGathering = false
    var zooms = false
    /// Whether it reads UTF-8; a screen of ASCII is drawn otherwise.
    var readsUTF8 = true
    var widths = DisplayWidth.usual
    var animation = AnimationState()
    var slideshow = Slideshow()
    var hasCommand = false
    var notice: Notice?
    /// The feed's title, such as `popular · sample`.
    var feed = ""
    /// The conditions on its photos, as they were typed; empty for none.
    var filter = ""
    var depth = 0
    var cursor = PhotoCursorState()
    var marks: Set<PhotoID> = []
    var ratings = Ratings()
    /// By how many quarters photos are turned clockwise.
    var turns: [PhotoID: Int] = [:]
    /// What `u` brings back, the last first: of the photos that a key rated, the ratings before, from 0 to 5.
    var formerRatings: [[(photo: IndexedPhoto, stars: Int)]] = []
    /// Whether a rating goes on to the next photo.
    var advances = false
    var bin = TrashBin()
    var downloads: [Download.Key: Download] = [:]
    var downloadTally = DownloadTally()
    /// Whether to quit as soon as they are done.
    var isLeaving = false
    var grid = GridCell()
    var thumbnails: [PhotoID: URL] = [:]
    var unreadable: Set<PhotoID> = []
    var notes = FileNotes()
    /// Whether pictures can be shown, as far as is known.
    var paints = true
    var isColored = true
    var cell = CellSize.usual
    /// How many pixels of a picture a cell shows.
    var resolution = CellSize.usual
    /// The value of `--size`; `nil` for what fills the window.
    var fileSize: PhotoFileSize?
    var spinner = Spinner()

    /// The photo that keys act on.
    var photo: IndexedPhoto? {
        mode == .grid ? cursor.run.first { $0.index == grid.selected } ?? cursor.current : cursor.current
    }

    /// The color behind pictures; `nil` for the terminal's own.
    var background: String? { isColored ? theme.background : nil }

    /// The file of the photo that keys act on, once it is there.
    var currentFile: URL? {
        guard case .ready(let file) = cursor.picture, photo?.photo.id == cursor.current?.photo.id else {
            return nil
        }
        return file.url
    }

    var fullFile: URL? { cursor.isFull ? currentFile : nil }

    var viewSize: ViewSize {
        if let fileSize { return .file(fileSize) }
        let window = PixelSize(width: size.columns * resolution.width, height: size.rows * resolution.height)
        return window.map { .filling($0) } ?? .file(.thumbnail)
    }

    var part: PicturePart {
        if viewport.isZoomed { return .view(viewport) }
        guard let playback = animation.playback, playback.file == currentFile, mode != .grid,
            !sidePanel.isShown
        else { return .whole }
        return .frame(playback.frame)
    }

    /// Whether an animation goes on with its next frame: not while something else is looked at.
    var isAnimating: Bool {
        if case .frame = part { animation.playback?.isPaused == false && helpPage == nil } else { false }
    }

    mutating func endFrame() {
        animation.isAwaitingFrame = false
        guard isAnimating, let playback = animation.playback else { return }
        animation.playback?.frame = playback.timeline.step(from: playback.frame).frame
    }

    /// The same, with its details as far as they are known.
    var wholePhoto: IndexedPhoto? {
        guard let photo, let whole = cursor.detail?.photo, whole.id == photo.photo.id else { return photo }
        return IndexedPhoto(index: photo.index, photo: whole)
    }

    /// Whether keys have led beyond the photos that are loaded.
    var isWaitingForPage: Bool {
        guard cursor.pageError == nil else { return false }
        return cursor.isWaitingForPage || mode == .grid && grid.overshoot > 0 && !cursor.isRunToEnd
    }

    var isSpinning: Bool {
        if isWaitingForPage || cursor.pageError == nil && cursor.current == nil && !cursor.isEmpty {
            return true
        }
        guard mode != .grid, cursor.current != nil else { return false }
        if let larger = cursor.larger { return larger.expected == nil }
        switch cursor.picture {
        case .waiting: return true
        case .loading(let progress): return progress.expected == nil
        case .ready, .failed, .unavailable: return false
        }
    }
}

/// What stands beside the photo: its details, or what its file says of itself.
struct SidePanel: Hashable, Sendable {
    var isShown = false
    /// Whether it is what the file shown says of itself, and its histogram.
    var showsLook = false
    /// That file, and what was found; `nil` until then.
    var lookedAt: WantedLook?
    var look: PictureLook?
    /// The first visible line.
    var top = 0
}

struct AnimationState: Hashable, Sendable {
    /// The file that was last looked at for one.
    var examined: URL?
    /// What was found in it; `nil` for none.
    var playback: Playback?
    var isAwaitingFrame = false
}

struct Slideshow: Hashable, Sendable {
    var isPlaying = false
    /// Tells its timers apart: those of an earlier one do not count.
    var number = 0
}

struct TrashBin: Hashable, Sendable {
    /// Photos whose file was; the feed has them until it is listed again.
    var photos: Set<PhotoID> = []
    /// What `U` takes back.
    var last: [Trash.Item] = []
}

/// What is known of pictures, by their files.
struct FileNotes: Hashable, Sendable {
    /// Why a picture cannot be shown.
    var words: [URL: [String]] = [:]
    /// What to say of a picture that is shown.
    var remarks: [URL: String] = [:]
    /// What the color profiles of pictures call themselves.
    var profiles: [URL: String] = [:]
}

/// What turns while something is waited for.
struct Spinner: Hashable, Sendable {
    /// Its step, and whether the next one is waited for.
    var step = 0
    var isTurning = false
    /// How many steps it has made since it began to turn.
    var waited = 0
    /// Why a host is being waited for, without a period; `nil` if it has not said or done anything.
    var reason: String?
}

/// A text that is looked for in titles and authors.
struct PhotoSearch: Hashable, Sendable {
    enum Direction: Hashable, Sendable { case forward, backward }

    let text: String
    /// Whether it is what the date begins with on which a photo was taken, or else published.
    var isDate = false
    var direction = Direction.forward
    /// Whether it goes on as soon as more photos are loaded.
    var isWaiting = false

    static func isDate(_ text: String) -> Bool { text.wholeMatch(of: /\d{4}(-\d{2}(-\d{2})?)?/) != nil }

    /// Whether the title or the author contains the text, whatever their case and accents; or the date begins with it.
    func matches(_ photo: Photo) -> Bool {
        if isDate { return (photo.takenText ?? photo.publishedText)?.hasPrefix(text) ?? false }
        return [photo.title, photo.author?.name ?? "", photo.author?.username ?? ""].contains(
            where: matches(text:))
    }

    /// Whether a text contains it, whatever the case and accents.
    func matches(text: String) -> Bool {
        text.range(of: self.text, options: [.caseInsensitive, .diacriticInsensitive]) != nil
    }
}

/// What a key or an event asks the session to do.
enum BrowseAction: Hashable, Sendable {
    /// Negative is back.
    case move(Int)
    case go(Int)
    case goToLast
    case retry
    /// Ends the search for a photo that passes the filter.
    case giveUp
    /// Pauses or resumes the loading of full files.
    case rest, resume
    /// Loads the pages around what the grid shows.
    case look(beyond: Int, count: Int)
    case fetch(IndexedPhoto)
    case mark([IndexedPhoto], Bool)
    /// Rates photos from 1 to 5, or 0 to take their ratings away.
    case rate([IndexedPhoto], Int)
    /// Marks go into this list from now on.
    case choose(MarkListName?)
    case open(URL)
    /// Loads the photo's full-size file, for what is to be done with it.
    case bring(IndexedPhoto, FileUse)
    /// Shows another file of the current photo than one that cannot be shown, and why.
    case refuse(URL, String)
    case view(URL)
    /// Puts a text on the clipboard; the other one names it.
    case copy(String, String)
    case trash([Trash.Item]), untrash([Trash.Item])
    /// Runs the command of `--exec` with a file.
    case run(URL)
    case waitForSlide(Int)
    case author(IndexedPhoto)
    case back
    /// Shows only some photos of the feed; `nil` for all.
    case filter(BrowseFilter?)
    case sort
    /// Opens another feed, as it was typed.
    case enter(String)
    case showMarks
    /// Begins a tournament over these photos, which are all of the feed's or a selection, or takes it up.
    case contend([IndexedPhoto], isSelection: Bool)
    /// The same once it is known which of them look alike.
    case begin([IndexedPhoto], isSelection: Bool, on: BrowsePositions.FeedKey, [PhotoID: PictureSketch])
    case keepTournament
    case nameRanking
    case keepRanking(MarkListName)
    case keep(Theme)
    case quit

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

enum FileUse: Hashable, Sendable {
    case view, run, copy

    func action(_ file: URL) -> BrowseAction {
        switch self {
        case .view: .view(file)
        case .run: .run(file)
        case .copy: .copy(file.path, "path")
        }
    }
}
