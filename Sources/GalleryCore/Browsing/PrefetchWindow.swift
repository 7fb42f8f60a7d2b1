/// Decides which photos around the current one to load: from moves to what starts and what is canceled.
///
/// In this order: the current photo, the next two in the direction of travel, and the previous one. The current one
/// starts at once, whatever else runs. The others wait until it has begun to arrive, or has ended, and run a few at a
/// time: so quick moves load the photos that were looked at and nothing that was only guessed.
struct PrefetchWindow: Sendable {
    enum Direction: Hashable, Sendable { case forward, backward }

    /// The number of photos loaded ahead, and of loads that may run beside that of the current photo.
    static let ahead = 2

    /// The longest move that is a step, since key presses in quick succession make one move; longer ones are leaps.
    private static let longestStep = 10

    private(set) var current: Int?
    private(set) var direction = Direction.forward
    /// The wanted photos, in order.
    private(set) var wanted: [Int] = []

    /// The photo at `index` is the current one, or more is known around it: the indexes after it and before it, nearest
    /// first, of which two are enough.
    mutating func move(to index: Int, next: [Int], previous: [Int]) {
        if let current, current != index {
            // A leap does not tell the direction of travel, which is forward for most.
            let isStep = abs(index - current) <= Self.longestStep
            direction = index < current && isStep ? .backward : .forward
        }
        current = index
        var (ahead, behind) = direction == .forward ? (next, previous) : (previous, next)
        // At an end there is only one direction.
        if ahead.isEmpty { swap(&ahead, &behind) }
        wanted = [index] + ahead.prefix(Self.ahead) + behind.prefix(1)
    }

    /// No photo is current: another feed is on the screen.
    mutating func rest() { wanted = [] }

    /// What to cancel first, and then to start, in order, where these loads run or have ended. One that failed is not
    /// started again.
    func change(_ loads: FileLoads) -> (start: [Int], cancel: [Int]) {
        let cancel = loads.running.filter { !wanted.contains($0) }
        guard let first = wanted.first else { return ([], cancel) }
        let start = loads.isOpen(first) ? [first] : []
        guard loads.hasBegun(first) else { return (start, cancel) }
        let free = Self.ahead - loads.running.count { $0 != first && wanted.contains($0) }
        return (start + wanted.dropFirst().filter(loads.isOpen).prefix(max(0, free)), cancel)
    }
}

/// Decides which photos' details to request next, many together.
struct DetailBatch: Sendable {
    private(set) var known: [PhotoID: PhotoDetail] = [:]
    private(set) var failed: [PhotoID: ServiceError] = [:]
    private var asked: Set<PhotoID> = []

    /// The photos of `wanted` to request now, the current one first, and those `ahead` that the same request can name,
    /// which are never a reason for one; empty for none. One batch runs at a time, so that quick moves request what
    /// they end at; only the current photo does not wait.
    mutating func next(_ wanted: [Photo], ahead: [Photo] = []) -> [Photo] {
        func isOpen(_ photo: Photo) -> Bool {
            known[photo.id] == nil && failed[photo.id] == nil && !asked.contains(photo.id)
        }
        let open = wanted.filter(isOpen)
        guard let first = open.first, asked.isEmpty || first.id == wanted.first?.id else { return [] }
        let ids = Set(wanted.map(\.id))
        let batch = open + ahead.filter { !ids.contains($0.id) && isOpen($0) }
        asked.formUnion(batch.map(\.id))
        return batch
    }

    mutating func take(_ results: DetailResults, about photos: [Photo]) {
        for photo in photos {
            asked.remove(photo.id)
            switch results[photo.id] {
            case .success(let detail)?: known[photo.id] = detail
            case .failure(let error)?: failed[photo.id] = error
            case nil: failed[photo.id] = .noDetails(service: photo.id.service)
            }
        }
    }

    mutating func retry(_ photo: PhotoID) { failed[photo] = nil }
}
