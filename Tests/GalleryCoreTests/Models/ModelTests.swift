import GalleryCore
import Testing

@Suite struct ModelTests {
    @Test(arguments: [
        ("2024-02-29", true), ("2023-02-29", false), ("2024-13-01", false), ("2024-00-10", false),
        ("2024-1-1", false), ("+024-01-01", false), ("20240101", false), ("1899-01-01", false),
        ("2024-04-31", false),
    ])
    func `a day is a day of the calendar`(text: String, isDay: Bool) {
        #expect((CalendarDay(text)?.description == text) == isDay)
    }

    @Test(arguments: [
        (4000, 3000, 2048, 2048, 1536), (3000, 4000, 2048, 1536, 2048), (100, 50, 2048, 100, 50),
        (60_000, 1, 2048, 2048, 1),
    ])
    func `a size fits its longest edge and never grows`(
        width: Int, height: Int, edge: Int, toWidth: Int, toHeight: Int
    ) {
        #expect(
            PixelSize(width: width, height: height)?.fitting(longestEdge: edge)
                == PixelSize(width: toWidth, height: toHeight))
    }

    @Test(arguments: [
        (3, 2, Orientation.landscape), (2, 3, .portrait), (2, 2, .square), (1, 1, .square),
        (60_001, 60_000, .landscape),
    ])
    func `a size has an orientation`(width: Int, height: Int, orientation: Orientation) {
        #expect(PixelSize(width: width, height: height)?.orientation == orientation)
    }

    @Test(arguments: [(1, 20, 1...20), (2, 20, 21...40), (3, 1, 3...3), (10, 7, 64...70)])
    func `a page has its indexes`(number: Int, size: Int, indexes: ClosedRange<Int>) {
        let slice = PageSlice(number: number, size: size)
        #expect(slice.firstIndex == indexes.lowerBound)
        #expect(slice.indexes == indexes)
    }

    @Test(arguments: [(0, 5), (5, 0), (-1, 5)])
    func `a size below one pixel is none`(width: Int, height: Int) {
        #expect(PixelSize(width: width, height: height) == nil)
    }

    @Test func `a secret is printed nowhere`() {
        let secret = Secret("hush")
        var dumped = ""
        dump(secret, to: &dumped)
        #expect(!"\(secret as Any) \(String(reflecting: secret)) \(dumped)".contains("hush"))
        #expect(Secret("") == nil)
    }
}
