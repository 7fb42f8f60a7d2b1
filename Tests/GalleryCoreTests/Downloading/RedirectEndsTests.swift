import Foundation
import GalleryTestSupport
import Testing

@testable import GalleryCore

@Suite(.fewAtOnce, .timeLimit(.minutes(1))) struct RedirectEndsTests {
    private func place(_ source: String, _ end: String) throws -> RedirectEnds.Place? {
        let item = item(1, at: try #require(URL(string: "http://h" + source)))
        return RedirectEnds.Place(
            of: item, try #require(URL(string: end.hasPrefix("/") ? "http://h" + end : end)))
    }

    /// What becomes of photos that end at `ends`, all of which begin before the first ends.
    private func verdicts(_ ends: [(source: String, end: String)], most: Int = 99) async throws
        -> [RedirectEnds.Verdict]
    {
        let places = try ends.map { try #require(try place($0.source, $0.end)) }
        let all = RedirectEnds(mostAtOnce: most)
        for _ in places { all.begin() }
        all.noteLast()
        return await withTaskGroup { group in
            for (number, place) in places.enumerated() {
                group.addTask {
                    let verdict = await all.verdict(on: place) {}
                    all.end()
                    return (number, verdict)
                }
            }
            return await group.reduce(into: places.map { _ in .cancelled }) { $0[$1.0] = $1.1 }
        }
    }

    @Test(arguments: ["/removed-for-ever.gif", "/img/nothing", "https://cdn.example/404"])
    func `two photos that end at one address show nobody's picture, and a third does not`(end: String)
        async throws
    {
        let ends = [("/p/a.jpg", end), ("/p/b.jpg", "/else.jpg"), ("/p/c.jpg", end)]
        #expect(try await verdicts(ends) == [.shared, .alone, .shared])
    }

    @Test(arguments: ["/removed.png", "/pw/images/photo_unavailable_l.png"])
    func `a picture that services have for what is gone needs no second photo`(end: String) async throws {
        #expect(try await verdicts([("/p/a.jpg", end)]) == [.shared])
    }

    @Test func `a picture that is listed twice is a picture`() async throws {
        #expect(try await verdicts([("/p/a.jpg", "/x"), ("/p/a.jpg", "/x")]) == [.alone, .alone])
    }

    @Test func `one alone is let go when all others only wait, or no other may begin`() async throws {
        #expect(try await verdicts([("/p/a.jpg", "/x")]) == [.alone])
        let all = RedirectEnds(mostAtOnce: 1)
        all.begin()
        #expect(await all.verdict(on: try #require(try place("/p/a.jpg", "/x"))) {} == .alone)
    }

    @Test func `where every end is foreign and another, few are held`() async throws {
        let all = RedirectEnds(mostAtOnce: 999)
        let held = Counter()
        for _ in 0..<100 { all.begin() }
        let places = try (0..<100).map { try #require(try place("/p/\($0).jpg", "/cdn/x\($0)y")) }
        await withTaskGroup { group in
            for place in places {
                group.addTask { #expect(await all.verdict(on: place) { _ = held.increment() } == .alone) }
            }
        }
        #expect(held.value == 17)
    }

    @Test func `an end that has the photo's own name holds nothing up`() async throws {
        let all = RedirectEnds(mostAtOnce: 99)
        all.begin()
        all.begin()
        let place = try #require(try place("/id/237/abc_7.jpg?w=1", "/cdn/7/full"))
        #expect(await all.verdict(on: place) { Issue.record("It is held.") } == .alone)
    }

    @Test func `a photo that is where it was is none of these`() throws {
        #expect(try place("/a.jpg", "/a.jpg") == nil)
        #expect(try place("/a.jpg", "file:///a.jpg") == nil)
    }
}
