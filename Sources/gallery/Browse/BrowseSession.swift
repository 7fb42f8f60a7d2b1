import Foundation
import GalleryCore

/// Browsing from the first screen to the last: takes events in, lets the model decide, and does what it asks for.
actor BrowseSession {
    private enum Event: Sendable {
        case terminal(TerminalEvent)
        case cursor(level: Int, PhotoCursorState)
        case words(URL, [String])
        case thumbnail(PhotoID, URL)
        case notice(BrowseModel.Notice)
        case tick
    }

    private let setup: Setup
    private let events = EventQueue<Event>()
    private let screen = Screen()
    private var model: BrowseModel
    private var levels: [BrowseLevel] = []
    private var levelCount = 0
    private var isTicking = false
    private let thumbnails: ThumbnailLoader
    private var thumbnailsAsked: [IndexedPhoto] = []
    private var isOver = false

    init(_ setup: Setup, marks: MarkStore.Marks) {
        self.setup = setup
        model = BrowseModel(size: Self.windowSize)
        model.grid.columns = setup.columns
        model.paints = setup.painter.obstacle == nil
        model.marks = Set(marks.photos.map(\.id))
        if let warning = marks.warning { model.notice = .init(text: warning, isError: true) }
        let events = events
        thumbnails = ThumbnailLoader(setup.shelf) { events.send(.thumbnail($0, $1)) }
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
        let events = events
        let screen = screen
        let drawing = Task.detached { [painter = setup.painter] in
            await screen.run(painter) { events.send(.words($0, $1)) }
        }
        guard RawMode.enter() else { throw NoTerminal() }
        defer {
            drawing.cancel()
            RawMode.leave()
        }
        TerminalInput.start(filter: setup.painter.lateReplies, early: setup.painter.earlyKeys) {
            screen.suspend()
        } emit: {
            events.send(.terminal($0))
        }
        var isInterrupted = false
        while !isOver, !isInterrupted {
            draw()
            isInterrupted = await take(await events.next())
        }
        keepPlace()
        if let level = levels.first {
            setup.context.remember(level, run: (levels.count == 1 ? model.cursor : level.state).run)
        }
        await setup.files.flush()
        return !isInterrupted
    }

    // MARK: - Events

    /// Whether Ctrl-C or a signal was among them.
    private func take(_ events: [Event]) async -> Bool {
        var actions: [BrowseAction] = []
        for event in events {
            switch event {
            case .terminal(.interrupted): return true
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
        if model.mode == .grid, isMoved, let index = state.current?.index { model.grid.selected = index }
        if isMoved { keepPlace() }
        return hasGrown ? model.extendGrid() : []
    }

    private func draw() {
        model.depth = max(0, levels.count - 1)
        model.feed = levels.last?.title ?? ""
        let isColoured = setup.context.abilities.colorsResults
        screen.show(Screen.Sheet(frame: model.frame, theme: model.theme, isColoured: isColoured))
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

    // MARK: - Actions

    private func perform(_ action: BrowseAction) async {
        guard let level = levels.last else { return }
        switch action {
        case .move(let count): await level.cursor.move(by: count)
        case .go(let index): await level.cursor.go(to: index)
        case .goToLast: await level.cursor.goToLast()
        case .retry: await level.cursor.retry()
        case .rest: await level.cursor.rest()
        case .resume: await level.cursor.resume()
        case .look(let index, let count): await level.cursor.look(beyond: index, count: count)
        case .fetch(let photo): fetch(photo)
        case .mark(let photo): await mark(photo, true)
        case .unmark(let photo): await mark(photo, false)
        case .open(let page): await open(page)
        case .author(let photo): await enter(author: photo, level)
        case .back: await goBack()
        case .keep(let theme): setup.files.keep(theme)
        case .quit: isOver = true
        }
    }

    private func push(_ source: Source, _ feed: Feed, at index: Int?, photo: PhotoID? = nil) async throws {
        levelCount += 1
        let level = try setup.shelf.level(levelCount, source, feed)
        let position = index == nil ? await setup.files.positions.lastPosition(in: level.place) : nil
        if var last = levels.popLast() {
            last.mode = model.mode
            last.grid = model.grid
            levels.append(last)
        }
        let start = (index: index ?? position?.index ?? 1, photo: photo ?? position?.photo)
        levels.append(level)
        model.cursor = level.state
        if model.mode != .alone { model.mode = .photo }
        Task { [events] in
            await level.cursor.go(to: start.index, photo: start.photo)
            for await state in level.cursor.states {
                events.send(.cursor(level: level.number, state))
            }
        }
    }

    private func enter(author entry: IndexedPhoto, _ level: BrowseLevel) async {
        guard let author = entry.photo.author else {
            model.notice = .init(text: "The service does not say who made it.", isError: true)
            return
        }
        let service = entry.photo.id.service
        let source = service == level.source.service ? level.source : Source(service: service, base: nil)
        let feed = Feed.user(author.username ?? author.id ?? author.name)
        guard feed != level.feed else {
            model.notice = .init(text: "These are the author's photos.")
            return
        }
        do {
            try await push(source, feed, at: nil)
            await level.cursor.rest()
        } catch let error as any ActionableError {
            model.notice = .init(text: error.description, isError: true)
        } catch {
            model.notice = .init(text: "\(error)", isError: true)
        }
    }

    private func goBack() async {
        guard levels.count > 1 else { return }
        keepPlace()
        await levels.removeLast().cursor.close()
        guard let level = levels.last else { return }
        model.cursor = level.state
        model.mode = level.mode
        model.grid = level.grid
        if level.mode != .grid { await level.cursor.resume() }
    }

    private func mark(_ photo: IndexedPhoto, _ isMarked: Bool) async {
        do {
            if isMarked {
                try await setup.files.marks.mark([photo.photo])
            } else {
                try await setup.files.marks.unmark([photo.photo.id])
            }
            model.notice = .init(text: isMarked ? "Marked." : "No longer marked.")
        } catch {
            if isMarked { model.marks.remove(photo.photo.id) } else { model.marks.insert(photo.photo.id) }
            model.notice = .init(text: error.description, isError: true)
        }
    }

    private func open(_ page: URL) async {
        model.notice = await PageOpener(setup.context.environment).open(page)
    }

    private func fetch(_ entry: IndexedPhoto) {
        model.notice = .init(text: "Fetching \(entry.label) …")
        let fetcher = BrowseFetch(setup)
        Task { [events] in events.send(.notice(await fetcher.fetch(entry))) }
    }

    /// Remembers the photo that is looked at, in the feed it belongs to.
    private func keepPlace() {
        guard let level = levels.last, let entry = model.cursor.current, let index = entry.index else {
            return
        }
        setup.files.keep(.init(index: index, photo: entry.photo.id), in: level.place)
    }
}
