import Foundation
import GalleryTestSupport
import TerminalPictures
import Testing

@testable import GalleryCore
@testable import gallery

extension BrowseModel {
    /// Presses keys that came together, as long as none has to wait.
    mutating func press(typed keys: [Key]) -> [BrowseAction] {
        var actions: [BrowseAction] = []
        type(keys)
        while case .pressed(let more) = pressTyped(hasTravelled: false) { actions += more }
        return actions
    }
}

@Suite("Keys typed ahead") struct TypedAheadModelTests {
    private typealias Step = BrowseModel.TypedStep

    /// What becomes of each key in turn, where every one that leads on has arrived, as far as `arrive` says.
    private func steps(
        _ text: String, _ model: inout BrowseModel,
        arrive: (BrowseAction, inout BrowseModel) -> Void = { _, _ in }
    ) -> [BrowseAction] {
        var (actions, done): ([BrowseAction], [BrowseAction]) = ([], [])
        model.type(text.map { $0 == "\n" ? .enter : $0 == "\u{1B}" ? .escape : .character($0) })
        while true {
            switch model.pressTyped(hasTravelled: actions.contains(where: \.travels)) {
            case .pressed(let more): actions += more
            case .settle:
                let merged = BrowseAction.merged(actions)
                for action in merged { arrive(action, &model) }
                done += merged
                actions = []
            case .wait, .done: return done + BrowseAction.merged(actions)
            }
        }
    }

    private func go(_ action: BrowseAction, _ model: inout BrowseModel) {
        let index = model.cursor.current?.index ?? 0
        switch action {
        case .move(let count): model.cursor.current = ScreenState.entry(index + count)
        case .go(let index): model.cursor.current = ScreenState.entry(index)
        default: break
        }
    }

    @Test func `each acts on the photo that those before it lead to`() {
        func entry(_ index: Int) -> IndexedPhoto { ScreenState.entry(index) }
        let cases: [(String, [BrowseAction])] = [
            ("l4", [.move(1), .rate([entry(8)], 4)]),
            ("ll3l5", [.move(2), .rate([entry(9)], 3), .move(1), .rate([entry(10)], 5)]),
            ("g9\nm", [.go(9), .mark([entry(9)], true)]), ("lllhh", [.move(1)]),
            ("3l", [.rate([entry(7)], 3), .move(1)]), ("/Photo 12\nf", [.go(12), .fetch(entry(12))]),
        ]
        for (text, actions) in cases {
            var model = ScreenState.model()
            #expect(steps(text, &model, arrive: go) == actions, "\(text)")
        }
    }

    @Test func `they wait for a photo that has not come, and Escape drops them`() {
        var model = ScreenState.model()
        #expect(steps("ll3l5", &model) { _, model in model.cursor.isWaitingForPage = true } == [.move(2)])
        #expect(model.typed == "3l5".map(Key.character))
        model.hold = .init(number: 1, photo: model.photo?.photo.id)
        // Not before it has come; then on it.
        model.endHold()
        #expect(model.hold != nil)
        var arrived = model
        arrived.cursor.isWaitingForPage = false
        arrived.cursor.current = ScreenState.entry(9)
        arrived.endHold()
        #expect(
            steps("", &arrived, arrive: go) == [
                .rate([ScreenState.entry(9)], 3), .move(1), .rate([ScreenState.entry(10)], 5),
            ])
        // The page has come, and there is no such photo in it.
        var stayed = model
        stayed.cursor.isWaitingForPage = false
        stayed.endHold()
        #expect(stayed.typed.isEmpty && stayed.notice?.isError == true)
        // It takes too long.
        var late = model
        late.endHold(0)
        #expect(late.typed.count == 3)
        late.endHold(1)
        #expect(late.typed.isEmpty && late.notice?.isError == true)
        #expect(steps("\u{1B}", &model) == [] && model.typed.isEmpty)
        // Keys that are about no photo wait for none.
        #expect(steps("q", &model) == [.quit])
    }

    @Test func `before the first photo has come, and in the grid beyond the last`() {
        var model = ScreenState.model()
        model.cursor.current = nil
        #expect(steps("4", &model) == [] && model.typed == [.character("4")])
        var grid = ScreenState.model()
        (grid.mode, grid.cursor.isRunToEnd, grid.grid.overshoot) = (.grid, false, 3)
        #expect(steps("m\n", &grid) == [] && grid.typed.count == 2)
    }

    @Test func `no more are kept than anyone types`() {
        var model = ScreenState.model()
        model.cursor.isWaitingForPage = true
        model.type(Array(repeating: .character("m"), count: 10_000))
        #expect(model.typed.count == 200)
    }
}

@Suite("Keys typed ahead, in a terminal", .fewAtOnce, .timeLimit(.minutes(1))) struct TypedAheadTests {
    /// The marked photos and their stars, after these keys at once.
    private func marked(
        _ keys: String, _ photos: PhotoServer = PhotoServer(count: 60), until text: String
    ) async throws -> [String] {
        try await withGallery(photos) { gallery, _, source in
            let browse = try Browsing(gallery, ["1"] + source)
            try await browse.shows("1 of 60")
            browse.type(keys)
            try await browse.shows(text)
            #expect(try await browse.quit() == 0)
            return try await gallery.run(["marked", "--format", "jsonl"]).lines.map { line in
                let title = line.firstMatch(of: #/"title":"Photo (\d+)"/#).map { String($0.1) } ?? ""
                let stars = line.firstMatch(of: #/"stars":(\d)/#).map { String($0.1) } ?? "0"
                return "\(title):\(stars)"
            }.sorted()
        }
    }

    @Test func `they rate and mark what they lead to`() async throws {
        #expect(try await marked("l4m", until: "Marked") == ["2:4"])
        #expect(try await marked("ml3mll5m", until: "* 4 of 60") == ["1:0", "2:3", "4:5"])
    }

    @Test func `they wait for a page that is slow to come`() async throws {
        let (asked, gate) = (Gate(), Gate())
        let photos = PhotoServer(count: 60) { request, reply in
            guard request.path == "/v1/photos", request.query("page") != "1" else { return reply }
            asked.open()
            return reply.stalled(at: 0, until: gate)
        }
        try await withGallery(photos) { gallery, _, source in
            let browse = try Browsing(gallery, ["1"] + source)
            try await browse.shows("1 of 60")
            browse.type("g45\rm")
            try await asked.wait()
            gate.open()
            try await browse.shows("* 45 of 60")
            #expect(try await browse.quit() == 0)
            #expect(try await gallery.run(["marked", "--format", "jsonl"]).output.contains("Photo 45"))
        }
    }

    @Test func `lines wait in plain text, and do nothing to another photo where one does not come`()
        async throws
    {
        let photos = PhotoServer(count: 60) { request, reply in
            let numbers = ["page", "rpp"].map { request.query($0).flatMap { Int($0) } ?? 1 }
            return numbers[0] * numbers[1] >= 45 ? .status(404) : reply
        }
        try await withGallery(photos) { gallery, _, source in
            let outcome = try await gallery.run(
                ["browse", "--plain", "1"] + source, input: Data("n\n4\ng 45\nm\ng 99\nm\ng 3\nm\n".utf8))
            #expect(outcome.lines.filter { $0 == "Marked." }.count == 1, "\(outcome.all)")
            let marked = try await gallery.run(["marked", "--format", "jsonl"])
            #expect(marked.lines.count == 1 && marked.output.contains("Photo 3\""), "\(marked.all)")
        }
    }
}
