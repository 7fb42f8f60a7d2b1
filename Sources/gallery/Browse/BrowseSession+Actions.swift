import Foundation
import GalleryCore

// What keys ask for.
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
            // A helper that failed, or was not installed, may do better now.
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
        case .keep(let theme): setup.files.keep(theme)
        case .quit: isOver = true
        }
    }

    func push(_ source: ServiceAddress, _ feed: Feed, at index: Int?, photo: PhotoID? = nil) async throws {
        levelCount += 1
        let level = try setup.sources.level(levelCount, source, feed)
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
        let source =
            service == level.source.service ? level.source : ServiceAddress(service: service, base: nil)
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

    private func open(_ page: URL) {
        model.notice = .init(text: "Opening the page …")
        let opener = PageOpener(setup.context.environment)
        Task { [events] in events.send(.notice(await opener.open(page))) }
    }

    private func fetch(_ entry: IndexedPhoto) {
        model.notice = .init(text: "Fetching \(entry.label) …")
        let fetcher = BrowseFetch(setup)
        let isCurrent = model.cursor.current?.photo.id == entry.photo.id
        let detail = isCurrent ? model.cursor.detail : nil
        let isLoading = if isCurrent, case .loading = model.cursor.picture { true } else { false }
        Task { [events] in
            events.send(.notice(await fetcher.fetch(entry, detail, isLoading: isLoading)))
        }
    }

    /// Remembers the photo that is looked at, in the feed it belongs to.
    func keepPlace() {
        guard let level = levels.last, let entry = model.cursor.current, let index = entry.index else {
            return
        }
        setup.files.keep(.init(index: index, photo: entry.photo.id), in: level.place)
    }
}
