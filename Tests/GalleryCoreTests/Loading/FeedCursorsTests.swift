import Foundation
import Testing

@testable import GalleryCore

/// Which cursors are kept and which are given out.
struct FeedCursorsTests {
    private let start = Date(timeIntervalSince1970: 784_111_777)

    private func cursors(_ offsets: [Int: Double]) -> FeedCursors {
        var cursors = FeedCursors()
        for (offset, age) in offsets.sorted(by: { $0.value > $1.value }) {
            cursors.remember(
                PageCursor(offset: offset, text: "c\(offset)"), at: start.addingTimeInterval(-age))
        }
        return cursors
    }

    @Test(arguments: [
        (0, nil as Int?), (19, nil), (20, 20), (39, 20), (40, 40), (59, 40), (60, 60), (999, 60),
    ])
    func `the nearest is the last one at the offset or before`(offset: Int, nearest: Int?) {
        let found = cursors([20: 0, 40: 0, 60: 0]).nearest(to: offset)
        #expect(found == nearest.map { PageCursor(offset: $0, text: "c\($0)") })
    }

    @Test func `what is as old as a list may be is gone, and so is what comes from the future`() {
        let cursors = cursors([20: 299, 40: 300, 60: -5])
        #expect(cursors.fresh(at: start, lifetime: .seconds(300)).offsets == [20])
        #expect(cursors.fresh(at: start, lifetime: nil).offsets == [20, 40, 60])
    }

    @Test func `the same cursor once more gets no younger, another one replaces it`() {
        var cursors = cursors([20: 200])
        cursors.remember(PageCursor(offset: 20, text: "c20"), at: start)
        #expect(cursors.fresh(at: start, lifetime: .seconds(100)).offsets.isEmpty)
        cursors.remember(PageCursor(offset: 20, text: "other"), at: start)
        #expect(cursors.fresh(at: start, lifetime: .seconds(100)).nearest(to: 20)?.text == "other")
    }

    @Test func `what was seen longest ago goes first, and what is too long is none`() {
        let many = Dictionary(uniqueKeysWithValues: (1...600).map { ($0, Double($0)) })
        #expect(cursors(many).offsets == Set(1...500))
        var cursors = FeedCursors()
        cursors.remember(PageCursor(offset: 1, text: String(repeating: "x", count: 5000)), at: start)
        cursors.remember(PageCursor(offset: 0, text: "first"), at: start)
        #expect(cursors.offsets.isEmpty)
    }

    @Test func `only the very cursor that was refused is forgotten`() {
        var cursors = cursors([20: 0, 40: 0])
        cursors.forget(PageCursor(offset: 20, text: "another"))
        cursors.forget(PageCursor(offset: 40, text: "c40"))
        #expect(cursors.offsets == [20])
    }
}
