import Testing

@testable import GalleryCore

struct FeedWalkTests {
    private func page(_ indexes: [Int], more: Bool = true) -> Page {
        Page(photos: indexes.map { .sample($0) }, hasMore: more)
    }

    @Test(arguments: [
        (1...Int.max, 20, 1), (20...Int.max, 20, 1), (21...Int.max, 20, 2), (90...Int.max, 50, 2),
        (450...450, 60, 8), (480...480, 60, 8), (481...481, 60, 9),
    ])
    func `it begins at the page that holds the first index`(range: ClosedRange<Int>, size: Int, page: Int) {
        #expect(FeedWalk(range, pageSize: size).next == PageSlice(number: page, size: size))
    }

    @Test func `it gives what is in the range, page after page, to the feed's end`() {
        var walk = FeedWalk(3...Int.max, pageSize: 2)
        #expect(walk.take(page([3, 4])).map(\.index) == [3, 4])
        #expect(walk.take(page([5], more: false)).map(\.index) == [5])
        #expect(walk.next == nil)
        #expect(walk.take(page([7])).isEmpty)
    }

    @Test func `it ends with the range`() {
        var walk = FeedWalk(2...3, pageSize: 2)
        #expect(walk.take(page([1, 2])).map(\.index) == [2])
        #expect(walk.take(page([3, 4])).map(\.index) == [3])
        #expect(walk.next == nil)
        var whole = FeedWalk(1...4, pageSize: 2)
        #expect(whole.take(page([1, 2])).count == 2)
        #expect(whole.take(page([3, 4])).count == 2)
        #expect(whole.next == nil)
    }

    @Test func `a photo that has moved on to a later page comes once`() {
        var walk = FeedWalk(2...Int.max, pageSize: 3)
        _ = walk.take(page([1, 2, 3]))
        let moved = [1, 3].map { IndexedPhoto(index: $0 + 3, photo: IndexedPhoto.sample($0).photo) }
        let photos = walk.take(Page(photos: moved + [.sample(5)], hasMore: true))
        // The first was before the range, and so was not given before.
        #expect(photos.map(\.photo) == [moved[0].photo, IndexedPhoto.sample(5).photo])
    }

    @Test func `a last page that comes again and again ends it`() {
        var walk = FeedWalk(1...Int.max, pageSize: 2)
        for number in 1...FeedWalk.patience + 1 {
            #expect(walk.next == PageSlice(number: number, size: 2))
            let repeated = [1, 2].map {
                IndexedPhoto(index: 2 * number - 2 + $0, photo: IndexedPhoto.sample($0).photo)
            }
            #expect(walk.take(Page(photos: repeated, hasMore: true)).count == (number == 1 ? 2 : 0))
        }
        #expect(walk.next == nil)
    }

    @Test(arguments: [
        (false, nil as Int?, true), (false, 22, true), (false, 41, false), (true, 22, false),
    ])
    func `a list has come to its end where the service says so, and none of its photos is missing`(
        hasMore: Bool, total: Int?, isEnd: Bool
    ) async throws {
        var pages = FeedPages(1...Int.max, pageSize: 20) { slice in
            let photos = (slice.number == 1 ? 1...20 : 21...22).map { IndexedPhoto.sample($0) }
            return Page(photos: photos, total: total, hasMore: slice.number == 1 || hasMore)
        }
        _ = try await pages.next()
        #expect(!pages.hasReachedEnd)
        _ = try await pages.next()
        #expect(pages.hasReachedEnd == isEnd)
    }

    @Test func `empty pages are passed over, five of them end it`() {
        var walk = FeedWalk(1...Int.max, pageSize: 2)
        for _ in 1..<FeedWalk.patience { #expect(walk.take(page([])).isEmpty) }
        #expect(walk.take(page([9])).map(\.index) == [9])
        for number in 1...FeedWalk.patience {
            #expect(walk.next == PageSlice(number: FeedWalk.patience + number, size: 2))
            #expect(walk.take(page([])).isEmpty)
        }
        #expect(walk.next == nil)
    }
}
