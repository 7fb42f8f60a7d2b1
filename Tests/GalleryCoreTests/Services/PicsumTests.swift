import Foundation
import GalleryTestSupport
import Testing

@testable import GalleryCore

@Suite struct PicsumTests {
    private let service = DefinedService(bundled: "picsum", base: URL(string: "http://127.0.0.1"))

    private func list(_ slice: PageSlice) throws -> (page: Page, asked: [[String]]) {
        var conversation = Conversation(
            (suffix: "/v2/list", status: 200, body: try Fixture.data("picsum/picsum_list_2021.json")))
        let page = try conversation.run(service.page(slice, of: .popular(), cursor: nil))
        return (page, conversation.asked)
    }

    @Test func `a page is one request, and a full one is not the last`() throws {
        let (page, asked) = try list(PageSlice(number: 2, size: 20))
        #expect(asked == [["http://127.0.0.1/v2/list?page=2&limit=20"]])
        #expect(page.photos.count == 20)
        #expect(page.photos.first?.index == 21)
        #expect(page.hasMore)
        #expect(page.total == nil)
        #expect(try !list(PageSlice(number: 1, size: 100)).page.hasMore)
    }

    @Test func `photos are no larger than the site allows`() throws {
        let photos = try list(PageSlice(number: 1, size: 20)).page.photos.map(\.photo)
        let large = try #require(photos.first)
        #expect(large.id == PhotoID(service: "picsum", value: "0"))
        #expect(large.author == Author(name: "Alejandro Escamilla"))
        #expect(large.page?.absoluteString == "https://unsplash.com/photos/yC-Yzbqy7PY")
        #expect(large.size == PixelSize(width: 5616, height: 3744))
        #expect(large.full?.url.absoluteString == "https://picsum.photos/id/0/5000/3333")
        #expect(large.full?.size == PixelSize(width: 5000, height: 3333))
        #expect(large.thumbnail?.url.absoluteString == "https://picsum.photos/id/0/320/213")
        let small = try #require(photos.first { $0.id.value == "10" })
        #expect(small.full?.url.absoluteString == "https://picsum.photos/id/10/2500/1667")
        #expect(large.renditions.compactMap(\.size?.width) == [320, 640, 1024, 1600, 2048, 3840, 5000])
        #expect(small.renditions.compactMap(\.size?.width) == [320, 640, 1024, 1600, 2048, 2500])
        #expect(small.renditions.last == small.full)
    }

    @Test func `details of a listed photo cost nothing, those of an address one request`() throws {
        let listed = try #require(list(PageSlice(number: 1, size: 20)).page.photos.first?.photo)
        var nothing = Conversation()
        #expect(try nothing.run(service.details(of: [listed]))[listed.id]?.get().photo == listed)
        #expect(nothing.asked.isEmpty)
        var conversation = Conversation(
            (suffix: "/id/0/info", status: 200, body: try Fixture.data("picsum/picsum_info_0.json")))
        let gone = PhotoID(service: "picsum", value: "9999")
        let details = try conversation.run(service.details(of: [listed.id, gone]))
        #expect(try details[listed.id]?.get().photo == listed)
        #expect(throws: ServiceError.self) { try details[gone]?.get() }
    }

    @Test func `errors are asked for as JSON, and read as text too`() throws {
        let requests = try service.page(PageSlice(number: 1, size: 20), of: .popular(), cursor: nil).requests
        #expect(requests.first?.headers["Accept"] == "application/json")
        let text = try service.complaint(status: 404, Fixture.data("picsum/picsum_error_404.txt"))
        #expect(text?.description == "picsum has no page 1.")
    }

    @Test(
        arguments: [
            ("https://picsum.photos/id/237/200/300.jpg?grayscale", "237"),
            ("https://fastly.picsum.photos/id/0/5000/3333.jpg?hmac=x", "0"),
            ("https://picsum.photos/200", nil),
            ("https://unsplash.com/photos/1", nil),
        ] as [(String, String?)])
    func `an image's addresses are known`(address: String, id: String?) throws {
        #expect(try service.photo(atPage: #require(URL(string: address)))?.value == id)
    }
}
