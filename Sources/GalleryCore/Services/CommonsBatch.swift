import Foundation

/// Files gathered from the answers to one query, each once.
struct CommonsBatch: Sendable {
    private var pages: [CommonsPage] = []
    private var titles: [String: String] = [:]
    /// What the last answer wants to hear for more, by parameter.
    private(set) var continuation: [String: String] = [:]

    var isEmpty: Bool { pages.isEmpty }

    /// This batch with a further answer: pages that are here already gain what they lacked.
    func merging(_ answer: CommonsAnswer) -> CommonsBatch {
        var merged = self
        var places: [String: Int] = [:]
        for (place, page) in pages.enumerated() { places[page.key] = place }
        for page in answer.query?.pages?.elements ?? [] {
            if let place = places[page.key] {
                merged.pages[place].imageinfo = merged.pages[place].imageinfo ?? page.imageinfo
            } else {
                places[page.key] = merged.pages.count
                merged.pages.append(page)
            }
        }
        for move in answer.query?.moves ?? [] { merged.titles[move.from] = move.to }
        merged.continuation = answer.continuation
        return merged
    }

    /// Puts the latest upload first; by title where two came in one second, as the wiki does.
    mutating func sortNewestFirst() {
        pages.sort { one, other in
            let (time, otherTime) = (one.uploaded ?? .distantPast, other.uploaded ?? .distantPast)
            return time == otherTime ? (one.title ?? "") > (other.title ?? "") : time > otherTime
        }
    }

    /// The pages with their places in the feed.
    func places(in slice: PageSlice) -> [(index: Int, page: CommonsPage)] {
        let said = pages.compactMap { $0.index?.value }
        guard said.count == pages.count else {
            return pages.prefix(slice.size).enumerated().map { (slice.firstIndex + $0, $1) }
        }
        let sorted = zip(said, pages).sorted { $0.0 < $1.0 }
        // A search says each result's place, so that one which is gone meanwhile leaves its gap.
        if Set(said).count == said.count, said.allSatisfy(slice.indexes.contains) {
            return sorted.map { (index: $0, page: $1) }
        }
        return sorted.prefix(slice.size).enumerated().map { (slice.firstIndex + $0, $1.1) }
    }

    /// The page asked for by its number or its title, whatever the wiki calls it by now.
    func page(_ identifier: String) -> CommonsPage? {
        guard CommonsTitle.isTitle(identifier) else {
            return pages.first { $0.pageid?.value.map(String.init) == identifier }
        }
        // At most two steps: the spelling put right, and the file renamed.
        let spelled = titles[identifier] ?? identifier
        let title = titles[spelled] ?? spelled
        return pages.first { $0.title == title }
    }
}
