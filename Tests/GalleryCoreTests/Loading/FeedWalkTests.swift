import GalleryTestSupport
import ProductTestSupport
import Testing

@testable import GalleryCore

struct FeedWalkTests {
    /// A page of ten of a feed: its photos, the total, and whether more follow.
    struct Sent {
        var photos: [Int] = []
        var total: Int?
        var hasMore = false
        var next: String?
        var unreadable = 0
    }

    struct Case: CustomTestStringConvertible {
        let testDescription: String
        let pages: [Sent]
        var isInDoubt = false
        var hasReachedEnd = true
        var boundaries: [Int] = []
    }

    private static let ten = Array(1...10)

    @Test(arguments: [
        Case(
            testDescription: "as many as were told",
            pages: [Sent(photos: ten, total: 13, hasMore: true), Sent(photos: [11, 12, 13], total: 13)]),
        Case(
            testDescription: "fewer in all than were told",
            pages: [Sent(photos: ten, total: 15, hasMore: true), Sent(photos: [11, 12, 13], total: 15)],
            isInDoubt: true),
        Case(
            testDescription: "fewer on the first page than were told",
            pages: [Sent(photos: Array(1...7), total: 10)], isInDoubt: true),
        Case(
            testDescription: "one that was removed between the pages",
            pages: [Sent(photos: ten, total: 13, hasMore: true), Sent(photos: [12, 13], total: 12)],
            isInDoubt: true),
        Case(
            testDescription: "a page that is empty once",
            pages: [Sent(photos: ten, total: 25, hasMore: true), Sent(total: 0)], isInDoubt: true),
        Case(
            testDescription: "a page that was promised without a total",
            pages: [Sent(photos: ten, hasMore: true), Sent()], isInDoubt: true, boundaries: [10]),
        Case(
            testDescription: "one that comes twice",
            pages: [Sent(photos: ten, total: 13, hasMore: true), Sent(photos: [10, 11, 12], total: 13)],
            isInDoubt: true),
        Case(
            testDescription: "one that cannot be read",
            pages: [Sent(photos: Array(1...9), total: 10, unreadable: 1)], isInDoubt: true),
        Case(
            testDescription: "a total that is told only once",
            pages: [Sent(photos: ten, total: 13, hasMore: true), Sent(photos: [11, 12, 13])],
            isInDoubt: true, boundaries: [10]),
        Case(
            testDescription: "a total that is told only at the end",
            pages: [Sent(photos: ten, hasMore: true), Sent(photos: [11], total: 11)],
            isInDoubt: true, boundaries: [10]),
        Case(
            testDescription: "pages without a total",
            pages: [Sent(photos: ten, hasMore: true), Sent(photos: [11])], boundaries: [10]),
        Case(
            testDescription: "pages behind a cursor",
            pages: [Sent(photos: ten, hasMore: true, next: "x"), Sent(photos: [11])]),
        Case(testDescription: "an empty feed", pages: [Sent(total: 0)]),
        Case(
            testDescription: "a nonsensical total", pages: [Sent(photos: [1], total: .min)]),
        Case(
            testDescription: "pages without an end", pages: [Sent(photos: ten, total: .max, hasMore: true)],
            hasReachedEnd: false),
    ])
    func `what pages show of photos between them`(test: Case) {
        var (walk, seen) = (FeedWalk(), Set<Int>())
        for (number, sent) in zip(1..., test.pages) {
            let slice = PageSlice(number: number, size: 10)
            let photos = sent.photos.enumerated().map { place, photo in
                IndexedPhoto(index: slice.firstIndex + place, photo: IndexedPhoto.sample(photo).photo)
            }
            let leftOut = (0..<sent.unreadable).map { _ in ImportError.message(service: "s", text: "x") }
            let page = Page(
                photos: photos, total: sent.total, hasMore: sent.hasMore, next: sent.next, leftOut: leftOut)
            walk.take(page, slice, new: sent.photos.count { seen.insert($0).inserted })
        }
        #expect(walk.isInDoubt == test.isInDoubt)
        #expect(walk.hasReachedEnd == test.hasReachedEnd)
        #expect(walk.boundaries.map(\.index) == test.boundaries)
    }
}
