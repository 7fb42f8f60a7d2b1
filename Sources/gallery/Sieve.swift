import GalleryCore

/// A filter at work: lets photos through up to the limit, and counts what it kept back and why.
struct Sieve {
    private let filter: PhotoFilter
    private let limit: Int?
    /// Whether copies are left out. That shows only once files are there: ``takeBack(copies:photos:)``.
    let isUnique: Bool
    private var passed = 0
    private var counts: [PhotoFilter.Rule: Int] = [:]
    /// With `isUnique`, what came through the sieve: it may come again when more is needed.
    private var seen: Set<PhotoID> = []

    /// A sieve; without a limit everything that passes the filter is let through.
    init(_ filter: PhotoFilter, limit: Int?, isUnique: Bool = false) {
        self.filter = filter
        self.limit = limit
        self.isUnique = isUnique
    }

    /// Whether a limit was given and is not reached.
    var wantsMore: Bool { limit.map { passed < $0 } ?? false }

    /// Whether no further photo can pass.
    var isFull: Bool { limit.map { passed >= $0 } ?? false }

    /// Whether no limit was given, so that everything named is needed.
    var isUnlimited: Bool { limit == nil }

    /// Photos kept back so far.
    var dropped: Int { counts.values.reduce(0, +) }

    /// Those of `photos` that pass, up to the limit.
    mutating func passing(_ photos: [IndexedPhoto]) -> [IndexedPhoto] {
        var result: [IndexedPhoto] = []
        for photo in photos where !isFull {
            if isUnique, !seen.insert(photo.photo.id).inserted { continue }
            if let rule = filter.rule(against: photo.photo) {
                counts[rule, default: 0] += 1
            } else {
                passed += 1
                result.append(photo)
            }
        }
        return result
    }

    /// Files that passed have turned out to be copies, and of `photos` every file was one.
    mutating func takeBack(copies: Int, photos: Int) {
        guard copies > 0 else { return }
        counts[.unique, default: 0] += copies
        passed -= photos
    }

    /// `Left out 3 photos: 2 by --orientation, 1 by --tag.`; `nil` where nothing was.
    var summary: String? {
        guard dropped > 0 else { return nil }
        let parts = PhotoFilter.Rule.allCases.compactMap { rule in
            counts[rule].map {
                rule == .adult ? "\($0) marked adult (see --adult)" : "\($0) by --\(rule.rawValue)"
            }
        }
        return "Left out \(dropped) \(dropped == 1 ? "photo" : "photos"): \(parts.joined(separator: ", "))."
    }
}
