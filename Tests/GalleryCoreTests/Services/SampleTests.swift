import Foundation
import GalleryTestSupport
import PictureFiles
import Testing

@testable import GalleryCore

@Suite struct SampleTests {
    private let service = GalleryCore.Sample(catalog: Fixture.url("sample"))

    private var loader: PhotoLoader {
        PhotoLoader(
            service: service,
            client: APIClient(transport: FileTransport(roots: [Fixture.url("sample")])))
    }

    @Test func `the catalog holds twelve photographs with every file in place`() async throws {
        let page = try await loader.page(PageSlice(number: 1, size: 20), of: .popular())
        #expect(page.photos.count == 12)
        #expect(page.total == 12)
        #expect(!page.hasMore)
        for photo in page.photos.map(\.photo) {
            for rendition in [photo.thumbnail, photo.full] {
                let rendition = try #require(rendition)
                let head = try #require(
                    try ImageHeader(PictureBytes(Array(Data(contentsOf: service.image(rendition).url)))))
                #expect(head.type == .jpeg)
                #expect(head.size == rendition.size)
            }
            #expect(photo.size == photo.full?.size)
            #expect(photo.license != nil)
        }
    }

    @Test func `details add the description and keep the list's words`() async throws {
        let photos = try await loader.photos(5...6, of: .popular()).photos
        let details = try await loader.details(of: photos.map(\.photo))
        let coffee = try #require(try details[photos[0].photo.id]?.get())
        #expect(coffee.photo.title == "Espresso at Pikolo")
        #expect(coffee.photo.description?.contains("Rachel Michetti") == true)
        #expect(details.count == 2)
    }

    @Test(arguments: [
        (Feed.search("rocket"), [1, 2]), (.search("SPACE galaxies"), [1]), (.search("nothing"), []),
        (.user("spacex"), [1, 2]),
    ])
    func `search and user pick from the catalog`(feed: Feed, indexes: [Int]) async throws {
        #expect(
            try await loader.page(PageSlice(number: 1, size: 20), of: feed).photos.map(\.index) == indexes)
    }

    @Test func `an author who is not there is missing`() async {
        await #expect(throws: ServiceError.self) {
            try await loader.page(PageSlice(number: 1, size: 20), of: .user("nobody"))
        }
    }

    @Test(arguments: [
        ("sample:///../photos.json", "malformed: the address is not a file's"),
        ("sample:///full/../../x", "malformed: the address is not a file's"), ("file:///etc/passwd", "403"),
    ])
    func `an address cannot leave the catalog`(address: String, expected: String) async throws {
        let request = service.image(Rendition(url: try #require(URL(string: address)), size: nil))
        let files = FileTransport(roots: [Fixture.url("sample")])
        #expect(await outcome(of: request, over: files) == expected)
    }

    @Test(arguments: ["..", "../photos", "1001/../../CREDITS"])
    func `an identifier cannot leave the catalog`(value: String) async throws {
        let id = PhotoID(service: "sample", value: value)
        let details = try await loader.details(of: [Photo(id: id, title: "")])
        guard case .failure(.missing)? = details[id] else {
            Issue.record("\(details)")
            return
        }
    }
}
