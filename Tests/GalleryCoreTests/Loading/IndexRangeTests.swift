import Testing

@testable import GalleryCore

@Suite struct IndexRangeTests {
    @Test(arguments: [
        (1...1, [PageSlice(number: 1, size: 20)]),
        (20...20, [PageSlice(number: 1, size: 20)]),
        (21...21, [PageSlice(number: 2, size: 20)]),
        (450...450, [PageSlice(number: 23, size: 20)]),
        (3...9, [PageSlice(number: 1, size: 20)]),
        // Across the edge of a page of 20: another size holds both sides.
        (20...21, [PageSlice(number: 10, size: 2)].map { _ in PageSlice(number: 7, size: 3) }),
        (1...100, [PageSlice(number: 1, size: 100)]),
        (101...200, [PageSlice(number: 2, size: 100)]),
        (1...101, [PageSlice(number: 1, size: 100), PageSlice(number: 2, size: 100)]),
        (50...149, [PageSlice(number: 1, size: 100), PageSlice(number: 2, size: 100)]),
    ])
    func `a range takes as few pages as can be`(range: ClosedRange<Int>, slices: [PageSlice]) {
        #expect(IndexRange.slices(for: range, sizes: .upTo(100), preferred: 20) == slices)
    }

    @Test(arguments: [
        (1...50, [1]), (50...51, [1, 2]), (51...51, [2]), (100...100, [2]), (99...151, [2, 3, 4]),
    ])
    func `a service with pages of fifty is asked for those that hold the range`(
        range: ClosedRange<Int>, pages: [Int]
    ) {
        #expect(
            IndexRange.slices(for: range, sizes: .exactly(50), preferred: 20)
                == pages.map { PageSlice(number: $0, size: 50) })
    }

    @Test func `every range is covered, at every edge`() {
        for first in 1...130 {
            for count in [1, 2, 19, 20, 21, 60, 100, 101, 250] {
                let range = first...(first + count - 1)
                let slices = IndexRange.slices(for: range, sizes: .upTo(100), preferred: 20)
                #expect(slices.allSatisfy { (1...100).contains($0.size) })
                #expect(range.allSatisfy { index in slices.contains { $0.indexes.contains(index) } })
                if count <= 20 { #expect(slices.count == 1) }
            }
        }
    }
}
