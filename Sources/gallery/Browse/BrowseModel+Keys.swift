import GalleryCore

extension BrowseModel {
    /// Takes a key press in; what it asks for is done by somebody else.
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
            // Nine digits are more than any feed has, and fit an integer.
            if let prompt, prompt.count < 9 { self.prompt = prompt + String(digit) }
        case .backspace: prompt = prompt.map { String($0.dropLast()) }
        case .enter:
            let index = prompt.flatMap { Int($0) }
            prompt = nil
            guard let index else { return [] }
            guard index > 0 else {
                notice = Notice(text: "Indexes count from 1.", isError: true)
                return []
            }
            return mode == .grid ? select(index: index) : [.go(index)]
        default: prompt = nil
        }
        return []
    }

    /// Keys that mean the same whatever is shown; `nil` for others.
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
            // Where nobody says how long the feed is, its end may be a thousand pages away.
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
        let place = run.firstIndex { ($0.index ?? 0) >= grid.selected } ?? last
        let wanted = place + count + grid.overshoot
        if wanted < 0, place == 0, cursor.isRunFromStart {
            notice = Notice(text: "This is the first photo.")
        }
        if wanted > last, place == last, cursor.isRunToEnd {
            notice = Notice(text: "This is the last photo.")
        }
        grid.overshoot = cursor.isRunToEnd ? 0 : max(0, wanted - last)
        grid.known = run.count
        grid.selected = run[min(max(0, wanted), last)].index ?? grid.selected
        return scroll()
    }

    /// Selects a photo that has come.
    private mutating func select(_ entry: IndexedPhoto?) -> [BrowseAction] {
        grid.overshoot = 0
        grid.selected = entry?.index ?? grid.selected
        return scroll()
    }

    /// Selects the photo at `index`, or the next one; where it has not come, the cursor goes there.
    private mutating func select(index: Int) -> [BrowseAction] {
        guard let first = cursor.run.first?.index, first <= index,
            let entry = cursor.run.first(where: { ($0.index ?? 0) >= index })
        else { return [.go(index)] }
        return select(entry)
    }

    /// More photos have come: goes on to where the keys had led before.
    mutating func extendGrid() -> [BrowseAction] {
        guard mode == .grid else { return [] }
        guard grid.overshoot > 0, cursor.run.count > grid.known else { return scroll() }
        return select(by: 0)
    }

    /// Keeps the selected photo in view, and the pages around it on their way.
    mutating func scroll() -> [BrowseAction] {
        let shape = gridShape
        let place = cursor.run.firstIndex { ($0.index ?? 0) >= grid.selected } ?? 0
        grid.top = shape.top(for: place, from: grid.top, count: cursor.run.count)
        return [.look(beyond: grid.selected, count: shape.columns * shape.rows * 2)]
    }
}
