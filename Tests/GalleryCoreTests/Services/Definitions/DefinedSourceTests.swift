import Foundation
import GalleryTestSupport
import Testing

@testable import GalleryCore

/// The definitions that come with the program, with recorded replies.
@Suite struct DefinedSourceTests {
    private func service(_ name: String) throws -> DefinedService {
        let data = try Fixture.data("sources/\(name).json")
        let definition = try SourceDefinition(data, file: "\(name).json")
        return DefinedService(definition: definition, api: definition.entry.api())
    }

    private func list(
        _ name: String, _ recording: String, of feed: Feed = .popular(), size: Int = 20
    ) throws -> (page: Page, asked: [[String]]) {
        var conversation = Conversation(
            (suffix: "/", status: 200, body: try Fixture.data("\(name)/\(recording).json")))
        let page = try conversation.page(of: service(name), feed, size: size)
        return (page, conversation.asked)
    }

    @Test func `every bundled definition is in the catalog`() throws {
        let files = try Fixture.names(in: "sources").map { String($0.dropFirst(8).dropLast(5)) }
        #expect(SourceDefinition.bundled.map(\.name) == files)
        #expect(files.allSatisfy(ServiceCatalog.names.contains))
    }

    @Test func `nasa: the list has the words, stage two the files`() throws {
        let (page, asked) = try list("nasa", "search_apollo11_p1", of: .search("apollo 11"))
        #expect(
            asked == [
                ["https://images-api.nasa.gov/search?media_type=image&q=apollo%2011&page=1&page_size=20"]
            ])
        let photo = try #require(page.photos.first?.photo)
        #expect(!photo.title.isEmpty)
        #expect(photo.full == nil)
        #expect(photo.thumbnail?.url.absoluteString.hasSuffix("~thumb.jpg") == true)
        var conversation = Conversation(
            (suffix: "/asset/", status: 200, body: try Fixture.data("nasa/asset_spaces_2022.json")))
        let id = PhotoID(service: "nasa", value: "KSC_20221115_Artemis I Launch-1")
        let detail = try #require(try conversation.run(service("nasa").details(of: [id]))[id]).get()
        #expect(
            conversation.asked == [["https://images-api.nasa.gov/asset/KSC_20221115_Artemis%20I%20Launch-1"]])
        #expect(detail.photo.renditions.count == 5)
        #expect(
            detail.photo.full?.url.absoluteString
                == "https://images-assets.nasa.gov/image/KSC_20221115_Artemis%20I%20Launch-1/KSC_20221115_Artemis%20I%20Launch-1~orig.jpg"
        )
        let sized = try list("nasa", "search_v11_sizes_2025").page.photos.first?.photo
        #expect(sized?.renditions.count == 5)
        #expect(sized?.full?.size?.width == sized?.renditions.compactMap(\.size?.width).max())
    }

    @Test func `cleveland: sizes in texts, a page by offset`() throws {
        var conversation = Conversation(
            (suffix: "/", status: 200, body: try Fixture.data("cleveland/artworks_one_2020.json")))
        let page = try conversation.page(of: service("cleveland"), number: 3, size: 50)
        #expect(conversation.asked[0][0].hasSuffix("/artworks/?has_image=1&cc0=1&limit=50&skip=100"))
        #expect(page.total == 32483 && page.hasMore)
        let photo = try #require(page.photos.first)
        #expect(photo.index == 101)
        #expect(photo.photo.title == "Scent Bottle")
        // As in the address of its page.
        #expect(photo.photo.id.value == "1916.586.a")
        #expect(photo.photo.full?.size == PixelSize(width: 3091, height: 4339))
        #expect(photo.photo.full?.bytes == 40_263_224)
        #expect(photo.photo.license == "CC0")
        #expect(
            photo.photo.tags == ["Miscellaneous", "glass with enamel decoration", "Germany, 18th century"])
        #expect(try !list("cleveland", "artworks_empty_2020").page.hasMore)
    }

    @Test func `inaturalist: a row is as many photos as it has`() throws {
        let page = try list("inaturalist", "observation_16227955_v1", of: .search("beetle")).page
        #expect(page.photos.map(\.photo.id.value) == ["16227955~24355315", "16227955~24355313"])
        #expect(page.photos.map(\.index) == [1, 2])
        #expect(!page.hasMore)
        let photo = try #require(page.photos.first?.photo)
        #expect(photo.title == "Lixus bardanae")
        #expect(photo.license == "CC BY 4.0")
        #expect(
            photo.full?.url.absoluteString
                == "https://static.inaturalist.org/photos/24355315/original.jpeg?1536150664"
        )
        #expect(photo.full?.size == PixelSize(width: 1445, height: 1057))
        #expect(photo.rendition(longestEdge: 1000)?.url.lastPathComponent == "large.jpeg")
        #expect(photo.taken == WrittenDate("2018-09-05T12:06:00Z")?.date)
    }

    @Test(
        arguments: [
            // A page's address names the observation alone.
            ("16227955", "16227955~24355315"), ("16227955~24355313", "16227955~24355313"),
            ("16227955~1", nil),
        ] as [(String, String?)])
    func `inaturalist: a photo is asked for by its observation`(asked: String, found: String?) throws {
        var conversation = Conversation(
            (
                suffix: "/observations/16227955", status: 200,
                body: try Fixture.data("inaturalist/observation_16227955_v1.json")
            ))
        let id = PhotoID(service: "inaturalist", value: asked)
        let detail = try conversation.run(service("inaturalist").details(of: [id]))[id]
        #expect(conversation.asked == [["https://api.inaturalist.org/v1/observations/16227955"]])
        #expect((try? detail?.get())?.photo.id.value == found)
        #expect((try? detail?.get())?.photo.title == (found == nil ? nil : "Lixus bardanae"))
        var none = Conversation(
            (suffix: "/", status: 200, body: try Fixture.data("inaturalist/observations_empty.json")))
        let missing = try none.run(service("inaturalist").details(of: [id]))[id]
        let error = #expect(throws: ServiceError.self) { try missing?.get() }
        #expect(error?.description == "inaturalist has no \(id.what).")
    }

    @Test func `wallhaven: pages of 24, words in stage two, a key in a header`() throws {
        let service = try service("wallhaven")
        #expect(service.pageSizes(of: .popular()) == .exactly(24))
        let page = try list("wallhaven", "search_fashion_p1_2022", of: .search("fashion"), size: 24).page
        #expect(page.total == 1024 && page.hasMore)
        let photo = try #require(page.photos.first?.photo)
        #expect(photo.full?.bytes == 7_982_662)
        #expect(photo.thumbnail?.size == PixelSize(width: 300, height: 201))
        var conversation = Conversation(
            (suffix: "/w/", status: 200, body: try Fixture.data("wallhaven/detail_e7g7zk_2022.json")))
        let detail = try #require(try conversation.run(service.details(of: [photo]))[photo.id]).get()
        #expect(detail.photo.tags.starts(with: ["sky blue", "artwork"]))
        #expect(detail.photo.author?.username == "自由使者")
        let keyed = DefinedService(
            definition: service.definition, api: service.definition.entry.api(key: Secret("hush")))
        let request = try keyed.request(.popular(), ["page": "1"])
        #expect(Array(request.secrets.keys) == [.header(name: "X-API-Key")])
        let past = service.complaint(status: 400, try Fixture.data("wallhaven/error_400_past_end.json"))
        #expect(past?.description.hasPrefix("wallhaven failed with status 400: ") == true)
    }

    @Test func `met: scalar identifiers, each asked for with the list`() throws {
        var conversation = Conversation(
            (suffix: "/search?", status: 200, body: try Fixture.data("met/search_two_ids.json")),
            (suffix: "/objects/437112", status: 200, body: try Fixture.data("met/object_45734_2020.json")))
        let service = try service("met")
        let page = try conversation.page(of: service, .search("x"))
        #expect(conversation.asked.map(\.count) == [1, 2])
        #expect(page.total == 2 && !page.hasMore)
        // One was taken away since.
        #expect(page.photos.map(\.photo.id.value) == ["437112"])
        #expect(page.photos.first?.photo.author?.name == "Kiyohara Yukinobu")
        var empty = Conversation((suffix: "/", status: 200, body: try Fixture.data("met/search_empty.json")))
        #expect(
            try empty.page(of: service, .search("x")).photos
                == [])
    }

    @Test func `artic: an address from the envelope and the row`() throws {
        let page = try list("artic", "artworks_p2_2025").page
        let photo = try #require(page.photos.first?.photo)
        #expect(
            photo.full?.url.absoluteString
                == "https://www.artic.edu/iiif/2/9a0f888a-4818-302b-9d36-e758dee43274/full/843,/0/default.jpg"
        )
        #expect(photo.full?.size == PixelSize(width: 843, height: 660))
        #expect(photo.author?.name == "Pablo Picasso")
        #expect(photo.page?.absoluteString == "https://www.artic.edu/artworks/122449")
    }

    @Test(
        arguments: [
            ("https://images.nasa.gov/details/iss026-s-001", "nasa", "iss026-s-001"),
            ("https://images-assets.nasa.gov/image/a%20b/a%20b~orig.jpg", "nasa", "a b"),
            ("https://wallhaven.cc/w/e7g7zk", "wallhaven", "e7g7zk"),
            ("https://clevelandart.org/art/1916.586.a", "cleveland", "1916.586.a"),
            ("https://www.inaturalist.org/observations/16227955", "inaturalist", "16227955"),
            ("https://www.artic.edu/artworks/27992/a-sunday", "artic", "27992"),
            ("https://www.metmuseum.org/art/collection/search/45734", "met", "45734"),
            ("https://wallhaven.cc/about", nil, nil), ("https://wallhaven.cc/w/", nil, nil),
        ] as [(String, String?, String?)])
    func `pages lead to their source`(address: String, service: String?, id: String?) throws {
        let found = ServiceCatalog().photo(atPage: try #require(URL(string: address)))
        #expect(found?.service == service)
        #expect(found?.value == id)
        let user = try #require(URL(string: "https://wallhaven.cc/user/someone"))
        #expect(ServiceCatalog().feed(atPage: user)?.feed == .user("someone"))
    }
}
