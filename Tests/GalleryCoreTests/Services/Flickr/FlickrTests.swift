import Foundation
import GalleryTestSupport
import Testing

@testable import GalleryCore

@Suite(.fewAtOnce) struct FlickrTests {
    private let service = Flickr(base: URL(string: "http://127.0.0.1/rest"), key: Secret("hush"))
    private let empty = Data(#"{"photos":{"page":1,"pages":0,"total":"0","photo":[]},"stat":"ok"}"#.utf8)

    private static let extras =
        "&extras=owner_name,tags,views,license,description,date_taken,o_dims,media,url_sq,url_t,url_q,"
        + "url_s,url_n,url_m,url_z,url_c,url_l,url_h,url_k,url_3k,url_4k,url_f,url_5k,url_6k,url_o,date_upload,path_alias,count_faves"
    private static let json = "&format=json&nojsoncallback=1"

    private func rows(_ ids: some Sequence<Int>, pages: Int, total: Int) -> Data {
        let rows = ids.map { #"{"id":"\#($0)","title":"photo \#($0)"}"# }.joined(separator: ",")
        return Data(#"{"photos":{"pages":\#(pages),"total":\#(total),"photo":[\#(rows)]},"stat":"ok"}"#.utf8)
    }

    // MARK: - Requests

    @Test(arguments: [
        (Feed.popular(), 1, 20, "flickr.interestingness.getList", "&per_page=20&page=1"),
        (.popular(ranking: "interesting"), 1, 500, "flickr.interestingness.getList", "&per_page=500&page=1"),
        (
            .popular(date: CalendarDay("2016-11-09")), 25, 20,
            "flickr.interestingness.getList&date=2016-11-09", "&per_page=20&page=25"
        ),
        (
            .search("a b&c+d"), 200, 20,
            "flickr.photos.search&text=a%20b%26c%2Bd&sort=relevance&media=photos", "&per_page=20&page=200"
        ),
        (
            .user("85853333@N00"), 3, 7, "flickr.people.getPublicPhotos&user_id=85853333%40N00",
            "&per_page=7&page=3"
        ),
        (
            .favorites(of: "85853333@N00"), 1, 20,
            "flickr.favorites.getPublicList&user_id=85853333%40N00", "&per_page=20&page=1"
        ),
    ])
    func `a list is one request with every size`(
        feed: Feed, page: Int, size: Int, method: String, paging: String
    ) throws {
        var conversation = Conversation((suffix: "method=", status: 200, body: empty))
        _ = try conversation.page(of: service, feed, number: page, size: size)
        let address = "http://127.0.0.1/rest?method=" + method + Self.extras + paging + Self.json
        #expect(conversation.asked == [[address]])
    }

    @Test func `favorites without a user are refused before anything is sent`() {
        let error = #expect(throws: ServiceError.self) {
            try service.page(PageSlice(number: 1, size: 20), of: .favorites(of: nil), cursor: nil)
        }
        #expect(error?.description == "flickr lists favorites only of a named user.")
        #expect(error?.hint == "Name a user.")
    }

    @Test func `a key travels apart from the address`() throws {
        let requests = try Flickr(base: nil, key: Secret("hush"))
            .page(PageSlice(number: 1, size: 20), of: .popular(), cursor: nil).requests
        #expect(
            requests[0].url.absoluteString.hasPrefix("https://api.flickr.com/services/rest/?method=flickr."))
        #expect(!"\(requests[0])".contains("hush"))
        #expect(requests[0].secrets == [.query(name: "api_key"): Secret("hush")].compactMapValues { $0 })
    }

    @Test(arguments: [
        Feed.popular(ranking: "interesting"), .popular(date: CalendarDay("2020-01-02")), .user("someone"),
        .favorites(of: "1@N01"),
    ])
    func `without a key the official service is not asked for what needs one`(feed: Feed) {
        let service = Flickr(base: nil, key: nil)
        let error = #expect(throws: ServiceError.self) {
            try service.page(PageSlice(number: 1, size: 20), of: feed, cursor: nil)
        }
        #expect(error?.description == "flickr needs a key, but none is set.")
    }

    // MARK: - Users

    private let lookedUp = Data(#"{"user":{"id":"1@N01","username":{"_content":"x"}},"stat":"ok"}"#.utf8)

    @Test(arguments: [
        (
            Feed.user("jinxlib"), "lookupUser",
            ["lookupUser&url=https%3A%2F%2Fwww.flickr.com%2Fphotos%2Fjinxlib%2F"]
        ),
        (
            .favorites(of: "a-b_9"), "lookupUser",
            ["lookupUser&url=https%3A%2F%2Fwww.flickr.com%2Fphotos%2Fa-b_9%2F"]
        ),
        (
            .user("oddie25"), "findByUsername",
            [
                "lookupUser&url=https%3A%2F%2Fwww.flickr.com%2Fphotos%2Foddie25%2F",
                "findByUsername&username=oddie25",
            ]
        ),
        (.user("Jeremy Brooks"), "findByUsername", ["findByUsername&username=Jeremy%20Brooks"]),
        (.user("風景"), "findByUsername", ["findByUsername&username=%E9%A2%A8%E6%99%AF"]),
    ])
    func `a user is looked up by the name in addresses, then by the name that is shown`(
        feed: Feed, answering: String, lookups: [String]
    ) throws {
        var conversation = Conversation(
            (suffix: answering, status: 200, body: lookedUp),
            (suffix: "lookupUser", status: 200, body: Flickr.failure(1, "User not found")),
            (suffix: "user_id=1%40N01", status: 200, body: rows(1...2, pages: 1, total: 2)))
        let page = try conversation.page(of: service, feed)
        #expect(page.photos.map(\.photo.title) == ["photo 1", "photo 2"])
        #expect(conversation.asked.count == lookups.count + 1)
        for (asked, lookup) in zip(conversation.asked, lookups) {
            #expect(asked.count == 1)
            #expect(asked[0].contains(lookup), "\(asked[0])")
        }
    }

    @Test func `a user nobody knows is missing, by both names`() throws {
        var conversation = Conversation(
            (suffix: "method=", status: 200, body: try Fixture.data("flickr/error_1_user_not_found.json")))
        let error = #expect(throws: ServiceError.self) {
            try conversation.page(of: service, .user("nobody"))
        }
        #expect(error?.description == "flickr has no user 'nobody'.")
        #expect(conversation.asked.count == 2)
    }

    @Test func `a look-up that fails otherwise is not tried under another name`() {
        var conversation = Conversation((suffix: "method=", status: 200, body: Flickr.failure(105)))
        let error = #expect(throws: ServiceError.self) {
            try conversation.page(of: service, .user("nobody"))
        }
        #expect(error?.description == "flickr failed with status 503: Sorry.")
        #expect(conversation.asked.count == 1)
    }

    // MARK: - Pages

    @Test(
        arguments: [
            // Page, photos a page; requests, the places of its photos, whether there are more.
            (.popular(), 1, 20, 1, 1...20, true), (.popular(), 24, 20, 1, 461...480, true),
            (.popular(), 25, 20, 1, 481...500, false), (.popular(), 26, 20, 0, nil, false),
            (.popular(), 1, 500, 1, 1...500, false), (.popular(), 2, 300, 1, 301...500, false),
            (.search("sea"), 8, 500, 1, 3501...4000, false), (.search("sea"), 14, 300, 1, 3901...4000, false),
            (.search("sea"), 4000, 1, 1, 4000...4000, false), (.search("sea"), 9, 500, 0, nil, false),
            (.user("1@N01"), 9, 500, 1, 4001...4500, true),
            (.user("1@N01"), 200, 500, 1, 99501...100000, false), (.user("1@N01"), 201, 500, 1, nil, false),
        ] as [(Feed, Int, Int, Int, ClosedRange<Int>?, Bool)])
    func `any page is one request, and a feed ends where Flickr stops`(
        feed: Feed, number: Int, size: Int, asks: Int, indexes: ClosedRange<Int>?, hasMore: Bool
    ) throws {
        // Flickr tells more than it lists, and repeats photos beyond its end.
        let pages = (100_000 + size - 1) / size
        var conversation = Conversation(
            (suffix: "method=", status: 200, body: rows(1...size, pages: pages, total: 100_000)))
        let page = try conversation.page(of: service, feed, number: number, size: size)
        #expect(conversation.asked.count == asks)
        #expect(page.photos.map(\.index) == (indexes.map { $0.map(Optional.init) } ?? []))
        #expect(page.hasMore == hasMore)
        #expect(page.next == nil)
    }

    @Test(arguments: [
        (#""pages":3,"total":45"#, 1, true), (#""pages":"3","total":"45""#, 2, true),
        (#""pages":3,"total":45"#, 3, false), (#""pages":1,"total":20"#, 1, false),
        // A server that does not count: a full page means more.
        (#""page":1"#, 1, true),
    ])
    func `more follows until the last page, however its number is spelled`(
        envelope: String, number: Int, hasMore: Bool
    ) throws {
        let photos = (1...20).map { #"{"id":\#($0),"title":""}"# }.joined(separator: ",")
        let body = Data("{\"photos\":{\(envelope),\"photo\":[\(photos)]}}".utf8)
        var conversation = Conversation((suffix: "method=", status: 200, body: body))
        let page = try conversation.page(of: service, .search("sea"), number: number)
        #expect(page.hasMore == hasMore)
        #expect(page.photos.count == 20)
    }

    // MARK: - Addresses

    @Test(arguments: [
        ("https://www.flickr.com/photos/jeremybrooks/14118630850/", "14118630850" as String?),
        ("https://flickr.com/photos/139259445@N07/24379963431", "24379963431"),
        ("https://m.flickr.com/photos/a/1/in/photostream/", "1"),
        ("http://WWW.FLICKR.COM/photos/a/1/sizes/o/", "1"),
        ("https://www.flickr.com/photos/jeremybrooks/", nil),
        ("https://www.flickr.com/photos/jeremybrooks/albums/7215", nil),
        ("https://www.flickr.com/photos/tags/2014", nil), ("https://www.flickr.com/people/a/1", nil),
        ("https://notflickr.com/photos/a/1", nil), ("https://example.com/photos/a/1", nil),
        ("https://m.flickr.com/#/photos/a/12", "12"), ("https://www.flickr.com/photo.gne?id=34", "34"),
        ("https://flic.kr/p/9B9y3p", "5648600187"), ("https://flic.kr/p/2kuvWEm/", "50862175152"),
        ("https://flic.kr/p/0", nil), ("https://flic.kr/p/zzzzzzzzzzzzzzzz", nil),
        ("https://flic.kr/s/aHsjd", nil),
        ("https://live.staticflickr.com/7372/14104674717_099249b64a_o.jpg", "14104674717"),
        ("https://farm6.staticflickr.com/5598/14118630850_e2e72b2a28.jpg", "14118630850"),
        ("http://farm1.static.flickr.com/2/1418878_1e92283336_m.jpg?v=0", "1418878"),
        ("https://c1.staticflickr.com/9/8462/8050871234_abc_b.jpg", "8050871234"),
        ("https://live.staticflickr.com/1516/buddyicons/139259445@N07.jpg", nil),
    ])
    func `a photo's page names the photo`(page: String, id: String?) throws {
        #expect(service.photo(atPage: try #require(URL(string: page)))?.value == id)
    }
}
