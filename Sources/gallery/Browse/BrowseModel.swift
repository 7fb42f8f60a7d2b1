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

    /// A download that `f` started and that is under way.
    struct Download: Hashable, Sendable {
        /// What the photo is called in messages.
        let label: String
        var progress: PhotoCursorState.Progress?
    }

    /// A line that is being typed.
    enum Prompt: Hashable, Sendable {
        /// The digits after `g`.
        case index(String)
        /// The text after `/`.
        case find(String)
        /// Whether to move a photo's file to the trash.
        case trash(IndexedPhoto)
    }

    var size: Frame.Size
    var theme = Theme.night
    var mode = Mode.photo
    var showsDetails = false
    var showsHelp = false
    /// What is being typed in the status line; `nil` if nothing is.
    var prompt: Prompt?
    /// The search that `n` and `N` repeat; `nil` if none is on.
    var search: PhotoSearch?
    /// The first visible line of the details.
    var detailsTop = 0
    /// The photo whose finished progress bar is no longer shown.
    var settledPhoto: PhotoID?
    /// How much of the photo is shown.
    var viewport = Viewport()
    /// Whether the terminal can zoom.
    var zooms = false
    /// The animation that was found in the current photo's file; `nil` for none.
    var playback: Playback?
    /// Whether the slideshow is running.
    private(set) var isPlaying = false
    /// Tells the slideshow's timers apart: those of an earlier one do not count.
    private var slide = 0
    /// The words of `--exec`.
    var command: [String] = []
    var notice: Notice?
    /// The feed's title, such as `popular · sample`.
    var feed = ""
    /// How many feeds Backspace can go back.
    var depth = 0
    var cursor = PhotoCursorState()
    var marks: Set<PhotoID> = []
    /// Photos whose file was moved to the trash; the feed has them until it is listed again.
    private(set) var trashed: Set<PhotoID> = []
    /// The downloads under way.
    var downloads: [PhotoID: Download] = [:]
    /// Whether to quit as soon as they are done.
    private(set) var isLeaving = false
    var grid = GridCell()
    /// Thumbnails on disk.
    var thumbnails: [PhotoID: URL] = [:]
    /// Why a picture cannot be shown, by its file.
    var words: [URL: [String]] = [:]
    /// Whether pictures can be shown, as far as is known.
    var paints = true
    /// Whether the theme's colors are shown.
    var isColored = true
    /// The size of a cell, to place pictures in the grid.
    var cell = CellSize.usual
    /// The spinner's step.
    var tick = 0

    init(size: Frame.Size) {
        self.size = size
    }

    /// The photo that keys act on.
    var photo: IndexedPhoto? {
        mode == .grid
            ? cursor.run.first { $0.index == grid.selected } ?? cursor.current : cursor.current
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

    /// What of the photo's file is shown.
    var part: PicturePart {
        if viewport.isZoomed { return .view(viewport) }
        guard let playback, playback.file == currentFile, mode != .grid, !showsDetails else {
            return .whole
        }
        return .frame(playback.frame)
    }

    /// Whether an animation goes on with its next frame: not while something else is looked at.
    var isAnimating: Bool {
        if case .frame = part { playback?.isPaused == false && !showsHelp } else { false }
    }

    /// The same photo, with its details as far as they are known.
    var wholePhoto: IndexedPhoto? {
        guard let photo, let whole = cursor.detail?.photo, whole.id == photo.photo.id else {
            return photo
        }
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
    /// Opens a file in the system's viewer.
    case view(URL)
    /// Puts a text on the clipboard; the other one names it.
    case copy(String, String)
    case trash(IndexedPhoto)
    /// Runs the command of `--exec` with a file.
    case run(URL)
    /// Lets the slideshow's time for a photo pass.
    case waitForSlide(Int)
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
        // Any other key takes a `q` back that waits for downloads.
        let isLeaving = isLeaving
        self.isLeaving = false
        if let prompt { return press(key, in: prompt) }
        // Any key ends a search that is still going on.
        search?.isWaiting = false
        if showsHelp {
            showsHelp = false
            return []
        }
        if key == .character("q"), !isLeaving, !downloads.isEmpty {
            self.isLeaving = true
            return []
        }
        if let actions = pressAnywhere(key) { return actions }
        return mode == .grid ? pressInGrid(key) : pressOnPhoto(key)
    }

    private mutating func press(_ key: Key, in prompt: Prompt) -> [BrowseAction] {
        self.prompt = nil
        switch (prompt, key) {
        case (.index(let text), .character(let digit)) where ("0"..."9").contains(digit):
            // Nine digits exceed any feed and fit an integer.
            self.prompt = .index(text.count < 9 ? text + String(digit) : text)
        case (.index(let text), .paste(let more)):
            self.prompt = .index(String((text + more.filter { ("0"..."9").contains($0) }).prefix(9)))
        case (.find(let text), .paste(let more)): self.prompt = .find(text + PlainText.line(more))
        case (.index, .control("u")): self.prompt = .index("")
        case (.find, .control("u")): self.prompt = .find("")
        case (.index(let text), .backspace): self.prompt = .index(String(text.dropLast()))
        case (.index(let text), .enter): return go(to: text)
        case (.find(let text), .character(let letter)): self.prompt = .find(text + String(letter))
        case (.find(let text), .backspace): self.prompt = .find(String(text.dropLast()))
        case (.find(let text), .enter):
            search = text.isEmpty ? search : PhotoSearch(text: text)
            return find(.forward)
        case (.trash(let photo), .character("y")): return [.trash(photo)]
        default: break
        }
        return []
    }

    private mutating func go(to text: String) -> [BrowseAction] {
        guard let index = Int(text) else { return [] }
        guard index > 0 else {
            notice = Notice(text: "Indexes start at 1.", isError: true)
            return []
        }
        return mode == .grid ? select(index: index) : [.go(index)]
    }

    /// Handles keys that mean the same in every mode; `nil` for others.
    private mutating func pressAnywhere(_ key: Key) -> [BrowseAction]? {
        guard case .character(let letter) = key else { return key == .backspace ? back() : nil }
        switch letter {
        case "q": return [.quit]
        case "?": showsHelp = true
        case "g": prompt = .index("")
        case "/": prompt = .find("")
        case "n" where search != nil: return find(.forward)
        case "N" where search != nil: return find(.backward)
        case "S":
            notice = Notice(
                text: isPlaying ? "The slideshow is off." : "The slideshow is on; S stops it.")
            return play(!isPlaying)
        case "v": return withFile { .view($0) }
        case "x": return pressExec()
        case "y":
            return withPhoto { photo in photo.photo.page.map { .copy($0.absoluteString, "page address") }
            }
        case "Y": return withFile { .copy($0.path, "path") }
        case "d": return askToTrash()
        case "r": return mode == .grid ? [.retry] + scroll() : [.retry]
        case "t":
            guard isColored else {
                notice = Notice(text: "Colors are off because NO_COLOR is set.")
                return []
            }
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

    /// The photo, unless its file is in the trash, which is then said.
    private mutating func untrashedPhoto() -> IndexedPhoto? {
        guard let photo else { return nil }
        guard !trashed.contains(photo.photo.id) else {
            notice = Notice(text: "The photo's file is in the trash.", isError: true)
            return nil
        }
        return photo
    }

    /// The photo's own file if it lies in a folder, else the one that was loaded.
    private mutating func withFile(_ action: (URL) -> BrowseAction) -> [BrowseAction] {
        guard let photo = untrashedPhoto() else { return [] }
        guard let file = photo.photo.ownFile ?? currentFile else {
            notice = Notice(text: "The photo's file is not loaded yet.", isError: true)
            return []
        }
        return [action(file)]
    }

    private mutating func pressExec() -> [BrowseAction] {
        guard !command.isEmpty else {
            notice = Notice(text: "To run a command here, start with '--exec <command>'.", isError: true)
            return []
        }
        return withFile { .run($0) }
    }

    private mutating func askToTrash() -> [BrowseAction] {
        guard let photo = untrashedPhoto() else { return [] }
        guard photo.photo.ownFile != nil else {
            notice = Notice(
                text: "Only files of the service 'folder' can be moved to the trash.", isError: true)
            return []
        }
        prompt = .trash(photo)
        return []
    }

    /// Says what came of moving a photo's file to the trash, and goes on to the next photo if it is gone.
    mutating func took(_ photo: PhotoID, toTrash result: Notice) -> [BrowseAction] {
        notice = result
        guard !result.isError else { return [] }
        trashed.insert(photo)
        guard mode != .grid, cursor.current?.photo.id == photo else { return [] }
        return [.move(1)]
    }

    /// Says what came of a download; if it was the last one that `q` waits for, the session quits.
    mutating func downloaded(_ photo: PhotoID, _ result: Notice) -> BrowseAction? {
        downloads[photo] = nil
        notice = result
        return isLeaving && downloads.isEmpty ? .quit : nil
    }

    /// Starts or stops the slideshow.
    mutating func play(_ isPlaying: Bool) -> [BrowseAction] {
        self.isPlaying = isPlaying
        slide += 1
        return isPlaying ? [.waitForSlide(slide)] : []
    }

    /// The slideshow's time for a photo is over.
    mutating func endSlide(_ number: Int) -> [BrowseAction] {
        guard number == slide, isPlaying else { return [] }
        if case .last? = cursor.edge {
            isPlaying = false
            notice = Notice(text: "The slideshow is over.")
            return []
        }
        // A photo that is still loading stays until it was seen.
        let moves = cursor.picture.isSettled && mode != .grid
        return [.waitForSlide(slide)] + (moves ? [.move(1)] : [])
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
        case .character("+"), .character("="): zoom { $0.zoom(by: 1) }
        case .character("-"): zoom { $0.zoom(by: -1) }
        case .character("0"): zoom { $0.reset() }
        case .left where viewport.isZoomed: pan(right: -1)
        case .right where viewport.isZoomed: pan(right: 1)
        case .up where viewport.isZoomed: pan(down: -1)
        case .down where viewport.isZoomed: pan(down: 1)
        case .character("p") where part != .whole && !viewport.isZoomed: playback?.isPaused.toggle()
        case .up where scrollDetails(by: -1), .down where scrollDetails(by: 1): break
        case .pageUp where scrollDetails(by: -detailsHeight),
            .pageDown where scrollDetails(by: detailsHeight):
            break
        case .right, .down, .pageDown, .wheelDown, .character(" "), .character("n"), .character("l"),
            .character("j"):
            return [.move(1)]
        case .left, .up, .pageUp, .wheelUp, .character("p"), .character("h"), .character("k"):
            return [.move(-1)]
        case .home: return [.go(1)]
        case .end: return [.goToLast]
        case .enter: mode = mode == .alone ? .photo : .alone
        case .character("i"):
            showsDetails.toggle()
            detailsTop = 0
            mode = .photo
        case .escape:
            search = nil
            if viewport.isZoomed {
                viewport = Viewport()
            } else if mode == .alone {
                mode = .photo
            } else {
                showsDetails = false
            }
        case .tab: return enterGrid()
        default: break
        }
        return []
    }

    private mutating func zoom(_ change: (inout Viewport) -> Bool) {
        guard zooms, !isInWords else {
            notice = Notice(text: "This terminal cannot zoom; press v to open the file in a viewer.")
            return
        }
        guard currentFile != nil else {
            notice = Notice(text: "The photo's file is not loaded yet.", isError: true)
            return
        }
        guard change(&viewport), viewport.isZoomed else { return }
        let factor = viewport.factor.formatted(.number.locale(Locale(identifier: "en_US_POSIX")))
        notice = Notice(text: "Zoom \(factor)×. Arrows pan; 0 resets.")
    }

    private mutating func pan(right: Int = 0, down: Int = 0) {
        let size = wholePhoto?.photo.size ?? photo?.photo.size
        _ = viewport.pan(
            right: right, down: down, visible: viewport.visible(of: size, in: photoBox, cell: cell))
    }

    private mutating func enterGrid() -> [BrowseAction] {
        guard let index = cursor.current?.index else { return [] }
        mode = .grid
        viewport = Viewport()
        grid.selected = index
        return [.rest] + scroll()
    }

    private mutating func pressInGrid(_ key: Key) -> [BrowseAction] {
        let columns = gridShape.columns
        switch key {
        case .right, .character(" "), .character("n"), .character("l"): return select(by: 1)
        case .left, .character("p"), .character("h"): return select(by: -1)
        case .down, .wheelDown, .character("j"): return select(by: columns)
        case .up, .wheelUp, .character("k"): return select(by: -columns)
        case .click(let position): return click(position)
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

    /// Opens the photo under the mouse.
    private mutating func click(_ position: CellPosition) -> [BrowseAction] {
        guard let offset = gridShape.offset(at: position) else { return [] }
        let entries = cursor.run.dropFirst(grid.top * gridShape.columns)
        guard let index = entries.dropFirst(offset).first?.index else { return [] }
        grid.selected = index
        mode = .photo
        return [.resume, .go(index)]
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
        if let search, search.isWaiting { return find(search.direction) }
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

// MARK: - Finding

/// A text that is looked for in titles and authors.
struct PhotoSearch: Hashable, Sendable {
    enum Direction: Hashable, Sendable {
        case forward, backward
    }

    let text: String
    var direction = Direction.forward
    /// Whether it goes on as soon as more photos are loaded.
    var isWaiting = false

    init(text: String) {
        self.text = text
    }

    /// Whether the title or the author contains the text, whatever their case and accents.
    func matches(_ photo: Photo) -> Bool {
        [photo.title, photo.author?.name ?? "", photo.author?.username ?? ""].contains {
            $0.range(of: text, options: [.caseInsensitive, .diacriticInsensitive]) != nil
        }
    }
}

extension BrowseModel {
    /// Goes to the next match, or loads more photos if none is loaded.
    mutating func find(_ direction: PhotoSearch.Direction) -> [BrowseAction] {
        guard var search else { return [] }
        search.direction = direction
        search.isWaiting = false
        defer { self.search = search }
        let here = (mode == .grid ? grid.selected : cursor.current?.index) ?? 0
        let candidates =
            direction == .forward
            ? cursor.run.filter { ($0.index ?? 0) > here }
            : cursor.run.reversed().filter { ($0.index ?? 0) < here }
        if let index = candidates.first(where: { search.matches($0.photo) })?.index {
            return mode == .grid ? select(index: index) : [.go(index)]
        }
        let isOver = direction == .forward ? cursor.isRunToEnd : cursor.isRunFromStart
        let text = PlainText.excerpt(search.text)
        let edge = direction == .forward ? cursor.run.last?.index : cursor.run.first?.index
        guard !isOver, let edge else {
            notice = Notice(text: "No other photo matches '\(text)'.")
            return []
        }
        search.isWaiting = true
        notice = Notice(text: "Looking for '\(text)' beyond photo \(edge) …")
        return [.look(beyond: edge, count: 50)]
    }
}

extension Photo {
    /// The file itself, of a photo that lies in a folder of this machine.
    var ownFile: URL? {
        guard id.service == Folder.word, let file = full?.url, file.isFileURL else { return nil }
        return file
    }
}
