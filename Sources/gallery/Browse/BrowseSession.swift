import Curation
import Foundation
import GalleryCore
import PictureFiles
import TerminalPictures

/// A run of `browse`: receives events, lets the model decide, and carries out what it asks for.
actor BrowseSession {
    enum Event: Sendable {
        case terminal(TerminalEvent)
        case cursor(PhotoCursor, PhotoCursorState)
        /// Something that only the model has to know.
        case change(@Sendable (inout BrowseModel) -> [BrowseAction])
        case downloaded(BrowseModel.Download.Key, BrowseModel.Notice)
    }

    let setup: Setup
    let events: EventQueue
    let screen = Screen()
    private let slots: AsyncSemaphore
    /// Everything that goes on beside the keys, by numbers that count up.
    private var tasks: [Int: Task<Void, Never>] = [:]
    private var lastTask = 0
    var lastHold = 0
    var model: BrowseModel
    var levels: [BrowseLevel] = []
    private var readyPhoto: PhotoID?
    /// Once the terminal was asked.
    private(set) var painter: PicturePainter?
    /// How to show pictures where the terminal answers late; `nil` once it has.
    private var painterAfter: (@Sendable (TerminalAnswers) -> PicturePainter)?
    let thumbnails: ThumbnailLoader
    var isOver = false
    private var isInterrupted = false
    private var isAnswered = false

    init(_ setup: Setup, marks: MarkStore.Marks) {
        self.setup = setup
        events = setup.events
        slots = AsyncSemaphore(setup.context.configuration.jobs)
        model = BrowseModel(size: Self.windowSize)
        model.grid.columns = setup.columns
        model.fileSize = setup.fileSize
        model.isColored = setup.context.abilities.colorsResults
        model.hasCommand = setup.command != nil
        model.marks = Set(marks.photos.map(\.id))
        (model.ratings, model.advances) = (setup.ratings, setup.advances)
        if let warning = marks.warning { model.notice = .init(text: warning, isError: true) }
        let events = setup.events
        thumbnails = ThumbnailLoader(setup.sources) { photo, file in
            events.change { model in
                if let file { model.thumbnails[photo] = file }
                if file == nil { model.unreadable.insert(photo) } else { model.unreadable.remove(photo) }
            }
        }
    }

    private static var windowSize: Frame.Size {
        let size = TerminalAbilities.size(of: STDOUT_FILENO)
        return Frame.Size(columns: size?.columns ?? 80, rows: size.map { max(1, $0.rows) } ?? 24)
    }

    /// Runs until the user quits: true if by a key, and not by Ctrl-C or a signal. Restores the terminal.
    func run() async throws -> Bool {
        model.theme = await setup.files.theme()
        try await push(setup.source, setup.feed, at: setup.index, photo: setup.photo)
        let signals = TerminalInput.catchSignals()
        guard RawMode.enter(mouse: setup.usesMouse) else { throw NoTerminal() }
        defer { RawMode.leave() }
        // In raw mode, so that even a late answer is not echoed.
        let asked = ContinuousClock.now
        let detection = await PictureDetection(setup.picture, setup.context.environment, measures: true)
        detection.handOver()
        if !detection.isComplete { painterAfter = detection.painterAfter }
        use(detection.painter)
        async let drawing: Void = screen.run { [events] file, remark in
            events.change { $0.notes.remarks[file] = remark }
        } report: { [events] painter, file, lines in
            events.send(
                .change { model in
                    model.notes.words[file] = lines
                    // What is missing here is missing for every file.
                    let isAlone = file == model.currentFile && painter.obstacle == nil && painter.hasChafa
                    return isAlone ? lines.prefix(1).map { .refuse(file, $0) } : []
                })
        }
        TerminalInput.start(signals, after: detection.parser ?? TerminalParser()) { [screen] in
            screen.alone($0)
        } emit: { [events] in
            events.send(.terminal($0))
        }
        // A resize before signals were caught went unnoticed.
        for action in measureWindow() { await perform(action) }
        if setup.slideshow != nil {
            for action in model.play(true) { await perform(action) }
        }
        while !isOver {
            await draw()
            await take(await events.next())
        }
        await keepAll()
        for level in levels { await level.cursor.close() }
        await thumbnails.close()
        for task in tasks.values { task.cancel() }
        for task in tasks.values { await task.value }
        // Also what downloads had to say at their end.
        await take(events.waiting)
        screen.close()
        await drawing
        if !detection.isComplete { await awaitAnswer(until: asked + TerminalQuery.patience) }
        return !isInterrupted
    }

    private func measureWindow() -> [BrowseAction] {
        model.size = Self.windowSize
        (model.cell, model.resolution) = (painter?.cell ?? .usual, painter?.resolution ?? .usual)
        return model.mode == .grid ? model.scroll() : []
    }

    private func use(_ painter: PicturePainter) {
        self.painter = painter
        model.paints = painter.obstacle == nil
        (model.zooms, model.readsUTF8) = (painter.zooms, painter.support.readsUTF8)
        model.widths = painter.support.answers?.widths ?? .usual
        (model.cell, model.resolution) = (painter.cell, painter.resolution)
        model.isColored = setup.context.abilities.colorsResults && painter.support.colors != .none
        model.notes.words = [:]
        screen.use(painter)
    }

    private func keepAll() async {
        keepPosition()
        if let level = levels.first, !level.feed.isMarked {
            let shown = RememberedFeed(
                service: level.source.service, base: level.source.base, feed: level.feed,
                photos: (levels.count == 1 ? model.cursor : level.state).run)
            // `gallery fetch 7` means photo 7 of it, unless another feed has been listed since.
            if setup.context.remembered?.isSameFeed(as: shown) ?? true { setup.context.remember(shown) }
        }
        await setup.files.flush()
    }

    /// Waits for a late answer of the terminal, so that the shell does not read it.
    private func awaitAnswer(until deadline: ContinuousClock.Instant) async {
        let left = ContinuousClock.now.duration(to: deadline)
        guard !isAnswered, left > .zero else { return }
        DispatchQueue.global().asyncAfter(deadline: .now() + left / .seconds(1)) { [events] in
            events.send(.terminal(.answered(TerminalAnswers())))
        }
        while !isAnswered {
            for case .terminal(.answered) in await events.next() { isAnswered = true }
        }
    }

    // MARK: - Events

    private func take(_ events: [Event]) async {
        var actions: [BrowseAction] = []
        var isAsked = false
        for (place, event) in events.enumerated() {
            switch event {
            case .terminal(.interrupted): (isOver, isInterrupted) = (true, true)
            case .terminal(.answered(let answers)):
                isAnswered = true
                if let painterAfter, answers.isComplete, !isOver { use(painterAfter(answers)) }
                painterAfter = nil
            case .terminal(.redraw):
                actions += measureWindow()
                screen.redraw()
            case .terminal(.keys(let keys)):
                // A question that has not been on the screen is not answered by what came with it.
                if !isAsked { model.type(keys) }
                // A burst becomes one move.
                if case .terminal(.keys)? = events.dropFirst(place + 1).first { continue }
                await carryOut(&actions)
                await pressTyped()
                isAsked = isAsked || model.isAskingForTrash
            case .cursor(let cursor, let state): actions += arrive(state, of: cursor)
            case .change(let change): actions += change(&model)
            case .downloaded(let key, let result):
                if isOver || model.isLeaving { setup.context.terminal.message(PlainText.line(result.text)) }
                actions += model.downloaded(key, result)
            }
        }
        guard !isOver else { return }
        await carryOut(&actions)
        if !model.typed.isEmpty { await pressTyped() }
    }

    func arrive(_ state: PhotoCursorState, of cursor: PhotoCursor) -> [BrowseAction] {
        // It may be late, from a feed that was left.
        guard !isOver, let depth = levels.firstIndex(where: { $0.cursor === cursor }) else { return [] }
        // One that was on its way when a later one was asked for.
        guard state.serial >= levels[depth].state.serial else { return [] }
        levels[depth].state = state
        guard depth == levels.count - 1 else { return [] }
        let isMoved = state.current?.index != model.cursor.current?.index
        let setback = isMoved ? nil : model.cursor.setback?.rendition
        if let new = state.setback, new.rendition != setback,
            state.rendition != nil || !state.picture.isSettled
        {
            model.notice = .init(text: new.line, isError: true)
        }
        let hasGrown =
            state.run.count != model.cursor.run.count || state.passedOver != model.cursor.passedOver
        let wasSettled = model.cursor.picture.isSettled
        model.cursor = state
        if case .ready = state.picture, let photo = state.current?.photo.id, photo != readyPhoto {
            readyPhoto = photo
            after(.seconds(1)) { $0.settledPhoto = photo }
        }
        if isMoved {
            model.sidePanel.top = 0
            // Photos are compared in the same place.
            if model.pin == nil { model.viewport = Viewport() }
            if let index = state.current?.index { model.grid.selected = index }
            model.heldPhoto = state.current?.photo.id
            after(.milliseconds(500)) { [photo = model.heldPhoto] in
                if $0.heldPhoto == photo { $0.heldPhoto = nil }
            }
            keepPosition()
        }
        if state.picture.isSettled, isMoved || !wasSettled { checkContestant() }
        return (isMoved || hasGrown ? model.extendGrid() : []) + model.pairUp()
    }

    private func draw() async {
        model.depth = max(0, levels.count - 1)
        model.feed = levels.last?.title ?? ""
        model.filter = levels.last?.filter?.text ?? ""
        screen.show(model.frame)
        await levels.last?.cursor.view(
            at: model.viewSize, zoom: model.viewport.factor, of: model.cursor.current?.photo.id)
        await thumbnails.want(model.thumbnailWish)
        examine()
        look(painter?.reader)
        if model.isAnimating, !model.animation.isAwaitingFrame, let playback = model.animation.playback {
            model.animation.isAwaitingFrame = true
            after(.milliseconds(playback.timeline.step(from: playback.frame).milliseconds)) { $0.endFrame() }
        }
        if !model.isSpinning { (model.spinner.waited, model.spinner.reason) = (0, nil) }
        guard model.isSpinning, !model.spinner.isTurning else { return }
        model.spinner.isTurning = true
        after(.milliseconds(100)) { model in
            model.spinner.isTurning = false
            model.spinner.step += 1
            model.spinner.waited += 1
        }
    }

    private func examine() {
        guard model.mode != .grid, let file = model.currentFile, file != model.animation.examined, let painter
        else { return }
        model.animation.examined = file
        model.animation.playback = nil
        beside { [events, box = model.photoBox] in
            let picture = try? await PicturePainter.inspected(file).get()
            if let profile = await onThread({ picture?.conversionSource.colorProfile }) {
                events.change { $0.notes.profiles[file] = profile }
            }
            guard let timeline = await painter.timeline(of: file, in: box) else { return }
            events.change { model in
                if file == model.animation.examined {
                    model.animation.playback = Playback(file: file, timeline: timeline)
                }
            }
        }
    }

    func after(_ duration: Duration, _ change: @escaping @Sendable (inout BrowseModel) -> Void) {
        beside { [events] in if (try? await Task.sleep(for: duration)) != nil { events.change(change) } }
    }

    /// Runs `work`, which is canceled at the end.
    func beside(_ work: @escaping @Sendable () async -> Void) {
        lastTask += 1
        tasks[lastTask] = Task { [number = lastTask] in
            await work()
            tasks[number] = nil
        }
    }
}

extension BrowseSession {
    struct Setup: Sendable {
        let context: Context
        /// What is rated already, and what rates.
        let ratings: Ratings
        let rater: PhotoRater
        /// Where what happens beside the keys is told.
        let events: EventQueue
        let sources: BrowseSources
        let files: BrowseFiles
        let picture: PictureChoice
        /// What the key `f` does: what `gallery fetch` does unless told otherwise.
        let settings: FetchSettings
        let source: ServiceAddress
        let feed: FeedReference
        /// The index to open at; `nil` for the last position.
        let index: Int?
        /// The photo that was listed at that index.
        let photo: PhotoID?
        let columns: Int?
        /// The value of `--size`; `nil` for what fills the window.
        let fileSize: PhotoFileSize?
        let usesMouse: Bool
        /// How long a slideshow that runs from the start shows a photo; `nil` for none.
        let slideshow: Duration?
        let advances: Bool
        let command: UserCommand?
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
        case .retry: await retry(level)
        case .giveUp: await level.cursor.giveUp()
        case .rest: await level.cursor.rest()
        case .resume: await level.cursor.resume()
        case .look(let index, let count): await level.cursor.look(beyond: index, count: count)
        case .fetch(let photo): fetch(photo)
        case .bring(let photo, let use): fetch(photo, for: use)
        case .mark(let photos, let isMarked): await mark(photos, isMarked)
        case .rate(let photos, let stars): await rate(photos, stars)
        case .choose(let list): await choose(list: list)
        case .open(let page): start("Opening the page …") { await PageOpener(environment: $0).open(page) }
        case .author(let photo): await enter(author: photo, level)
        case .back: await goBack()
        case .filter(let wish): await filter(wish)
        case .sort: await sort()
        case .enter(let text): await enter(text)
        case .showMarks: await enter(.marked(setup.files.listName), isGrid: true)
        case .refuse(let file, let reason): await level.cursor.refuse(file, because: reason)
        case .view(let file):
            start("Opening the file …") { await PageOpener(environment: $0).open(file: file) }
        case .copy(let text, let name): await copy(text, name)
        case .trash(let items): trash(items)
        case .untrash(let items): untrash(items)
        case .run(let file): run(file)
        case .waitForSlide(let number): waitForSlide(number)
        case .contend(let photos, let isSelection): await contend(photos, isSelection: isSelection)
        case .begin(let photos, let isSelection, let level, let sketches):
            await begin(photos, isSelection: isSelection, on: level, sketches)
        case .keepTournament: keepTournament()
        case .nameRanking: await nameRanking()
        case .keepRanking(let name): await keepRanking(as: name)
        case .keep(let theme): setup.files.keep(theme)
        case .quit: isOver = true
        }
    }

    private func retry(_ level: BrowseLevel) async {
        await level.cursor.retry()
        await thumbnails.retry()
        // A helper that failed or was missing may work now.
        if !model.notes.words.isEmpty { screen.redraw() }
        model.notes.words = [:]
        model.spinner.waited = 0
    }

    private func copy(_ text: String, _ name: String) async {
        screen.send(ScreenText.copying(text))
        let isCopied = await Desktop.copy(text, setup.context.environment)
        model.notice = .init(
            text: isCopied || painter?.support.answers?.takesClipboard == true
                ? "Copied the \(name)."
                : "Sent the \(name) to the terminal, which has not said that programs may copy.")
    }

    private func trash(_ items: [Trash.Item]) {
        handle("Moving to the trash …") {
            await Trash(environment: $0).move(items)
        } take: {
            $0.took(toTrash: $1)
        }
    }

    private func untrash(_ items: [Trash.Item]) {
        handle("Taking back from the trash …") {
            await Trash(environment: $0).takeBack(items)
        } take: {
            $0.tookBack($1)
            return []
        }
    }

    private func run(_ file: URL) {
        guard let command = setup.command else { return }
        start("Running '\(command.words[0])' …") { [slots] environment in
            guard await slots.enter() else { return .init(text: "") }
            defer { slots.leave() }
            return await command.run(file, environment)
        }
    }

    private func waitForSlide(_ number: Int) {
        beside { [events, setup] in
            guard (try? await Task.sleep(for: setup.slideshow ?? .seconds(5))) != nil else { return }
            events.send(.change { $0.endSlide(number) })
        }
    }

    func push(
        _ source: ServiceAddress, _ feed: FeedReference, at index: Int?, photo: PhotoID? = nil,
        filter: BrowseFilter? = nil
    ) async throws {
        let sources = setup.sources
        let list = ListSource(
            try await sources.list(source, feed), loaders: sources.loaders, pictures: sources.pictures)
        let cursor = PhotoCursor(list, viewedAt: nil, includesAdult: sources.includesAdult) {
            [marks = model.marks, ratings = model.ratings] photo in
            filter?.accepts(photo, marks: marks, ratings: ratings) ?? true
        }
        let level = BrowseLevel(source: source, feed: feed, cursor: cursor, filter: filter)
        let position = index == nil ? await setup.files.positions.lastPosition(in: level.key) : nil
        await open(level, at: index ?? position?.index ?? 1, photo: photo ?? position?.photo)
    }

    func open(_ level: BrowseLevel, at index: Int, photo: PhotoID? = nil) async {
        if var last = levels.popLast() {
            last.mode = model.mode
            last.grid = model.grid
            levels.append(last)
        }
        levels.append(level)
        model.cursor = level.state
        model.enterFeed()
        await level.cursor.go(to: index, photo: photo)
        beside { [events] in
            for await state in level.cursor.states { events.send(.cursor(level.cursor, state)) }
        }
    }

    private func enter(author entry: IndexedPhoto, _ level: BrowseLevel) async {
        guard let author = entry.photo.author else {
            return say("The service does not name the author.", isError: true)
        }
        let service = entry.photo.id.service
        let source =
            service == level.source.service ? level.source : ServiceAddress(service: service, base: nil)
        let feed = FeedReference.feed(.user(author.username ?? author.id ?? author.name))
        guard feed != level.feed else { return say("These are already this author's photos.") }
        await enter(feed, at: source)
    }

    func tell(_ error: any Error) { say("\(error)", isError: true) }

    func say(_ text: String, isError: Bool = false) { model.say(text, isError: isError) }

    func goBack() async {
        guard levels.count > 1 else { return }
        keepPosition()
        model.leaveTournament()
        await levels.removeLast().cursor.close()
        guard let level = levels.last else { return }
        model.cursor = level.state
        model.mode = level.mode
        model.grid = level.grid
        model.viewport = Viewport()
        if level.mode != .grid { await level.cursor.resume() }
    }

    private func mark(_ photos: [IndexedPhoto], _ isMarked: Bool) async {
        let store = setup.files.marks
        do {
            if isMarked {
                // The first of them becomes the newest.
                try await store.mark(photos.reversed().map(\.photo))
            } else {
                try await store.unmark(photos.map(\.photo.lastingID))
            }
            let word = isMarked ? "marked" : "unmarked"
            model.say(photos.count == 1 ? "\(word.capitalized)." : "\(photos.count) photos \(word).")
        } catch {
            model.marks.formSymmetricDifference(photos.map(\.photo.lastingID))
            tell(error)
        }
    }

    private func start(
        _ notice: String,
        _ body: @escaping @Sendable (_ environment: [String: String]) async -> BrowseModel.Notice
    ) {
        handle(notice, body) {
            $0.notice = $1
            return []
        }
    }

    func handle<Result: Sendable>(
        _ notice: String, _ body: @escaping @Sendable (_ environment: [String: String]) async -> Result,
        take: @escaping @Sendable (inout BrowseModel, Result) -> [BrowseAction]
    ) {
        model.notice = .init(text: notice)
        beside { [events, environment = setup.context.environment] in
            let result = await body(environment)
            events.send(.change { take(&$0, result) })
        }
    }

    /// Downloads a photo to the folder, or brings its full-size file for `use`.
    private func fetch(_ entry: IndexedPhoto, for use: FileUse? = nil) {
        let key = BrowseModel.Download.Key(photo: entry.photo.id, use: use)
        guard model.downloads[key] == nil else { return }
        model.downloads[key] = BrowseModel.Download(label: entry.label)
        let detail = model.cursor.current?.photo.id == key.photo ? model.cursor.detail : nil
        beside { [events, setup, slots] in
            @Sendable func tell(_ progress: PhotoCursorState.Progress) {
                events.change { $0.downloads[key] = .init(label: entry.label, progress: progress) }
            }
            guard let use else {
                // Many at once would all wait for the same host.
                let hasSlot = await slots.enter()
                defer { if hasSlot { slots.leave() } }
                return events.send(.downloaded(key, await setup.fetch(entry, detail, progress: tell)))
            }
            do {
                let file = try await setup.sources.fullFile(of: entry.photo, detail, progress: tell)
                events.send(.change { [use.action(file)] + $0.downloaded(key, nil) })
            } catch {
                events.send(.downloaded(key, .init(text: "\(entry.label): \(error)", isError: true)))
            }
        }
    }

    func keepPosition() {
        guard let level = levels.last, !level.isTournament, let entry = model.cursor.current,
            let index = entry.index
        else { return }
        setup.files.keep(.init(index: index, photo: entry.photo.id), in: level.key)
    }
}

/// Standard input or output is not a terminal that can be used for browsing.
struct NoTerminal: StatusError {
    var description: String { "'browse' needs a terminal." }
    var hint: String? { "Use 'gallery show' for a photo's details and 'gallery fetch' to download it." }
    var status: ExitStatus { .usage }
}
