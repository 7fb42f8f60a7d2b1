import GalleryCore
import GalleryTestSupport
import Testing

@Suite(.fewAtOnce, .timeLimit(.minutes(1)))
struct PhotoCursorTests {
    private let feed = FakeSource()

    /// A cursor that goes to photo `index` of a feed, whose `pages` have come.
    private func open(
        _ other: FakeSource? = nil, pages: Int..., at index: Int
    ) async -> (cursor: PhotoCursor, watch: CursorWatch) {
        let feed = other ?? feed
        for page in pages { feed.answer("page \(page)") }
        let cursor = PhotoCursor(feed)
        let watch = CursorWatch(cursor)
        await cursor.go(to: index)
        return (cursor, watch)
    }

    @Test func `the photo looked at goes first, the next two follow, then the one before`() async throws {
        let (_, watch) = await open(pages: 1, at: 5)
        try await feed.waitFor("file 5")
        #expect(feed.asked("file") == ["file 5"])
        feed.answer("file 5")
        try await watch.first { $0.isReady }
        try await feed.waitFor("file 6")
        try await feed.waitFor("file 7")
        #expect(feed.asked("file") == ["file 5", "file 6", "file 7"])
        feed.answer("file 6")
        try await feed.waitFor("file 4")
        feed.answer("file 7")
        feed.answer("file 4")
        try await watch.first { $0.preload == nil }
        #expect(feed.asked("file") == ["file 5", "file 6", "file 7", "file 4"])
    }

    @Test func `details of the neighbors come in one batch`() async throws {
        let (cursor, watch) = await open(pages: 1, at: 5)
        try await feed.waitFor("details 5 6 7 4")
        feed.answer("details 5 6 7 4")
        try await watch.first { $0.detail != nil }
        await cursor.move(by: 1)
        let state = try await watch.first { $0.index == 6 }
        #expect(state.detail != nil)
        try await feed.waitFor("details 8")
        #expect(feed.asked("details") == ["details 5 6 7 4", "details 8"])
    }

    @Test func `a file whose address only the details know waits for them`() async throws {
        let feed = FakeSource(hasFull: false)
        let (_, watch) = await open(feed, pages: 1, at: 1)
        try await feed.waitFor("details 1 2 3")
        #expect(feed.asked("file").isEmpty)
        feed.answer("details 1 2 3")
        try await feed.waitFor("file 1")
        feed.answer("file 1")
        try await watch.first { $0.isReady }
    }

    @Test func `reaching the last photos of a page fetches the next one by itself, once`() async throws {
        let (cursor, watch) = await open(pages: 1, 2, at: 10)
        try await watch.first { $0.index == 10 }
        #expect(feed.asked("page") == ["page 1"])
        for _ in 11...17 { await cursor.move(by: 1) }
        try await watch.first { $0.run.count == 40 }
        #expect(feed.asked("page") == ["page 1", "page 2"])
    }

    @Test func `steps over the edge of what has come are made once it has`() async throws {
        let (cursor, watch) = await open(pages: 1, at: 20)
        try await watch.first { $0.index == 20 }
        for _ in 0..<3 { await cursor.move(by: 1) }
        await cursor.move(by: -1)
        try await watch.first { $0.isWaitingForPage }
        feed.answer("page 2")
        try await watch.first { $0.index == 22 }
        #expect(feed.asked("page") == ["page 1", "page 2"])
    }

    @Test func `at either end it says so and stays`() async throws {
        let feed = FakeSource(count: 3)
        let (cursor, watch) = await open(feed, pages: 1, at: 1)
        try await watch.first { $0.index == 1 }
        await cursor.move(by: -1)
        try await watch.first { $0.edge == .first && $0.index == 1 }
        await cursor.move(by: 9)
        try await watch.first { $0.edge == .last && $0.index == 3 }
        await cursor.go(to: 9)
        try await watch.first { $0.edge == .beyond(9) && $0.index == 3 }
        await cursor.move(by: -1)
        try await watch.first { $0.edge == nil && $0.index == 2 }
    }

    @Test func `a leap drops what runs, and goes to the feed's last photo without the pages between`()
        async throws
    {
        let (cursor, watch) = await open(pages: 1, 5, at: 1)
        try await feed.waitFor("file 1")
        await cursor.goToLast()
        try await feed.waitFor("file 100")
        try await feed.waitForDrop(of: 1)
        #expect(feed.asked("page") == ["page 1", "page 5"])
        feed.answer("file 100")
        try await watch.first { $0.index == 100 && $0.isReady }
        try await feed.waitFor("file 99")
        try await feed.waitFor("file 98")
    }

    @Test func `an error stays until somebody asks again`() async throws {
        feed.answer("page 1", failing: true)
        let (cursor, watch) = await open(at: 1)
        try await watch.first { $0.pageError != nil && !$0.isWaitingForPage }
        await cursor.retry()
        try await watch.first { $0.index == 1 }
        feed.answer("file 1", failing: true)
        try await watch.first { $0.isFailed }
        await cursor.move(by: 1)
        await cursor.move(by: -1)
        try await watch.first { $0.index == 1 && $0.isFailed }
        #expect(feed.asked("file 1") == ["file 1"])
        await cursor.retry()
        try await watch.first { $0.isReady }
        #expect(feed.asked("file 1") == ["file 1", "file 1"])
    }

    @Test func `who scrolls at rest is told of a page that does not come, and may ask again`() async throws {
        feed.answer("page 2", failing: true)
        let (cursor, watch) = await open(pages: 1, at: 5)
        try await watch.first { $0.index == 5 }
        await cursor.rest()
        await cursor.look(beyond: 5, count: 30)
        let state = try await watch.first { $0.pageError != nil }
        #expect(state.isRunFromStart && !state.isRunToEnd)
        // Scrolling on does not ask for it by itself.
        await cursor.look(beyond: 6, count: 30)
        #expect(feed.asked("page") == ["page 1", "page 2"])
        await cursor.retry()
        await cursor.look(beyond: 6, count: 30)
        try await watch.first { $0.run.count == 40 && $0.pageError == nil }
    }

    @Test func `scrolling leaves an end, and the run says where it reaches`() async throws {
        let feed = FakeSource(count: 45)
        let (cursor, watch) = await open(feed, pages: 1, 2, 3, at: 45)
        try await watch.first { $0.index == 45 && $0.isRunToEnd && !$0.isRunFromStart }
        await cursor.move(by: 1)
        try await watch.first { $0.edge == .last }
        await cursor.look(beyond: 41, count: 30)
        try await watch.first { $0.edge == nil && $0.run.count == 25 && !$0.isRunFromStart }
        await cursor.look(beyond: 41, count: 30)
        try await watch.first { $0.run.count == 45 && $0.isRunFromStart && $0.isRunToEnd }
    }

    @Test func `an empty feed is known to be empty`() async throws {
        let feed = FakeSource(count: 0)
        let (_, watch) = await open(feed, pages: 1, at: 1)
        let state = try await watch.first { $0.isEmpty }
        #expect(state.current == nil)
    }

    @Test func `a feed that has become shorter opens at its beginning`() async throws {
        let feed = FakeSource(count: 3)
        let (_, watch) = await open(feed, pages: 3, 1, at: 50)
        try await watch.first { $0.index == 1 }
    }

    @Test func `resting stops the files and coming back starts them`() async throws {
        let (cursor, watch) = await open(pages: 1, at: 1)
        try await feed.waitFor("file 1")
        await cursor.rest()
        try await feed.waitForDrop(of: 1)
        feed.answer("file 1")
        await cursor.resume()
        try await watch.first { $0.isReady }
    }

    @Test func `closing ends what is under way, and nothing is asked for after it`() async throws {
        let feed = FakeSource(hasFull: false)
        let (cursor, _) = await open(feed, pages: 1, at: 1)
        try await feed.waitFor("details 1 2 3")
        await cursor.close()
        try await feed.waitForDrop(of: "details 1 2 3")
        let asked = feed.asked("")
        await cursor.move(by: 1)
        await cursor.goToLast()
        await cursor.resume()
        await cursor.look(beyond: 20, count: 30)
        await cursor.retry()
        let closed = ContinuousClock.now
        try await until { feed.asked("") != asked || closed.duration(to: .now) > .milliseconds(100) }
        #expect(feed.asked("") == asked)
    }

    @Test func `whether a photo is the last is told once that is sure`() async throws {
        let feed = FakeSource(count: 40)
        let (cursor, watch) = await open(feed, pages: 1, at: 20)
        let state = try await watch.first { $0.index == 20 }
        #expect(state.isLast == nil)
        feed.answer("page 2")
        try await watch.first { $0.isLast == false }
        await cursor.goToLast()
        try await watch.first { $0.index == 40 && $0.isLast == true }
    }

    @Test(arguments: [1, 20, 45])
    func `who moves on at every settled photo meets each once`(count: Int) async throws {
        let clock = TestClock.skipping()
        let feed = FakeSource(count: count) { try await clock.pass(.milliseconds(300)) }
        feed.failNext("file 2")
        let cursor = PhotoCursor(feed)
        await cursor.go(to: 1)
        var met: [Int] = []
        for await state in cursor.states {
            guard let isLast = state.isLast, state.picture.isSettled else { continue }
            met.append(state.index ?? 0)
            if isLast { await cursor.close() } else { await cursor.move(by: 1) }
        }
        #expect(met == Array(1...count))
    }

    @Test func `paging forward, every photo after the first is there before it is looked at`() async throws {
        let clock = TestClock.skipping()
        // No real time: this clock moves itself to the end of each sleep.
        let feed = FakeSource { try await clock.pass(.milliseconds(300)) }
        let (cursor, watch) = await open(feed, at: 1)
        for index in 1...60 {
            // Once the page of the photo after the next has come, for that one is asked for then.
            try await watch.first { state in
                state.index == index && state.isReady && state.run.count >= index + 2 && state.preload == nil
            }
            // Each photo costs one request, two photos before it is looked at: one latency a step.
            #expect(feed.asked("file").count == index + 2)
            await cursor.move(by: 1)
            #expect(await cursor.state.isReady, "photo \(index + 1)")
        }
        #expect(feed.asked("dropped").isEmpty)
    }

    @Test func `a fast run asks for no photo twice, and waits for the last one only`() async throws {
        let (cursor, watch) = await open(pages: 1, at: 1)
        try await watch.first { $0.index == 1 }
        for _ in 2...15 { await cursor.move(by: 1) }
        try await feed.waitFor("file 15")
        let files = feed.asked("file")
        #expect(Set(files).count == files.count)
        #expect(!files.contains("file 16"))
        feed.answer("file 15")
        try await watch.first { $0.index == 15 && $0.isReady }
        try await feed.waitFor("file 16")
        #expect(feed.asked("dropped").allSatisfy { $0 != "dropped 15" && $0 != "dropped 14" })
    }
}
