import Curation
import Foundation
import GalleryCore
import GalleryTestSupport
import ProductTestSupport
import Testing

@Suite(.fewAtOnce, .timeLimit(.minutes(1)))
struct MarkListsTests {
    @Test(arguments: ["trip", "best of 2026", "Été", "日本", "a.b", "x_-", "e\u{301}te\u{301}"])
    func `a list may be called anything that a file may be called everywhere`(name: String) {
        #expect(MarkListName(name)?.description == name)
    }

    @Test(arguments: [
        "", ".", "..", "../x", "a/b", "a\\b", ".hidden", "-x", "x.", " x", "x ", "a  b", "a\nb",
        "a\u{1B}[31m",
        "a\u{202E}b", "CON", "a:b", "~", String(repeating: "x", count: 101),
    ])
    func `names that lead elsewhere or cannot be typed are none`(name: String) {
        #expect(MarkListName(name) == nil)
    }

    @Test func `a list is there for as long as it has photos`() async throws {
        try await withTemporaryDirectory { folder in
            let lists = MarkLists(in: folder)
            #expect(lists.names.isEmpty)
            let (trip, best) = (try #require(MarkListName("trip")), try #require(MarkListName("Best")))
            try await lists.store(trip).mark([IndexedPhoto.sample(1).photo])
            try await lists.store(best).mark([IndexedPhoto.sample(2).photo])
            try await lists.store(nil).mark([IndexedPhoto.sample(3).photo])
            #expect(lists.names == [best, trip])
            let photos = try await lists.marks(of: trip).photos
            #expect(photos == [IndexedPhoto.sample(1).photo])
            let marked = await lists.marked()
            #expect(marked == Set((1...3).map { IndexedPhoto.sample($0).photo.id }))
            try await lists.store(trip).unmark([IndexedPhoto.sample(1).photo.id])
            #expect(lists.names == [best])
            let error = await #expect(throws: MarkListError.self) { try await lists.marks(of: trip) }
            #expect(error?.description == "There is no list 'trip'." && error?.hint == "Lists: Best.")
            // The one without a name is where it always was.
            let file = try Data(contentsOf: folder.appending(path: "marks.jsonl"))
            #expect(
                file
                    == Data(
                        (IndexedPhoto(index: nil, photo: IndexedPhoto.sample(3).photo).json.text + "\n").utf8)
            )
        }
    }

    @Test func `a file in the folder that no list could have is passed over`() throws {
        try withTemporaryDirectory { folder in
            let named = folder.appending(path: "marks")
            try FileManager.default.createDirectory(at: named, withIntermediateDirectories: true)
            for name in [".jsonl", "..jsonl", "a\u{7}.jsonl", "notes.txt", "x.jsonl.lock"] {
                try Data().write(to: named.appending(path: name))
            }
            #expect(MarkLists(in: folder).names.isEmpty)
        }
    }

    @Test(arguments: [
        (FeedReference.marked(nil), #"{"marked":{}}"#),
        (.marked(MarkListName("trip")), #"{"marked":{"list":"trip"}}"#),
    ])
    func `state files name the list`(feed: FeedReference, json: String) throws {
        #expect(String(decoding: try JSONEncoder().encode(feed), as: UTF8.self) == json)
        #expect(try JSONDecoder().decode(FeedReference.self, from: Data(json.utf8)) == feed)
    }

    @Test func `a state file that names no list is damaged`() {
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(FeedReference.self, from: Data(#"{"marked":{"list":"../x"}}"#.utf8))
        }
    }
}
