/// Which photos around the one looked at are loaded: pure, from moves to what starts and what is cancelled.
///
/// In this order: the photo itself, the next two in the direction of travel, the one before.
struct PrefetchWindow: Sendable {
    /// Which way one goes through the feed.
    enum Direction: Hashable, Sendable {
        case forward, backward
    }

    /// What to start and to cancel, by index.
    typealias Change = LoadQueue<Int>.Change

    /// Photos ahead that are loaded before they are looked at.
    static let ahead = 2

    /// Key presses that come together make one move; beyond this it is a leap.
    private static let longestStep = 10

    private(set) var current: Int?
    private(set) var direction = Direction.forward
    private var queue = LoadQueue<Int>(slots: ahead)

    /// The order in which photos are wanted now.
    var wanted: [Int] { queue.wanted }
    /// What runs, in the order in which it was started.
    var running: [Int] { queue.running }

    /// The photo at `index` is looked at, or what is known around it has grown.
    ///
    /// - Parameters:
    ///   - next: indexes after it, nearest first, as far as they are known; two are enough.
    ///   - previous: indexes before it likewise.
    mutating func move(to index: Int, next: [Int], previous: [Int]) -> Change {
        if let current, current != index {
            // A leap says nothing about where one goes next; most go forward.
            let isStep = abs(index - current) <= Self.longestStep
            direction = index < current && isStep ? .backward : .forward
        }
        current = index
        var (ahead, behind) = direction == .forward ? (next, previous) : (previous, next)
        // At an end there is only one way to go.
        if ahead.isEmpty { swap(&ahead, &behind) }
        return queue.want([index] + ahead.prefix(Self.ahead) + behind.prefix(1))
    }

    /// Nothing is looked at: another feed is.
    mutating func rest() -> Change { queue.want([]) }

    /// The bytes of the photo at `index` flow.
    mutating func begin(_ index: Int) -> Change { queue.begin(index) }

    /// The load of the photo at `index` ended by itself.
    mutating func end(_ index: Int, succeeded: Bool) -> Change { queue.end(index, succeeded: succeeded) }

    /// The photo at `index` failed and is to be tried once more.
    mutating func retry(_ index: Int) -> Change { queue.retry(index) }
}
