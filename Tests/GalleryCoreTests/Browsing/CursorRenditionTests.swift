import Foundation
import GalleryCore
import GalleryTestSupport
import Testing

/// Which of a photo's files a cursor loads, over real sockets.
@Suite(.fewAtOnce, .timeLimit(.minutes(1))) struct CursorRenditionTests {
    /// A feed of photos of 6000 by 4000 pixels, whose files are at `/<photo>/<width>` of a server.
    private struct Shelf: CursorSource {
        let server: LocalServer
        let pictures: PictureFolder
        /// Whether only details name the full-size file.
        var isListed = true
        var details = Gate()
        let pageSize = 20
        let detailsPerRequest = 1
        let isAtHand = false

        func total() async -> Int? { nil }

        func page(_ slice: PageSlice) async throws(ServiceError) -> Page {
            Page(
                photos: (1...9).map { IndexedPhoto(index: $0, photo: photo($0, isWhole: isListed)) },
                hasMore: false)
        }

        func details(_ photos: [Photo]) async throws(ServiceError) -> DetailResults {
            do { try await details.wait() } catch { throw .transport(.cancelled) }
            var results: DetailResults = [:]
            for asked in photos {
                let photo = photo(Int(asked.id.value) ?? 0, isWhole: true)
                results[asked.id] = .success(PhotoDetail(photo: photo))
            }
            return results
        }

        nonisolated(nonsending) func picture(
            _ photo: Photo, _ rendition: Rendition, progress: CursorSource.Progress
        ) async throws(DownloadError) -> DownloadedFile {
            try await pictures.file(of: photo.id, HTTPRequest(url: rendition.url), progress: progress)
        }

        private func photo(_ index: Int, isWhole: Bool) -> Photo {
            func file(_ width: Int) -> Rendition {
                Rendition(
                    url: server.url("\(index)/\(width)"), size: PixelSize(width: width, height: width * 2 / 3)
                )
            }
            return Photo(
                id: PhotoID(service: "s", value: "\(index)"), title: "",
                size: PixelSize(width: 6000, height: 4000),
                thumbnail: file(330), full: isWhole ? file(6000) : nil,
                renditions: [120, 500, 960].map(file) + (isWhole ? [1280, 1920, 3840].map(file) : []))
        }
    }

    /// A cursor at photo 5 of nine, whose server answers with pictures of the size that they are asked for.
    private func withCursor(
        isListed: Bool = true, at size: ViewSize? = window(1200, 800),
        _ handler: @escaping @Sendable (LocalRequest) -> LocalReply? = { _ in nil },
        _ body: (PhotoCursor, CursorWatch, LocalServer, _ details: Gate) async throws -> Void
    ) async throws {
        try await withTemporaryDirectory { folder in
            try await withLocalServer({ handler($0) ?? Self.picture($0, width: nil) }) { server in
                let pictures = PictureFolder(folder, downloader: downloader(retries: 0))
                let shelf = Shelf(server: server, pictures: pictures, isListed: isListed)
                let cursor = PhotoCursor(shelf, viewedAt: size)
                let watch = CursorWatch(cursor)
                await cursor.go(to: 5)
                try await body(cursor, watch, server, shelf.details)
                await cursor.close()
            }
        }
    }

    private static func picture(_ request: LocalRequest, width: Int?) -> LocalReply {
        let width = width ?? request.path.split(separator: "/").last.flatMap { Int($0) } ?? 1
        return .file(Pictures.jpeg(width: width, height: width * 2 / 3))
    }

    private static func window(_ width: Int, _ height: Int) -> ViewSize? {
        PixelSize(width: width, height: height).map { .filling($0) }
    }

    private static let photo = PhotoID(service: "s", value: "5")

    @Test func `the photo and its neighbors come in the size of the window, and in no other`() async throws {
        try await withCursor { cursor, watch, server, _ in
            let state = try await watch.first { $0.isReady && $0.upcoming != nil }
            #expect(state.rendition?.size?.width == 1280 && !state.isFull && state.smaller == nil)
            for index in [6, 7, 4] { try await server.waitForRequests(1, to: "/\(index)/1280") }
            await cursor.move(by: 1)
            try await watch.first { $0.index == 6 && $0.isReady }
            try await server.waitForRequests(1, to: "/8/1280")
            #expect(Set(server.requests.map(\.path)) == Set((4...8).map { "/\($0)/1280" }))
        }
    }

    @Test func `nothing is loaded before the window's size is known`() async throws {
        try await withCursor(at: nil) { cursor, watch, server, _ in
            try await watch.first { $0.index == 5 }
            await cursor.view(at: try #require(Self.window(400, 900)))
            let state = try await watch.first { $0.isReady }
            #expect(state.rendition?.size?.width == 500)
            #expect(server.requests.map(\.path).allSatisfy { $0.hasSuffix("/500") })
        }
    }

    @Test func `zoom brings the next larger one, which takes the place of the first`() async throws {
        try await withCursor { cursor, watch, server, _ in
            let first = try await watch.first { $0.isReady && $0.preload == nil }
            let size = try #require(Self.window(1200, 800))
            await cursor.view(at: size, zoom: 1.5, of: Self.photo)
            let second = try await watch.first { $0.rendition?.size?.width == 1920 }
            guard case .ready(let small) = first.picture, case .ready(let large) = second.picture else {
                Issue.record("\(first) \(second)")
                return
            }
            #expect(second.smaller == small && small.url != large.url)
            await cursor.view(at: size, zoom: 8, of: Self.photo)
            let third = try await watch.first { $0.isFull }
            #expect(third.rendition?.size?.width == 6000 && third.smaller == large)
            // On the way back nothing is loaded, and the next photo is not enlarged.
            await cursor.view(at: size, zoom: 1, of: Self.photo)
            await cursor.move(by: 1)
            await cursor.view(at: size, zoom: 8, of: Self.photo)
            try await watch.first { $0.index == 6 && $0.isReady }
            try await server.waitForRequests(1, to: "/8/1280")
            let paths = server.requests.map(\.path)
            #expect(paths.filter { $0.hasPrefix("/5/") } == ["/5/1280", "/5/1920", "/5/6000"])
            #expect(paths.filter { $0.hasPrefix("/6/") } == ["/6/1280"])
        }
    }

    @Test func `a larger one that is not wanted any more is dropped, and the one that is there stays`()
        async throws
    {
        try await withCursor {
            $0.path == "/5/3840" ? .silence() : nil
        } _: { cursor, watch, server, _ in
            let first = try await watch.first { $0.isReady && $0.preload == nil }
            let size = try #require(Self.window(1200, 800))
            await cursor.view(at: size, zoom: 2, of: Self.photo)
            try await server.waitForRequests(1, to: "/5/3840")
            await cursor.view(at: size, zoom: 1, of: Self.photo)
            try await until { server.requestsInFlight == 0 }
            let last = await cursor.state
            #expect(last.rendition == first.rendition && last.larger == nil && last.setback == nil)
        }
    }

    @Test func `a window that grows asks anew where what is there is too small, and not otherwise`()
        async throws
    {
        try await withCursor { cursor, watch, server, _ in
            try await watch.first { $0.isReady && $0.preload == nil }
            for (width, height) in [(600, 400), (1280, 900), (1200, 2000)] {
                await cursor.view(at: try #require(Self.window(width, height)))
            }
            await cursor.view(at: try #require(Self.window(1900, 2000)))
            try await watch.first { $0.rendition?.size?.width == 1920 }
            #expect(server.requests.map(\.path).filter { $0.hasPrefix("/5/") } == ["/5/1280", "/5/1920"])
        }
    }

    @Test(arguments: [(ViewSize.file(.full), 6000), (.file(.thumbnail), 330), (.file(.pixels(1000)), 1280)])
    func `a size that is named comes whatever the window`(size: ViewSize, width: Int) async throws {
        try await withCursor(at: size) { cursor, watch, server, _ in
            let state = try await watch.first { $0.isReady && $0.preload == nil }
            #expect(state.rendition?.size?.width == width && state.isFull == (width == 6000))
            await cursor.view(at: size, zoom: 8, of: Self.photo)
            #expect(await cursor.state.larger == nil)
            #expect(server.requests.allSatisfy { $0.path.hasSuffix("/\(width)") })
        }
    }

    @Test func `what the list names is shown at once, and what the details add once they are there`()
        async throws
    {
        try await withCursor(isListed: false) { _, watch, server, details in
            let first = try await watch.first { $0.isReady }
            #expect(first.rendition?.size?.width == 960 && !first.isFull)
            details.open()
            let second = try await watch.first { $0.rendition?.size?.width == 1280 }
            #expect(second.detail != nil)
            #expect(server.requests.map(\.path).filter { $0.hasPrefix("/5/") } == ["/5/960", "/5/1280"])
        }
    }

    @Test(arguments: [
        LocalReply.status(404), .status(500), .html("<html>no picture</html>"),
        .body(Pictures.jpeg(width: 1280, height: 853).dropLast(40)), .body(Data()),
    ])
    func `one that fails is followed by the next one, and told of`(reply: LocalReply) async throws {
        try await withCursor {
            $0.path == "/5/1280" ? reply : nil
        } _: { _, watch, server, _ in
            let state = try await watch.first { $0.isReady }
            #expect(state.rendition?.size?.width == 1920)
            #expect(state.setback?.rendition.size?.width == 1280)
            #expect(server.requests.map(\.path).filter { $0.hasPrefix("/5/") } == ["/5/1280", "/5/1920"])
        }
    }

    @Test func `where none comes the error stays, after few requests, until one tries again`() async throws {
        try await withCursor {
            $0.path.hasPrefix("/5/") ? .status(404) : nil
        } _: { cursor, watch, server, _ in
            try await watch.first { $0.isFailed }
            let asked = ["/5/1280", "/5/1920", "/5/3840", "/5/6000"]
            #expect(server.requests.map(\.path).filter { $0.hasPrefix("/5/") } == asked)
            // The others go on.
            try await server.waitForRequests(1, to: "/4/1280")
            await cursor.retry()
            try await server.waitForRequests(2, to: "/5/6000")
            try await watch.first { $0.isFailed }
        }
    }

    @Test func `a host that cannot be reached is not asked for the others`() async throws {
        try await withCursor {
            $0.path.hasPrefix("/5/") ? .noAnswer() : nil
        } _: { _, watch, server, _ in
            let state = try await watch.first { $0.isFailed }
            #expect(state.setback != nil)
            #expect(server.requests.map(\.path).filter { $0.hasPrefix("/5/") } == ["/5/1280"])
        }
    }

    @Test func `one that is smaller than its service says is followed by the next larger one, once`()
        async throws
    {
        let handler = { @Sendable (request: LocalRequest) in
            request.path.hasPrefix("/5/") ? Self.picture(request, width: 700) : nil
        }
        try await withCursor(handler) { _, watch, server, _ in
            let state = try await watch.first { $0.isReady && $0.upcoming != nil && $0.preload == nil }
            try await server.waitForRequests(1, to: "/5/1920")
            #expect(state.rendition?.size == PixelSize(width: 700, height: 466))
            // No request of photo 5 is to come: those of its neighbors are the last.
            try await watch.first { $0.larger == nil && $0.preload == nil }
            #expect(server.requests.map(\.path).filter { $0.hasPrefix("/5/") } == ["/5/1280", "/5/1920"])
        }
    }
}
