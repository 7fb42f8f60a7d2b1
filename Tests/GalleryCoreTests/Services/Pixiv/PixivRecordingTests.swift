import Foundation
import GalleryCore
import GalleryTestSupport
import Testing

/// What pixiv was recorded to answer, and what comes of it; `made_` fixtures are modelled on descriptions.
struct PixivRecordingTests {
    private static let master = "https://i.pximg.net/c/240x480/img-master/img"

    @Test
    func `reads a page of a ranking, 2022`() throws {
        let page = try PixivTape(["ranking.php": "ranking_web_weekly_illust_p1_2022"])
            .page(.popular(ranking: "weekly"))
        #expect(page.photos.map(\.index) == Array(1...50))
        #expect(page.total == 500)
        #expect(page.hasMore)
        let photo = try #require(page.photos.first?.photo)
        #expect(photo.id == PhotoID(service: "pixiv", value: "100564879"))
        #expect(photo.title == "FILM RED")
        #expect(photo.author == Author(id: "83739", name: "lack", username: nil))
        #expect(photo.page?.absoluteString == "https://www.pixiv.net/artworks/100564879")
        #expect(photo.size == PixelSize(width: 2937, height: 2541))
        #expect(
            photo.thumbnail?.url.absoluteString
                == "\(Self.master)/2022/08/18/00/00/18/100564879_p0_master1200.jpg")
        #expect(photo.thumbnail?.size == PixelSize(width: 240, height: 208))
        #expect(photo.full == nil)
        #expect(
            photo.renditions.last?.url.absoluteString
                == "https://i.pximg.net/img-master/img/2022/08/18/00/00/18/100564879_p0_master1200.jpg")
        #expect(photo.renditions.last?.size == PixelSize(width: 1200, height: 1038))
        #expect(photo.likes == 13557)
        #expect(photo.views == 107138)
        #expect(photo.rating == nil)
        #expect(photo.published == Date(timeIntervalSince1970: 1_660_748_418))
        #expect(photo.tags == ["ワンピース", "シャンクス", "RED(ONEPIECEの映画)", "ONEPIECE", "ワンピース10000users入り"])
        #expect(!photo.isAdult)
        #expect(photo.pageCount == 1)
        #expect(page.photos.last?.photo.id.value == "100603697")
        #expect(page.photos.map(\.photo.pageCount).max() == 33)
        #expect(page.photos.allSatisfy { !$0.photo.isAdult })
    }

    @Test
    func `reads a page of a ranking, 2020`() throws {
        let page = try PixivTape(["ranking.php": "ranking_web_daily_p2_2020"]).page(.popular(), 2)
        #expect(page.photos.map(\.index) == [51])
        let photo = try #require(page.photos.first?.photo)
        #expect(photo.id.value == "81987309")
        #expect(photo.title == "【伊アオ】髪結い。")
        #expect(photo.author == Author(id: "174995", name: "シロウ"))
        #expect(photo.size == PixelSize(width: 600, height: 2226))
        #expect(photo.thumbnail?.size == PixelSize(width: 129, height: 480))
        #expect(photo.likes == 707)
        #expect(page.total == 500)
        #expect(page.hasMore)
    }

    @Test
    func `reads a ranking as it was in 2015: the page a text, a score instead of likes`() throws {
        let page = try PixivTape(["ranking.php": "made_ranking_2015"]).page(.popular(), 2)
        let photo = try #require(page.photos.first?.photo)
        #expect(page.photos.map(\.index) == [51])
        #expect(photo.pageCount == 12)
        #expect(photo.likes == nil)
        #expect(photo.views == 4005)
        #expect(photo.thumbnail?.url.scheme == "http")
    }

    @Test
    func `leaves out what is withheld without renumbering, and marks what is not for everyone`() throws {
        let page = try PixivTape(["ranking.php": "made_ranking_masked"]).page(.popular())
        #expect(page.photos.map(\.index) == [1, 6, 7, 8])
        #expect(page.photos.map(\.photo.id.value) == ["11", "16", "17", "18"])
        #expect(page.photos.map(\.photo.isAdult) == [false, false, true, true])
    }

    @Test
    func `everything in a ranking for adults is adult`() throws {
        let tape = PixivTape(["ranking.php": "ranking_web_weekly_illust_p1_2022"], session: PixivTape.session)
        let page = try tape.page(.popular(ranking: "weekly_r18"))
        #expect(page.photos.count == 50)
        #expect(page.photos.allSatisfy { $0.photo.isAdult })
    }

    @Test
    func `a ranking ends where the site says it is out of range`() throws {
        let tape = PixivTape(["ranking.php": "404 error_ranking_404_out_of_range"])
        #expect(try tape.page(.popular(), 11) == Page(photos: [], total: nil, hasMore: false))
    }

    // MARK: - Users, bookmarks, searches

    @Test
    func `a user's works are all numbers, the highest first, and then the works`() throws {
        let tape = PixivTape([
            "ajax/user/9153585/profile/all": "ajax_user_profile_all_2022",
            "ajax/user/9153585/profile/illusts": "made_user_illusts",
        ])
        let page = try tape.page(.user("9153585"))
        #expect(page.total == 30)
        #expect(!page.hasMore)
        // Manga stand among the illustrations; works that the batch did not bring keep their places.
        #expect(page.photos.map(\.photo.id.value) == ["97164570", "96581228", "94691329"])
        #expect(page.photos.map(\.index) == [1, 2, 8])
    }

    @Test
    func `a user with nothing uploaded has an empty feed`() throws {
        let tape = PixivTape([
            "ajax/user/7/profile/all": PixivTape.Answer(
                200, #"{"error":false,"message":"","body":{"illusts":[],"manga":[],"novels":[]}}"#)
        ])
        #expect(try tape.page(.user("7")) == Page(photos: [], total: 0, hasMore: false))
    }

    @Test
    func `reads bookmarks`() throws {
        let tape = PixivTape(
            ["ajax/user/43192924/illusts/bookmarks": "ajax_user_bookmarks_2022"], session: PixivTape.session)
        let page = try tape.page(.favorites(of: "43192924"), 2, size: 3)
        #expect(page.photos.map(\.index) == [4, 5, 6])
        #expect(page.total == 3134)
        #expect(page.hasMore)
        let photo = try #require(page.photos.first?.photo)
        #expect(photo.id.value == "81214321")
        #expect(photo.title == "居残り補習JKさん")
        #expect(photo.author == Author(id: "273185", name: "加瀬大輝＠FANBOX"))
        #expect(photo.size == PixelSize(width: 1069, height: 1500))
        #expect(photo.pageCount == 2)
        #expect(photo.thumbnail?.size == PixelSize(width: 250, height: 250))
        #expect(photo.published == Date(timeIntervalSince1970: 1_588_347_042))
        #expect(photo.tags.count == 10)
        #expect(photo.description == nil)
        #expect(photo.likes == nil)
        #expect(photo.full == nil)
        #expect(photo.renditions.last?.url.path.hasPrefix("/img-master/img/") == true)
        #expect(photo.renditions.last?.url.path.hasSuffix("/81214321_p0_master1200.jpg") == true)
        #expect(photo.renditions.last?.size == PixelSize(width: 855, height: 1200))
    }

    @Test
    func `leaves out bookmarks of deleted works`() throws {
        let tape = PixivTape(
            ["ajax/user/31415926/illusts/bookmarks": "made_bookmarks_masked"], session: PixivTape.session)
        let page = try tape.page(.favorites(of: nil))
        #expect(page.photos.map(\.index) == [1, 3])
        #expect(page.photos.map(\.photo.isAdult) == [false, true])
        #expect(!page.hasMore)
    }

    private static let search = [
        "p=1": "made_search_p1", "p=2": "made_search_p2",
    ].reduce(into: [String: PixivTape.Answer]()) { answers, page in
        let query = "word=sea&order=date_d&mode=all&s_mode=s_tag&type=all&\(page.key)"
        answers["ajax/search/artworks/sea?\(query)"] = PixivTape.Answer(stringLiteral: page.value)
    }

    @Test
    func `a search's advertisements keep their places, and its pages are put together`() throws {
        let page = try PixivTape(Self.search).page(.search("sea"), 2)
        // 51 to 60 of the first page, 61 to 100 of the second.
        #expect(page.photos.first?.photo.id.value == "900010")
        #expect(page.photos.map(\.index) == (51...100).map { $0 })
        #expect(page.photos.last?.photo.id.value == "899961")
        #expect(page.total == 600)
        #expect(page.hasMore)
        let first = try PixivTape(Self.search).page(.search("sea"), 1)
        #expect(first.photos.count == 49)
        #expect(!first.photos.contains { $0.index == 24 })
    }

    /// Beyond the last page the site repeats it.
    @Test
    func `a search ends after its last page, and repeats nothing`() throws {
        var answers: [String: PixivTape.Answer] = [:]
        for page in 9...12 {
            answers[
                "ajax/search/artworks/sea?word=sea&order=date_d&mode=all&s_mode=s_tag&type=all&p=\(page)"] =
                "made_search_p2"
        }
        let last = try PixivTape(answers).page(.search("sea"), 12)
        // The 45th place of that page is an advertisement.
        #expect(last.photos.map(\.index) == Array(551...584) + Array(586...600))
        #expect(!last.hasMore)
        let beyond = try PixivTape(answers).page(.search("sea"), 13)
        #expect(beyond.photos.isEmpty)
        #expect(!beyond.hasMore)
    }
}
