import GalleryCore

/// A filter at work: lets photos through up to the limit, and counts what it kept back and why.
struct FilterRun {
    private let filter: PhotoFilter
    private let limit: Int?
    /// Whether copies are left out. That shows only once files are there: ``takeBack(_:)``.
    let isUnique: Bool
    private var passed = 0
    private var counts: [PhotoFilter.Rule: Int] = [:]
    private var copies = 0

    /// Lets every photo through, those marked adult too.
    static var everything: FilterRun {
        var filter = PhotoFilter()
        filter.includesAdult = true
        return FilterRun(filter, limit: nil)
    }

    /// A sieve; without a limit everything that passes the filter is let through.
    init(_ filter: PhotoFilter, limit: Int?, isUnique: Bool = false) {
        self.filter = filter
        self.limit = limit
        self.isUnique = isUnique
    }

    /// Whether no further photo can pass.
    var isFull: Bool { limit.map { passed >= $0 } ?? false }

    /// Whether no limit was given, so that everything named is needed.
    var isUnlimited: Bool { limit == nil }

    /// Photos kept back so far.
    var dropped: Int { counts.values.reduce(0, +) + copies }

    /// Whether a photo passes, as far as its description tells; counted either way.
    mutating func passes(_ photo: Photo) -> Bool {
        if let rule = filter.rule(against: photo) {
            counts[rule, default: 0] += 1
            return false
        }
        passed += 1
        return true
    }

    /// Those of `photos` that pass, up to the limit.
    mutating func passing(_ photos: [IndexedPhoto]) -> [IndexedPhoto] {
        var result: [IndexedPhoto] = []
        for photo in photos where !isFull && passes(photo.photo) { result.append(photo) }
        return result
    }

    /// So many photos that passed have turned out to be copies: others may come in their place.
    mutating func takeBack(_ photos: Int) { passed -= photos }

    /// The same, and counts them: nobody else does.
    mutating func leaveOut(copies photos: Int) {
        copies += photos
        takeBack(photos)
    }

    /// How many of `count` photos may pass at most, by what is known so far.
    func passingAtMost(of count: Int) -> Int { min(max(0, count - dropped), limit ?? .max) }

    /// `Left out 3 photos: 2 by --orientation, 1 by --unique.`; `nil` where nothing was.
    ///
    /// - Parameter more: files that have turned out to be copies, beside those that were left out here.
    func summary(copies more: Int = 0) -> String? {
        var counts = counts
        if copies + more > 0 { counts[.unique] = copies + more }
        let dropped = dropped + more
        guard dropped > 0 else { return nil }
        let parts = PhotoFilter.Rule.allCases.compactMap { rule in
            counts[rule].map {
                rule == .adult ? "\($0) marked adult (see --adult)" : "\($0) by --\(rule.rawValue)"
            }
        }
        return "Left out \(dropped) \(dropped == 1 ? "photo" : "photos"): \(parts.joined(separator: ", "))."
    }
}
