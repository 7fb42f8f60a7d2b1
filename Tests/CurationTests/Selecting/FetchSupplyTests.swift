import Curation
import Foundation
import GalleryTestSupport
import Testing

@testable import GalleryCore

@Suite("Fetch supply", .fewAtOnce, .timeLimit(.minutes(1)))
struct FetchSupplyTests {
    private struct Unobserved: FetchObserver {
        func begin(_ plan: FetchPlan, _ progress: FetchSupply.Progress?) {}
        func duplicatesOnceSettled() async -> Int { 0 }
    }

    /// The files of two photos, of which the second's is known once its details are, which do not come.
    private func withSupply(_ body: (FetchSupply, LocalServer) async throws -> Void) async throws {
        try await withLocalServer(.silence()) { server in
            let loader = try PhotoLoader(service: "500px", key: "key", at: server.url("v1"))
            let loaders = ServiceLoaders(sharing: loader)
            let photos = [
                Photo(
                    id: PhotoID(service: "500px", value: "1"), title: "1",
                    full: Rendition(url: server.url("/1"), size: nil)),
                Photo(id: PhotoID(service: "500px", value: "2"), title: "2"),
            ]
            let requested = RequestedFeed(
                address: ServiceAddress(service: "500px", base: nil), feed: .marked(nil), shown: nil)
            let resolver = try SelectionResolver(
                [.from(1)], in: IndexedFeed(requested, .photos(photos)), loaders: loaders,
                filter: .everything, input: PhotoInput { Data() })
            let supply = FetchSupply(
                resolver, try await FetchPlanner(into: nil, .init(named: .standard), loaders: loaders))
            #expect(try await supply.begin().files.count == 1)
            try await body(supply, server)
        }
    }

    @Test func `the next files are planned before those planned so far are taken`() async throws {
        try await withSupply { supply, server in
            try await server.waitForRequests(1)
            let consumer = Task { for await _ in supply.files(Unobserved()) {} }
            consumer.cancel()
            await consumer.value
        }
    }

    @Test func `who stops taking files does not wait for those being planned`() async throws {
        try await withSupply { supply, server in
            let consumer = Task {
                var names: [String] = []
                for await item in supply.files(Unobserved()) { names.append(item.name) }
                return names
            }
            try await server.waitForRequests(1)
            consumer.cancel()
            #expect(await consumer.value == ["1_1"])
        }
    }

    private func photos(_ numbers: ClosedRange<Int>, of service: String, title: String = "Sea")
        -> [IndexedPhoto]
    {
        numbers.map {
            IndexedPhoto(index: $0, photo: Photo(id: PhotoID(service: service, value: "\($0)"), title: title))
        }
    }

    @Test func `photos that need details are planned by the request, so that the first files come soon`()
        async throws
    {
        try await withLocalServer(.status(500)) { server in
            let loader = try PhotoLoader(service: "500px", key: "key", at: server.url("v1"))
            let loaders = ServiceLoaders(sharing: loader)
            let planner = try await FetchPlanner(into: nil, .init(named: .standard), loaders: loaders)
            let file = Rendition(url: server.url("/1"), size: nil)
            let known = Photo(id: PhotoID(service: "500px", value: "0"), title: "", full: file)
            var pending = ResolvedPhotos()
            pending.photos =
                [IndexedPhoto(index: nil, photo: known)]
                + photos(1...5 * loaders.detailsAtOnce("500px") + 1, of: "500px")
            var counts: [Int] = []
            while !pending.isEmpty { counts.append(planner.nextPart(of: &pending).photos.count) }
            let atOnce = loaders.detailsAtOnce("500px")
            #expect(atOnce > 1)
            #expect(counts == [1] + Array(repeating: atOnce, count: 5) + [1])
        }
    }

    @Test(arguments: ["", "Sea"])
    func `a photo of which no list has told is asked for its title, another for its files alone`(
        title: String
    ) async throws {
        try await withLocalServer(.json(#"{"stat":"fail","code":1,"message":"not found"}"#)) { server in
            let loader = try PhotoLoader(service: "flickr", key: "key", at: server.url("rest"))
            var options = FetchPlanner.Options(named: .standard)
            options.wantsFilesOnly = true
            let planner = try await FetchPlanner(
                into: nil, options, loaders: ServiceLoaders(sharing: loader))
            var resolved = ResolvedPhotos()
            resolved.photos = photos(7...7, of: "flickr", title: title)
            #expect(try await planner.plan(resolved).failures.count == 1)
            let methods = Set(server.requests.compactMap { $0.query("method") })
            #expect(methods.contains("flickr.photos.getInfo") == title.isEmpty)
            #expect(methods.contains("flickr.photos.getSizes"))
        }
    }
}
