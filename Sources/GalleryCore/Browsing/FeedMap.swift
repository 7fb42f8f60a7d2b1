/// What is known of a feed: the pages loaded so far, in any order, and where it ends.
///
/// Indexes have gaps where a service withholds a photo, so the neighbor of 7 may be 9; and where a page between two
/// others has not been loaded, the neighbor is unknown.
struct FeedMap: Sendable {
    typealias Direction = PrefetchWindow.Direction

    enum Neighbor: Hashable, Sendable {
        case photo(Int)
        /// Something on this page, which has not been loaded.
        case unknown(page: Int)
        case end
    }

    let pageSize: Int
    private let includesAdult: Bool
    private let isWanted: @Sendable (Photo) -> Bool
    private var pages: [Int: [IndexedPhoto]] = [:]
    private var indexes: [PhotoID: Int] = [:]
    private var lastPage: Int?
    /// Pages without a new photo although more was to follow.
    private var blankPages: Set<Int> = []
    /// How many photos each page without a wanted one has.
    private var passed: [Int: Int] = [:]
    /// How many photos in a row may be passed over until wanted ones are no longer looked for; `nil` for any number.
    private let patience: Int?
    /// The same for now.
    private var allowance: Int?
    var total: Int?

    init(
        pageSize: Int, includesAdult: Bool, patience: Int? = nil,
        where isWanted: @escaping @Sendable (Photo) -> Bool = { _ in true }
    ) {
        self.isWanted = isWanted
        (self.pageSize, self.includesAdult, self.patience) = (pageSize, includesAdult, patience)
        allowance = patience
    }

    /// Adds page `number`. A photo that a changing ranking repeats keeps its first index.
    mutating func add(_ page: Page, number: Int) {
        total = page.total ?? total
        if !page.photos.contains(where: { indexes[$0.photo.id] == nil }) { blankPages.insert(number) }
        if !page.hasMore || isLost(at: number) { lastPage = min(lastPage ?? number, number) }
        pages[number] = page.photos.filter { entry in
            guard let index = entry.index, includesAdult || !entry.photo.isAdult, isWanted(entry.photo)
            else { return false }
            return indexes.updateValue(indexes[entry.photo.id] ?? index, forKey: entry.photo.id) ?? index
                == index
        }
        if pages[number] == [] { passed[number] = page.photos.count } else { allowance = patience }
    }

    /// How many photos without a wanted one come right before page `number`.
    private func passedOver(before number: Int) -> Int {
        let stretch = sequence(first: number - 1) { $0 - 1 }.lazy.map { passed[$0] }.prefix { $0 != nil }
        return stretch.reduce(0) { $0 + ($1 ?? 0) }
    }

    private func hasGivenUp(before number: Int) -> Bool {
        let count = passedOver(before: number)
        return count > 0 && count >= allowance ?? .max
    }

    /// How many photos are passed over where the known ones around `index` end, and whether that was given up.
    func search(from index: Int) -> (passedOver: Int, hasGivenUp: Bool) {
        var next = page(holding: index)
        while pages[next] != nil { next += 1 }
        return (passedOver(before: next), next <= lastPage ?? .max && hasGivenUp(before: next))
    }

    /// Takes what was passed over for the feed's end.
    mutating func giveUp() { allowance = 0 }

    /// Looks for wanted photos beyond those that were passed over around `index`.
    mutating func searchOn(from index: Int) {
        allowance = patience.map { $0 + search(from: index).passedOver }
    }

    /// Whether so many pages around `number` are blank that no photo can be expected after them.
    private func isLost(at number: Int) -> Bool {
        var (first, last) = (number, number)
        while blankPages.contains(first - 1) { first -= 1 }
        while blankPages.contains(last + 1) { last += 1 }
        return blankPages.contains(number) && last - first + 1 >= Page.patience
    }

    func has(page: Int) -> Bool { pages[page] != nil }

    func page(holding index: Int) -> Int { (max(1, index) - 1) / pageSize + 1 }

    func photo(at index: Int) -> IndexedPhoto? { pages[page(holding: index)]?.first { $0.index == index } }

    /// What is next to `index`, whether that is a photo or not.
    func neighbor(of index: Int, _ direction: Direction) -> Neighbor {
        var number = page(holding: index)
        while true {
            if number < 1 { return .end }
            guard let page = pages[number] else {
                let isOver = number > lastPage ?? .max || direction == .forward && hasGivenUp(before: number)
                return isOver ? .end : .unknown(page: number)
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

    /// The photos next to `index`, nearest first, at most `count`, and the unloaded page after them, if any.
    func neighbors(of index: Int, _ direction: Direction, count: Int) -> (indexes: [Int], missing: Int?) {
        var indexes: [Int] = []
        while indexes.count < count {
            switch neighbor(of: indexes.last ?? index, direction) {
            case .photo(let next): indexes.append(next)
            case .unknown(let page): return (indexes, page)
            case .end: return (indexes, nil)
            }
        }
        return (indexes, nil)
    }

    /// The known photos around `index`, without a gap between pages.
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

enum FeedRoute: Hashable, Sendable {
    /// This many photos ahead; negative for back.
    case steps(Int)
    /// This index, or the next photo if the service withholds it; `photo`, if its page has it at another index by now.
    case index(Int, photo: PhotoID?)
    case last
}

extension FeedMap {
    /// How far a route leads with what is known.
    enum Arrival: Hashable, Sendable {
        case arrived(Int)
        /// Unknown until this page has been loaded.
        case missing(page: Int)
        /// To an end of the feed: as far as `at`, or nowhere.
        case stopped(at: Int?, PhotoCursorState.Edge)
    }

    func resolve(_ route: FeedRoute, from current: Int?) -> Arrival {
        switch route {
        case .steps(let count): steps(count, from: current ?? 1)
        case .index(let index, let photo): arrival(at: index, photo)
        case .last: last(from: current ?? 1)
        }
    }

    private func steps(_ count: Int, from index: Int) -> Arrival {
        let (indexes, missing) = neighbors(of: index, count < 0 ? .backward : .forward, count: abs(count))
        if indexes.count == abs(count) { return .arrived(indexes.last ?? index) }
        if let missing { return .missing(page: missing) }
        return .stopped(at: indexes.last, count < 0 ? .first : .last)
    }

    private func arrival(at index: Int, _ photo: PhotoID?) -> Arrival {
        let page = page(holding: index)
        guard has(page: page) else {
            if let total, index > total { return .stopped(at: nil, .beyond(index)) }
            return .missing(page: page)
        }
        if let photo, let index = indexes[photo] { return .arrived(index) }
        if self.photo(at: index) != nil { return .arrived(index) }
        switch neighbor(of: index, .forward) {
        case .photo(let next): return .arrived(next)
        case .unknown(let page): return .missing(page: page)
        case .end: return .stopped(at: nil, .beyond(index))
        }
    }

    private func last(from index: Int) -> Arrival {
        let known = run(around: index).last?.index
        guard let total, total > 0 else { return known.map(Arrival.arrived) ?? .missing(page: 1) }
        let page = page(holding: total)
        guard has(page: page) else { return .missing(page: page) }
        // A total may count what the service withholds.
        let last = run(around: total).last?.index ?? known
        return last.map(Arrival.arrived) ?? .stopped(at: nil, .last)
    }
}
