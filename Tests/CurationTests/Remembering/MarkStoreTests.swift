import Curation
import Foundation
import GalleryCore
import GalleryTestSupport
import ProductTestSupport
import Testing

@Suite(.fewAtOnce, .timeLimit(.minutes(1)))
struct MarkStoreTests {
    private let photos = (1...3).map { IndexedPhoto.sample($0).photo }

    @Test func `photos are kept whole, newest first, each once`() async throws {
        try await withTemporaryDirectory { folder in
            let store = MarkStore(file: folder.appending(path: "state/marks.jsonl"))
            let empty = try await store.marks()
            #expect(empty.photos.isEmpty)
            let added = try await store.mark([photos[0], photos[1]])
            #expect(added == 2)
            let addedLater = try await store.mark([photos[0], photos[2]])
            #expect(addedLater == 1)
            let marked = try await store.marks()
            #expect(marked.photos == [photos[2], photos[1], photos[0]])
            let removed = try await store.unmark([photos[1].id, PhotoID(service: "s", value: "none")])
            #expect(removed == 1)
            let left = try await store.marks()
            #expect(left.photos == [photos[2], photos[0]])
        }
    }

    @Test func `a mark keeps the credit that a license asks for, and the category`() async throws {
        try await withTemporaryDirectory { folder in
            let photo = Photo(
                id: PhotoID(service: "openverse", value: "1"), title: "Sea", category: "photograph",
                license: "CC BY 2.0", attribution: "Ann, by courtesy of the harbor")
            let store = MarkStore(file: folder.appending(path: "marks.jsonl"))
            try await store.mark([photo])
            #expect(try await store.marks().photos == [photo])
        }
    }

    @Test func `damaged lines are left alone and told`() async throws {
        try await withTemporaryDirectory { folder in
            let file = folder.appending(path: "marks.jsonl")
            let store = MarkStore(file: file)
            try await store.mark([photos[0]])
            let damage = Data("{\"service\":\"s\"\n\u{1B}]0;x\u{7}\n".utf8)
            try (try Data(contentsOf: file) + damage).write(to: file)
            try await store.mark([photos[1]])
            try await store.unmark([photos[0].id])
            let marks = try await store.marks()
            #expect(marks.photos == [photos[1]])
            #expect(marks.damaged == [1, 2])
            #expect(marks.warning?.contains("2 lines (the first is 1)") == true)
            #expect(try Data(contentsOf: file).starts(with: damage))
        }
    }

    @Test func `nobody else reads them`() async throws {
        try await withTemporaryDirectory { parent in
            let file = parent.appending(path: "state/gallery/marks.jsonl")
            try await MarkStore(file: file).mark([IndexedPhoto.sample(1).photo])
            for (path, mode) in [
                (file.deletingLastPathComponent().path, 0o700), (file.path, 0o600),
                (file.path + ".lock", 0o600),
            ] {
                let attributes = try FileManager.default.attributesOfItem(atPath: path)
                #expect(attributes[.posixPermissions] as? Int == mode, "\(path)")
            }
        }
    }

    @Test func `many at once lose nothing`() async throws {
        try await withTemporaryDirectory { folder in
            let file = folder.appending(path: "marks.jsonl")
            try await withThrowingTaskGroup(of: Void.self) { group in
                for index in 1...40 {
                    // A store of its own each, as processes have.
                    group.addTask {
                        _ = try await MarkStore(file: file).mark([IndexedPhoto.sample(index).photo])
                    }
                }
                try await group.waitForAll()
            }
            let marks = try await MarkStore(file: file).marks()
            let expected = (1...40).map { "\($0)" }
            #expect(marks.photos.map(\.id.value).sorted() == expected.sorted())
            #expect(marks.damaged.isEmpty)
        }
    }

    @Test func `the marks are a feed that pages like any other`() async throws {
        try await withTemporaryDirectory { folder in
            let store = MarkStore(file: folder.appending(path: "marks.jsonl"))
            try await store.mark((1...250).map { IndexedPhoto.sample($0).photo })
            let list = PhotoList.photos(try await store.marks().photos)
            let page = try await list.photos(1...250)
            #expect(page.photos.map(\.index) == Array(1...250))
            #expect(page.photos.first?.photo.id.value == "250")
            #expect(page.hasMore == false)
        }
    }
}
