import Curation
import Foundation
import GalleryCore
import Testing

struct PhotoOrderTests {
    /// Three photos: of the second nothing is known, and of the third all is less than of the first.
    private static let photos = [
        Photo(
            id: PhotoID(service: "x", value: "1"), title: "b", size: PixelSize(width: 20, height: 20),
            likes: 2, stars: 2,
            published: Date(timeIntervalSince1970: 2), taken: Date(timeIntervalSince1970: 2)),
        Photo(id: PhotoID(service: "x", value: "2"), title: ""),
        Photo(
            id: PhotoID(service: "x", value: "3"), title: "a", size: PixelSize(width: 30, height: 10),
            likes: 1, stars: 1,
            published: Date(timeIntervalSince1970: 1), taken: Date(timeIntervalSince1970: 1)),
    ].enumerated().map { IndexedPhoto(index: $0 + 1, photo: $1) }

    @Test(arguments: PhotoOrder.Key.allCases, [false, true])
    func `those of which it is not known come last, whichever come first`(
        key: PhotoOrder.Key, isReversed: Bool
    ) {
        let order = PhotoOrder.sorted(by: key, isReversed: isReversed)
        #expect(order.ordered(Self.photos).map(\.index) == (isReversed ? [1, 3, 2] : [3, 1, 2]))
    }

    @Test func `the same number shuffles alike, and keeps all`() {
        let many = (1...50).map { IndexedPhoto(index: $0, photo: Self.photos[0].photo) }
        let shuffled = PhotoOrder.shuffled(seed: 7).ordered(many).map(\.index)
        #expect(shuffled == PhotoOrder.shuffled(seed: 7).ordered(many).map(\.index))
        #expect(shuffled != many.map(\.index) && Set(shuffled) == Set(many.map(\.index)))
    }
}
