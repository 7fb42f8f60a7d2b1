import Foundation
import GalleryTestSupport
import Testing

@testable import GalleryCore

/// Every feed and a work over real sockets: what is on the wire, and what comes back.
@Suite(.fewAtOnce, .timeLimit(.minutes(1))) struct PixivLoopbackTests {
    private static let routes: [String: String] = [
        "/ranking.php": "ranking_web_weekly_illust_p1_2022",
        "/ajax/search/artworks/sea": "made_search_p1",
        "/ajax/user/9153585/profile/all": "ajax_user_profile_all_2022",
        "/ajax/user/9153585/profile/illusts": "made_user_illusts",
        "/ajax/user/31415926/illusts/bookmarks": "ajax_user_bookmarks_2022",
        "/ajax/illust/87598468": "made_illust_pages",
        "/ajax/illust/87598468/pages": "made_illust_pages_pages",
    ]

    /// Answers as the site does: nothing without a browser's name, bookmarks to members alone.
    private static func answer(_ request: LocalRequest) -> LocalReply {
        guard request.headers["User-Agent"]?.hasPrefix("Mozilla/5.0") == true,
            request.headers["Referer"] == "https://www.pixiv.net/"
        else { return .html("<html>Just a moment…</html>", status: 403) }
        let isMember = request.headers["Cookie"] == "PHPSESSID=31415926_Q7vX2mLp9KdR"
        let isForMembers = request.path.hasSuffix("/bookmarks")
        guard let name = routes[request.path], let data = try? Fixture.data("pixiv/\(name).json") else {
            return .json(#"{"error":true,"message":"","body":[]}"#, status: 404)
        }
        guard isMember || !isForMembers else {
            return .json(#"{"error":true,"message":"不正なリクエストです。","body":[]}"#, status: 400)
        }
        return .json(String(decoding: data, as: UTF8.self))
    }

    private func loader(_ server: LocalServer, session: Secret?) -> PhotoLoader {
        PhotoLoader(
            service: Pixiv(base: server.url, session: session),
            client: APIClient(transport: URLSessionTransport(connections: 4)))
    }

    @Test(arguments: [
        (Feed.popular(), 50, "100564879"), (.search("sea"), 49, "900060"), (.user("9153585"), 3, "97164570"),
        (.favorites(of: nil), 3, "81214321"),
    ])
    func `each feed arrives`(feed: Feed, count: Int, first: String) async throws {
        try await withLocalServer(Self.answer) { server in
            let page = try await loader(server, session: PixivTape.session)
                .page(PageSlice(number: 1, size: 50), of: feed)
            #expect(page.photos.count == count)
            #expect(page.photos.first?.photo.id.value == first)
            let cookies = server.requests.map { $0.headers["Cookie"] }
            #expect(cookies.allSatisfy { $0 == "PHPSESSID=31415926_Q7vX2mLp9KdR" })
            #expect(!server.requests.contains { $0.target.contains("Q7vX2mLp9KdR") })
        }
    }
}
