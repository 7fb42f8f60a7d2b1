import Foundation
import GalleryTestSupport
import Testing

@testable import GalleryCore

@Suite(.fewAtOnce, .timeLimit(.minutes(1))) struct RedirectEndsTests {
    private func url(_ path: String) throws -> URL {
        try #require(URL(string: path.hasPrefix("/") ? "http://h" + path : path))
    }

    /// What becomes of photos that end at `ends`, all of which begin before the first ends.
    private func verdicts(_ ends: [(source: String, end: String)], mostHeld: Int = 16, isOver: Bool = true)
        async throws -> [Bool?]
    {
        let places = try ends.map { (try url($0.source), try url($0.end)) }
        let all = RedirectEnds(mostHeld: mostHeld)
        all.note(items: places.count)
        if isOver { all.note(items: -1) }
        return await withTaskGroup { group in
            for (number, place) in places.enumerated() {
                group.addTask {
                    let verdict = await all.isPlaceholder(place.1, of: place.0, number)
                    all.note(items: -1)
                    return (number, verdict)
                }
            }
            return await group.reduce(into: places.map { _ in nil as Bool? }) { $0[$1.0] = $1.1 }
        }
    }

    @Test(arguments: ["/removed-for-ever.gif", "/img/nothing", "https://cdn.example/404"])
    func `two photos that end at one address show nobody's picture, and a third does not`(end: String)
        async throws
    {
        let ends = [("/p/a.jpg", end), ("/p/b.jpg", "/else.jpg"), ("/p/c.jpg", end)]
        #expect(try await verdicts(ends) == [true, false, true])
    }

    @Test(arguments: ["/removed.png", "/pw/images/photo_unavailable_l.png"])
    func `a picture that services have for what is gone needs no second photo`(end: String) async throws {
        #expect(try await verdicts([("/p/a.jpg", end)], isOver: false) == [true])
    }

    @Test func `a picture that is listed twice is a picture`() async throws {
        #expect(try await verdicts([("/p/a.jpg", "/x"), ("/p/a.jpg", "/x")]) == [false, false])
    }

    @Test(arguments: [0, 1, 16])
    func `where every end is foreign and another, few are held, while others may come`(mostHeld: Int)
        async throws
    {
        let ends = (0...mostHeld).map { ("/p/\($0).jpg", "/cdn/x\($0)y") }
        let found = try await verdicts(ends, mostHeld: mostHeld, isOver: false)
        #expect(found == ends.map { _ in false })
    }

    @Test func `an end that has the photo's own name holds nothing up`() async throws {
        let ends = [("/id/237/abc_7.jpg?w=1", "/cdn/7/full")]
        #expect(try await verdicts(ends, isOver: false) == [false])
    }

    @Test func `a task that is cancelled does not wait, and others do not wait for it`() async throws {
        let all = RedirectEnds(mostHeld: 16)
        let (end, source) = (try url("/x"), try url("/p/a.jpg"))
        all.note(items: 1)
        let task = Task { await all.isPlaceholder(end, of: source, 0) }
        task.cancel()
        #expect(await task.value == nil)
        all.note(items: -2)
    }
}
