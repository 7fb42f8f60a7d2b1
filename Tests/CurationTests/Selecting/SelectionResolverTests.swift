import Curation
import Foundation
import GalleryTestSupport
import Testing

@testable import GalleryCore

@Suite("Selection resolver", .fewAtOnce, .timeLimit(.minutes(1)))
struct SelectionResolverTests {
    private func resolver(
        _ selections: [Selection], of photos: [Photo] = [], _ loaders: ServiceLoaders,
        filter: FilterRun = .everything
    ) throws -> SelectionResolver {
        let requested = RequestedFeed(address: loaders.address, feed: .marked(nil), shown: nil)
        return try SelectionResolver(
            selections, in: IndexedFeed(requested, .photos(photos)), loaders: loaders, filter: filter,
            input: PhotoInput { Data() })
    }

    @Test func `a photo that several ranges leave out is counted once`() async throws {
        let loaders = ServiceLoaders(sharing: try PhotoLoader.sample())
        let photos = (1...9).map { Photo(id: PhotoID(service: "sample", value: "\($0)"), title: "") }
        var filter = PhotoFilter()
        filter.tags = ["sea"]
        var resolver = try resolver(
            [.range(1...4), .range(3...6), .from(2)], of: photos, loaders,
            filter: FilterRun(filter, limit: nil))
        #expect(try await resolver.all().photos.isEmpty)
        #expect(resolver.filter.droppedByRule == [.tag: 9])
    }

    /// A page's address has a title, where the service's own identifier is a number.
    @Test func `a photo named by its page stays named under its own identifier`() async throws {
        let wiki = WikiServer(count: 9)
        try await withLocalServer({ wiki.reply(to: $0) }) { server in
            let loader = try PhotoLoader(service: "commons", at: server.url("w/api.php"))
            let page = try #require(URL(string: "https://commons.wikimedia.org/wiki/File:Picture_7.jpg"))
            var resolver = try resolver([.page(page)], ServiceLoaders(sharing: loader))
            let resolved = try await resolver.all()
            let id = try #require(resolved.photos.first?.photo.id)
            #expect(id.value == "7")
            #expect(resolved.named.contains(id))
        }
    }

    @Test func `files are the same where their bytes are, whatever their digests say`() async throws {
        try await withTemporaryDirectory { folder in
            let comparison = PictureComparison()
            var outcomes: [Bool] = []
            for (name, seed) in [("a.jpg", 1), ("b.jpg", 2), ("c.jpg", 1)] {
                let file = folder.appending(path: name)
                let picture = Pictures.jpeg(bytes: 5000, seed: UInt64(seed))
                try picture.write(to: file)
                let print = "0123456789abcdef"
                outcomes.append(
                    await comparison.take([
                        DownloadedFile(url: file, bytes: 5000, status: .fetched, digest: print)
                    ]))
            }
            #expect(outcomes == [true, true, false])
        }
    }
}
