import Foundation
import GalleryCore
import GalleryTestSupport
import Testing

/// What pixiv was recorded to answer of one work; `made_` fixtures are modelled on descriptions.
struct PixivWorkTests {
    @Test
    func `reads a work of one page`() throws {
        let detail = try PixivTape([
            "ajax/illust/100412238": "ajax_illust_100412238_2022",
            "ajax/illust/100412238/pages": "ajax_illust_100412238_pages_2022",
        ]).detail("100412238")
        let photo = detail.photo
        #expect(photo.title == "ウタゲ＆シデロカ")
        #expect(photo.author == Author(id: "47196062", name: "360", username: "360px"))
        #expect(photo.page?.absoluteString == "https://www.pixiv.net/artworks/100412238")
        #expect(photo.size == PixelSize(width: 2476, height: 3541))
        let original = "https://i.pximg.net/img-original/img/2022/08/11/23/46/14/100412238_p0.png"
        #expect(photo.full?.url.absoluteString == original)
        #expect(photo.full?.size == photo.size)
        #expect(
            photo.thumbnail?.url.absoluteString
                == "https://i.pximg.net/c/250x250_80_a2/img-master/img/2022/08/11/23/46/14/100412238_p0_square1200.jpg"
        )
        #expect(photo.thumbnail?.size == PixelSize(width: 250, height: 250))
        #expect(photo.likes == 2445)
        #expect(photo.views == 11422)
        #expect(photo.published == Date(timeIntervalSince1970: 1_660_229_174))
        #expect(photo.tags.first == "明日方舟")
        #expect(photo.tags.count == 7)
        #expect(photo.description?.hasPrefix("サンオイルを塗りたい前衛オペレーターTOP2（自社調べ）\n") == true)
        #expect(photo.description?.contains("<") == false)
        #expect(!photo.isAdult)
        #expect(photo.pageCount == 1)
        #expect(detail.comments == 15)
        #expect(detail.photo.category == "Illustration")
        #expect(detail.pages.isEmpty)
    }

    @Test
    func `a work of one page needs no list of its pages`() throws {
        let detail = try PixivTape(["ajax/illust/100412238": "ajax_illust_100412238_2022"]).detail(
            "100412238")
        #expect(detail.photo.full?.url.lastPathComponent == "100412238_p0.png")
    }

    private static let pages: [String: PixivTape.Answer] = [
        "ajax/illust/87598468": "made_illust_pages", "ajax/illust/87598468/pages": "made_illust_pages_pages",
    ]

    @Test
    func `a work of several pages is one photo with a file each`() throws {
        let detail = try PixivTape(Self.pages).detail("87598468")
        #expect(detail.photo.pageCount == 3)
        #expect(
            detail.renditions(.full).map(\.url.lastPathComponent) == [
                "87598468_p0.jpg", "87598468_p1.jpg", "87598468_p2.png",
            ])
        #expect(detail.renditions(.full).map(\.size?.width) == [4491, 5000, 5000])
        #expect(detail.photo.full == detail.pages.first?.last)
        #expect(detail.photo.description == "First line\nSecond & last, a link")
        #expect(detail.photo.category == "Manga")
    }

    @Test
    func `a work whose pages do not come is a failure, not a part of it`() {
        var answers = Self.pages
        answers["ajax/illust/87598468/pages"] = PixivTape.Answer(503, "")
        let error = #expect(throws: ServiceError.self) { try PixivTape(answers).detail("87598468") }
        #expect(error?.description == "pixiv failed with status 503.")
    }

    @Test(arguments: [(nil, 77), (PixivTape.session, 77)])
    func `fewer files than pages are not the whole work`(session: Secret?, status: Int) {
        var answers = Self.pages
        answers["ajax/illust/87598468/pages"] = PixivTape.Answer(
            200,
            #"{"error":false,"body":[{"urls":{"original":"https://i.pximg.net/img-original/img/1_p0.jpg"}}]}"#
        )
        #expect {
            try PixivTape(answers, session: session).detail("87598468")
        } throws: { error in
            switch error as? ServiceError {
            case .keyMissing: session == nil
            case .refused: session != nil
            default: false
            }
        }
    }

    @Test
    func `an animated work is its first frame`() throws {
        let detail = try PixivTape([
            "ajax/illust/74932152": "made_illust_ugoira",
            "ajax/illust/74932152/pages": "made_illust_ugoira_pages",
        ]).detail("74932152")
        #expect(detail.photo.full?.url.lastPathComponent == "74932152_ugoira0.jpg")
        #expect(detail.photo.category == "Ugoira")
    }

    @Test(arguments: [
        (nil, "pixiv needs a key, but none is set."),
        (PixivTape.session, "pixiv refused the request: photo 142000001 is not shown to this account."),
    ])
    func `a work whose files are withheld says what is missing`(session: Secret?, message: String) {
        let tape = PixivTape(
            [
                "ajax/illust/142000001": "made_illust_hidden",
                "ajax/illust/142000001/pages": "made_illust_hidden_pages",
            ], session: session)
        let error = #expect(throws: ServiceError.self) { try tape.detail("142000001") }
        #expect(error?.description == message)
    }

    @Test
    func `one deleted work does not hide the others`() throws {
        var answers = Self.pages
        answers["ajax/illust/1"] = "404 error_ajax_404_not_found"
        answers["ajax/illust/1/pages"] = "404 error_ajax_404_not_found"
        let tape = PixivTape(answers)
        let ids = ["1", "87598468"].map { PhotoID(service: "pixiv", value: $0) }
        let results = try tape.run(tape.pixiv.details(of: ids))
        #expect(throws: ServiceError.self) { try results[ids[0]]?.get() }
        #expect(try results[ids[1]]?.get().photo.title == "Work 87598468")
    }
}
