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
        var landmarks = FeedLandmarks("key", after: entry)
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
        #expect(landmarks([8, 3, 2, 1], after: landmarks([3, 2, 1]).entry).areMet)
        #expect(!landmarks(1...300).areMet)
    }

    @Test func `those of the run before follow the new ones`() {
        let end = landmarks(1...100).entry
        let next = landmarks([901, 902] + Array(1...10), after: end).entry
        #expect(next.newest.prefix(3) == ["s:901", "s:902", "s:1"])
        #expect(next.newest.count == 100 && Set(next.newest).count == 100)
    }

    @Test func `a line of a manifest has room for them, however long their names are`() throws {
        var landmarks = FeedLandmarks("key", after: nil)
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
