import Foundation
import GalleryCore
import GalleryTestSupport
import Testing

@testable import Curation

struct FeedLandmarksTests {
    private func photo(_ number: Int) -> PhotoID { PhotoID(service: "s", value: "\(number)") }

    /// After a run that met `numbers`, and one before it that ended with `entry`.
    private func landmarks(_ numbers: some Sequence<Int>, after entry: CompleteEntry? = nil) -> FeedLandmarks
    {
        let walk = entry.map { _ in WalkEntry(walked: "key", runs: 1, day: 20_000) }
        var landmarks = FeedLandmarks("key", after: entry, walk, today: 20_001)
        for number in numbers { landmarks.take(photo(number)) }
        return landmarks
    }

    @Test func `they are met where ten follow each other, or all there are`() {
        let end = landmarks(1...200).entry
        #expect(end.newest.count == 100)
        #expect(landmarks(1...10, after: end).areMet)
        #expect(!landmarks(1...9, after: end).areMet)
        #expect(landmarks(Array(901...950) + Array(1...10), after: end).areMet)
        // A favorite that was added again, before others that are new.
        #expect(!landmarks([50] + Array(901...950), after: end).areMet)
        // Known ones here and there.
        #expect(!landmarks((1...50).flatMap { [$0, 900 + $0] }, after: end).areMet)
        #expect(landmarks([8, 3, 2, 1], after: landmarks([3, 2, 1]).entry).areMet)
        #expect(!landmarks(1...300).areMet)
    }

    @Test(arguments: [
        // Runs and days since the feed was gone through to its end; whether the known photos are enough.
        (0, 0, true), (29, 0, true), (30, 0, false), (0, 29, true), (0, 30, false), (3, -1, false),
        (-1, 0, false), (Int.max, 0, false), (0, Int.max, false),
    ])
    func `after thirty runs, or on the thirtieth day, the feed is gone through to its end`(
        runs: Int, days: Int, isEnough: Bool
    ) {
        let end = landmarks(1...20).entry
        let walk = WalkEntry(walked: "key", runs: runs, day: 20_000 - days)
        var landmarks = FeedLandmarks("key", after: end, walk, today: 20_000)
        for number in 1...20 { landmarks.take(photo(number)) }
        #expect(landmarks.areMet == isEnough)
        #expect(landmarks.walk(toEnd: true) == WalkEntry(walked: "key", runs: 0, day: 20_000))
        if isEnough {
            #expect(
                landmarks.walk(toEnd: false)
                    == WalkEntry(walked: "key", runs: runs + 1, day: 20_000 - days))
        }
    }

    @Test func `those of the run before follow the new ones`() {
        let end = landmarks(1...100).entry
        let next = landmarks([901, 902] + Array(1...10), after: end).entry
        #expect(next.newest.prefix(3) == ["s:901", "s:902", "s:1"])
        #expect(next.newest.count == 100 && Set(next.newest).count == 100)
    }

    @Test func `a line of a manifest has room for them, however long their names are`() throws {
        var landmarks = FeedLandmarks("key", after: nil, nil, today: 0)
        for number in 0..<100 {
            landmarks.take(PhotoID(service: "s", value: String(repeating: "x", count: 240) + "\(number)"))
        }
        try withTemporaryDirectory { url in
            let manifest = Manifest(of: try DestinationFolder(existing: url))
            try manifest.add(landmarks.entry)
            let found: CompleteEntry? = try manifest.last(about: "key")
            #expect(found == landmarks.entry && found?.newest.isEmpty == false)
        }
    }
}
