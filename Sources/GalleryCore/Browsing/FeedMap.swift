/// What is known of a feed: pages that came, in any order, and where it ends.
///
/// Indexes have gaps where a service withholds a photo, so the neighbour of 7 may be 9;
/// and there may be holes between pages, behind which nobody knows the neighbour yet.
struct FeedMap: Sendable {
    typealias Direction = PrefetchWindow.Direction

    /// What stands next to a photo.
    enum Neighbour: Hashable, Sendable {
        /// The photo at this index.
        case photo(Int)
        /// Whatever this page holds, which has not come.
        case unknown(page: Int)
        /// Nothing: the feed ends here.
        case end
    }

    let pageSize: Int
    private let includesAdult: Bool
    private var pages: [Int: [IndexedPhoto]] = [:]
    private var places: [PhotoID: Int] = [:]
    private var lastPage: Int?
    /// Pages that came without a new photo although more was to follow.
    private var blankPages: Set<Int> = []
    private(set) var total: Int?

    init(pageSize: Int, includesAdult: Bool) {
        self.pageSize = pageSize
        self.includesAdult = includesAdult
    }

    /// Takes page `number` in. A photo that a moving ranking repeats keeps its first place.
    mutating func add(_ page: Page, number: Int) {
        total = page.total ?? total
        if !page.photos.contains(where: { places[$0.photo.id] == nil }) { blankPages.insert(number) }
        if !page.hasMore || isLost(at: number) { lastPage = min(lastPage ?? number, number) }
        pages[number] = page.photos.filter { entry in
            guard let index = entry.index, includesAdult || !entry.photo.isAdult else { return false }
            return places.updateValue(places[entry.photo.id] ?? index, forKey: entry.photo.id) ?? index
                == index
        }
    }

    /// Whether so many pages around `number` came blank that no photo is to be expected after them.
    private func isLost(at number: Int) -> Bool {
        var (first, last) = (number, number)
        while blankPages.contains(first - 1) { first -= 1 }
        while blankPages.contains(last + 1) { last += 1 }
        return blankPages.contains(number) && last - first + 1 >= FeedWalk.patience
    }

    func has(page: Int) -> Bool { pages[page] != nil }

    func page(holding index: Int) -> Int { (max(1, index) - 1) / pageSize + 1 }

    func photo(at index: Int) -> IndexedPhoto? {
        pages[page(holding: index)]?.first { $0.index == index }
    }

    func index(of photo: PhotoID) -> Int? { places[photo] }

    /// What stands next to `index`, itself a photo or not.
    func neighbour(of index: Int, _ direction: Direction) -> Neighbour {
        var number = page(holding: index)
        while true {
            if number < 1 { return .end }
            guard let page = pages[number] else {
                return number > lastPage ?? .max ? .end : .unknown(page: number)
            }
            let indexes = page.compactMap(\.index)
            switch direction {
            case .forward:
                if let next = indexes.first(where: { $0 > index }) { return .photo(next) }
                if number >= lastPage ?? .max { return .end }
                number += 1
            case .backward:
                if let previous = indexes.last(where: { $0 < index }) { return .photo(previous) }
                number -= 1
            }
        }
    }

    /// The photos next to `index`, nearest first, at most `count`, and the page that hides more.
    func neighbours(of index: Int, _ direction: Direction, count: Int) -> (indexes: [Int], missing: Int?) {
        var indexes: [Int] = []
        while indexes.count < count {
            switch neighbour(of: indexes.last ?? index, direction) {
            case .photo(let next): indexes.append(next)
            case .unknown(let page): return (indexes, page)
            case .end: return (indexes, nil)
            }
        }
        return (indexes, nil)
    }

    /// The photos around `index` without a hole between them.
    func run(around index: Int) -> [IndexedPhoto] {
        let middle = page(holding: index)
        guard pages[middle] != nil else { return [] }
        var first = middle
        while pages[first - 1] != nil { first -= 1 }
        var last = middle
        while pages[last + 1] != nil { last += 1 }
        return (first...last).flatMap { pages[$0] ?? [] }
    }
}
