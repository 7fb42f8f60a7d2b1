import Curation
import Foundation
import GalleryCore
import GalleryTestSupport
import Testing

@Suite(.fewAtOnce) struct BrowsePositionsTests {
    private let place = BrowsePositions.FeedKey(service: "sample", base: nil, feed: .feed(.popular()))
    private let other = BrowsePositions.FeedKey(service: "sample", base: nil, feed: .feed(.search("cat")))

    private func position(_ index: Int) -> BrowsePositions.Position {
        .init(index: index, photo: PhotoID(service: "sample", value: "\(index)"))
    }

    @Test func `each feed has its own place, and the last one counts`() async throws {
        try await withTemporaryDirectory { folder in
            let positions = BrowsePositions(file: folder.appending(path: "state/positions.jsonl"))
            #expect(positions.position(in: place) == nil)
            try positions.keep(position(3), in: place)
            try positions.keep(position(7), in: other)
            try positions.keep(position(4), in: place)
            #expect(positions.position(in: place) == position(4))
            #expect(positions.position(in: other) == position(7))
            #expect(await positions.lastPosition(in: other) == position(7))
        }
    }

    @Test func `a damaged line loses itself alone`() throws {
        try withTemporaryDirectory { folder in
            let file = folder.appending(path: "positions.jsonl")
            let positions = BrowsePositions(file: file)
            try positions.keep(position(3), in: place)
            try (try Data(contentsOf: file) + Data("{\n".utf8)).write(to: file)
            try positions.keep(position(7), in: other)
            #expect(positions.position(in: place) == position(3))
            #expect(positions.position(in: other) == position(7))
        }
    }

    @Test func `feeds not looked at longest are forgotten`() throws {
        try withTemporaryDirectory { folder in
            let file = folder.appending(path: "positions.jsonl")
            let positions = BrowsePositions(file: file)
            func text() throws -> String { try String(contentsOf: file, encoding: .utf8) }
            try positions.keep(position(2), in: other)
            let line = try text()
            try FileManager.default.removeItem(at: file)
            try positions.keep(position(1), in: place)
            let others = (1...199).map { line.replacing("cat", with: "\($0)") }
            try Data((try text() + others.joined()).utf8).write(to: file)
            #expect(positions.position(in: place) == position(1))
            try positions.keep(position(7), in: other)
            #expect(positions.position(in: place) == nil)
        }
    }

    @Test func `however often one feed is looked at, the others keep their places`() throws {
        try withTemporaryDirectory { folder in
            let file = folder.appending(path: "positions.jsonl")
            let positions = BrowsePositions(file: file)
            try positions.keep(position(3), in: place)
            for index in 1...3 { try positions.keep(position(index), in: other) }
            #expect(try Data(contentsOf: file).split(separator: UInt8(ascii: "\n")).count == 2)
            #expect(positions.position(in: place) == position(3))
        }
    }
}
