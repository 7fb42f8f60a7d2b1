import Curation
import Foundation
import GalleryCore
import GalleryTestSupport
import Testing

@Suite(.fewAtOnce, .timeLimit(.minutes(1)))
struct RatingStoreTests {
    private func photo(_ id: String, stars: Int? = nil, file: String? = nil) -> Photo {
        Photo(
            id: PhotoID(service: file == nil ? "flickr" : "folder", value: id), title: id,
            full: file.map { Rendition(url: URL(filePath: $0), size: nil) }, stars: stars)
    }

    @Test func `a rating counts more than what the file says, and none too`() async throws {
        try await withTemporaryDirectory { folder in
            let store = RatingStore(file: folder.appending(path: "ratings.jsonl"))
            try await store.rate([photo("1"), photo("2")], 4)
            try await store.rate([photo("2")], 0)
            try await store.rate([photo("3")], 5)
            let ratings = try await store.ratings()
            #expect(ratings.applied(to: photo("1")).stars == 4)
            #expect(ratings.applied(to: photo("2", stars: 3)).stars == nil)
            #expect(ratings.applied(to: photo("4", stars: 2)).stars == 2)
            try await store.rate([photo("2")], nil)
            let later = try await store.ratings()
            #expect(later.applied(to: photo("2", stars: 3)).stars == 3)
        }
    }

    @Test func `files of the same name in two folders have ratings of their own`() async throws {
        try await withTemporaryDirectory { folder in
            let store = RatingStore(file: folder.appending(path: "ratings.jsonl"))
            try await store.rate([photo("a b?.jpg", file: "/one/a b?.jpg")], 4)
            let ratings = try await store.ratings()
            #expect(ratings.applied(to: photo("a b?.jpg", file: "/one/a b?.jpg")).stars == 4)
            #expect(ratings.applied(to: photo("a b?.jpg", file: "/two/a b?.jpg")).stars == nil)
            #expect(ratings.applied(to: photo("x/a b?.jpg", file: "/one/a b?.jpg")).stars == 4)
        }
    }

    @Test func `damaged lines are left alone`() async throws {
        try await withTemporaryDirectory { folder in
            let file = folder.appending(path: "ratings.jsonl")
            let damage = Data(
                "{\"stars\":3}\n\u{1B}]0;x\n{\"service\":\"flickr\",\"id\":\"9\",\"stars\":99}\n".utf8)
            try damage.write(to: file)
            let store = RatingStore(file: file)
            try await store.rate([photo("1")], 1)
            #expect(try Data(contentsOf: file).starts(with: damage))
            let ratings = try await store.ratings()
            #expect(
                ratings.applied(to: photo("9")).stars == nil && ratings.applied(to: photo("1")).stars == 1)
        }
    }

    @Test(arguments: [nil, 0, 2, 4] as [Int?])
    func `a filter counts the rating that was given`(given: Int?) {
        var ratings = Ratings()
        if let given { ratings.rate(photo("1", stars: 3), given) }
        for stars in [0...0, 0...2, 2...5, 3...3, 4...5] {
            var filter = PhotoFilter()
            filter.stars = stars
            var run = FilterRun(filter, limit: nil)
            run.ratings = ratings
            let isKept = run.passes(IndexedPhoto(index: 1, photo: photo("1", stars: 3)))
            #expect(isKept == stars.contains(given ?? 3))
            #expect(run.droppedByRule == (isKept ? [:] : [.stars: 1]))
        }
    }
}
