import Foundation
import GalleryCore

/// Everything the screen depends on, as a value that keys and events change.
struct BrowseModel: Sendable {
    /// What the screen shows.
    enum Mode: Hashable, Sendable {
        /// One photo with its title and bars.
        case photo
        /// One photo alone.
        case alone
        /// Thumbnails.
        case grid
    }

    /// A message in the status line, until the next key.
    struct Notice: Hashable, Sendable {
        var text: String
        var isError = false
    }

    var size: Frame.Size
    var theme = Theme.night
    var mode = Mode.photo
    var showsDetails = false
    var showsHelp = false
    /// The digits typed after `g`; `nil` outside the prompt.
    var prompt: String?
    var notice: Notice?
    /// The feed's title, such as `popular · sample`.
    var feed = ""
    /// How many feeds Backspace can go back.
    var depth = 0
    var cursor = PhotoCursorState()
    var marks: Set<PhotoID> = []
    var grid = GridCell()
    /// Thumbnails on disk.
    var thumbnails: [PhotoID: URL] = [:]
    /// Why a picture cannot be shown, by its file.
    var words: [URL: [String]] = [:]
    /// Whether pictures can be shown, as far as is known.
    var paints = true
    /// The spinner's step.
    var tick = 0

    init(size: Frame.Size) {
        self.size = size
    }

    /// The photo that keys act on.
    var photo: IndexedPhoto? {
        mode == .grid ? cursor.run.first { $0.index == grid.selected } ?? cursor.current : cursor.current
    }

    /// The same photo, with its details as far as they are known.
    var wholePhoto: IndexedPhoto? {
        guard let photo, let whole = cursor.detail?.photo, whole.id == photo.photo.id else { return photo }
        return IndexedPhoto(index: photo.index, photo: whole)
    }

    /// Whether keys have led beyond the photos that are loaded.
    var isWaitingForPage: Bool {
        guard cursor.pageError == nil else { return false }
        return cursor.isWaitingForPage || mode == .grid && grid.overshoot > 0
    }

    /// Whether the screen shows a spinner.
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

/// What a key or an event asks the session to do.
enum BrowseAction: Hashable, Sendable {
    /// Moves forward by so many photos; negative is back.
    case move(Int)
    case go(Int)
    case goToLast
    case retry
    /// Pauses or resumes the loading of full files.
    case rest, resume
    /// Loads the pages around what the grid shows.
    case look(beyond: Int, count: Int)
    case fetch(IndexedPhoto)
    case mark(IndexedPhoto)
    case unmark(IndexedPhoto)
    case open(URL)
    case author(IndexedPhoto)
    case back
    case keep(Theme)
    case quit

    /// Joins moves that follow each other.
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

extension BrowseModel {
    /// Handles a key, and returns what the session has to do.
    mutating func press(_ key: Key) -> [BrowseAction] {
        notice = nil
        if prompt != nil { return pressInPrompt(key) }
        if showsHelp {
            showsHelp = false
            return key == .character("q") ? [.quit] : []
        }
        if let actions = pressAnywhere(key) { return actions }
        return mode == .grid ? pressInGrid(key) : pressOnPhoto(key)
    }

    private mutating func pressInPrompt(_ key: Key) -> [BrowseAction] {
        switch key {
        case .character(let digit) where ("0"..."9").contains(digit):
            // Nine digits exceed any feed and fit an integer.
            if let prompt, prompt.count < 9 { self.prompt = prompt + String(digit) }
        case .backspace: prompt = prompt.map { String($0.dropLast()) }
        case .enter:
            let index = prompt.flatMap { Int($0) }
            prompt = nil
            guard let index else { return [] }
            guard index > 0 else {
                notice = Notice(text: "Indexes start at 1.", isError: true)
                return []
            }
            return mode == .grid ? select(index: index) : [.go(index)]
        default: prompt = nil
        }
        return []
    }

    /// Handles keys that mean the same in every mode; `nil` for others.
    private mutating func pressAnywhere(_ key: Key) -> [BrowseAction]? {
        guard case .character(let letter) = key else { return key == .backspace ? back() : nil }
        switch letter {
        case "q": return [.quit]
        case "?": showsHelp = true
        case "g": prompt = ""
        case "r": return mode == .grid ? [.retry] + scroll() : [.retry]
        case "t":
            theme = theme.other
            return [.keep(theme)]
        case "f": return withPhoto { .fetch($0) }
        case "a": return withPhoto { .author($0) }
        case "m": return toggleMark()
        case "o":
            return withPhoto { photo in photo.photo.page.map(BrowseAction.open) }
        default: return nil
        }
        return []
    }

    private mutating func withPhoto(_ action: (IndexedPhoto) -> BrowseAction?) -> [BrowseAction] {
        guard let photo else { return [] }
        guard let action = action(photo) else {
            notice = Notice(text: "The photo has no page.", isError: true)
            return []
        }
        return [action]
    }

    private mutating func toggleMark() -> [BrowseAction] {
        guard let photo = wholePhoto else { return [] }
        let isMarked = marks.contains(photo.photo.id)
        if isMarked { marks.remove(photo.photo.id) } else { marks.insert(photo.photo.id) }
        return [isMarked ? .unmark(photo) : .mark(photo)]
    }

    private mutating func back() -> [BrowseAction] {
        if depth == 0 { notice = Notice(text: "There is no feed to go back to.") }
        return depth == 0 ? [] : [.back]
    }

    private mutating func pressOnPhoto(_ key: Key) -> [BrowseAction] {
        switch key {
        case .right, .down, .character(" "), .character("n"), .pageDown: return [.move(1)]
        case .left, .up, .character("p"), .pageUp: return [.move(-1)]
        case .home: return [.go(1)]
        case .end: return [.goToLast]
        case .enter: mode = mode == .alone ? .photo : .alone
        case .character("i"):
            showsDetails.toggle()
            mode = .photo
        case .escape:
            if mode == .alone { mode = .photo } else { showsDetails = false }
        case .tab: return enterGrid()
        default: break
        }
        return []
    }

    private mutating func enterGrid() -> [BrowseAction] {
        guard let index = cursor.current?.index else { return [] }
        mode = .grid
        grid.selected = index
        return [.rest] + scroll()
    }

    private mutating func pressInGrid(_ key: Key) -> [BrowseAction] {
        let columns = gridShape.columns
        switch key {
        case .right, .character(" "), .character("n"): return select(by: 1)
        case .left, .character("p"): return select(by: -1)
        case .down: return select(by: columns)
        case .up: return select(by: -columns)
        case .pageDown: return select(by: columns * gridShape.rows)
        case .pageUp: return select(by: -columns * gridShape.rows)
        case .home: return cursor.isRunFromStart ? select(cursor.run.first) : [.go(1)]
        case .end:
            // Without a known total, the end may be a thousand pages away.
            return cursor.isRunToEnd || cursor.total == nil ? select(cursor.run.last) : [.goToLast]
        case .enter:
            mode = .photo
            return [.resume, .go(grid.selected)]
        case .tab, .escape:
            mode = .photo
            return [.resume]
        case .character("i"):
            mode = .photo
            showsDetails = true
            return [.resume, .go(grid.selected)]
        default: return []
        }
    }

    private mutating func select(by count: Int) -> [BrowseAction] {
        let run = cursor.run
        guard !run.isEmpty else { return [] }
        let last = run.count - 1
        let current = run.firstIndex { ($0.index ?? 0) >= grid.selected } ?? last
        let wanted = current + count + grid.overshoot
        if wanted < 0, current == 0, cursor.isRunFromStart {
            notice = Notice(text: "This is the first photo.")
        }
        if wanted > last, current == last, cursor.isRunToEnd {
            notice = Notice(text: "This is the last photo.")
        }
        grid.overshoot = cursor.isRunToEnd ? 0 : max(0, wanted - last)
        grid.known = run.count
        grid.selected = run[min(max(0, wanted), last)].index ?? grid.selected
        return scroll()
    }

    /// Selects a photo that is loaded.
    private mutating func select(_ entry: IndexedPhoto?) -> [BrowseAction] {
        grid.overshoot = 0
        grid.selected = entry?.index ?? grid.selected
        return scroll()
    }

    /// Selects the photo at `index`, or the one after it; if it is not loaded, the cursor goes there.
    private mutating func select(index: Int) -> [BrowseAction] {
        guard let first = cursor.run.first?.index, first <= index,
            let entry = cursor.run.first(where: { ($0.index ?? 0) >= index })
        else { return [.go(index)] }
        return select(entry)
    }

    /// Continues to where keys had led, now that more photos are loaded.
    mutating func extendGrid() -> [BrowseAction] {
        guard mode == .grid else { return [] }
        guard grid.overshoot > 0, cursor.run.count > grid.known else { return scroll() }
        return select(by: 0)
    }

    /// Scrolls the selected photo into view, and loads the pages around it.
    mutating func scroll() -> [BrowseAction] {
        let shape = gridShape
        let offset = cursor.run.firstIndex { ($0.index ?? 0) >= grid.selected } ?? 0
        grid.top = shape.top(for: offset, from: grid.top, count: cursor.run.count)
        return [.look(beyond: grid.selected, count: shape.columns * shape.rows * 2)]
    }
}
