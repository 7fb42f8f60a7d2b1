/// From indexes to a service's pages: arithmetic, so that any index costs one list request.
enum IndexRange {
    /// The pages that together hold `range`, as few as can be.
    ///
    /// - Parameters:
    ///   - range: indexes from 1.
    ///   - preferred: the page size a list uses; taken where one such page holds the
    ///     range, so that a photo looked at comes from the page already listed.
    static func slices(
        for range: ClosedRange<Int>, sizes: PageSizes, preferred: Int
    ) -> [PageSlice] {
        switch sizes {
        case .exactly(let size): return pages(of: size, holding: range)
        case .upTo(let limit):
            let candidates = [preferred] + Array(min(range.count, limit)...limit)
            let fitting = candidates.lazy.filter { (1...limit).contains($0) }
                .map { pages(of: $0, holding: range) }
            return fitting.first { $0.count == 1 } ?? pages(of: limit, holding: range)
        }
    }

    private static func pages(of size: Int, holding range: ClosedRange<Int>) -> [PageSlice] {
        let first = (range.lowerBound - 1) / size + 1
        let last = (range.upperBound - 1) / size + 1
        return (first...last).map { PageSlice(number: $0, size: size) }
    }
}
