import Curation
import Foundation
import GalleryCore
import TerminalPictures

/// Looks through a feed line by line: for screen readers, terminals that cannot redraw, and pipes. `browse --plain`.
struct PlainBrowse {
    let setup: BrowseSession.Setup
    var places: [Place] = []
    private(set) var marked: Set<PhotoID>
    private(set) var ratings: Ratings
    private var detail: PhotoDetail?
    private var sought: PhotoSearch?
    private var undo: [(photo: Photo, stars: Int)] = []
    private var trashed: [Trash.Item] = []
    /// Whether the photo that was gone to last has not come: nothing is done to the one before it in its place.
    private var isLost = false

    /// A feed, its photos as far as they are loaded, and where one is in it.
    struct Place {
        var photos: IndexedFeed
        var filter: BrowseFilter?
        var index: Int

        var source: ServiceAddress { photos.requested.address }
        var feed: FeedReference { photos.requested.feed }
        var photo: Photo? { photos.photo(at: index)?.photo }
        var key: BrowsePositions.FeedKey { .init(source, feed) }
        var title: String { feed.title(at: source) }
        /// How many photos in a row are looked at without a match.
        var patience: Int { photos.list.isAtHand ? .max : PhotoList.patience }
    }

    private static let pageSize = 20

    init(_ setup: BrowseSession.Setup, marks: MarkStore.Marks) {
        (self.setup, ratings) = (setup, setup.ratings)
        marked = Set(marks.photos.map(\.id))
    }

    /// Whether the environment asks for plain text: a terminal that cannot redraw, or `ACCESSIBLE`, as elsewhere.
    static func isAskedFor(by environment: [String: String]) -> Bool {
        environment["TERM"] == "dumb" || !(environment["ACCESSIBLE"] ?? "").isEmpty
    }

    mutating func run() async throws {
        try await enter(setup.source, setup.feed, at: setup.index)
        try await show()
        let isTyped = isatty(STDIN_FILENO) == 1
        var isOver = false
        while !isOver {
            if isTyped { try print("> ", end: "") }
            guard let line = await line() else { break }
            let command = PlainCommand(line)
            do {
                isOver = try await perform(command)
            } catch let error as any ActionableError {
                isLost = isLost || command.travels
                setup.context.terminal.message("Error: \(PlainText.line(error.description))")
            }
        }
        await setup.files.flush()
    }

    func line() async -> String? { await onThread { readLine() } }

    func print(_ text: String, end: String = "\n") throws {
        try setup.context.terminal.sequence(Array((text + end).utf8)[...])
    }

    func say(_ notice: BrowseModel.Notice) throws {
        try print((notice.isError ? "Error: " : "") + PlainText.line(notice.text))
    }

    // MARK: - Feeds

    /// Goes to a feed, and to a photo of it: that of an index, or the one that was looked at last.
    mutating func enter(_ source: ServiceAddress, _ feed: FeedReference, at index: Int?) async throws {
        let list = try await setup.sources.list(source, feed)
        let last =
            index == nil ? await setup.files.positions.lastPosition(in: .init(source, feed))?.index : nil
        let photos = IndexedFeed(RequestedFeed(address: source, feed: feed, shown: nil), list)
        places.append(Place(photos: photos, index: index ?? last ?? 1))
        if try await photo(at: places[places.count - 1].index) == nil, index == nil {
            places[places.count - 1].index = 1
        }
    }

    /// The photo at an index, loaded with those after it unless it is there; `nil` beyond the end.
    mutating func photo(at index: Int) async throws -> Photo? {
        let here = places.count - 1
        guard index > 0, index <= places[here].photos.total ?? .max else { return nil }
        if let known = places[here].photos.photo(at: index) { return known.photo }
        try await places[here].photos.load(index...(index + Self.pageSize - 1))
        return places[here].photos.photo(at: index)?.photo
    }

    private var entry: IndexedPhoto? {
        guard let place = places.last, let photo = place.photo else { return nil }
        return IndexedPhoto(index: place.index, photo: ratings.applied(to: detail?.photo ?? photo))
    }

    func isShown(_ photo: Photo) -> Bool {
        (setup.sources.includesAdult || !photo.isAdult)
            && places.last?.filter?.accepts(photo, marks: marked, ratings: ratings) ?? true
    }

    /// Goes on by steps of 1 or -1 to the first photo that is shown and `isWanted`; false if there is none. If a
    /// service was asked for many in vain, that is said, and it is true.
    mutating func move(
        by step: Int, from start: Int? = nil, where isWanted: (Photo) -> Bool = { _ in true }
    ) async throws -> Bool {
        guard let place = places.last else { return false }
        var (index, left) = ((start ?? place.index) + step, place.patience)
        while let photo = try await photo(at: index) {
            if isShown(photo), isWanted(photo) {
                try await go(to: index)
                return true
            }
            (index, left) = (index + step, left - 1)
            guard left > 0 else {
                try print("\(place.patience) photos looked at, none passes.")
                return true
            }
        }
        return false
    }

    private mutating func go(to index: Int) async throws {
        places[places.count - 1].index = index
        try await show()
    }

    // MARK: - Photos

    /// Says what is to be seen, then what is known of it.
    mutating func show() async throws {
        isLost = false
        guard let place = places.last, let photo = place.photo else { return try print("No photos.") }
        detail = try? await setup.sources.loaders.details(of: [photo])[photo.id]?.get()
        guard let entry else { return }
        let shown = entry.photo
        let title = PlainText.line(shown.shownTitle)
        let words = Self.words(of: shown)
        let size = shown.size.map { "\($0.width) by \($0.height) pixels" }
        let facts = [
            words == nil ? nil : title, shown.author.map { "by \(PlainText.line($0.name))" }, size,
            shown.license.map(PlainText.line), shown.stars.map { $0 == 1 ? "1 star" : "\($0) stars" },
            marked.contains(shown.lastingID) ? "marked" : nil,
        ]
        let number = "\(place.index)" + (place.photos.total.map { " of \($0)" } ?? "")
        try print("\(number): \(words ?? title)")
        try print("   " + facts.compactMap(\.self).joined(separator: ", "))
        setup.files.keep(.init(index: place.index, photo: photo.id), in: place.key)
    }

    /// What is to be seen: a photo's alternative text, else its description; `nil` without either.
    static func words(of photo: Photo) -> String? {
        [photo.alt, photo.description].lazy.compactMap { $0.map(PlainText.line) }.first { !$0.isEmpty }
    }

    /// Returns whether it is over.
    private mutating func perform(_ command: PlainCommand) async throws -> Bool {
        switch command {
        case .quit: return true
        case .help: try print(PlainCommand.summary)
        case .mistake(let text): try say(.init(text: text, isError: true))
        case .move(let step):
            guard try await !move(by: step) else { break }
            try print(step > 0 ? "This is the last photo." : "This is the first photo.")
        case .go(let index):
            guard try await photo(at: index) != nil else {
                let size = places.last?.photos.total.map { ": the feed has \($0)" } ?? ""
                try print("There is no photo \(index)\(size).")
                isLost = true
                break
            }
            try await go(to: index)
        case .find(let text):
            sought = text.map { PhotoSearch(text: $0) } ?? sought
            guard let search = sought else { break }
            guard try await !move(by: 1, where: search.matches) else { break }
            isLost = true
            try print("No other photo matches '\(PlainText.excerpt(search.text))'.")
        case .back:
            guard places.count > 1 else {
                try print("There is no feed to go back to.")
                break
            }
            places.removeLast()
            try await show()
        case .list(let name):
            marked = Set(try await setup.files.choose(list: name, setup.context.folders).map(\.id))
            try print(name.map { "Marks go into '\($0)'." } ?? "Marks go into the list without a name.")
        case .filter(let wanted): try await filter(by: wanted)
        case .date(let text): try await go(toDate: text)
        case .feed(let text): try await enter(text)
        case .marks: try await open(setup.source, .marked(setup.files.listName))
        case .order: try await sort()
        case .tournament: try await contend()
        case .untrash:
            guard !trashed.isEmpty else { return try fail(BrowseWords.noTrash) }
            let outcome = await Trash(environment: setup.context.environment).takeBack(trashed)
            trashed.removeAll(where: outcome.items.contains)
            try say(outcome.notice)
        default:
            guard let entry else { break }
            guard !isLost || command == .undo else {
                return try fail("The photo has not come; go to one first.")
            }
            try await perform(command, on: entry)
        }
        return false
    }

    private func fail(_ text: String) throws -> Bool {
        try say(.init(text: text, isError: true))
        return false
    }

    private mutating func perform(_ command: PlainCommand, on entry: IndexedPhoto) async throws {
        let environment = setup.context.environment
        switch command {
        case .details:
            let text = DetailText(width: nil, style: Style(isOn: false))
            var whole = detail ?? PhotoDetail(photo: entry.photo)
            whole.photo = entry.photo
            try print(text.lines(entry, whole).joined(separator: "\n"))
        case .fetch: try say(await setup.fetch(entry, detail) { _ in })
        case .mark:
            if marked.remove(entry.photo.lastingID) != nil {
                try await setup.files.marks.unmark([entry.photo.lastingID])
                try print("Unmarked.")
            } else {
                try await setup.files.marks.mark([entry.photo])
                marked.insert(entry.photo.lastingID)
                try print("Marked.")
            }
        case .rate(let stars):
            undo.append((entry.photo, entry.photo.stars ?? 0))
            try await rate(entry.photo, stars)
            if setup.advances { _ = try await perform(.move(1)) }
        case .undo:
            guard let last = undo.popLast() else { return try print("Nothing was rated yet.") }
            try await rate(last.photo, last.stars)
        case .open:
            guard let page = entry.photo.page else { return try print("The photo has no page.") }
            try say(await PageOpener(environment: environment).open(page))
        case .address:
            try print(entry.photo.page.map { PlainText.line($0.absoluteString) } ?? "The photo has no page.")
        case .look:
            let file = try await file(of: entry.photo)
            let reader = PictureReader(Chafa(environment), TrueColors(environment))
            let look = await reader.look(at: WantedLook(file: file, pixels: file))
            let words = [look.clipped, look.remark].compactMap(\.self)
            try print((look.facts(width: nil) + words).joined(separator: "\n"))
        case .trash: try await trash(entry)
        case .run:
            guard let command = setup.command else { return try print(BrowseWords.noCommand) }
            try say(await command.run(try await file(of: entry.photo), environment))
        case .view, .path:
            let file = try await file(of: entry.photo)
            if command == .path { return try print(PlainText.line(file.path)) }
            try say(await PageOpener(environment: environment).open(file: file))
        case .author:
            guard let author = entry.photo.author else {
                return try print("The service does not name the author.")
            }
            let service = entry.photo.id.service
            let source =
                service == setup.source.service ? setup.source : ServiceAddress(service: service, base: nil)
            try await open(source, .feed(.user(author.username ?? author.id ?? author.name)))
        default: break
        }
    }

    private func file(of photo: Photo) async throws -> URL {
        if let own = photo.ownFile { return own }
        return try await setup.sources.fullFile(of: photo, detail) { _ in }
    }

    private mutating func trash(_ entry: IndexedPhoto) async throws {
        guard let file = entry.photo.ownFile else { return try print(BrowseWords.noFile) }
        try print("Move '\(PlainText.excerpt(file.lastPathComponent))' to the trash? Type y or n.")
        guard await line() == "y" else { return try print("It stays.") }
        let item = Trash.Item(photo: entry, file: file)
        let outcome = await Trash(environment: setup.context.environment).move([item])
        if !outcome.items.isEmpty { trashed = outcome.items }
        try say(outcome.notice)
    }

    private mutating func rate(_ photo: Photo, _ stars: Int) async throws {
        let failures = try await setup.rater.rate([photo], stars)
        ratings.rate(photo, stars)
        for failure in failures { setup.context.terminal.message(Failures.line(failure)) }
        try print(stars == 0 ? "Not rated." : stars == 1 ? "1 star." : "\(stars) stars.")
    }
}
