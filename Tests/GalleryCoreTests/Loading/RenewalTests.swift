import Foundation
import GalleryTestSupport
import Testing

@testable import GalleryCore

/// Image addresses that have expired, at a server compatible with 500px.
@Suite(.fewAtOnce, .timeLimit(.minutes(1))) struct RenewalTests {
    private static let picture = Pictures.jpeg(bytes: 5_000)

    private static func photo(at address: URL) -> LocalReply {
        .json(
            #"{"photo":{"id":1,"name":"One","width":4,"height":3,"user":{"id":7,"username":"a"},"#
                + #""images":[{"size":2048,"url":"\#(address.absoluteString)"}]},"comments":[]}"#)
    }

    /// The photo 1, whose old address is refused. Details are answered with each of `statuses` first.
    private static func reply(
        _ request: LocalRequest, _ statuses: [Int], refusal: Int = 403
    ) -> LocalReply {
        switch request.path {
        case "/v1/photos/1":
            guard request.attempt > statuses.count else { return .status(statuses[request.attempt - 1]) }
            return photo(at: request.serverURL.appending(path: "new"))
        case "/new": return .file(picture)
        default: return .status(refusal)
        }
    }

    private func loaders(_ server: LocalServer, cache: DiskCache? = nil) -> ServiceLoaders {
        var configuration = APIClient.Configuration()
        configuration.retries = 0
        return ServiceLoaders(
            ServiceCatalog(
                keys: ["500px": Secret("key")].compactMapValues(\.self), sample: URL(filePath: "/")),
            at: ServiceAddress(service: "500px", base: server.url("v1")),
            client: APIClient(
                transport: URLSessionTransport(), configuration: configuration,
                shared: APIClient.Shared(cache: cache)))
    }

    private func oldImage(
        _ loaders: ServiceLoaders, _ server: LocalServer, at path: String = "old"
    ) throws -> HTTPRequest {
        let old = Rendition(url: server.url(path), size: nil)
        let photo = Photo(id: PhotoID(service: "500px", value: "1"), title: "One", full: old)
        return try loaders.imageRequest(old, of: photo, isRemembered: true)
    }

    @Test func `a service that failed once is asked again for an expired address`() async throws {
        try await withLocalServer({ Self.reply($0, [500]) }) { server in
            let loaders = loaders(server)
            let image = try oldImage(loaders, server)
            #expect(await outcome(of: image, over: loaders.images) == "403")
            let sink = RecordingSink()
            #expect(await outcome(of: image, over: loaders.images, to: sink) == "200")
            #expect(sink.body == Self.picture)
        }
    }

    @Test func `nothing is kept of the address of a file that is there`() async throws {
        try await withServer(LocalReply.status(403)) { server, folder in
            let loaders = loaders(server)
            let image = try oldImage(loaders, server)
            try Self.picture.write(to: folder.appending(path: "1.jpg"))
            let item = DownloadItem(
                number: 0, photo: PhotoID(service: "500px", value: "1"), source: image, name: "1",
                isNameUnique: true)
            #expect(loaders.renewal(of: image.url) != nil)
            let downloader = Downloader(transport: loaders.images)
            let pictures = PictureFolder(folder.appending(path: "viewed"), downloader: downloader)
            // As `fetch` has it.
            let transport = KeptPictureTransport(pictures, otherwise: loaders.images)
            let file = try await Downloader(transport: transport).file(item, into: TargetFolder(folder))
            #expect(file.status == .kept && server.requests.isEmpty)
            #expect(loaders.renewal(of: image.url) == nil)
        }
    }

    @Test(arguments: [401, 403, 404, 410])
    func `an expired address is renewed, however its host refuses it`(refusal: Int) async throws {
        try await withLocalServer({ Self.reply($0, [], refusal: refusal) }) { server in
            let loaders = loaders(server)
            let image = try oldImage(loaders, server)
            #expect(await outcome(of: image, over: loaders.images) == "200")
        }
    }

    @Test func `an address whose host failed first is renewed when it has expired`() async throws {
        try await withLocalServer({ request in
            request.path == "/old" && request.attempt == 1 ? .status(503) : Self.reply(request, [])
        }) { server in
            let loaders = loaders(server)
            let image = try oldImage(loaders, server)
            #expect(await outcome(of: image, over: loaders.images) == "503")
            #expect(await outcome(of: image, over: loaders.images) == "200")
        }
    }

    @Test func `the same address is not tried again, and its photo asked for once`() async throws {
        try await withLocalServer({ request in
            guard request.path == "/v1/photos/1" else { return .status(403) }
            return Self.photo(at: request.serverURL.appending(path: "old"))
        }) { server in
            let loaders = loaders(server)
            let image = try oldImage(loaders, server)
            #expect(await outcome(of: image, over: loaders.images) == "403")
            #expect(server.requests.map(\.path) == ["/old", "/v1/photos/1"])
        }
    }

    @Test func `a page is renewed by the same page, and by none where there is none`() throws {
        let renditions = try (0..<3).map {
            Rendition(url: try #require(URL(string: "http://h/\($0)")), size: nil)
        }
        let photo = Photo(id: PhotoID(service: "pixiv", value: "1"), title: "", full: renditions[0])
        var detail = PhotoDetail(photo: photo)
        detail.pages = renditions.map { [$0] }
        for page in 0..<3 {
            #expect(
                ImageOrigin(photo: photo.id, size: .full, page: page).rendition(in: detail)
                    == renditions[page])
        }
        #expect(ImageOrigin(photo: photo.id, size: .full, page: 3).rendition(in: detail) == nil)
    }

    @Test func `a photo that the service no longer knows is asked for once`() async throws {
        try await withLocalServer({ Self.reply($0, [404, 404, 404]) }) { server in
            let loaders = loaders(server)
            let image = try oldImage(loaders, server)
            for _ in 0..<3 { #expect(await outcome(of: image, over: loaders.images) == "403") }
            #expect(server.requests(to: "/v1/photos/1").count == 1)
        }
    }

    @Test func `an expired address that the cache has is renewed past the cache`() async throws {
        try await withServer({ request in
            guard request.path == "/v1/photos/1" else { return Self.reply(request, []) }
            return Self.photo(
                at: request.serverURL.appending(path: request.attempt == 1 ? "old" : "new"))
        }) { server, folder in
            let photo = Photo(id: PhotoID(service: "500px", value: "1"), title: "One")
            for _ in 0..<2 {
                // Of two processes, the second has the address from the cache.
                let loaders = loaders(server, cache: DiskCache(folder: folder))
                let detail = try await loaders.details(of: [photo])[photo.id]?.get()
                #expect(detail?.photo.full?.url == server.url("old"))
            }
            #expect(server.requests(to: "/v1/photos/1").count == 1)
            let loaders = loaders(server, cache: DiskCache(folder: folder))
            let sink = RecordingSink()
            let image = try oldImage(loaders, server)
            #expect(await outcome(of: image, over: loaders.images, to: sink) == "200")
            #expect(sink.body == Self.picture)
        }
    }

    @Test func `of a photo with several expired addresses the details are asked for once`() async throws {
        try await withLocalServer({ Self.reply($0, []) }) { server in
            let loaders = loaders(server)
            for path in ["old", "older", "oldest"] {
                let image = try oldImage(loaders, server, at: path)
                #expect(await outcome(of: image, over: loaders.images) == "200")
            }
            #expect(server.requests(to: "/v1/photos/1").count == 1)
        }
    }
}
