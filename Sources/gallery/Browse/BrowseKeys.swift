import Curation
import Foundation
import GalleryCore
import TerminalPictures

extension BrowseModel {
    mutating func press(_ key: Key) -> [BrowseAction] {
        // Shift means something in the grid alone.
        if case .shift(let arrow) = key, mode != .grid || prompt != nil { return press(arrow) }
        notice = nil
        // Any other key takes a `q` back that waits for downloads.
        let isLeaving = isLeaving
        self.isLeaving = false
        if let prompt { return press(key, in: prompt) }
        // Any key ends a search that is still going on.
        search?.isWaiting = false
        isGathering = false
        if key == .escape, isWaitingForPage, cursor.passedOver > 0 { return [.giveUp] }
        if helpPage != nil {
            pressInHelp(key)
            return []
        }
        if key == .character("q"), !isLeaving, !downloads.isEmpty {
            self.isLeaving = true
            return []
        }
        if let actions = pressInTournament(key) ?? pressAnywhere(key) { return actions }
        return mode == .grid ? pressInGrid(key) : pressOnPhoto(key)
    }

    var isAskingForTrash: Bool { if case .trash? = prompt { true } else { false } }

    @discardableResult
    mutating func say(_ text: String, isError: Bool = false) -> [BrowseAction] {
        notice = Notice(text: text, isError: isError)
        return []
    }

    private mutating func press(_ key: Key, in prompt: Prompt) -> [BrowseAction] {
        self.prompt = nil
        switch (prompt, key) {
        case (.trash(let files), .character("y")): return [.trash(files)]
        case (.restart, .character("y")): return restartTournament()
        case (.line(let line, let text), .enter): return enter(text, in: line)
        case (.line(.index, _), .character(let letter)) where !("0"..."9").contains(letter): break
        case (.line(let line, let text), .character(let letter)):
            self.prompt = .line(line, line.taken(of: text + String(letter)))
        case (.line(let line, let text), .paste(let more)):
            self.prompt = .line(line, line.taken(of: text + PlainText.line(more)))
        case (.line(let line, let text), .backspace): self.prompt = .line(line, String(text.dropLast()))
        case (.line(let line, _), .control("u")): self.prompt = .line(line, "")
        default: break
        }
        return []
    }

    private mutating func enter(_ text: String, in line: Line) -> [BrowseAction] {
        switch line {
        case .index: return go(to: text)
        case .find:
            search = text.isEmpty ? search : PhotoSearch(text: text)
            return find(.forward)
        case .list where text.isEmpty: return [.choose(nil)]
        case .list, .ranking:
            return MarkListName(text).map { [line == .list ? .choose($0) : .keepRanking($0)] }
                ?? say("A list cannot have that name.", isError: true)
        case .filter: return [.filter(BrowseFilter(text))]
        case .date: return text.isEmpty ? [] : go(toDate: text)
        case .feed: return text.isEmpty ? [] : [.enter(text)]
        }
    }

    private mutating func go(to text: String) -> [BrowseAction] {
        guard let index = Int(text, within: 0...Selection.mostIndex) else { return [] }
        guard index > 0 else { return say("Indexes start at 1.", isError: true) }
        return mode == .grid ? select(index: index) : [.go(index)]
    }

    private mutating func pressAnywhere(_ key: Key) -> [BrowseAction]? {
        guard case .character(let letter) = key else { return key == .backspace ? back() : nil }
        switch letter {
        case "q": return [.quit]
        case "?": helpPage = 0
        case "g": prompt = .line(.index, "")
        case "&": prompt = .line(.filter, filter)
        case "D": prompt = .line(.date, "")
        case "F": prompt = .line(.feed, "")
        case "O": return [.sort]
        case "*": return [.showMarks]
        case "/": prompt = .line(.find, "")
        case "n" where search != nil: return find(.forward)
        case "N" where search != nil: return find(.backward)
        case "T": return pressTournament()
        case "S":
            say(slideshow.isPlaying ? "The slideshow is off." : "The slideshow is on; S stops it.")
            return play(!slideshow.isPlaying)
        case "v": return withFiles(.view)
        case "x": return hasCommand ? withFiles(.run) : say(BrowseWords.noCommand, isError: true)
        case "y": return withPage { .copy($0.absoluteString, "page address") }
        case "Y": return withFiles(.copy)
        case "d": return askToTrash()
        case "U": return bin.last.isEmpty ? say(BrowseWords.noTrash) : [.untrash(bin.last)]
        case "r": return mode == .grid ? [.retry] + scroll() : [.retry]
        case "t":
            guard isColored else { return say("Colors are off because NO_COLOR is set.") }
            theme = theme == .night ? .day : .night
            return [.keep(theme)]
        case "R": turn(by: 1)
        case "L": turn(by: 3)
        // Some of them change how a photo is enlarged.
        case "0"..."5" where mode == .grid || !viewport.isZoomed: return rate(letter.wholeNumberValue ?? 0)
        case "u": return takeRatingsBack()
        case "f":
            downloadTally = DownloadTally()
            return chosen.map { .fetch($0) }
        case "a": return photo.map { [.author($0)] } ?? []
        case "m": return toggleMark()
        case "M": prompt = .line(.list, "")
        case "o": return withPage { .open($0) }
        default: return nil
        }
        return []
    }

    private mutating func withPage(_ action: (URL) -> BrowseAction) -> [BrowseAction] {
        guard let photo else { return [] }
        guard let page = photo.photo.page else { return say("The photo has no page.", isError: true) }
        return [action(page)]
    }

    /// The photos that keys act on, but those whose files are in the trash; that is said where no other is left.
    private mutating func untrashed() -> [IndexedPhoto] {
        let left = chosen.filter { !bin.photos.contains($0.photo.id) }
        if left.isEmpty, !chosen.isEmpty { say("The photo's file is in the trash.", isError: true) }
        return left
    }

    /// The photos' own files, or their full-size ones, loaded if need be. Only a command can be run with several.
    private mutating func withFiles(_ use: FileUse) -> [BrowseAction] {
        let photos = use == .run ? untrashed() : untrashed().filter { $0.photo.id == photo?.photo.id }
        return photos.map { entry in
            let loaded = entry.photo.id == photo?.photo.id ? fullFile : nil
            return (entry.photo.ownFile ?? loaded).map(use.action) ?? .bring(entry, use)
        }
    }

    private mutating func askToTrash() -> [BrowseAction] {
        let photos = untrashed()
        guard !photos.isEmpty else { return [] }
        let files = photos.compactMap { entry in
            entry.photo.ownFile.map { Trash.Item(photo: entry, file: $0) }
        }
        guard files.count == photos.count else { return say(BrowseWords.noFile, isError: true) }
        prompt = .trash(files)
        return []
    }

    /// Says what came of moving photos' files to the trash, and goes on to the next photo if it is gone.
    mutating func took(toTrash outcome: Trash.Outcome) -> [BrowseAction] {
        notice = outcome.notice
        guard !outcome.items.isEmpty else { return [] }
        bin.last = outcome.items
        let photos = Set(outcome.items.map(\.photo.photo.id))
        bin.photos.formUnion(photos)
        if let pin, photos.contains(pin.entry.photo.id) { self.pin = nil }
        grid.selection = GridSelection()
        guard mode != .grid, let current = cursor.current?.photo.id, photos.contains(current) else {
            return []
        }
        return [.move(1)]
    }

    mutating func tookBack(_ outcome: Trash.Outcome) {
        notice = outcome.notice
        bin.last.removeAll(where: outcome.items.contains)
        bin.photos.subtract(outcome.items.map(\.photo.photo.id))
        // A picture that was looked for meanwhile is there again.
        for item in outcome.items { notes.words[item.file] = nil }
    }

    /// Says what came of a download; if it was the last one that `q` waits for, the session quits.
    mutating func downloaded(_ key: Download.Key, _ result: Notice?) -> [BrowseAction] {
        downloads[key] = nil
        if let result, key.use == nil { downloadTally.count(result) }
        notice = (downloads.isEmpty ? downloadTally.notice : nil) ?? result ?? notice
        return isLeaving && downloads.isEmpty ? [.quit] : []
    }

    mutating func play(_ isPlaying: Bool) -> [BrowseAction] {
        slideshow.isPlaying = isPlaying
        slideshow.number += 1
        return slideshow.isPlaying ? [.waitForSlide(slideshow.number)] : []
    }

    mutating func endSlide(_ number: Int) -> [BrowseAction] {
        guard number == slideshow.number, slideshow.isPlaying else { return [] }
        if case .last? = cursor.edge {
            slideshow.isPlaying = false
            return say("The slideshow is over.")
        }
        // A photo that is still loading stays until it was seen.
        let moves = cursor.picture.isSettled && mode != .grid
        return [.waitForSlide(slideshow.number)] + (moves ? [.move(1)] : [])
    }

    private mutating func toggleMark() -> [BrowseAction] {
        let chosen = chosen
        let isMarked = !chosen.allSatisfy { marks.contains($0.photo.lastingID) }
        let changed = chosen.filter { marks.contains($0.photo.lastingID) != isMarked }
        guard !changed.isEmpty else { return [] }
        marks.formSymmetricDifference(changed.map(\.photo.lastingID))
        // Marks store what is known of a photo.
        let whole = wholePhoto
        return [.mark(changed.map { $0.photo.id == whole?.photo.id ? whole ?? $0 : $0 }, isMarked)]
    }

    private mutating func back() -> [BrowseAction] {
        depth > 0 ? [.back] : say("There is no feed to go back to.")
    }

    mutating func pressOnPhoto(_ key: Key) -> [BrowseAction] {
        switch key {
        case .character("+"), .character("="): zoom(by: 1)
        case .character("-"): zoom(by: -1)
        case .wheelUp where viewport.isZoomed: zoom(by: 1)
        case .wheelDown where viewport.isZoomed: zoom(by: -1)
        case .character("0"): zoom { $0.reset() }
        case .character("1"), .character("Z"): zoom(to: factor(ofWidth: photoSize?.width), "Shown at 100 %.")
        case .character("w"):
            zoom(to: factor(ofWidth: photoBox.columns * cell.width), "Shown as wide as the window.")
        case .left where viewport.isZoomed: pan(right: -1)
        case .right where viewport.isZoomed: pan(right: 1)
        case .up where viewport.isZoomed: pan(down: -1)
        case .down where viewport.isZoomed: pan(down: 1)
        case .character("p") where part != .whole && !viewport.isZoomed: animation.playback?.isPaused.toggle()
        case .up where scrollDetails(by: -1), .down where scrollDetails(by: 1),
            .pageUp where scrollDetails(by: 0, pages: -1), .pageDown where scrollDetails(by: 0, pages: 1):
            break
        case .right, .down, .pageDown, .wheelDown, .character(" "), .character("n"), .character("l"),
            .character("j"):
            return [.move(1)]
        case .left, .up, .pageUp, .wheelUp, .character("p"), .character("h"), .character("k"):
            return [.move(-1)]
        case .home: return [.go(1)]
        case .end: return [.goToLast]
        case .character("c"): toggleComparison()
        case .enter: mode = mode == .alone ? .photo : .alone
        case .character("i"): togglePanel(look: false)
        case .character("e"): togglePanel(look: true)
        case .escape:
            let isSearching = search != nil
            search = nil
            if viewport.isZoomed {
                viewport = Viewport()
            } else if pin != nil {
                toggleComparison()
            } else if mode == .alone {
                mode = .photo
            } else if sidePanel.isShown {
                sidePanel.isShown = false
            } else if !isSearching {
                // Who looks for the way out is told the keys.
                helpPage = 0
            }
        case .character("s"):
            showsStrip.toggle()
            mode = .photo
        case .tab: return enterGrid()
        default: break
        }
        return []
    }

    private mutating func zoom(_ change: (inout Viewport) -> Bool) {
        if !zooms || isInWords {
            say("This terminal cannot zoom; press v to open the file in a viewer.")
        } else if currentFile == nil {
            say("The photo's file is not loaded yet.", isError: true)
        } else if change(&viewport), viewport.isZoomed {
            let factor = viewport.factor.formatted(
                .number.precision(.fractionLength(0...1)).locale(Locale(identifier: "en_US_POSIX")))
            say("Zoom \(factor)×. Arrows pan; 0 resets.")
        }
    }

    /// Zooms to what a key means: such a size is said, also where the whole picture has it.
    private mutating func zoom(to factor: Double?, _ name: String) {
        guard let factor else { return zoom { _ in false } }
        // Whole cells may be a bit smaller.
        guard factor > 1.02 else {
            viewport = Viewport()
            say(name)
            return
        }
        zoom { $0.show(at: factor) }
        if zooms, !isInWords, currentFile != nil { say("\(name) Arrows pan; 0 resets.") }
    }

    private mutating func zoom(by count: Int) {
        let isPixelated = photoBox.natural != nil
        zoom { $0.zoom(by: count, isPixelated: isPixelated) }
    }

    private mutating func pan(right: Int = 0, down: Int = 0) {
        _ = viewport.pan(
            right: right, down: down, visible: viewport.visible(of: photoSize, in: photoBox, cell: cell))
    }

    private mutating func enterGrid() -> [BrowseAction] {
        guard let index = cursor.current?.index else { return [] }
        mode = .grid
        viewport = Viewport()
        grid.selected = index
        return [.rest] + scroll()
    }

    mutating func pressInGrid(_ key: Key) -> [BrowseAction] {
        if let actions = pressSelecting(key) { return actions }
        let former = grid.selected
        let actions = moveInGrid(key)
        if grid.selected != former { grid.selection.reach(grid.selected, in: cursor.run, withShift: false) }
        return actions
    }

    mutating func moveInGrid(_ key: Key) -> [BrowseAction] {
        let columns = gridShape.columns
        switch key {
        case .right, .character("n"), .character("l"): return select(by: 1)
        case .left, .character("p"), .character("h"): return select(by: -1)
        case .down, .wheelDown, .character("j"): return select(by: columns)
        case .up, .wheelUp, .character("k"): return select(by: -columns)
        case .click(let position): return click(position)
        case .pageDown: return page(1)
        case .pageUp: return page(-1)
        case .home: return cursor.isRunFromStart ? select(cursor.run.first) : [.go(1)]
        case .end:
            // Without a known total, the end may be a thousand pages away.
            return cursor.isRunToEnd || cursor.total == nil ? select(cursor.run.last) : [.goToLast]
        case .enter: return open(grid.selected)
        case .character("i"), .character("e"):
            (sidePanel.isShown, sidePanel.showsLook) = (true, key == .character("e"))
            return open(grid.selected)
        case .tab, .escape:
            mode = .photo
            return [.resume]
        default: return []
        }
    }

    private mutating func click(_ position: CellPosition) -> [BrowseAction] {
        guard let offset = gridShape.offset(at: position) else { return [] }
        let entries = cursor.run.dropFirst(grid.top * gridShape.columns)
        guard let index = entries.dropFirst(offset).first?.index else { return [] }
        grid.selected = index
        return open(index)
    }

    private mutating func open(_ index: Int) -> [BrowseAction] {
        mode = .photo
        return [.resume, .go(index)]
    }

    private mutating func page(_ direction: Int) -> [BrowseAction] {
        let shape = gridShape
        grid.top = max(0, grid.top + direction * shape.rows)
        return select(by: direction * shape.columns * shape.rows)
    }

    private mutating func select(by count: Int) -> [BrowseAction] {
        let run = cursor.run
        guard !run.isEmpty else { return [] }
        let last = run.count - 1
        let current = run.firstIndex { ($0.index ?? 0) >= grid.selected } ?? last
        let wanted = current + count + grid.overshoot
        if wanted < 0, current == 0, cursor.isRunFromStart { say("This is the first photo.") }
        if wanted > last, current == last, cursor.isRunToEnd { say(wordsAtEnd) }
        grid.overshoot = cursor.isRunToEnd ? 0 : max(0, wanted - last)
        grid.known = run.count
        grid.selected = run[min(max(0, wanted), last)].index ?? grid.selected
        return scroll()
    }

    private mutating func select(_ entry: IndexedPhoto?) -> [BrowseAction] {
        grid.overshoot = 0
        grid.selected = entry?.index ?? grid.selected
        return scroll()
    }

    /// Selects the photo at `index`, or the one after it; if it is not loaded, the cursor goes there.
    mutating func select(index: Int) -> [BrowseAction] {
        guard let first = cursor.run.first?.index, first <= index,
            let entry = cursor.run.first(where: { ($0.index ?? 0) >= index })
        else { return [.go(index)] }
        return select(entry)
    }

    /// Continues to where keys had led, now that more photos are loaded.
    mutating func extendGrid() -> [BrowseAction] {
        if let search, search.isWaiting { return find(search.direction) }
        if isGathering { return gather() }
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

    /// Goes to the next match, or loads more photos if none is loaded.
    mutating func find(_ direction: PhotoSearch.Direction) -> [BrowseAction] {
        guard var search else { return [] }
        search.direction = direction
        let wasWaiting = search.isWaiting
        search.isWaiting = false
        defer { self.search = search }
        let here = (mode == .grid ? grid.selected : cursor.current?.index) ?? 0
        let candidates =
            direction == .forward
            ? cursor.run.filter { ($0.index ?? 0) > here }
            : cursor.run.reversed().filter { ($0.index ?? 0) < here }
        if let index = candidates.first(where: { search.matches($0.photo) })?.index {
            // What was said meanwhile is over.
            if wasWaiting { notice = nil }
            return mode == .grid ? select(index: index) : [.go(index)]
        }
        let isOver = direction == .forward ? cursor.isRunToEnd : cursor.isRunFromStart
        let text = PlainText.excerpt(search.text)
        let edge = direction == .forward ? cursor.run.last?.index : cursor.run.first?.index
        guard !isOver, let edge else { return say("No other photo matches '\(text)'.") }
        search.isWaiting = true
        say("Looking for '\(text)' beyond photo \(edge) …")
        return [.look(beyond: edge, count: 50)]
    }
}
