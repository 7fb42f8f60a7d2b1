import GalleryCore
import TerminalPictures

// Keys that are typed ahead: each acts on the photo that those before it lead to, and waits until that has come.

extension BrowseModel {
    /// Keys that wait for a photo.
    struct Hold: Hashable, Sendable {
        /// Tells its timer from that of an earlier one.
        let number: Int
        /// The photo that is left; `nil` before the first has come.
        let photo: PhotoID?
    }

    enum TypedStep: Hashable {
        case pressed([BrowseAction])
        /// What earlier keys ask for comes first, and the photo that this leads to.
        case settle
        case wait
        case done
    }

    static let patienceForTyped = Duration.seconds(5)
    /// More than anyone types ahead is noise.
    private static let mostTyped = 200

    mutating func type(_ keys: [Key]) { typed = Array((typed + keys).prefix(Self.mostTyped)) }

    /// Presses the next key unless something has to happen first; `hasTravelled` if those before lead to other photos.
    mutating func pressTyped(hasTravelled: Bool) -> TypedStep {
        guard let key = typed.first else { return .done }
        if hasTravelled, !isStep(key) { return .settle }
        if isAwaitingPhoto, needsPhoto(key) {
            guard let escape = typed.lastIndex(of: .escape) else { return .wait }
            typed.removeFirst(escape + 1)
            drop("Dropped the keys that were waiting.")
            return .pressed([])
        }
        typed.removeFirst()
        let wasAsking = isAskingForTrash
        let actions = press(key)
        // What came together may be the letters of a text that was pasted: who typed them has not read the question.
        if isAskingForTrash, !wasAsking { typed = [] }
        return .pressed(actions)
    }

    /// Goes on after a wait, which was in vain if the photo is still the same.
    mutating func endHold() {
        guard let held = hold, !isAwaitingPhoto else { return }
        hold = nil
        guard held.photo == photo?.photo.id else { return }
        typed = []
        drop(notice?.text ?? "The keys that were waiting are dropped: there is no such photo.")
    }

    mutating func endHold(_ number: Int) {
        guard hold?.number == number else { return }
        typed = []
        drop("The photo has not come; the keys that were waiting are dropped.")
    }

    private mutating func drop(_ reason: String) {
        hold = nil
        notice = Notice(text: reason, isError: true)
    }

    private var isAwaitingPhoto: Bool {
        isWaitingForPage || search?.isWaiting == true
            || cursor.current == nil && !cursor.isEmpty && cursor.pageError == nil
    }

    /// Whether a key goes to the next or the previous photo, wherever that is: many of them become one move.
    private func isStep(_ key: Key) -> Bool {
        guard mode != .grid, prompt == nil, helpPage == nil, contest == nil, !viewport.isZoomed,
            !sidePanel.isShown
        else { return false }
        var model = self
        let actions = model.press(key)
        if case .move? = actions.first { return actions.count == 1 }
        return false
    }

    private func needsPhoto(_ key: Key) -> Bool {
        guard prompt == nil, helpPage == nil, contest == nil else { return false }
        switch key {
        case .character(let letter):
            return "012345RLvxyYdfamocT+-=Zw".contains(letter) || mode == .grid && "ie ".contains(letter)
        case .enter, .shift: return mode == .grid
        default: return false
        }
    }
}

extension BrowseAction {
    var travels: Bool {
        switch self {
        case .move, .go, .goToLast, .look: true
        default: changesFeed
        }
    }

    /// Whether it leads to another feed, or to another view of the same.
    var changesFeed: Bool {
        switch self {
        case .author, .back, .filter, .sort, .enter, .showMarks: true
        default: false
        }
    }
}

extension BrowseSession {
    /// Presses the keys that were typed, each on the photo that those before it lead to.
    func pressTyped() async {
        model.endHold()
        var actions: [BrowseAction] = []
        loop: while !isOver {
            switch model.pressTyped(hasTravelled: actions.contains(where: \.travels)) {
            case .pressed(let more): actions += more
            case .settle: await carryOut(&actions)
            case .done: break loop
            case .wait:
                if model.hold == nil { hold() }
                break loop
            }
        }
        await carryOut(&actions)
    }

    private func hold() {
        lastHold += 1
        model.hold = .init(number: lastHold, photo: model.photo?.photo.id)
        after(BrowseModel.patienceForTyped) { [number = lastHold] in $0.endHold(number) }
    }

    /// Does what keys and events ask for, and takes up the photo that this leads to.
    func carryOut(_ actions: inout [BrowseAction]) async {
        let asked = BrowseAction.merged(actions)
        actions = []
        let former = levels.last?.cursor
        for action in asked { await perform(action) }
        guard asked.contains(where: \.travels), let level = levels.last else { return }
        for action in arrive(await level.cursor.state, of: level.cursor) { await perform(action) }
        // Keys that follow mean what was not found.
        let isBeyond = if case .beyond? = model.cursor.edge { true } else { false }
        if isBeyond || asked.contains(where: \.changesFeed) && level.cursor === former { model.typed = [] }
    }
}
