import Foundation
import GalleryTestSupport
import Testing

@testable import GalleryCore

@Suite struct IIIFTests {
    private static let api = WebAPI("iiif", at: URL(string: "http://127.0.0.1/manifest.json"))
    private let service = IIIF(api: Self.api)

    private func photos(_ name: String, language: String = "en") throws -> [Photo] {
        var conversation = Conversation(
            (suffix: "/manifest.json", status: 200, body: try Fixture.data("iiif/\(name).json")))
        let service = IIIF(api: Self.api, language: language)
        let page = try conversation.run(
            service.page(PageSlice(number: 1, size: 100), of: .popular(), cursor: nil))
        return page.photos.map(\.photo)
    }

    @Test(
        arguments: [
            ("p3_0001_mvm_image", 1), ("p3_0005_image_service", 1), ("p3_0009_book_1", 5),
            ("p3_0033_choice", 2),
            ("p3_0036_composition_from_multiple_images", 2), ("p2_harvard_299843", 6),
            ("p2_llgc_license_html", 12), ("p2_artic_27992", 2),
        ])
    func `each picture of a manifest is a photo`(name: String, count: Int) throws {
        let photos = try photos(name)
        #expect(photos.count == count)
        #expect(photos.allSatisfy { $0.full != nil && !$0.title.isEmpty })
        #expect(Set(photos.map(\.id)).count == count)
    }

    @Test func `sizes are asked of the image server`() throws {
        let photo = try #require(photos("p3_0005_image_service").first)
        #expect(photo.full?.url.absoluteString.hasSuffix("/full/max/0/default.jpg") == true)
        #expect(photo.renditions.count > 1)
        #expect(photo.renditions.dropLast().allSatisfy { $0.url.path().contains("/full/") && $0.size != nil })
        let old = try #require(photos("p2_stanford_api11").first)
        #expect(old.full?.url.absoluteString.hasSuffix("/full/full/0/native.jpg") == true)
    }

    @Test func `a collection's manifests are opened in order, and one that is gone is left out`() throws {
        var conversation = Conversation(
            (suffix: "/1.json", status: 200, body: try Fixture.data("iiif/p3_0009_book_1.json")),
            (suffix: "/manifest.json", status: 200, body: Data(Self.collection.utf8)))
        let page = try conversation.run(
            service.page(PageSlice(number: 1, size: 100), of: .popular(), cursor: nil))
        #expect(page.photos.count == 5)
        #expect(page.total == 5)
        #expect(page.leftOut.count == 1)
        #expect(conversation.asked.map { $0.count } == [1, 1, 1])
    }

    private static let collection = """
        {"type":"Collection","items":[{"id":"http://127.0.0.1/1.json","type":"Manifest"},
        {"id":"http://127.0.0.1/2.json","type":"Manifest"},{"id":"http://127.0.0.1/manifest.json","type":"Collection"}]}
        """

    @Test func `failures are told although the collection is not read to its end`() throws {
        var conversation = Conversation(
            (suffix: "/2.json", status: 200, body: try Fixture.data("iiif/p3_0009_book_1.json")),
            (suffix: "/manifest.json", status: 200, body: Data(Self.three.utf8)))
        let page = try conversation.run(
            service.page(PageSlice(number: 1, size: 2), of: .popular(), cursor: nil))
        #expect(page.photos.count == 2)
        #expect(page.hasMore)
        #expect(
            page.leftOut.map(\.description) == [
                "iiif answered: 'http://127.0.0.1/1.json': iiif has no manifest."
            ])
        let next = try conversation.run(
            service.page(PageSlice(number: 2, size: 2), of: .popular(), cursor: nil))
        #expect(next.photos.map(\.index) == [3, 4])
        #expect(next.leftOut.isEmpty)
        #expect(
            conversation.asked.flatMap(\.self).compactMap { URL(string: $0)?.path() }
                == ["/manifest.json", "/1.json", "/2.json"])
    }

    @Test func `a host that asks to wait ends the collection, and a canceled request is no failure of it`()
        throws
    {
        let url = try #require(URL(string: "http://127.0.0.1/manifest.json"))
        let reply = HTTPReply(head: HTTPHead(status: 200, url: url), body: Data(Self.three.utf8))
        let book = HTTPReply(
            head: HTTPHead(status: 200, url: url), body: try Fixture.data("iiif/p3_0009_book_1.json"))
        let exchange = try service.page(PageSlice(number: 1, size: 100), of: .popular(), cursor: nil)
        guard case .send(_, let collection) = exchange,
            case .send(_, let first) = try collection([.success(reply)]),
            case .send(_, let second) = try first([.success(book)])
        else { throw CancellationError() }
        let error = #expect(throws: ServiceError.self) { try second([.failure(.transport(.cancelled))]) }
        guard case .transport(.cancelled)? = error else { throw CancellationError() }
        let busy = ServiceError.rateLimited(service: "iiif", seconds: nil)
        guard case .done(let page) = try second([.failure(busy)]) else { throw CancellationError() }
        #expect(page.photos.count == 5)
        #expect(page.hasMore)
        #expect(page.leftOut.count == 1)
    }

    private static let three = """
        {"type":"Collection","items":[{"id":"http://127.0.0.1/1.json","type":"Manifest"},
        {"id":"http://127.0.0.1/2.json","type":"Manifest"},{"id":"http://127.0.0.1/3.json","type":"Manifest"}]}
        """

    @Test func `a collection in pages is followed on the same port only`() throws {
        func collection(_ members: String) -> Data { Data(#"{"@type":"sc:Collection",\#(members)}"#.utf8) }
        var conversation = Conversation(
            (suffix: "/1.json", status: 200, body: try Fixture.data("iiif/p2_harvard_299843.json")),
            (suffix: "/2.json", status: 200, body: try Fixture.data("iiif/p2_artic_27992.json")),
            (
                suffix: "p=1", status: 200,
                body: collection(#""manifests":[{"@id":"http://127.0.0.1/1.json"}],"next":"?p=2""#)
            ),
            (
                suffix: "p=2", status: 200,
                body: collection(
                    #""manifests":[{"@id":"http://127.0.0.1/2.json"}],"next":"http://127.0.0.1:8080/?p=1""#)
            ),
            (
                suffix: "/manifest.json", status: 200,
                body: collection(#""first":{"@id":"/list?p=1"},"total":9"#)
            ))
        let page = try conversation.run(
            service.page(PageSlice(number: 1, size: 100), of: .popular(), cursor: nil))
        #expect(page.total == 8)
        #expect(page.leftOut.isEmpty)
        #expect(
            conversation.asked.flatMap(\.self).compactMap { URL(string: $0)?.path() }
                == ["/manifest.json", "/list", "/1.json", "/list", "/2.json"])
    }

    @Test(arguments: [
        ("fr", "La Mère de Whistler"), ("en", "Whistler's Mother"), ("de", "Whistler's Mother"),
    ])
    func `labels are in the user's language, else in English`(language: String, title: String) throws {
        let photo = try #require(photos("p3_0006_text_language", language: language).first)
        #expect(photo.title == title)
        #expect(photo.credit == "Musée d'Orsay, Paris, France")
    }

    /// The photos of a manifest with `members` and one canvas.
    private func photos(of members: String, canvas: String, language: String = "en") throws -> [Photo] {
        let body = #"{"type":"Manifest",\#(members)"items":[{\#(canvas)}]}"#
        var conversation = Conversation((suffix: "/manifest.json", status: 200, body: Data(body.utf8)))
        let service = IIIF(api: Self.api, language: language)
        return try conversation.run(
            service.page(PageSlice(number: 1, size: 9), of: .popular(), cursor: nil)
        ).photos.map(\.photo)
    }

    private static func painting(_ service: String) -> String {
        """
        "items":[{"items":[{"body":{"id":"/a.jpg","type":"Image","width":2000,"height":3000,"service":\(service)}}]}]
        """
    }

    @Test(arguments: [
        (#"[{"@language":"fr","@value":"Livre"},{"@language":"en","@value":"Book"}]"#, "de", "Book"),
        (#"[{"@language":"fr","@value":"Livre"},{"@language":"en","@value":"Book"}]"#, "fr", "Livre"),
        (#"[{"@value":"Any"},{"@language":"fr","@value":"Livre"}]"#, "de", "Any"),
        (#"["One","Two"]"#, "de", "One, Two"), (#"{"de-AT":["Buch"],"en":["Book"]}"#, "de", "Buch"),
        (#"{"fr":["Livre"],"cy":["Llyfr"]}"#, "de", "Llyfr"),
    ])
    func `labels of any form are in the user's language`(label: String, language: String, title: String)
        throws
    {
        let photos = try photos(
            of: #""label":\#(label),"#, canvas: Self.painting("null"), language: language)
        #expect(photos.map(\.title) == [title])
    }

    @Test(arguments: [
        (
            #"{"@id":"/i","@type":"ImageService2","profile":"level1","maxWidth":1000}"#,
            "/i/full/667,/0/default.jpg"
        ),
        (
            #"{"@id":"/i","@type":"ImageService2","profile":"level2","maxWidth":1000}"#,
            "/i/full/!667,1000/0/default.jpg"
        ),
        (#"{"@id":"/i","@type":"ImageService2","profile":"level2"}"#, "/i/full/full/0/default.jpg"),
        (
            #"[{"id":"/i","type":"ImageService3","profile":"level2","maxWidth":1000}]"#,
            "/i/full/max/0/default.jpg"
        ),
    ])
    func `the largest file is one that the server makes`(service: String, path: String) throws {
        let photo = try #require(photos(of: "", canvas: Self.painting(service)).first)
        #expect(photo.full?.url.path() == path)
        #expect(
            photo.size
                == PixelSize(
                    width: service.contains("maxWidth") ? 667 : 2000,
                    height: service.contains("maxWidth") ? 1000 : 3000))
    }

    private static let login =
        #"{"@id":"/auth/login","profile":"http://iiif.io/api/auth/1/login","label":"Log in"}"#
    private static let search =
        #"{"id":"/search","type":"SearchService2","profile":["http://iiif.io/api/search/1/search"]}"#
    private static let old =
        #"{"@id":"/i","profile":"http://library.stanford.edu/iiif/image-api/1.1/conformance.html#level1"}"#

    @Test(arguments: [
        (
            "[\(Self.login),{\"@id\":\"/i\",\"@type\":\"ImageService2\",\"profile\":\"level2\"}]",
            "/i/full/full/0/default.jpg"
        ),
        (
            "[\(Self.search),\(Self.login),{\"id\":\"/i\",\"type\":\"ImageService3\"}]",
            "/i/full/max/0/default.jpg"
        ),
        ("[\(Self.search),\(Self.old)]", "/i/full/full/0/native.jpg"),
        ("[{\"label\":\"x\"},\(Self.old)]", "/i/full/full/0/native.jpg"),
        (#"[{"id":"/i"}]"#, "/i/full/full/0/default.jpg"), ("[\(Self.login),\(Self.search)]", "/a.jpg"),
        (Self.login, "/a.jpg"),
    ])
    func `a service is chosen by what it is, whatever stands before it`(services: String, path: String) throws
    {
        let photo = try #require(photos(of: "", canvas: Self.painting(services)).first)
        #expect(photo.full?.url.path() == path)
    }

    @Test(arguments: [
        (
            #"{"@context":"http://iiif.io/api/image/2/context.json","@id":"http://other.example/2","width":4000,"height":3000,"profile":["http://iiif.io/api/image/2/level2.json"]}"#,
            "full/full/0/default.jpg", 4000
        ),
        (
            #"{"id":"/x","type":"ImageService3","protocol":"http://iiif.io/api/image","width":4000,"height":3000,"profile":"level1","maxWidth":1000}"#,
            "full/max/0/default.jpg", 1000
        ),
        (
            #"{"width":"400","height":"300","profile":"http://library.stanford.edu/iiif/image-api/1.1/compliance.html#level1"}"#,
            "full/full/0/native.jpg", 400
        ),
    ])
    func `an image's own description is one picture`(body: String, path: String, width: Int) throws {
        let address = "http://127.0.0.1/iiif/a%2Fsea%20x/info.json"
        var conversation = Conversation((suffix: "/info.json", status: 200, body: Data(body.utf8)))
        let service = IIIF(api: WebAPI("iiif", at: URL(string: address)))
        let page = try conversation.run(
            service.page(PageSlice(number: 1, size: 9), of: .popular(), cursor: nil))
        #expect(
            page.photos.map { $0.photo.full?.url.absoluteString } == [
                "http://127.0.0.1/iiif/a%2Fsea%20x/\(path)"
            ])
        #expect(page.photos.first?.photo.size?.width == width && page.total == 1)
        #expect(page.photos.first?.photo.title.hasSuffix("sea x") == true)
        #expect(ServiceCatalog().service(withBase: try #require(URL(string: address))) == "iiif")
        for end in 0..<body.utf8.count {
            #expect(service.complaint(Data(body.utf8.prefix(end))) != nil)
        }
    }

    @Test func `a hundred thousand services before it do not hide one`() throws {
        let count = Thorough.size(100_000, small: 1_000)
        let many = String(repeating: Self.login + ",", count: count)
        let photo = try #require(photos(of: "", canvas: Self.painting("[\(many)\(Self.old)]")).first)
        #expect(photo.full?.url.path() == "/i/full/full/0/native.jpg")
    }

    @Test(arguments: [
        (#""thumbnail":"/t.jpg","#, "/t.jpg"), (#""thumbnail":{"@id":"/t.jpg"},"#, "/t.jpg"),
        (#""thumbnail":[{"id":"/t.jpg","width":10,"height":15}],"#, "/t.jpg"), ("", "/a.jpg"),
    ])
    func `without a server that makes sizes, a canvas has its own thumbnail`(
        thumbnail: String, path: String
    ) throws {
        let photo = try #require(photos(of: "", canvas: thumbnail + Self.painting("null")).first)
        #expect(photo.thumbnail?.url.path() == path)
        #expect(photo.full?.url.path() == "/a.jpg")
    }

    @Test func `a host with one answer to everything ends the collection`() throws {
        let body = #"{"type":"Collection","items":[{"id":"a/manifest.json"},{"id":"b/manifest.json"}]}"#
        var conversation = Conversation((suffix: "/manifest.json", status: 200, body: Data(body.utf8)))
        let page = try conversation.run(
            service.page(PageSlice(number: 1, size: 9), of: .popular(), cursor: nil))
        #expect(page.total == 0)
        #expect(conversation.asked.count == 3)
    }

    @Test func `a collection of collections without an end is given up after 200 documents`() throws {
        var (exchange, count) = (
            try service.page(PageSlice(number: 1, size: 9), of: .popular(), cursor: nil), 0
        )
        #expect(throws: ServiceError.self) {
            while case .send(let requests, let read) = exchange {
                count += 1
                let body =
                    #"{"type":"Collection","items":[{"id":"http://127.0.0.1/\#(count)","type":"Collection"}]}"#
                let head = HTTPHead(status: 200, url: requests[0].url)
                exchange = try read([.success(HTTPReply(head: head, body: Data(body.utf8)))])
                try #require(count < 1000)
            }
        }
        #expect(count == 200)
    }

    @Test(arguments: [(200, 1, true), (199, 1, false), (2, 600, true), (2, 599, false)])
    func `a walk ends where it is in vain, by its documents or its time`(
        documents: Int, seconds: Int, ends: Bool
    )
        throws
    {
        func address(_ number: Int) throws -> URL { try #require(URL(string: "http://127.0.0.1/\(number)")) }
        var walk = DocumentWalk(from: try address(0))
        for number in 1...documents {
            #expect(walk.open() != nil)
            walk.add(LinkedDocument(next: [try address(number)]), service.kind, service: "iiif")
        }
        walk.endWhereInVain(after: .seconds(seconds), service: "iiif")
        let next = walk.open()
        #expect((walk.failure != nil) == ends)
        #expect((next == nil) == ends)
    }

    @Test func `a part of a picture, or a turned one, is asked of the image server`() throws {
        let part = try #require(photos("p3_0299_region").first)
        #expect(part.full?.url.path().hasSuffix("/1768,2423,1768,2080/max/0/default.jpg") == true)
        #expect(part.size == PixelSize(width: 1768, height: 2080))
        let turned = try #require(photos("p3_0040_image_rotation_service_manifest_service").first)
        #expect(turned.full?.url.path().hasSuffix("/full/max/90/default.jpg") == true)
        #expect(turned.size == PixelSize(width: 2105, height: 1523))
        // The server scales before it turns.
        #expect(turned.thumbnail?.url.path().hasSuffix("/full/232,/90/default.jpg") == true)
        #expect(turned.thumbnail?.size == PixelSize(width: 320, height: 232))
    }

    @Test(arguments: [
        (#"{"region":"../../a?b=1"}"#, "full/max/0/default.jpg"),
        (#"{"region":".."}"#, "full/max/0/default.jpg"),
        (#"{"region":7,"rotation":"90/a"}"#, "full/max/0/default.jpg"),
        (#"{"region":"pct:0,0,50,50","rotation":90}"#, "pct:0,0,50,50/max/90/default.jpg"),
    ])
    func `a selector does not lead to another address`(selector: String, path: String) throws {
        let body = """
            {"type":"Manifest","items":[{"type":"Canvas","items":[{"items":[{"body":{"type":"SpecificResource",
            "selector":\(selector),"source":{"id":"http://a.example/x/full/max/0/default.jpg","type":"Image",
            "width":400,"height":300,"service":[{"id":"http://a.example/x","type":"ImageService3"}]}}}]}]}]}
            """
        var conversation = Conversation((suffix: "/manifest.json", status: 200, body: Data(body.utf8)))
        let page = try conversation.run(
            service.page(PageSlice(number: 1, size: 1), of: .popular(), cursor: nil))
        #expect(page.photos.first?.photo.full?.url.absoluteString == "http://a.example/x/" + path)
    }

    @Test(arguments: ["null", "1", "true", #""x""#, "[]", "[[]]", "{}", #"[{"id":7}]"#])
    func `a wrong type costs the field alone`(value: String) throws {
        for key in ["label", "rights", "homepage", "requiredStatement", "summary", "metadata", "thumbnail"] {
            let body = """
                {"type":"Manifest","\(key)":\(value),"items":[{"id":"http://a.example/\\u0000/c","\(key)":\(value),
                "items":[{"items":[{"body":{"id":"/a.jpg","type":"Image","label":\(value),"service":\(value)}}]}]}]}
                """
            var conversation = Conversation((suffix: "/manifest.json", status: 200, body: Data(body.utf8)))
            let page = try conversation.run(
                service.page(PageSlice(number: 1, size: 1), of: .popular(), cursor: nil))
            #expect(
                page.photos.map { $0.photo.full?.url.absoluteString } == ["http://127.0.0.1/a.jpg"], "\(key)")
        }
    }
}
