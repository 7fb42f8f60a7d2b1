/// Where somebody wants to go in a feed.
enum FeedRoute: Hashable, Sendable {
    /// So many photos on; negative is back.
    case steps(Int)
    /// This index, or the next photo where a service withholds it; `photo`, where that page holds it elsewhere by now.
    case index(Int, photo: PhotoID?)
    /// The feed's last photo.
    case last
}

extension FeedMap {
    /// How far one comes with what is known.
    enum Arrival: Hashable, Sendable {
        /// There: the photo at this index.
        case arrived(Int)
        /// Not before this page has come.
        case missing(page: Int)
        /// An end is in the way; one comes as far as `at`, or stays.
        case stopped(at: Int?, PhotoCursorState.Edge)
    }

    /// How far `route` leads from `current`.
    func resolve(_ route: FeedRoute, from current: Int?) -> Arrival {
        switch route {
        case .steps(let count): steps(count, from: current ?? 1)
        case .index(let index, let photo): place(of: index, photo)
        case .last: last(from: current ?? 1)
        }
    }

    private func steps(_ count: Int, from index: Int) -> Arrival {
        let (indexes, missing) = neighbours(of: index, count < 0 ? .backward : .forward, count: abs(count))
        if indexes.count == abs(count) { return .arrived(indexes.last ?? index) }
        if let missing { return .missing(page: missing) }
        return .stopped(at: indexes.last, count < 0 ? .first : .last)
    }

    private func place(of index: Int, _ photo: PhotoID?) -> Arrival {
        let page = page(holding: index)
        guard has(page: page) else {
            if let total, index > total { return .stopped(at: nil, .beyond(index)) }
            return .missing(page: page)
        }
        if let photo, let place = self.index(of: photo) { return .arrived(place) }
        if self.photo(at: index) != nil { return .arrived(index) }
        switch neighbour(of: index, .forward) {
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
