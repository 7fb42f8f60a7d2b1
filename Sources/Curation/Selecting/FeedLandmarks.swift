import GalleryCore

/// The photos that a feed, newest first, began with when a run ended: where a later run meets them, the folder has had
/// the rest. One alone proves nothing: a favorite may have been taken away and added again, before others that are new.
/// Several in a row have hardly all moved.
struct FeedLandmarks: Sendable {
    /// How many are kept, and how many bytes of identifiers: a line of a manifest has an end.
    private static let most = (photos: 100, bytes: 12_000)
    /// How many in a row have to be met.
    private static let enough = 10
    /// After how many runs, or days, the feed is gone through to its end: a service may show later what it left out.
    private static let longest = (runs: 30, days: 30)

    /// What the run is about, in a manifest.
    let key: String
    private let earlier: [String]
    private let known: Set<String>
    private var newest: [String] = []
    private var streak = 0
    /// Whether the photos taken have come to those of an earlier run, and that is enough.
    private(set) var areMet = false
    /// The runs since the last that went to the end, with this one, and the day of that one.
    private var since: (runs: Int, day: Int)?
    private let today: Int

    /// After the end of the run before, and when the feed was last gone through to its end, as far as that is known.
    init(_ key: String, after entry: CompleteEntry?, _ walk: WalkEntry?, today: Int) {
        self.key = key
        earlier = entry?.newest ?? []
        known = Set(earlier)
        self.today = today
        guard let walk, (0..<Self.longest.runs).contains(walk.runs),
            (max(0, today - Self.longest.days + 1)...max(0, today)).contains(walk.day)
        else { return }
        since = (walk.runs + 1, walk.day)
    }

    var isEmpty: Bool { newest.isEmpty }

    mutating func take(_ photo: PhotoID) {
        if newest.count < Self.most.photos { newest.append(photo.description) }
        streak = known.contains(photo.description) ? streak + 1 : 0
        if since != nil, streak > 0, streak >= min(Self.enough, known.count) { areMet = true }
    }

    /// What a later run has to know of how far this one went.
    func walk(toEnd isAtEnd: Bool) -> WalkEntry {
        let (runs, day) = isAtEnd ? (0, today) : since ?? (0, today)
        return WalkEntry(walked: key, runs: runs, day: day)
    }

    /// What a later run has to know of this one, now that it has come to the end.
    var entry: CompleteEntry {
        let own = Set(newest)
        var room = Self.most.bytes
        let photos = (newest + earlier.filter { !own.contains($0) }).prefix(Self.most.photos).prefix { id in
            room -= id.utf8.count
            return room >= 0
        }
        return CompleteEntry(complete: key, newest: Array(photos))
    }
}
