import Foundation
import GalleryTestSupport
import Testing

@testable import GalleryCore

@Suite(.fewAtOnce, .timeLimit(.minutes(1))) struct IndexRangeTests {
    /// Of a ranking in which everything moves down by one between two requests.
    @Test func `where two pages of a range meet no photo is there twice`() async throws {
        try await withLocalServer({ request in
            let page = request.query("page").flatMap { Int($0) } ?? 1
            let ids = (1...100).map { page == 1 ? $0 : 99 + $0 }
            let photos = ids.map { #"{"id":\#($0),"name":"","width":4,"height":3}"# }.joined(separator: ",")
            return .json(
                #"{"current_page":\#(page),"total_pages":3,"total_items":300,"photos":[\#(photos)]}"#)
        }) { server in
            let loader = try PhotoLoader(service: "500px", key: "key", at: server.url("v1"))
            let photos = try await loader.photos(1...102, of: .popular()).photos
            #expect(photos.map(\.photo.id.value) == (1...101).map { "\($0)" })
            #expect(photos.last?.index == 102)
            #expect(server.requests.count == 2)
        }
    }

    @Test(arguments: [
        (PageSizes.upTo(100), 1...1, [PageSlice(number: 1, size: 20)]),
        (.upTo(100), 20...20, [PageSlice(number: 1, size: 20)]),
        (.upTo(100), 21...21, [PageSlice(number: 2, size: 20)]),
        (.upTo(100), 450...450, [PageSlice(number: 23, size: 20)]),
        (.upTo(100), 3...9, [PageSlice(number: 1, size: 20)]),
        // Across the edge of a page of 20: another size holds both sides.
        (.upTo(100), 20...21, [PageSlice(number: 7, size: 3)]),
        (.upTo(100), 1...100, [PageSlice(number: 1, size: 100)]),
        (.upTo(100), 101...200, [PageSlice(number: 2, size: 100)]),
        (.upTo(100), 1...101, [PageSlice(number: 1, size: 100), PageSlice(number: 2, size: 100)]),
        (.upTo(100), 50...149, [PageSlice(number: 1, size: 100), PageSlice(number: 2, size: 100)]),
        // Those of fifty, whatever is preferred.
        (.exactly(50), 1...50, [PageSlice(number: 1, size: 50)]),
        (.exactly(50), 50...51, [PageSlice(number: 1, size: 50), PageSlice(number: 2, size: 50)]),
        (.exactly(50), 51...51, [PageSlice(number: 2, size: 50)]),
        (.exactly(50), 100...100, [PageSlice(number: 2, size: 50)]),
        (.exactly(50), 99...151, (2...4).map { PageSlice(number: $0, size: 50) }),
    ])
    func `a range takes as few pages as can be`(
        sizes: PageSizes, range: ClosedRange<Int>, slices: [PageSlice]
    ) {
        #expect(Array(IndexRange.slices(for: range, sizes: sizes, preferred: 20)) == slices)
    }

    @Test func `every range is covered, at every edge`() {
        for first in 1...130 {
            for count in [1, 2, 19, 20, 21, 60, 100, 101, 250] {
                let range = first...(first + count - 1)
                let slices = Array(IndexRange.slices(for: range, sizes: .upTo(100), preferred: 20))
                #expect(slices.allSatisfy { (1...100).contains($0.size) })
                #expect(range.allSatisfy { index in slices.contains { $0.indexes.contains(index) } })
                if count <= 20 { #expect(slices.count == 1) }
            }
        }
    }

    /// What a service gives at once, of each feed that its entry names.
    private static let sizes: [(String, Feed, PageSizes)] = [
        ("sample", .popular(), .upTo(100)), ("sample", .search("a"), .upTo(100)),
        ("sample", .user("a"), .upTo(100)), ("500px", .popular(), .upTo(100)),
        ("500px", .search("a"), .upTo(100)), ("500px", .user("a"), .upTo(100)),
        ("flickr", .popular(), .upTo(500)), ("flickr", .search("a"), .upTo(500)),
        ("flickr", .user("a"), .upTo(500)), ("flickr", .favorites(of: "a"), .upTo(500)),
        ("pixiv", .popular(), .exactly(50)), ("pixiv", .search("a"), .exactly(60)),
        ("pixiv", .user("1"), .upTo(48)), ("pixiv", .favorites(of: nil), .upTo(48)),
        ("commons", .popular(), .upTo(50)), ("commons", .search("a"), .upTo(50)),
        ("commons", .user("a"), .upTo(50)),
        ("feed", .popular(), .upTo(100)), ("iiif", .popular(), .upTo(100)),
        ("folder", .popular(), .upTo(100)),
        ("folder", .search("a"), .upTo(100)), ("folder", .user("a"), .upTo(100)),
        ("artic", .popular(), .upTo(100)), ("artic", .search("a"), .upTo(100)),
        ("cleveland", .popular(), .upTo(100)), ("cleveland", .search("a"), .upTo(100)),
        ("cleveland", .user("a"), .upTo(100)), ("inaturalist", .popular(), .upTo(30)),
        ("inaturalist", .search("a"), .upTo(30)), ("inaturalist", .user("a"), .upTo(30)),
        ("met", .popular(), .upTo(20)), ("met", .search("a"), .upTo(20)), ("met", .user("a"), .upTo(20)),
        ("nasa", .popular(), .upTo(100)), ("nasa", .search("a"), .upTo(100)),
        ("nasa", .user("a"), .upTo(100)), ("openverse", .popular(), .upTo(20)),
        ("openverse", .search("a"), .upTo(20)), ("openverse", .user("a"), .upTo(20)),
        ("picsum", .popular(), .upTo(100)), ("wallhaven", .popular(), .exactly(24)),
        ("wallhaven", .search("a"), .exactly(24)), ("wallhaven", .user("a"), .exactly(24)),
    ]

    @Test func `every feed of every service is looked at here`() {
        let named = ServiceCatalog.entries.flatMap { entry in entry.feeds.map { "\(entry.name) \($0)" } }
        #expect(Self.sizes.map { "\($0.0) \($0.1.word)" } == named)
    }

    @Test(arguments: sizes)
    func `one page holds any index, at every page edge`(
        name: String, feed: Feed, sizes: PageSizes
    ) throws {
        let service = try ServiceCatalog(keys: [:], sample: URL(filePath: "/")).service(
            named: name, base: nil)
        #expect(service.pageSizes(of: feed) == sizes)
        let size = sizes.size(near: PhotoLoader.usualPageSize)
        let edges: [Int] = (1...20).flatMap { page in (-1...1).map { size * page + $0 } }
        for index in edges + [1, 450, 500, 4000] {
            let slices = Array(
                IndexRange.slices(for: index...index, sizes: sizes, preferred: PhotoLoader.usualPageSize))
            #expect(slices == [PageSlice(number: (index - 1) / size + 1, size: size)], "\(index)")
            #expect(slices[0].indexes.contains(index))
        }
    }

    @Test(arguments: [
        // Nothing known: the usual page. A page that begins where the feed can be entered, if there is one.
        (55, [], 41...60), (55, [50], 51...100), (55, [40], 41...60), (55, [52], 53...78),
        (120, [100], 101...120), (30, [20, 40], 21...40), (30, [40], 1...50),
    ])
    func `a feed that goes forward is entered where a cursor is known`(
        index: Int, entries: [Int], indexes: ClosedRange<Int>
    ) {
        let slices = IndexRange.slices(
            for: index...index, sizes: .upTo(50), preferred: 20, entries: Set(entries))
        #expect(slices.map(\.indexes) == [indexes])
    }

    @Test func `a range beyond every feed is not worked out`() {
        let slices = IndexRange.slices(for: 1...999_999_999, sizes: .upTo(100), preferred: 20)
        #expect(slices.count == 10_000_000)
        #expect(slices.last == PageSlice(number: 10_000_000, size: 100))
    }
}
