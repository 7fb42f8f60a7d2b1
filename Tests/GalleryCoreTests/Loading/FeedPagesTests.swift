import GalleryTestSupport
import ProductTestSupport
import Testing

@testable import GalleryCore

struct FeedPagesTests {
    /// A walk through pages that a test gives one after the other.
    private struct Walk {
        var pages: FeedPages
        private let given = Watched<Page?>(nil)

        init(_ range: ClosedRange<Int>, pageSize: Int) {
            pages = FeedPages(range, pageSize: pageSize) { [given] _ throws(ServiceError) in
                given.value ?? Page(photos: [], hasMore: false)
            }
        }

        var next: PageSlice? { pages.slice }

        mutating func take(_ page: Page) async throws -> [IndexedPhoto] {
            given.update { $0 = page }
            return try await pages.next() ?? []
        }
    }

    private func page(_ indexes: [Int], more: Bool = true) -> Page {
        Page(photos: indexes.map { .sample($0) }, hasMore: more)
    }

    @Test(arguments: [
        (1...Int.max, 20, 1), (20...Int.max, 20, 1), (21...Int.max, 20, 2), (90...Int.max, 50, 2),
        (450...450, 60, 8), (480...480, 60, 8), (481...481, 60, 9),
    ])
    func `it begins at the page that holds the first index`(range: ClosedRange<Int>, size: Int, page: Int) {
        #expect(Walk(range, pageSize: size).next == PageSlice(number: page, size: size))
    }

    @Test func `it gives what is in the range, page after page, to the feed's end`() async throws {
        var walk = Walk(3...Int.max, pageSize: 2)
        #expect(try await walk.take(page([3, 4])).map(\.index) == [3, 4])
        #expect(try await walk.take(page([5], more: false)).map(\.index) == [5])
        #expect(walk.next == nil)
        #expect(try await walk.take(page([7])).isEmpty)
    }

    @Test func `it ends with the range`() async throws {
        var walk = Walk(2...3, pageSize: 2)
        #expect(try await walk.take(page([1, 2])).map(\.index) == [2])
        #expect(try await walk.take(page([3, 4])).map(\.index) == [3])
        #expect(walk.next == nil)
        var whole = Walk(1...4, pageSize: 2)
        #expect(try await whole.take(page([1, 2])).count == 2)
        #expect(try await whole.take(page([3, 4])).count == 2)
        #expect(whole.next == nil)
    }

    @Test func `a photo that has moved on to a later page comes once`() async throws {
        var walk = Walk(2...Int.max, pageSize: 3)
        _ = try await walk.take(page([1, 2, 3]))
        let moved = [1, 3].map { IndexedPhoto(index: $0 + 3, photo: IndexedPhoto.sample($0).photo) }
        let photos = try await walk.take(Page(photos: moved + [.sample(5)], hasMore: true))
        // The first was before the range, and so was not given before.
        #expect(photos.map(\.photo) == [moved[0].photo, IndexedPhoto.sample(5).photo])
    }

    @Test func `a last page that comes again and again ends it`() async throws {
        var walk = Walk(1...Int.max, pageSize: 2)
        for number in 1...Page.patience + 1 {
            #expect(walk.next == PageSlice(number: number, size: 2))
            let repeated = [1, 2].map {
                IndexedPhoto(index: 2 * number - 2 + $0, photo: IndexedPhoto.sample($0).photo)
            }
            #expect(try await walk.take(Page(photos: repeated, hasMore: true)).count == (number == 1 ? 2 : 0))
        }
        #expect(walk.next == nil)
    }

    @Test func `empty pages are passed over, five of them end it`() async throws {
        var walk = Walk(1...Int.max, pageSize: 2)
        for _ in 1..<Page.patience { #expect(try await walk.take(page([])).isEmpty) }
        #expect(try await walk.take(page([9])).map(\.index) == [9])
        for number in 1...Page.patience {
            #expect(walk.next == PageSlice(number: Page.patience + number, size: 2))
            #expect(try await walk.take(page([])).isEmpty)
        }
        #expect(walk.next == nil)
    }
}
