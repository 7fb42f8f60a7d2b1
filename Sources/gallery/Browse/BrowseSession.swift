import Foundation
import GalleryCore

/// Browsing from the first screen to the last: takes events in, lets the model decide, and does what it asks for.
actor BrowseSession {
    enum Event: Sendable {
        case terminal(TerminalEvent)
        case cursor(level: Int, PhotoCursorState)
        case words(URL, [String])
        case thumbnail(PhotoID, URL)
        case notice(BrowseModel.Notice)
        case tick
    }

    let setup: Setup
    let events = EventQueue<Event>()
    let screen = Screen()
    var model: BrowseModel
    var levels: [BrowseLevel] = []
    var levelCount = 0
    private var isTicking = false
    let thumbnails: ThumbnailLoader
    private var thumbnailsAsked: [IndexedPhoto] = []
    var isOver = false
    /// Whether the terminal owes no answer.
    private var isAnswered = true

    init(_ setup: Setup, marks: MarkStore.Marks) {
        self.setup = setup
        model = BrowseModel(size: Self.windowSize)
        model.grid.columns = setup.columns
        model.marks = Set(marks.photos.map(\.id))
        if let warning = marks.warning { model.notice = .init(text: warning, isError: true) }
        let events = events
        thumbnails = ThumbnailLoader(setup.sources) { events.send(.thumbnail($0, $1)) }
    }

    private static var windowSize: Frame.Size {
        let size = TerminalAbilities.size(of: STDOUT_FILENO)
        return Frame.Size(columns: size?.columns ?? 80, rows: size.map { max(1, $0.rows) } ?? 24)
    }

    /// Runs until the user has had enough; the terminal is as it was then.
    ///
    /// - Returns: whether it was left by a key, and not by Ctrl-C or a signal.
    func run() async throws -> Bool {
        model.theme = await setup.files.theme()
        try await push(setup.source, setup.feed, at: setup.index, photo: setup.photo)
        let signals = TerminalInput.catchSignals()
        guard RawMode.enter() else { throw NoTerminal() }
        defer { RawMode.leave() }
        // In raw mode, so that an answer is never echoed, however late it comes.
        let asked = ContinuousClock.now
        let painter = await PicturePainter.live(setup.picture, setup.context)
        model.paints = painter.obstacle == nil
        isAnswered = painter.isAnswered
        let drawing = Task.detached { [screen, events] in
            await screen.run(painter) { events.send(.words($0, $1)) }
        }
        TerminalInput.start(signals, filter: painter.lateReplies, early: painter.earlyKeys) { [screen] in
            screen.suspend()
        } emit: { [events] in
            events.send(.terminal($0))
        }
        var isInterrupted = false
        while !isOver, !isInterrupted {
            draw()
            isInterrupted = await take(await events.next())
        }
        await keepAll()
        screen.close()
        await drawing.value
        await awaitAnswer(until: asked + TerminalQuery.patience)
        return !isInterrupted
    }

    private func keepAll() async {
        keepPlace()
        if let level = levels.first {
            setup.context.remember(level, run: (levels.count == 1 ? model.cursor : level.state).run)
        }
        await setup.files.flush()
    }

    /// Leaves no answer of the terminal's to the shell, if it comes in time.
    private func awaitAnswer(until deadline: ContinuousClock.Instant) async {
        let left = ContinuousClock.now.duration(to: deadline)
        guard !isAnswered, left > .zero else { return }
        DispatchQueue.global().asyncAfter(deadline: .now() + left / .seconds(1)) { [events] in
            events.send(.terminal(.answered))
        }
        while !isAnswered {
            for case .terminal(.answered) in await events.next() { isAnswered = true }
        }
    }

    // MARK: - Events

    /// Whether Ctrl-C or a signal was among them.
    private func take(_ events: [Event]) async -> Bool {
        var actions: [BrowseAction] = []
        for event in events {
            switch event {
            case .terminal(.interrupted): return true
            case .terminal(.answered): isAnswered = true
            case .terminal(.redraw):
                model.size = Self.windowSize
                if model.mode == .grid { actions += model.scroll() }
                screen.redraw()
            case .terminal(.keys(let keys)):
                for key in keys { actions += model.press(key) }
            case .cursor(let level, let state): actions += arrive(state, at: level)
            case .words(let file, let lines):
                model.words[file] = lines
            case .thumbnail(let photo, let file): model.thumbnails[photo] = file
            case .notice(let notice): model.notice = notice
            case .tick:
                isTicking = false
                model.tick += 1
            }
        }
        for action in BrowseAction.merged(actions) { await perform(action) }
        return false
    }

    private func arrive(_ state: PhotoCursorState, at level: Int) -> [BrowseAction] {
        guard let place = levels.firstIndex(where: { $0.number == level }) else { return [] }
        levels[place].state = state
        guard place == levels.count - 1 else { return [] }
        let isMoved = state.current?.index != model.cursor.current?.index
        let hasGrown = state.run.count != model.cursor.run.count
        model.cursor = state
        if isMoved {
            if let index = state.current?.index { model.grid.selected = index }
            keepPlace()
        }
        return isMoved || hasGrown ? model.extendGrid() : []
    }

    private func draw() {
        model.depth = max(0, levels.count - 1)
        model.feed = levels.last?.title ?? ""
        let isColoured = setup.context.abilities.colorsResults
        screen.show(Screen.ThemedFrame(frame: model.frame, theme: model.theme, isColoured: isColoured))
        askForThumbnails()
        guard model.isSpinning, !isTicking else { return }
        isTicking = true
        DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(100)) { [events] in
            events.send(.tick)
        }
    }

    private func askForThumbnails() {
        let wanted = model.thumbnailsWanted
        guard wanted != thumbnailsAsked else { return }
        thumbnailsAsked = wanted
        Task { [thumbnails] in await thumbnails.want(wanted) }
    }
}
