/// What is wanted, in its order, and what of it may run: a value that decides and does nothing.
///
/// The first wanted is asked for at once, whatever else runs. The others wait until its bytes
/// flow (or it has ended), and run a few at a time: so a fast run of key presses asks for what
/// was looked at and for nothing that was only guessed on the way.
struct LoadQueue<Key: Hashable & Sendable>: Sendable {
    /// What to do now; cancelling comes first.
    struct Change: Hashable, Sendable {
        /// To be started, in this order.
        var start: [Key] = []
        /// Running and no longer wanted.
        var cancel: [Key] = []
    }

    /// How many may run beside the first.
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

    /// These are wanted from now on, the first before all others.
    mutating func want(_ keys: [Key]) -> Change {
        wanted = keys
        let gone = running.filter { !keys.contains($0) }
        running.removeAll { !keys.contains($0) }
        begun.subtract(gone)
        return Change(start: fill(), cancel: gone)
    }

    /// The bytes of `key` flow.
    mutating func begin(_ key: Key) -> Change {
        guard running.contains(key) else { return Change() }
        begun.insert(key)
        return Change(start: fill())
    }

    /// The load of `key` ended by itself; one that had been cancelled meanwhile changes nothing.
    mutating func end(_ key: Key, succeeded: Bool) -> Change {
        guard running.contains(key) else { return Change() }
        running.removeAll { $0 == key }
        begun.remove(key)
        if succeeded { done.insert(key) } else { failed.insert(key) }
        return Change(start: fill())
    }

    /// What failed is to be tried once more.
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
