import Foundation
import GalleryCore
import GalleryTestSupport
import Testing

/// A service that a user of the library writes, with what the documentation promises it.
private struct Pictures: PhotoService {
    let name = "pictures"
    let address: URL

    func pageSizes(of feed: Feed) -> PageSizes { .upTo(50) }

    func page(
        _ slice: PageSlice, of feed: Feed, cursor: PageCursor?
    ) throws(ServiceError) -> Exchange<Page> {
        .ask(HTTPRequest(url: address)) { (reply) throws(ServiceError) in
            let photo = Photo(
                id: PhotoID(service: "pictures", value: "1"),
                title: String(decoding: reply.body, as: UTF8.self))
            return .done(Page(photos: [IndexedPhoto(index: 1, photo: photo)], hasMore: false))
        }
    }

    func details(of photos: [Photo]) throws(ServiceError) -> Exchange<DetailResults> {
        .done(Dictionary(photos.map { ($0.id, .success(PhotoDetail(photo: $0))) }) { first, _ in first })
    }
}

@Suite(.fewAtOnce, .timeLimit(.minutes(1))) struct OwnServiceTests {
    @Test func `a service of one's own has a pace and a cache`() async throws {
        try await withLocalServer(["/list": .json(#""Sea""#)]) { server in
            try await withTemporaryDirectory { folder in
                func title(_ policy: ServicePolicy, cache: URL?) async throws -> String? {
                    let loader = PhotoLoader(
                        Pictures(address: server.url("list")), policy: policy, cache: cache)
                    return try await loader.page(PageSlice(number: 1, size: 20), of: .popular()).photos.first?
                        .photo.title
                }
                let cache = folder.appending(path: "cache")
                for _ in 1...2 { #expect(try await title(.polite, cache: cache) == #""Sea""#) }
                #expect(server.requests.count == 1)
                _ = try await title(.polite, cache: nil)
                let hasty = ServicePolicy(lists: nil, details: nil, interval: nil)
                _ = try await title(hasty, cache: cache)
                #expect(server.requests.count == 3)
                let paced = ServicePolicy(lists: .seconds(60), details: nil, interval: .seconds(1), burst: 2)
                #expect(paced != hasty && paced != .polite)
            }
        }
    }

    @Test func `the catalog of the library knows whose an address is`() throws {
        let catalog = ServiceCatalog()
        let page = try #require(URL(string: "https://www.flickr.com/photos/nasa/123/"))
        #expect(catalog.photo(atPage: page) == PhotoID(service: "flickr", value: "123"))
        let user = try #require(URL(string: "https://www.flickr.com/photos/nasa/"))
        let feed = try #require(catalog.feed(atPage: user))
        #expect(feed.service == "flickr" && feed.feed == .user("nasa"))
    }
}
