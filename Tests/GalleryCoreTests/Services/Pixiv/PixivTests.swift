import Foundation
import GalleryTestSupport
import Testing

@testable import GalleryCore

struct PixivTests {
    struct Case: CustomTestStringConvertible, Sendable {
        let feed: Feed
        var number = 1
        let targets: [String]
        var testDescription: String { "\(feed) \(number)" }
    }

    static let cases = [
        Case(feed: .popular(), targets: ["ranking.php?format=json&mode=daily&p=1"]),
        Case(
            feed: .popular(ranking: "rookie", date: CalendarDay("2022-08-03")), number: 10,
            targets: ["ranking.php?format=json&mode=rookie&date=20220803&p=10"]),
        Case(
            feed: .popular(ranking: "r18g"), number: 2, targets: ["ranking.php?format=json&mode=r18g&p=2"]),
        Case(
            feed: .search("海 sea/100%"),
            targets: [
                "ajax/search/artworks/%E6%B5%B7%20sea%2F100%25?word=%E6%B5%B7%20sea%2F100%25&order=date_d"
                    + "&mode=all&s_mode=s_tag&type=all&p=1"
            ]),
        Case(feed: .user("9153585"), targets: ["ajax/user/9153585/profile/all"]),
        Case(
            feed: .user("https://www.pixiv.net/en/users/9153585/artworks"),
            targets: ["ajax/user/9153585/profile/all"]),
        Case(
            feed: .favorites(of: "273185"), number: 3,
            targets: ["ajax/user/273185/illusts/bookmarks?tag=&offset=100&limit=50&rest=show"]),
        Case(
            feed: .favorites(of: nil),
            targets: ["ajax/user/31415926/illusts/bookmarks?tag=&offset=0&limit=50&rest=show"]),
    ]

    @Test(arguments: cases)
    func `asks for a page of a feed`(_ wanted: Case) throws {
        let pixiv = PixivTape([:], session: PixivTape.session).pixiv
        let exchange = try pixiv.page(
            PageSlice(number: wanted.number, size: 50), of: wanted.feed, cursor: nil)
        #expect(
            exchange.requests.map(\.url.absoluteString) == wanted.targets.map { "http://pixiv.test/\($0)" })
    }

    /// Searches come sixty at a time, whatever is asked for: every edge of their pages and of ours.
    @Test(arguments: [
        (1, 50, [1]), (2, 50, [1, 2]), (3, 50, [2, 3]), (4, 50, [3, 4]), (5, 50, [4, 5]), (6, 50, [5]),
        (7, 50, [6]), (1, 60, [1]), (2, 60, [2]), (8, 60, [8]), (1, 20, [1]), (3, 20, [1]), (4, 20, [2]),
        (1, 100, [1, 2]), (2, 100, [2, 3, 4]), (450, 1, [8]), (60, 1, [1]), (61, 1, [2]),
    ])
    func `finds the pages of a search by arithmetic`(number: Int, size: Int, pages: [Int]) throws {
        let exchange = try PixivTape([:]).pixiv.page(
            PageSlice(number: number, size: size), of: .search("sea"), cursor: nil)
        let asked = exchange.requests.map {
            URLComponents(url: $0.url, resolvingAgainstBaseURL: true)?.queryItems?.last?.value
        }
        #expect(asked == pages.map(String.init))
    }

    @Test
    func `asks for the pages of a work only where it has several`() throws {
        let works = ["100412238", "87598468", "87598469"].map { PhotoID(service: "pixiv", value: $0) }
        let tape = PixivTape([
            "ajax/illust/100412238": "ajax_illust_100412238_2022",
            "ajax/illust/87598468": "made_illust_pages",
            "ajax/illust/87598469": "made_illust_pages",
        ])
        // A list has said of one of them that it has several.
        let photos = zip(works, [1, 1, 3]).map { Photo(id: $0, title: "", pageCount: $1) }
        guard case .send(let first, let read) = try tape.pixiv.details(of: photos) else {
            Issue.record("nothing is asked")
            return
        }
        let site = "http://pixiv.test/ajax/illust/"
        #expect(
            first.map(\.url.absoluteString)
                == works.map { site + $0.value } + [site + "87598469/pages"])
        let second = try read(first.map { .success(tape.reply(to: $0)) }).requests
        #expect(second.map(\.url.absoluteString) == [site + "87598468/pages"])
    }

    @Test
    func `asks for a user's works in batches of at most 48`() throws {
        let works = (1...130).map { "\"\($0)\":null" }.joined(separator: ",")
        let tape = PixivTape([:])
        let all = PixivTape.Answer(200, #"{"error":false,"body":{"illusts":{\#(works)},"manga":[]}}"#)
        let exchange = try tape.pixiv.page(PageSlice(number: 2, size: 50), of: .user("7"), cursor: nil)
        guard case .send(let requests, let read) = exchange else {
            Issue.record("nothing is asked")
            return
        }
        let reply = HTTPReply(head: HTTPHead(status: 200, url: requests[0].url), body: all.body)
        let batches = try read([.success(reply)]).requests.map(\.url.absoluteString)
        func batch(_ ids: some Sequence<Int>) -> String {
            "http://pixiv.test/ajax/user/7/profile/illusts?"
                + ids.map { "ids%5B%5D=\($0)" }.joined(separator: "&")
                + "&work_category=illustManga&is_first_page=0"
        }
        #expect(batches == [batch((33...80).reversed()), batch([32, 31])])
    }

    @Test
    func `goes to the site itself unless told otherwise`() throws {
        let exchange = try Pixiv(base: nil, session: nil)
            .page(PageSlice(number: 1, size: 50), of: .popular(), cursor: nil)
        #expect(
            exchange.requests.map(\.url.absoluteString)
                == ["https://www.pixiv.net/ranking.php?format=json&mode=daily&p=1"])
    }

    @Test
    func `says where it comes from, and carries the session to the site alone`() throws {
        let pixiv = PixivTape([:], session: PixivTape.session).pixiv
        let request = try #require(
            try pixiv.page(PageSlice(number: 1, size: 50), of: .popular(), cursor: nil).requests.first)
        #expect(request.headers["Referer"] == "https://www.pixiv.net/")
        #expect(request.headers["User-Agent"]?.hasPrefix("Mozilla/5.0 (compatible) gallery/") == true)
        #expect(
            request.secrets == [
                .header(name: "Cookie", prefix: "PHPSESSID="): try #require(PixivTape.session)
            ])
        let file = try #require(URL(string: "https://i.pximg.net/img-original/img/1_p0.png"))
        let image = pixiv.image(Rendition(url: file, size: nil))
        #expect(image.url == file)
        #expect(image.headers == request.headers)
        #expect(image.secrets.isEmpty)
    }

    @Test(arguments: [
        ("https://www.pixiv.net/artworks/100412238", "100412238"),
        ("https://www.pixiv.net/en/artworks/100412238#2", "100412238"),
        ("http://pixiv.net/i/7", "7"),
        ("https://www.pixiv.net/member_illust.php?mode=medium&illust_id=87598468", "87598468"),
        ("https://www.pixiv.net/users/9153585", nil),
        ("https://www.pixiv.net/artworks/", nil),
        ("https://www.pixiv.net/artworks/abc", nil),
        ("https://www.pixiv.net/member_illust.php?mode=medium", nil),
        ("https://pixiv.net.example.com/artworks/1", nil),
        ("https://i.pximg.net/artworks/1", nil),
        ("https://i.pximg.net/img-original/img/2022/08/11/23/46/14/100412238_p0.png", "100412238"),
        ("https://i.pximg.net/c/250x250_80_a2/custom-thumb/img/2020/2_p0_custom1200.jpg", "2"),
        ("https://i-cf.pximg.net/img-original/img/2019/74932152_ugoira0.jpg", "74932152"),
        ("https://i1.pixiv.net/img-original/img/2015/12345_p3.jpg", "12345"),
        ("https://i.pximg.net/user-profile/img/2020/9_hash_170.jpg", nil),
        ("https://touch.pixiv.net/member_illust.php?illust_id=8&mode=medium", "8"),
        ("https://pximg.net.example.com/img-original/img/1_p0.png", nil),
    ])
    func `knows its pages by their addresses`(address: String, id: String?) throws {
        let page = try #require(URL(string: address))
        #expect(
            Pixiv(base: nil, session: nil).photo(atPage: page)
                == id.map { PhotoID(service: "pixiv", value: $0) })
    }

    @Test(arguments: [
        (Feed.user("wlop"), "pixiv identifies users by number, not 'wlop'."),
        (
            .user("https://www.pixiv.net/artworks/1"),
            "pixiv identifies users by number, not 'https://www.pixiv.net/artworks/1'."
        ),
        (.popular(ranking: "daily_r18"), "pixiv needs a key, but none is set."),
        (.favorites(of: "1"), "pixiv needs a key, but none is set."),
        (.favorites(of: nil), "pixiv needs a key, but none is set."),
    ])
    func `says what it lacks before anything is sent`(feed: Feed, message: String) {
        let error = #expect(throws: ServiceError.self) { try PixivTape([:]).page(feed) }
        #expect(error?.description == message)
    }

    @Test(arguments: [
        ("https://i.pximg.net/c/240x480/img-master/img/2022/1_p0_master1200.jpg", "img/2022/1_p0"),
        ("https://i.pximg.net/c/250x250_80_a2/custom-thumb/img/2020/2_p0_custom1200.jpg", "img/2020/2_p0"),
        ("https://i.pximg.net/c/250x250_80_a2/img-master/img/2020/3_p0_square1200.jpg", "img/2020/3_p0"),
        ("https://i.pximg.net/c/240x480/img-master/img/2019/4_master1200.jpg", "img/2019/4"),
        ("https://s.pximg.net/common/images/limit_unviewable_s.png", nil as String?),
        ("https://i.pximg.net/img-original/img/2020/5_p0.png", nil), ("", nil),
    ])
    func `a thumbnail tells where the work is at 1200 pixels`(thumbnail: String, path: String?) {
        let preview = PixivAddress.regular(thumbnail, of: PixelSize(width: 2400, height: 600))
        #expect(
            preview?.url.absoluteString
                == path.map { "https://i.pximg.net/img-master/\($0)_master1200.jpg" })
        #expect(preview?.size == path.flatMap { _ in PixelSize(width: 1200, height: 300) })
    }

    @Test
    func `its R-18 rankings are for adults, and nothing else is`() {
        let adult = Pixiv.rankings.filter { PixivTape([:]).pixiv.isAdult(.popular(ranking: $0)) }
        #expect(
            adult == ["daily_r18", "weekly_r18", "male_r18", "female_r18", "daily_r18_ai", "r18g"])
        #expect(![Feed.popular(), .search("r18"), .user("18")].contains(where: PixivTape([:]).pixiv.isAdult))
    }

    @Test(arguments: ["abcdef", "_abc", "12a_x"])
    func `cannot tell whose bookmarks are meant by a session of another form`(session: String) {
        let error = #expect(throws: ServiceError.self) {
            try PixivTape([:], session: Secret(session)).page(.favorites(of: nil))
        }
        #expect(error?.description == "pixiv refused the request: the session does not say whose it is.")
    }

    @Test(arguments: ["..", "1/../2", "", "12a", "１２"])
    func `never asks for a photo whose number is none`(value: String) throws {
        let id = PhotoID(service: "pixiv", value: value)
        let exchange = try PixivTape([:]).pixiv.details(of: [id])
        #expect(exchange.requests.isEmpty)
        let result = try #require(try PixivTape([:]).run(exchange)[id])
        #expect(throws: ServiceError.self) { try result.get() }
    }
}
