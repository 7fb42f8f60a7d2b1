/// From indexes to a service's pages: arithmetic, so that any index costs one list request.
enum IndexRange {
    /// Consecutive pages; worked out one by one, for a range may be longer than any feed.
    typealias Slices = LazyMapSequence<ClosedRange<Int>, PageSlice>

    /// The pages that together hold `range`, as few as can be.
    ///
    /// - Parameters:
    ///   - range: indexes from 1.
    ///   - preferred: the page size a list uses; taken where one such page holds the
    ///     range, so that a photo looked at comes from the page already listed.
    ///   - entries: of a feed that only goes forward, the places whose cursors are known; a page
    ///     that begins there needs no way to it.
    static func slices(
        for range: ClosedRange<Int>, sizes: PageSizes, preferred: Int, entries: Set<Int> = []
    ) -> Slices {
        switch sizes {
        case .exactly(let size): return pages(of: size, holding: range)
        case .upTo(let limit):
            let candidates = ([preferred] + (min(range.count, limit)...limit).reversed()).filter {
                $0 <= limit
                    && page(of: $0, holding: range.lowerBound) == page(of: $0, holding: range.upperBound)
            }
            let entered = candidates.first { size in
                let place = (page(of: size, holding: range.lowerBound) - 1) * size
                return place == 0 ? !entries.isEmpty : entries.contains(place)
            }
            let usual = candidates.first == preferred ? preferred : candidates.last
            return pages(of: entered ?? usual ?? limit, holding: range)
        }
    }

    private static func page(of size: Int, holding index: Int) -> Int { (index - 1) / size + 1 }

    private static func pages(of size: Int, holding range: ClosedRange<Int>) -> Slices {
        (page(of: size, holding: range.lowerBound)...page(of: size, holding: range.upperBound)).lazy
            .map { PageSlice(number: $0, size: size) }
    }
}
