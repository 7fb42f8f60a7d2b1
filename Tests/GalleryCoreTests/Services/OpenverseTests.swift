import Foundation
import GalleryTestSupport
import Testing

@testable import GalleryCore

@Suite struct OpenverseTests {
    private let service = DefinedService(bundled: "openverse", base: URL(string: "http://127.0.0.1/v1"))
    private let tree = PhotoID(service: "openverse", value: "4bc43a04-ef46-4544-a0c1-63c63f56e276")

    private func run(
        _ slice: PageSlice, of feed: Feed = .popular(), _ body: Data
    ) throws -> (page: Page, asked: [[String]]) {
        var conversation = Conversation((suffix: "/images/", status: 200, body: body))
        let page = try conversation.run(service.page(slice, of: feed, cursor: nil))
        return (page, conversation.asked)
    }

    @Test(arguments: [
        (Feed.popular(), ""), (.popular(ranking: "relevance"), ""), (.search("a tree"), "q=a%20tree&"),
        (.user("Tim Sullivan"), "creator=Tim%20Sullivan&"),
    ])
    func `a page is one request`(feed: Feed, query: String) throws {
        let reply = try Fixture.data("openverse/openverse_search_docs.json")
        let asked = try run(PageSlice(number: 3, size: 20), of: feed, reply).asked
        #expect(asked == [["http://127.0.0.1/v1/images/?\(query)page=3&page_size=20"]])
    }

    @Test func `a list says everything of a photo`() throws {
        let page = try run(
            PageSlice(number: 1, size: 20), Fixture.data("openverse/openverse_search_docs.json")
        ).page
        let photo = try #require(page.photos.first?.photo)
        #expect(photo.id == tree)
        #expect(photo.title == "Tree Bark Photo")
        #expect(photo.author == Author(name: "Tim Sullivan", username: "Tim Sullivan"))
        #expect(photo.page?.absoluteString == "https://stocksnap.io/photo/XNVBVXO3B7")
        #expect(photo.full?.url.absoluteString == "https://cdn.stocksnap.io/img-thumbs/960w/XNVBVXO3B7.jpg")
        #expect(photo.full?.size == nil, "width and height are the original's, and this file is smaller")
        #expect(photo.thumbnail?.url.path.hasSuffix("/thumb") == true)
        // The site makes its thumbnails 600 pixels wide.
        #expect(photo.renditions.map { $0.size?.width } == [600, nil])
        #expect(photo.rendition(longestEdge: 500) == photo.thumbnail)
        #expect(photo.rendition(longestEdge: 1000) == photo.full)
        #expect(photo.license == "CC0 1.0")
        #expect(photo.licenseURL?.absoluteString == "https://creativecommons.org/publicdomain/zero/1.0/")
        #expect(photo.category == "photograph")
        #expect(photo.tags.starts(with: ["tree", "bark", "texture"]))
        #expect(Set(photo.tags).count == photo.tags.count)
        #expect(page.total == 1)
        #expect(!page.hasMore)
    }

    @Test(
        arguments: [
            ("cc0", "1.0", "CC0 1.0"), ("by", "2.0", "CC BY 2.0"), ("by-nc-sa", "4.0", "CC BY-NC-SA 4.0"),
            ("pdm", "1.0", "Public Domain Mark 1.0"), ("sampling+", nil, "sampling+"),
        ] as [(String, String?, String)])
    func `licenses have their usual names`(word: String, version: String?, name: String) throws {
        let version = version.map { #","license_version":"\#($0)""# } ?? ""
        let body = Data(#"{"results":[{"id":"a","license":"\#(word)"\#(version)}]}"#.utf8)
        #expect(try run(PageSlice(number: 1, size: 20), body).page.photos.first?.photo.license == name)
    }

    @Test func `the number of pages ends a list, not that of the results`() throws {
        func page(_ number: Int) throws -> Page {
            // A page with dead links left out.
            let body = Data(#"{"result_count":10000,"page_count":20,"results":[{"id":"a"}]}"#.utf8)
            return try run(PageSlice(number: number, size: 20), body).page
        }
        #expect(try page(11).hasMore)
        #expect(try !page(12).hasMore)
        #expect(try page(1).total == 240)
        #expect(try page(2).photos.first?.index == 21)
    }

    @Test(arguments: ["9223372036854775807", "-9223372036854775808", "1e300"])
    func `any number of pages is taken`(pages: String) throws {
        let body = Data(#"{"result_count":10000,"page_count":\#(pages),"results":[{"id":"a"}]}"#.utf8)
        #expect(try run(PageSlice(number: 1, size: 20), body).page.photos.count == 1)
    }

    @Test func `beyond what visitors get nothing is asked`() throws {
        let (page, asked) = try run(PageSlice(number: 13, size: 20), Data())
        #expect(page == Page(photos: [], hasMore: false))
        #expect(asked.isEmpty)
    }

    @Test func `details of a listed photo cost nothing, those of an address one request`() throws {
        let reply = try Fixture.data("openverse/openverse_detail_docs.json")
        let listed = try #require(
            run(
                PageSlice(number: 1, size: 20), Fixture.data("openverse/openverse_search_docs.json")
            ).page.photos.first?.photo)
        var nothing = Conversation()
        #expect(try nothing.run(service.details(of: [listed]))[tree]?.get().photo.category == "photograph")
        #expect(nothing.asked.isEmpty)
        var conversation = Conversation((suffix: tree.value, status: 200, body: reply))
        let gone = PhotoID(service: "openverse", value: "0")
        let details = try conversation.run(service.details(of: [tree, gone]))
        #expect(try details[tree]?.get().photo.title == "Tree Bark Photo")
        #expect(throws: ServiceError.self) { try details[gone]?.get() }
        #expect(
            conversation.asked == [
                ["http://127.0.0.1/v1/images/\(tree.value)/", "http://127.0.0.1/v1/images/0/"]
            ])
    }

    @Test func `a refusal is told in its own words`() throws {
        let invalid = try service.complaint(
            status: 400, Fixture.data("openverse/openverse_error_400_docs.json"))
        #expect(
            invalid?.description
                .hasPrefix("openverse failed with status 400: Invalid input given for fields. ") == true
        )
        let missing = try service.complaint(
            status: 404, Fixture.data("openverse/openverse_error_404_docs.json"))
        #expect(missing?.description == "openverse has no page 1.")
    }

    @Test(arguments: [
        ("https://openverse.org/image/4bc43a04-ef46-4544-a0c1-63c63f56e276?q=tree", true),
        ("https://openverse.org/fr/image/4bc43a04-ef46-4544-a0c1-63c63f56e276", true),
        ("https://api.openverse.org/v1/images/4bc43a04-ef46-4544-a0c1-63c63f56e276/thumb/", true),
        ("https://openverse.org/image", false), ("https://openverse.org/", false),
        ("https://openverse.org/image/7/x/y", false), ("https://a.example/image/1", false),
        ("https://openverse.org/search/image?q=tree", false),
    ])
    func `an image's addresses are known`(address: String, isKnown: Bool) throws {
        let url = try #require(URL(string: address))
        #expect(service.photo(atPage: url) == (isKnown ? tree : nil))
        #expect(service.feed(atPage: url) == (address.contains("/search/") ? .search("tree") : nil))
    }
}
