/// Decides which photos around the current one to load: from moves to what starts and what is canceled.
///
/// In this order: the current photo, the next two in the direction of travel, and the previous one.
struct PrefetchWindow: Sendable {
    /// The direction of travel through the feed.
    enum Direction: Hashable, Sendable {
        case forward, backward
    }

    /// What to start and to cancel, by index.
    typealias Change = LoadQueue<Int>.Change

    /// The number of photos loaded ahead.
    static let ahead = 2

    /// The longest move that is a step, since key presses in quick succession make one move; longer ones are leaps.
    private static let longestStep = 10

    private(set) var current: Int?
    private(set) var direction = Direction.forward
    private var queue = LoadQueue<Int>(slots: ahead)

    /// The wanted photos, in order.
    var wanted: [Int] { queue.wanted }
    /// The loads that run, in the order in which they started.
    var running: [Int] { queue.running }

    /// The photo at `index` is the current one, or more is known around it.
    ///
    /// - Parameters:
    ///   - next: The known indexes after it, nearest first; two are enough.
    ///   - previous: The known indexes before it, likewise.
    mutating func move(to index: Int, next: [Int], previous: [Int]) -> Change {
        if let current, current != index {
            // A leap does not tell the direction of travel, which is forward for most.
            let isStep = abs(index - current) <= Self.longestStep
            direction = index < current && isStep ? .backward : .forward
        }
        current = index
        var (ahead, behind) = direction == .forward ? (next, previous) : (previous, next)
        // At an end there is only one direction.
        if ahead.isEmpty { swap(&ahead, &behind) }
        return queue.want([index] + ahead.prefix(Self.ahead) + behind.prefix(1))
    }

    /// No photo is current: another feed is on the screen.
    mutating func rest() -> Change { queue.want([]) }

    /// The photo at `index` has begun to arrive.
    mutating func begin(_ index: Int) -> Change { queue.begin(index) }

    /// The load of the photo at `index` ended by itself.
    mutating func end(_ index: Int, succeeded: Bool) -> Change { queue.end(index, succeeded: succeeded) }

    /// The photo at `index` failed, and is to be loaded again.
    mutating func retry(_ index: Int) -> Change { queue.retry(index) }
}

/// Decides which of the wanted loads run, in their order.
///
/// The first one starts at once, whatever else runs. The others wait until it has begun to arrive, or has ended, and
/// run a few at a time: so quick moves load the photos that were looked at and nothing that was only guessed.
struct LoadQueue<Key: Hashable & Sendable>: Sendable {
    /// What to do now; cancel first.
    struct Change: Hashable, Sendable {
        /// To be started, in this order.
        var start: [Key] = []
        /// Running and no longer wanted.
        var cancel: [Key] = []
    }

    /// How many loads may run beside the first.
    private let slots: Int
    private(set) var wanted: [Key] = []
    /// In the order in which they were started.
    private(set) var running: [Key] = []
    private var begun: Set<Key> = []
    private(set) var done: Set<Key> = []
    private(set) var failed: Set<Key> = []

    init(slots: Int) {
        self.slots = slots
    }

    /// Sets what is wanted, the first before all others.
    mutating func want(_ keys: [Key]) -> Change {
        wanted = keys
        let gone = running.filter { !keys.contains($0) }
        running.removeAll { !keys.contains($0) }
        begun.subtract(gone)
        return Change(start: fill(), cancel: gone)
    }

    /// The load of `key` has begun to arrive.
    mutating func begin(_ key: Key) -> Change {
        guard running.contains(key) else { return Change() }
        begun.insert(key)
        return Change(start: fill())
    }

    /// The load of `key` has ended by itself; one that was canceled meanwhile changes nothing.
    mutating func end(_ key: Key, succeeded: Bool) -> Change {
        guard running.contains(key) else { return Change() }
        running.removeAll { $0 == key }
        begun.remove(key)
        if succeeded { done.insert(key) } else { failed.insert(key) }
        return Change(start: fill())
    }

    /// A failed load is to be started again.
    mutating func retry(_ key: Key) -> Change {
        failed.remove(key)
        return Change(start: fill())
    }

    private mutating func fill() -> [Key] {
        guard let first = wanted.first else { return [] }
        var started: [Key] = []
        if isOpen(first) { started.append(first) }
        running += started
        guard done.contains(first) || failed.contains(first) || begun.contains(first) else { return started }
        for key in wanted.dropFirst() where isOpen(key) {
            guard running.count(where: { $0 != first }) < slots else { break }
            started.append(key)
            running.append(key)
        }
        return started
    }

    private func isOpen(_ key: Key) -> Bool {
        !running.contains(key) && !done.contains(key) && !failed.contains(key)
    }
}

/// Decides which photos' details to request next, many together.
struct DetailBatch: Sendable {
    private(set) var known: [PhotoID: PhotoDetail] = [:]
    private(set) var failed: [PhotoID: ServiceError] = [:]
    private var asked: Set<PhotoID> = []

    /// The photos of `wanted` to request now, the current one first; empty for none.
    ///
    /// One batch runs at a time, so that quick moves request what they end at; only the current photo does not wait
    /// for others.
    ///
    /// - Parameter ahead: Photos that the same request can name; they are never a reason for one.
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

    /// Takes the results for `photos`.
    mutating func take(
        _ results: [PhotoID: Result<PhotoDetail, ServiceError>], about photos: [Photo]
    ) {
        for photo in photos {
            asked.remove(photo.id)
            switch results[photo.id] {
            case .success(let detail)?: known[photo.id] = detail
            case .failure(let error)?: failed[photo.id] = error
            case nil: failed[photo.id] = .noDetails(service: photo.id.service)
            }
        }
    }

    /// A failed photo is to be requested again.
    mutating func retry(_ photo: PhotoID) { failed[photo] = nil }
}
