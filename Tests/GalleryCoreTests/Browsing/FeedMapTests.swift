import ProductTestSupport
import Testing

@testable import GalleryCore

struct FeedMapTests {
    private func page(_ indexes: [Int], more: Bool = true, total: Int? = nil) -> Page {
        Page(photos: indexes.map { .sample($0) }, total: total, hasMore: more)
    }

    @Test func `a neighbor may be behind a gap, behind a page that has not come, or nowhere`() {
        var map = FeedMap(pageSize: 3, includesAdult: false)
        #expect(map.neighbor(of: 1, .forward) == .unknown(page: 1))
        map.add(page([1, 3]), number: 1)
        #expect(map.neighbor(of: 1, .forward) == .photo(3))
        #expect(map.neighbor(of: 3, .forward) == .unknown(page: 2))
        #expect(map.neighbor(of: 1, .backward) == .end)
        map.add(page([6], more: false), number: 2)
        #expect(map.neighbor(of: 3, .forward) == .photo(6))
        #expect(map.neighbor(of: 6, .forward) == .end)
        #expect(map.run(around: 1).map(\.index) == [1, 3, 6])
        #expect(map.neighbors(of: 1, .forward, count: 5).indexes == [3, 6])
    }

    @Test func `an empty page is passed over, five of them are the feed's end`() {
        var map = FeedMap(pageSize: 2, includesAdult: false)
        map.add(page([1, 2]), number: 1)
        for number in [2, 3, 6, 5] {
            map.add(page([]), number: number)
            #expect(map.neighbor(of: 2, .forward) == .unknown(page: number == 2 ? 3 : 4))
        }
        map.add(page([]), number: 4)
        #expect(map.neighbor(of: 2, .forward) == .end)
    }

    @Test func `a last page that comes again and again is the feed's end`() {
        var map = FeedMap(pageSize: 2, includesAdult: false)
        for number in 1...Page.patience + 1 {
            #expect(
                map.neighbor(of: 2, .forward) == (number == 1 ? .unknown(page: 1) : .unknown(page: number)))
            let repeated = [1, 2].map {
                IndexedPhoto(index: 2 * number - 2 + $0, photo: IndexedPhoto.sample($0).photo)
            }
            map.add(Page(photos: repeated, hasMore: true), number: number)
        }
        #expect(map.neighbor(of: 2, .forward) == .end)
    }

    @Test func `adult photos are passed over unless they are wanted`() {
        let adult = IndexedPhoto(
            index: 2, photo: Photo(id: PhotoID(service: "s", value: "a"), title: "", isAdult: true))
        let page = Page(photos: [.sample(1), adult, .sample(3)], hasMore: false)
        var map = FeedMap(pageSize: 3, includesAdult: false)
        map.add(page, number: 1)
        #expect(map.neighbor(of: 1, .forward) == .photo(3))
        var open = FeedMap(pageSize: 3, includesAdult: true)
        open.add(page, number: 1)
        #expect(open.neighbor(of: 1, .forward) == .photo(2))
    }

    @Test func `what is wanted is looked for as far as patience goes, and on if asked`() {
        var map = FeedMap(pageSize: 2, includesAdult: false, patience: 4) { $0.id.value == "1" }
        map.add(page([1, 2]), number: 1)
        map.add(page([3, 4]), number: 2)
        #expect(map.neighbor(of: 1, .forward) == .unknown(page: 3))
        #expect(map.search(from: 1) == (2, false))
        map.add(page([5, 6]), number: 3)
        #expect(map.neighbor(of: 1, .forward) == .end)
        #expect(map.search(from: 1) == (4, true))
        map.searchOn(from: 1)
        #expect(map.search(from: 1) == (4, false))
        map.add(page([7, 8]), number: 4)
        #expect(map.neighbor(of: 1, .forward) == .unknown(page: 5))
        // Given up by hand, and in vain to the feed's end.
        map.giveUp()
        #expect(map.search(from: 1) == (6, true))
        map.searchOn(from: 1)
        map.add(page([9], more: false), number: 5)
        #expect(map.neighbor(of: 1, .forward) == .end)
        #expect(map.search(from: 1) == (7, false))
        // Backward, the feed's beginning is the end.
        #expect(map.neighbor(of: 9, .backward) == .photo(1))
    }

    @Test func `once something is found, patience is what it was`() {
        var map = FeedMap(pageSize: 2, includesAdult: false, patience: 4) {
            ["1", "7"].contains($0.id.value)
        }
        for number in 1...2 { map.add(page([2 * number - 1, 2 * number]), number: number) }
        map.giveUp()
        #expect(map.neighbor(of: 1, .forward) == .end)
        map.searchOn(from: 1)
        for number in 3...5 { map.add(page([2 * number - 1, 2 * number]), number: number) }
        #expect(map.neighbor(of: 7, .forward) == .unknown(page: 6))
        map.add(page([11, 12]), number: 6)
        #expect(map.neighbor(of: 7, .forward) == .end)
    }

    @Test func `without a limit, all of a feed is looked through`() {
        var map = FeedMap(pageSize: 2, includesAdult: false) { $0.id.value == "none" }
        for number in 1...2000 { map.add(page([2 * number - 1, 2 * number]), number: number) }
        #expect(map.neighbor(of: 1, .forward) == .unknown(page: 2001))
        #expect(map.search(from: 1) == (4000, false))
    }

    @Test func `a photo that a moving ranking repeats keeps its first place`() {
        var map = FeedMap(pageSize: 2, includesAdult: false)
        map.add(page([1, 2]), number: 1)
        let repeated = IndexedPhoto(index: 3, photo: IndexedPhoto.sample(2).photo)
        map.add(Page(photos: [repeated, .sample(4)], hasMore: false), number: 2)
        #expect(map.run(around: 1).map(\.index) == [1, 2, 4])
    }

    @Test(arguments: [
        (7, FeedMap.Arrival.missing(page: 3)), (8, .missing(page: 3)), (9, .stopped(at: nil, .beyond(9))),
        (1, .arrived(1)), (4, .missing(page: 2)), (1000, .stopped(at: nil, .beyond(1000))),
    ])
    func `an index up to the total may be on a page that has not come`(index: Int, arrival: FeedMap.Arrival) {
        var map = FeedMap(pageSize: 3, includesAdult: false)
        map.add(page([1, 2, 3], total: 8), number: 1)
        #expect(map.resolve(.index(index, photo: nil), from: 1) == arrival)
    }

    @Test(arguments: [
        (FeedRoute.steps(1), FeedMap.Arrival.arrived(2)), (.steps(3), .missing(page: 2)),
        (.steps(-1), .stopped(at: nil, .first)), (.index(2, photo: nil), .arrived(2)),
        (.index(8, photo: nil), .arrived(8)), (.index(9, photo: nil), .stopped(at: nil, .beyond(9))),
        (.index(5, photo: nil), .missing(page: 2)), (.last, .arrived(8)),
        (.index(99, photo: nil), .stopped(at: nil, .beyond(99))),
        (.index(1, photo: IndexedPhoto.sample(3).photo.id), .arrived(3)),
        (.index(1, photo: PhotoID(service: "s", value: "gone")), .arrived(1)),
    ])
    func `a route leads as far as is known`(route: FeedRoute, arrival: FeedMap.Arrival) {
        var map = FeedMap(pageSize: 3, includesAdult: false)
        map.add(page([1, 2, 3], total: 8), number: 1)
        map.add(page([7, 8], more: false, total: 8), number: 3)
        #expect(map.resolve(route, from: 1) == arrival)
    }
}
