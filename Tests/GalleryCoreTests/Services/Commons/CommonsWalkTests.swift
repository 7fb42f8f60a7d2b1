import Foundation
import GalleryTestSupport
import Testing

@testable import GalleryCore

/// The way to a place whose cursor nobody knows, and batches spread over several answers.
@Suite(.fewAtOnce) struct CommonsWalkTests {
    private let service = Commons(base: URL(string: "http://127.0.0.1/api.php"))

    /// A wiki with a category of this many files: a cursor is the place it leads to, from 0.
    private func answer(_ request: HTTPRequest, count: Int, atMost: Int = 500) -> HTTPReply {
        let items = URLComponents(url: request.url, resolvingAgainstBaseURL: false)?.queryItems ?? []
        func item(_ name: String) -> String? { items.first { $0.name == name }?.value }
        let isWalk = item("list") != nil
        let letters = isWalk ? "" : "g"
        let start = item(letters + "cmcontinue").flatMap { Int($0) } ?? 0
        let limit = min(item(letters + "cmlimit").flatMap { Int($0) } ?? 10, atMost)
        let places = start..<max(start, min(count, start + limit))
        let rows = places.map { place in
            let info = #"[{"url":"https://a.example/\#(place).jpg","mime":"image/jpeg"}]"#
            return isWalk
                ? #"{"pageid":\#(place + 1)}"#
                : #"{"pageid":\#(place + 1),"title":"File:\#(place).jpg","imageinfo":\#(info)}"#
        }.joined(separator: ",")
        let more =
            places.upperBound < count
            ? #""continue":{"\#(letters)cmcontinue":"\#(places.upperBound)","continue":"-||"},"# : ""
        let body =
            #"{"batchcomplete":true,\#(more)"query":{"\#(isWalk ? "categorymembers" : "pages")":[\#(rows)]}}"#
        return HTTPReply(head: HTTPHead(status: 200, url: request.url), body: Data(body.utf8))
    }

    private func page(
        _ slice: PageSlice, count: Int, atMost: Int = 500
    ) throws -> (page: Page, requests: [HTTPRequest]) {
        var exchange = try service.page(slice, of: .popular(), cursor: nil)
        var requests: [HTTPRequest] = []
        while true {
            switch exchange {
            case .done(let page): return (page, requests)
            case .send(let sent, let read):
                requests += sent
                exchange = try read(sent.map { .success(answer($0, count: count, atMost: atMost)) })
            case .read: preconditionFailure("files are read by a loader")
            }
        }
    }

    @Test(arguments: [
        // page, photos a page, requests: one for the page, and one for each 500 places before it.
        (1, 20, 1), (2, 20, 2), (26, 20, 2), (27, 20, 3), (51, 20, 3), (52, 20, 4), (450, 1, 2),
        (11, 50, 2), (12, 50, 3), (101, 50, 11), (501, 50, 51),
    ])
    func `a place costs one request in five hundred before it`(number: Int, size: Int, cost: Int) throws {
        let slice = PageSlice(number: number, size: size)
        let (page, requests) = try page(slice, count: 30_000)
        #expect(requests.count == cost)
        #expect(page.photos.map(\.index) == slice.indexes.map { $0 })
        #expect(page.photos.map(\.photo.id.value) == slice.indexes.map { "\($0)" })
        #expect(page.next == "\(slice.indexes.upperBound)")
    }

    @Test func `a walk asks for no more than the places`() throws {
        let requests = try page(PageSlice(number: 28, size: 20), count: 30_000).requests
        let addresses = requests.dropLast().map { $0.url.absoluteString.replacing(/^.*maxlag=5/, with: "") }
        let list =
            "&list=categorymembers&cmtitle=Category%3AFeatured_pictures_on_Wikimedia_Commons"
            + "&cmsort=timestamp&cmdir=descending&cmprop=ids"
        #expect(
            addresses == [
                list + "&cmlimit=500", list + "&cmlimit=40&cmcontinue=500&continue=-%7C%7C",
            ])
    }

    @Test(arguments: [(3, 20, 45, 41...45), (3, 20, 40, nil), (3, 20, 39, nil), (9, 20, 0, nil)])
    func `a feed that ends on the way has no such page`(
        number: Int, size: Int, count: Int, indexes: ClosedRange<Int>?
    ) throws {
        let page = try page(PageSlice(number: number, size: size), count: count).page
        #expect(page.photos.map(\.index) == (indexes.map { $0.map(Optional.init) } ?? []))
        #expect(!page.hasMore)
    }

    @Test func `beyond twenty-five thousand places nothing is asked`() throws {
        let (page, requests) = try page(PageSlice(number: 502, size: 50), count: 400_000)
        #expect(page == Page(photos: [], hasMore: false))
        #expect(requests.isEmpty)
    }

    @Test func `a wiki that names fewer places at once is followed all the same`() throws {
        let (page, requests) = try page(PageSlice(number: 11, size: 50), count: 30_000, atMost: 100)
        #expect(page.photos.first?.photo.id.value == "501")
        #expect(requests.count == 6)
    }

    @Test func `a walk that gets nowhere ends`() throws {
        var conversation = Conversation(
            (
                suffix: "list=", status: 200,
                body: Data(#"{"continue":{"cmcontinue":"x"},"query":{"categorymembers":[]}}"#.utf8)
            ))
        let error = #expect(throws: ServiceError.self) {
            try conversation.page(of: service, number: 2)
        }
        #expect(error?.description == "commons answered: a list without an end.")
        #expect(conversation.asked.count == 100)
    }

    // MARK: - Batches in parts

    @Test func `a recorded batch in three answers is one page`() throws {
        func part(_ number: Int) throws -> Data {
            try Fixture.data("commons/commons_query_continue_part\(number).json")
        }
        var conversation = Conversation(
            (suffix: "gucontinue=Niedercunnersdorf_Gartenweg_12.JPG", status: 200, body: try part(3)),
            (suffix: "gucontinue=Edvard_Munch_-_Night", status: 200, body: try part(2)),
            (suffix: "generator=allimages", status: 200, body: try part(1)))
        let page = try conversation.page(of: service, .user("Someone"), size: 9)
        #expect(conversation.asked.map(\.count) == [1, 1, 1])
        // On from the original query, with all of `continue` and nothing of the part before.
        #expect(
            conversation.asked[2][0] == conversation.asked[0][0]
                + "&continue=%7C%7Cimageinfo&gucontinue=Niedercunnersdorf_Gartenweg_12.JPG%7Cdewiki%7C9849507"
        )
        #expect(page.photos.count == 9)
        #expect(Set(page.photos.map(\.photo.id)).count == 9)
        #expect(page.photos.allSatisfy { $0.photo.full?.size != nil && $0.photo.author != nil })
        #expect(page.hasMore)
        #expect(page.next?.hasPrefix("20151031230201|Lancelot_'Capability'_BROWN") == true)
    }

    @Test func `a batch that never completes ends`() throws {
        var conversation = Conversation(
            (
                suffix: "action=query", status: 200,
                body: try Fixture.data("commons/commons_query_continue_part1.json")
            ))
        let error = #expect(throws: ServiceError.self) {
            try conversation.page(of: service, size: 9)
        }
        #expect(error?.description == "commons answered: a batch without an end.")
        #expect(conversation.asked.count == 20)
    }
}
