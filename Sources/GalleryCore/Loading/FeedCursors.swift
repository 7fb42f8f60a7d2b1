import Foundation

/// Where a feed that only goes forward can be entered: its cursors, by place.
struct FeedCursors: Hashable, Sendable, Codable {
    private struct Cursor: Hashable, Sendable, Codable {
        let text: String
        let seen: Date
    }

    /// Places kept of a feed; those seen longest ago go first.
    static let limit = 500

    /// Bytes of a cursor, at most: more is no cursor.
    private static let longest = 4096

    private var known: [Int: Cursor] = [:]

    /// Nothing known.
    init() {}

    /// Places behind which the feed can be entered.
    var places: Set<Int> { Set(known.keys) }

    /// The last cursor behind at most `place` places.
    func nearest(to place: Int) -> PageCursor? {
        known.filter { $0.key <= place }.max { $0.key < $1.key }
            .map { PageCursor(place: $0.key, text: $0.value.text) }
    }

    /// Those that a service told less than `lifetime` ago; all where that is `nil`.
    func fresh(at date: Date, lifetime: Duration?) -> FeedCursors {
        guard let lifetime else { return self }
        var fresh = self
        fresh.known = known.filter { place, cursor in
            let age = date.timeIntervalSince(cursor.seen)
            // What came from the disk is checked for sense: a place before the first, a time to come.
            return place > 0 && age >= 0 && age < lifetime / .seconds(1)
        }
        return fresh
    }

    /// Takes a cursor in. The one that is known already came from a cache: it gets no younger.
    mutating func remember(_ cursor: PageCursor, at date: Date) {
        guard cursor.place > 0, cursor.text.utf8.count <= Self.longest,
            known[cursor.place]?.text != cursor.text
        else { return }
        known[cursor.place] = Cursor(text: cursor.text, seen: date)
        if known.count > Self.limit, let oldest = known.min(by: { $0.value.seen < $1.value.seen })?.key {
            known[oldest] = nil
        }
    }

    /// Drops a cursor that the service did not take.
    mutating func forget(_ cursor: PageCursor) {
        if known[cursor.place]?.text == cursor.text { known[cursor.place] = nil }
    }

    /// What either knows; of two cursors of one place the later.
    func merging(_ other: FeedCursors) -> FeedCursors {
        var merged = self
        merged.known.merge(other.known) { $0.seen >= $1.seen ? $0 : $1 }
        while merged.known.count > Self.limit,
            let oldest = merged.known.min(by: { $0.value.seen < $1.value.seen })?.key
        {
            merged.known[oldest] = nil
        }
        return merged
    }
}
