import Curation
import Foundation
import GalleryCore
import GalleryTestSupport
import Testing

struct TournamentStoreTests {
    private static func key(_ filter: String = "", isSelection: Bool = false) -> TournamentStore.Key {
        .init(
            feed: .init(service: "sample", base: nil, feed: .feed(.popular())), filter: filter,
            isSelection: isSelection)
    }

    private static func photos(_ numbers: Range<Int>) -> [PhotoID] {
        numbers.map { PhotoID(service: "s", value: "\($0)") }
    }

    @Test func `what was left last is taken up, with what is gone and what is new`() async throws {
        try await withTemporaryDirectory { folder in
            let store = TournamentStore(file: folder.appending(path: "t.jsonl"))
            #expect(await store.tournament(Self.key(), over: Self.photos(0..<9)) == nil)
            var tournament = Tournament(of: Self.photos(0..<9))
            try store.keep(tournament, Self.key())
            tournament.choose(.second)
            try store.keep(tournament, Self.key())
            #expect(await store.tournament(Self.key(), over: Self.photos(0..<9)) == tournament)
            #expect(await store.tournament(Self.key(), over: Self.photos(3..<12)) == tournament)
            #expect(await store.tournament(Self.key(), over: Self.photos(5..<12)) == nil)
            #expect(await store.tournament(Self.key("4-"), over: Self.photos(0..<9)) == nil)
            #expect(
                try String(contentsOf: folder.appending(path: "t.jsonl"), encoding: .utf8).split(
                    separator: "\n"
                ).count == 1)
            try store.drop(tournament, Self.key())
            #expect(await store.tournament(Self.key(), over: Self.photos(0..<9)) == nil)
        }
    }

    @Test func `a selection is taken up by the same photos only, in any order`() async throws {
        try await withTemporaryDirectory { folder in
            let store = TournamentStore(file: folder.appending(path: "t.jsonl"))
            let (key, tournament) = (Self.key(isSelection: true), Tournament(of: Self.photos(0..<4)))
            try store.keep(tournament, key)
            #expect(await store.tournament(key, over: Self.photos(0..<4).reversed()) == tournament)
            #expect(await store.tournament(key, over: Self.photos(0..<3)) == nil)
            #expect(await store.tournament(key, over: Self.photos(0..<5)) == nil)
            #expect(await store.tournament(Self.key(), over: Self.photos(0..<4)) == nil)
        }
    }

    @Test func `lines that cannot be read stay, and the oldest tournaments go`() async throws {
        try await withTemporaryDirectory { folder in
            let file = folder.appending(path: "t.jsonl")
            try Data("{broken\n".utf8).write(to: file)
            let store = TournamentStore(file: file)
            for number in 0..<25 { try store.keep(Tournament(of: Self.photos(0..<2)), Self.key("\(number)")) }
            #expect(await store.tournament(Self.key("24"), over: Self.photos(0..<2)) != nil)
            #expect(await store.tournament(Self.key("0"), over: Self.photos(0..<2)) == nil)
        }
    }
}
