import Foundation
import GalleryCore
import Synchronization

/// A run of `browse`: receives events, lets the model decide, and carries out what it asks for.
actor BrowseSession {
    enum Event: Sendable {
        case terminal(TerminalEvent)
        case cursor(level: Int, PhotoCursorState)
        case words(URL, [String])
        case thumbnail(PhotoID, URL)
        case notice(BrowseModel.Notice)
        /// How far the download of a photo has come, which `f` started.
        case downloading(PhotoID, BrowseModel.Download)
        /// What came of it.
        case downloaded(PhotoID, BrowseModel.Notice)
        /// What came of moving a photo's file to the trash.
        case trashed(PhotoID, BrowseModel.Notice)
        case tick
        /// A photo's progress bar has been full for a while.
        case settled(PhotoID)
        /// A file was found to be an animation.
        case animation(URL, AnimationTimeline)
        /// The time of an animation's frame is over.
        case frame
        /// The slideshow's time for a photo is over.
        case slide(Int)
    }

    let setup: Setup
    let events = EventQueue<Event>()
    let screen = Screen()
    /// Everything that goes on beside the keys.
    let tasks = OwnedTasks()
    var model: BrowseModel
    var levels: [BrowseLevel] = []
    var levelCount = 0
    private var isTicking = false
    /// The photo whose file was the last to arrive.
    private var readyPhoto: PhotoID?
    /// Once the terminal was asked.
    private var painter: PicturePainter?
    /// The file that was last looked at for an animation.
    private var examined: URL?
    private var isAwaitingFrame = false
    let thumbnails: ThumbnailLoader
    private var thumbnailsAsked: ThumbnailLoader.Wish?
    var isOver = false
    /// Whether a late answer of the terminal has come.
    private var isAnswered = false

    init(_ setup: Setup, marks: MarkStore.Marks) {
        self.setup = setup
        model = BrowseModel(size: Self.windowSize)
        model.grid.columns = setup.columns
        model.isColored = setup.context.abilities.colorsResults
        model.command = setup.command
        model.marks = Set(marks.photos.map(\.id))
        if let warning = marks.warning { model.notice = .init(text: warning, isError: true) }
        let events = events
        thumbnails = ThumbnailLoader(setup.sources) { events.send(.thumbnail($0, $1)) }
    }

    private static var windowSize: Frame.Size {
        let size = TerminalAbilities.size(of: STDOUT_FILENO)
        return Frame.Size(columns: size?.columns ?? 80, rows: size.map { max(1, $0.rows) } ?? 24)
    }

    /// Runs until the user quits, and restores the terminal.
    ///
    /// - Returns: Whether it was quit by a key, and not by Ctrl-C or a signal.
    func run() async throws -> Bool {
        model.theme = await setup.files.theme()
        try await push(setup.source, setup.feed, at: setup.index, photo: setup.photo)
        let signals = TerminalInput.catchSignals()
        guard RawMode.enter(mouse: setup.usesMouse) else { throw NoTerminal() }
        defer { RawMode.leave() }
        // In raw mode, so that even a late answer is not echoed.
        let asked = ContinuousClock.now
        let painter = await PicturePainter.live(setup.picture, setup.context.environment)
        model.paints = painter.obstacle == nil
        model.zooms = painter.zooms
        model.cell = painter.cell
        self.painter = painter
        let answers = painter.answers ?? TerminalAnswers(isComplete: true)
        async let drawing: Void = screen.run(painter) { [events] in events.send(.words($0, $1)) }
        TerminalInput.start(signals, after: answers) { [screen] in
            screen.suspend()
        } emit: { [events] in
            events.send(.terminal($0))
        }
        if setup.startsSlideshow {
            for action in model.play(true) { await perform(action) }
        }
        var isInterrupted = false
        while !isOver, !isInterrupted {
            await draw()
            isInterrupted = await take(await events.next())
        }
        await keepAll()
        for photo in model.downloads.values.sorted(by: { $0.label < $1.label }) {
            let rest =
                photo.progress == nil
                ? "; nothing of it is kept." : ". Its part is kept; fetch it again to continue."
            setup.context.terminal.message("The download of \(photo.label) was stopped\(rest)")
        }
        for level in levels { await level.cursor.close() }
        await thumbnails.close()
        await tasks.end()
        screen.close()
        await drawing
        if !answers.isComplete { await awaitAnswer(until: asked + TerminalQuery.patience) }
        return !isInterrupted
    }

    private func keepAll() async {
        keepPosition()
        if let level = levels.first {
            setup.context.remember(level, run: (levels.count == 1 ? model.cursor : level.state).run)
        }
        await setup.files.flush()
    }

    /// Waits for a late answer of the terminal, lest the shell reads it.
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

    /// Handles events. Returns whether Ctrl-C or a signal was among them.
    private func take(_ events: [Event]) async -> Bool {
        var actions: [BrowseAction] = []
        for event in events {
            switch event {
            case .terminal(.interrupted): return true
            case .terminal(.answered): isAnswered = true
            case .terminal(.redraw):
                model.size = Self.windowSize
                model.cell = painter?.cell ?? .usual
                if model.mode == .grid { actions += model.scroll() }
                screen.redraw()
            case .terminal(.keys(let keys)):
                for key in keys { actions += model.press(key) }
            case .cursor(let level, let state): actions += arrive(state, at: level)
            case .words(let file, let lines):
                model.words[file] = lines
            case .thumbnail(let photo, let file): model.thumbnails[photo] = file
            case .notice(let notice): model.notice = notice
            case .downloading(let photo, let download): model.downloads[photo] = download
            case .downloaded(let photo, let result):
                if let action = model.downloaded(photo, result) {
                    setup.context.terminal.message(PlainText.line(result.text))
                    actions.append(action)
                }
            case .trashed(let photo, let result): actions += model.took(photo, toTrash: result)
            case .tick:
                isTicking = false
                model.tick += 1
            case .settled(let photo): model.settledPhoto = photo
            case .animation(let file, let timeline):
                if file == examined { model.playback = Playback(file: file, timeline: timeline) }
            case .frame:
                isAwaitingFrame = false
                if model.isAnimating, let playback = model.playback {
                    model.playback?.frame = playback.timeline.step(from: playback.frame).frame
                }
            case .slide(let number): actions += model.endSlide(number)
            }
        }
        for action in BrowseAction.merged(actions) { await perform(action) }
        return false
    }

    private func arrive(_ state: PhotoCursorState, at level: Int) -> [BrowseAction] {
        guard let depth = levels.firstIndex(where: { $0.number == level }) else { return [] }
        levels[depth].state = state
        guard depth == levels.count - 1 else { return [] }
        let isMoved = state.current?.index != model.cursor.current?.index
        let hasGrown = state.run.count != model.cursor.run.count
        model.cursor = state
        if case .ready = state.picture, let photo = state.current?.photo.id, photo != readyPhoto {
            readyPhoto = photo
            after(.seconds(1), .settled(photo))
        }
        if isMoved {
            model.detailsTop = 0
            model.viewport = Viewport()
            if let index = state.current?.index { model.grid.selected = index }
            keepPosition()
        }
        return isMoved || hasGrown ? model.extendGrid() : []
    }

    private func draw() async {
        model.depth = max(0, levels.count - 1)
        model.feed = levels.last?.title ?? ""
        screen.show(
            Screen.ThemedFrame(frame: model.frame, theme: model.theme, isColored: model.isColored))
        await askForThumbnails()
        examine()
        if model.isAnimating, !isAwaitingFrame, let playback = model.playback {
            isAwaitingFrame = true
            after(.milliseconds(playback.timeline.step(from: playback.frame).milliseconds), .frame)
        }
        guard model.isSpinning, !isTicking else { return }
        isTicking = true
        after(.milliseconds(100), .tick)
    }

    /// Finds out whether the photo's file is an animation.
    private func examine() {
        guard model.mode != .grid, let file = model.currentFile, file != examined, let painter else {
            return
        }
        examined = file
        model.playback = nil
        tasks.run { [events, box = model.photoBox] in
            guard let timeline = await painter.timeline(of: file, in: box) else { return }
            events.send(.animation(file, timeline))
        }
    }

    /// Sends an event after a while.
    private func after(_ duration: Duration, _ event: Event) {
        tasks.run(after: duration) { [events] in events.send(event) }
    }

    private func askForThumbnails() async {
        let wish = ThumbnailLoader.Wish(photos: model.thumbnailsWanted, makes: model.mode == .grid)
        guard wish != thumbnailsAsked else { return }
        thumbnailsAsked = wish
        await thumbnails.want(wish)
    }
}

extension BrowseSession {
    /// What a session is started with.
    struct Setup: Sendable {
        let context: Context
        let sources: BrowseSources
        let files: BrowseFiles
        let picture: PictureChoice
        let transport: any HTTPTransport
        /// What the key `f` does: what `gallery fetch` does unless told otherwise.
        let settings: FetchSettings
        let source: ServiceAddress
        let feed: FeedReference
        /// The index to open at; `nil` for the last position.
        let index: Int?
        /// The photo that was listed at that index.
        let photo: PhotoID?
        let columns: Int?
        /// Whether clicks and the wheel count as keys.
        let usesMouse: Bool
        /// How long the slideshow shows a photo.
        let slideTime: Duration
        /// Whether the slideshow runs from the start.
        let startsSlideshow: Bool
        /// The words of `--exec`.
        let command: [String]
    }
}

// MARK: - Actions

extension BrowseSession {
    func perform(_ action: BrowseAction) async {
        guard let level = levels.last else { return }
        switch action {
        case .move(let count): await level.cursor.move(by: count)
        case .go(let index): await level.cursor.go(to: index)
        case .goToLast: await level.cursor.goToLast()
        case .retry:
            await level.cursor.retry()
            await thumbnails.retry()
            // A helper that failed or was missing may work now.
            if !model.words.isEmpty { screen.redraw() }
            model.words = [:]
        case .rest: await level.cursor.rest()
        case .resume: await level.cursor.resume()
        case .look(let index, let count): await level.cursor.look(beyond: index, count: count)
        case .fetch(let photo): fetch(photo)
        case .mark(let photo): await mark(photo, true)
        case .unmark(let photo): await mark(photo, false)
        case .open(let page): open(page)
        case .author(let photo): await enter(author: photo, level)
        case .back: await goBack()
        case .view(let file): start("Opening the file …") { await PageOpener($0).open(file: file) }
        case .copy(let text, let name): copy(text, name)
        case .trash(let photo): trash(photo)
        case .run(let file): run(file)
        case .waitForSlide(let number): after(setup.slideTime, .slide(number))
        case .keep(let theme): setup.files.keep(theme)
        case .quit: isOver = true
        }
    }

    func push(_ source: ServiceAddress, _ feed: FeedReference, at index: Int?, photo: PhotoID? = nil)
        async throws
    {
        levelCount += 1
        let level = try setup.sources.level(levelCount, source, feed)
        let position = index == nil ? await setup.files.positions.lastPosition(in: level.key) : nil
        if var last = levels.popLast() {
            last.mode = model.mode
            last.grid = model.grid
            levels.append(last)
        }
        let start = (index: index ?? position?.index ?? 1, photo: photo ?? position?.photo)
        levels.append(level)
        model.cursor = level.state
        if model.mode != .alone { model.mode = .photo }
        await level.cursor.go(to: start.index, photo: start.photo)
        tasks.run { [events] in
            for await state in level.cursor.states {
                events.send(.cursor(level: level.number, state))
            }
        }
    }

    private func enter(author entry: IndexedPhoto, _ level: BrowseLevel) async {
        guard let author = entry.photo.author else {
            model.notice = .init(text: "The service does not name the author.", isError: true)
            return
        }
        let service = entry.photo.id.service
        let source =
            service == level.source.service ? level.source : ServiceAddress(service: service, base: nil)
        let feed = FeedReference.feed(.user(author.username ?? author.id ?? author.name))
        guard feed != level.feed else {
            model.notice = .init(text: "These are already this author's photos.")
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
        keepPosition()
        await levels.removeLast().cursor.close()
        guard let level = levels.last else { return }
        model.cursor = level.state
        model.mode = level.mode
        model.grid = level.grid
        model.viewport = Viewport()
        if level.mode != .grid { await level.cursor.resume() }
    }

    private func mark(_ photo: IndexedPhoto, _ isMarked: Bool) async {
        do {
            if isMarked {
                try await setup.files.marks.mark([photo.photo])
            } else {
                try await setup.files.marks.unmark([photo.photo.id])
            }
            model.notice = .init(text: isMarked ? "Marked." : "Unmarked.")
        } catch {
            if isMarked { model.marks.remove(photo.photo.id) } else { model.marks.insert(photo.photo.id) }
            model.notice = .init(text: error.description, isError: true)
        }
    }

    private func open(_ page: URL) {
        start("Opening the page …") { await PageOpener($0).open(page) }
    }

    /// Runs a program beside browsing; its result goes to the status line.
    private func start(
        _ notice: String,
        _ body: @escaping @Sendable (_ environment: [String: String]) async -> BrowseModel.Notice
    ) {
        model.notice = .init(text: notice)
        let environment = setup.context.environment
        tasks.run { [events] in events.send(.notice(await body(environment))) }
    }

    private func copy(_ text: String, _ name: String) {
        screen.send(ScreenText.copying(text))
        model.notice = .init(text: "Copied the \(name).")
    }

    private func trash(_ photo: IndexedPhoto) {
        guard let file = photo.photo.ownFile else { return }
        model.notice = .init(text: "Moving the file of \(photo.label) to the trash …")
        let trash = Trash(setup.context.environment)
        tasks.run { [events] in events.send(.trashed(photo.photo.id, await trash.move(file))) }
    }

    private func run(_ file: URL) {
        let command = UserCommand(setup.command)
        start("Running '\(setup.command[0])' …") { await command.run(file, $0) }
    }

    private func fetch(_ entry: IndexedPhoto) {
        let photo = entry.photo.id
        guard model.downloads[photo] == nil else { return }
        model.downloads[photo] = BrowseModel.Download(label: entry.label)
        let fetcher = BrowseFetch(setup)
        let isCurrent = model.cursor.current?.photo.id == photo
        let detail = isCurrent ? model.cursor.detail : nil
        tasks.run { [events] in
            let result = await fetcher.fetch(entry, detail) {
                events.send(.downloading(photo, .init(label: entry.label, progress: $0)))
            }
            events.send(.downloaded(photo, result))
        }
    }

    /// Saves the current photo as the position in its feed.
    func keepPosition() {
        guard let level = levels.last, let entry = model.cursor.current, let index = entry.index else {
            return
        }
        setup.files.keep(.init(index: index, photo: entry.photo.id), in: level.key)
    }
}

/// Events in their order of arrival, taken in batches.
///
/// A burst of key presses thereby becomes one move and one redraw.
final class EventQueue<Event: Sendable>: Sendable {
    private struct State {
        var events: [Event] = []
        var waiter: CheckedContinuation<Void, Never>?
    }

    private let state = Mutex(State())

    func send(_ event: Event) {
        let waiter = state.withLock { state in
            state.events.append(event)
            defer { state.waiter = nil }
            return state.waiter
        }
        waiter?.resume()
    }

    /// The events since the last call; waits for the first. There must be one caller only.
    func next() async -> [Event] {
        await withCheckedContinuation { waiter in
            let isReady = state.withLock { state in
                guard state.events.isEmpty else { return true }
                state.waiter = waiter
                return false
            }
            if isReady { waiter.resume() }
        }
        return state.withLock { state in
            defer { state.events = [] }
            return state.events
        }
    }
}

/// Standard input or output is not a terminal that can be used for browsing.
struct NoTerminal: StatusError {
    var description: String { "'browse' needs a terminal." }
    var hint: String? {
        "Use 'gallery show' for a photo's details and 'gallery fetch' to download it."
    }
    var status: ExitStatus { .usage }
}
