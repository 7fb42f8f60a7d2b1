import Foundation
import GalleryCore
import GalleryTestSupport
import Testing

/// What becomes of answers that are no photos.
@Suite(.fewAtOnce) struct PixivErrorTests {
    private static let unknown = #"{"error":true,"message":"An unknown error occurred","body":[]}"#
    private static let wait = #"{"error":{"user_message":"","message":"Rate Limit","reason":""}}"#
    private static let page = "<html>Just a moment…</html>"

    static let cases: [(PixivTape.Answer, Secret?, Feed, String)] = [
        (
            "404 error_ranking_404_out_of_range", nil, .popular(date: CalendarDay("2030-01-01")),
            "pixiv has no ranking 'daily' of 2030-01-01."
        ),
        ("400 error_ajax_400_bad_request", nil, .popular(ranking: "male"), "pixiv has no ranking 'male'."),
        ("404 error_ajax_404_not_found", nil, .user("7"), "pixiv has no user 7."),
        ("400 error_ajax_400_bad_request", nil, .user("7"), "pixiv has no user 7."),
        (
            "400 error_ajax_400_bad_request", PixivTape.session, .favorites(of: nil),
            "pixiv refused the request: 不正なリクエストです."
        ),
        (
            .init(200, unknown), PixivTape.session, .favorites(of: nil),
            "pixiv refused the request: An unknown error occurred."
        ),
        (.init(200, unknown), nil, .popular(), "pixiv answered: An unknown error occurred"),
        ("200 error_ajax_404_not_found", nil, .popular(), "pixiv answered: an error without a reason"),
        ("200 error_ranking_404_out_of_range", nil, .popular(), "pixiv answered: ランキング集計の範囲外です"),
        ("400 error_appapi_400_oauth", nil, .search("sea"), "pixiv has no search for 'sea'."),
        (.init(403, wait), nil, .popular(), "pixiv asks to wait."),
        (.init(429, ""), nil, .popular(), "pixiv asks to wait."),
        (
            .init(403, #"{"error":true,"message":"","body":[]}"#), nil, .popular(),
            "pixiv needs a key, but none is set."
        ),
        (.init(403, page), nil, .popular(), "pixiv refused the request: status 403."),
        (
            .init(200, page), nil, .popular(),
            "pixiv sent something other than JSON, beginning '<html>Just a moment…</html>'."
        ),
        (.init(502, ""), nil, .popular(), "pixiv failed with status 502."),
        (.init(200, ""), nil, .popular(), "pixiv sent an empty answer."),
    ]

    @Test(arguments: cases)
    func `an answer that is no list says what it is`(
        answer: PixivTape.Answer, session: Secret?, feed: Feed, message: String
    ) {
        let paths = [
            "ranking.php", "ajax/user/7/profile/all", "ajax/user/31415926/illusts/bookmarks",
            "ajax/search/artworks/sea",
        ]
        let tape = PixivTape(Dictionary(uniqueKeysWithValues: paths.map { ($0, answer) }), session: session)
        let error = #expect(throws: ServiceError.self) { try tape.page(feed) }
        #expect(error?.description == message)
    }

    @Test(arguments: [
        ("404 error_ajax_404_not_found", "pixiv has no photo 7."),
        ("400 error_ajax_400_bad_request", "pixiv has no photo 7."),
        ("papi_works_2016", "pixiv sent no 'body'."),
    ])
    func `an answer that is no work says what it is`(name: String, message: String) {
        let answer = PixivTape.Answer(stringLiteral: name)
        let tape = PixivTape(["ajax/illust/7": answer, "ajax/illust/7/pages": answer])
        let error = #expect(throws: ServiceError.self) { try tape.detail("7") }
        #expect(error?.description == message)
    }

    /// Other generations of the interface, and other answers of this one, where a list belongs.
    @Test(arguments: [
        "appapi_illust_ranking_2025", "appapi_illust_detail_2025", "appapi_illust_detail_limited_2023",
        "papi_ranking_all_2015", "papi_ranking_illust_2020", "papi_works_2016", "ajax_user_short_2022",
        "ajax_user_full_2022", "ajax_ugoira_meta_74932152_2019", "ajax_discovery_artworks_2022",
        "ajax_illust_new_2022", "error_auth_2017", "error_appapi_400_oauth", "ajax_user_works_latest_2022",
    ])
    func `answers of another kind are errors`(name: String) {
        let answer = PixivTape.Answer(stringLiteral: name)
        let paths = [
            "ranking.php", "ajax/user/31415926/illusts/bookmarks", "ajax/search/artworks/sea",
            "ajax/illust/7",
            "ajax/illust/7/pages", "ajax/user/7/profile/illusts",
        ]
        var answers = Dictionary(uniqueKeysWithValues: paths.map { ($0, answer) })
        answers["ajax/user/7/profile/all"] = .init(200, #"{"body":{"illusts":{"1":null},"manga":{}}}"#)
        let tape = PixivTape(answers, session: PixivTape.session)
        for feed in [Feed.popular(), .favorites(of: nil), .search("sea"), .user("7")] {
            #expect(throws: ServiceError.self) { try tape.page(feed) }
        }
        #expect(throws: ServiceError.self) { try tape.detail("7") }
    }
}
