import Foundation
import GalleryCore
import GalleryTestSupport
import Testing

/// What becomes of answers that are no photos.
@Suite(.fewAtOnce) struct PixivErrorTests {
    struct Case: CustomTestStringConvertible, Sendable {
        let answer: PixivTape.Answer
        var session: Secret?
        let feed: Feed
        let message: String
        var testDescription: String { message }
    }

    private static let unknown = #"{"error":true,"message":"An unknown error occurred","body":[]}"#

    static let cases = [
        Case(
            answer: "404 error_ranking_404_out_of_range", feed: .popular(date: CalendarDay("2030-01-01")),
            message: "pixiv has no ranking 'daily' of 2030-01-01."),
        Case(
            answer: "400 error_ajax_400_bad_request", feed: .popular(ranking: "male"),
            message: "pixiv has no ranking 'male'."),
        Case(answer: "404 error_ajax_404_not_found", feed: .user("7"), message: "pixiv has no user 7."),
        Case(answer: "400 error_ajax_400_bad_request", feed: .user("7"), message: "pixiv has no user 7."),
        Case(
            answer: "400 error_ajax_400_bad_request", session: PixivTape.session, feed: .favorites(of: nil),
            message: "pixiv refused the request: 不正なリクエストです."),
        Case(
            answer: .init(200, unknown), session: PixivTape.session, feed: .favorites(of: nil),
            message: "pixiv refused the request: An unknown error occurred."),
        Case(
            answer: .init(200, unknown), feed: .popular(),
            message: "pixiv answered: An unknown error occurred"),
        Case(
            answer: "200 error_ajax_404_not_found", feed: .popular(),
            message: "pixiv answered: an error without a reason"),
        Case(
            answer: "200 error_ranking_404_out_of_range", feed: .popular(),
            message: "pixiv answered: ランキング集計の範囲外です"),
        Case(
            answer: "400 error_appapi_400_oauth", feed: .search("sea"),
            message: "pixiv has no search for 'sea'."),
        Case(
            answer: .init(403, #"{"error":{"user_message":"","message":"Rate Limit","reason":""}}"#),
            feed: .popular(), message: "pixiv asks to wait."),
        Case(answer: .init(429, ""), feed: .popular(), message: "pixiv asks to wait."),
        Case(
            answer: .init(403, #"{"error":true,"message":"","body":[]}"#), feed: .popular(),
            message: "pixiv needs a key, but none is set."),
        Case(
            answer: .init(403, "<html>Just a moment…</html>"), feed: .popular(),
            message: "pixiv refused the request: status 403."),
        Case(
            answer: .init(200, "<html>Just a moment…</html>"), feed: .popular(),
            message:
                "pixiv sent something other than JSON, beginning '<html>Just a moment…</html>'."),
        Case(answer: .init(502, ""), feed: .popular(), message: "pixiv failed with status 502."),
        Case(answer: .init(200, ""), feed: .popular(), message: "pixiv sent an empty answer."),
    ]

    @Test(arguments: cases)
    func `an answer that is no list says what it is`(_ wanted: Case) {
        let paths = [
            "ranking.php", "ajax/user/7/profile/all", "ajax/user/31415926/illusts/bookmarks",
            "ajax/search/artworks/sea",
        ]
        let answers = Dictionary(uniqueKeysWithValues: paths.map { ($0, wanted.answer) })
        let tape = PixivTape(answers, session: wanted.session)
        let error = #expect(throws: ServiceError.self) { try tape.page(wanted.feed) }
        #expect(error?.description == wanted.message)
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
