/// Conditions on photos; a photo passes when it meets all of them.
package struct PhotoFilter: Hashable, Sendable {
    /// What a photo was left out for.
    package enum Rule: Hashable, Sendable, CaseIterable {
        /// Its file is identical to one already taken, which shows only once the file has been downloaded:
        /// no ``PhotoFilter`` returns this rule.
        case unique
        /// Landscape, portrait, or square.
        case orientation
        /// The width of the original.
        case minWidth
        /// The height of the original.
        case minHeight
        /// A tag or category.
        case tag
        /// The author's name or username.
        case author
        /// The service marked it as adult.
        case adult
    }

    /// The required orientation; `nil` for any. A photo of unknown size does not pass.
    package var orientation: Orientation?
    /// The minimum width of the original, in pixels; `nil` for any. A photo of unknown size does not pass.
    package var minWidth: Int?
    /// The minimum height of the original, in pixels; `nil` for any. A photo of unknown size does not pass.
    package var minHeight: Int?
    /// Tags that a photo must all have, compared without case; a service's category counts as a tag.
    package var tags: [String] = []
    /// The author's name or username, compared without case; `nil` for any.
    package var author: String?
    /// Whether photos marked as adult pass.
    package var includesAdult = false

    /// A filter that leaves out adult photos only.
    package init() {}

    /// Whether it leaves out more than adult photos.
    package var isSelective: Bool {
        orientation != nil || minWidth != nil || minHeight != nil || !tags.isEmpty || author != nil
    }

    /// The first rule that `photo` fails; `nil` where it passes.
    package func rule(against photo: Photo) -> Rule? {
        if !includesAdult, photo.isAdult { return .adult }
        if let orientation, photo.size?.orientation != orientation { return .orientation }
        if let minWidth, (photo.size?.width ?? 0) < minWidth { return .minWidth }
        if let minHeight, (photo.size?.height ?? 0) < minHeight { return .minHeight }
        let owned = Set((photo.tags + [photo.category].compactMap(\.self)).map { $0.lowercased() })
        if !tags.allSatisfy({ owned.contains($0.lowercased()) }) { return .tag }
        if let author = author?.lowercased(), photo.author?.name.lowercased() != author,
            photo.author?.username?.lowercased() != author
        {
            return .author
        }
        return nil
    }
}

/// A filter at work: counts what it lets through, up to a limit, and what it leaves out and why.
package struct FilterRun: Sendable {
    /// Whether duplicates are left out. A duplicate is known only once its file is there; see ``takeBack(_:)``.
    package let isUnique: Bool

    /// How far a filter has come.
    package struct Progress: Hashable, Sendable {
        /// Photos that it has seen.
        package var seen = 0
        /// Those of them that passed.
        package var passed = 0
    }

    /// After so many photos in a row that did not pass, a search that only ``limit`` would end is given up.
    package static let patience = 1000

    /// Called with each photo.
    package var report: (@Sendable (Progress) -> Void)?
    /// Whether the search was given up.
    package private(set) var isGivenUp = false

    let filter: PhotoFilter
    private let limit: Int?
    private var passed = 0
    private var seen = 0
    /// Photos in a row that did not pass, up to now.
    private var missed = 0
    private var counts: [PhotoFilter.Rule: Int] = [:]

    /// Lets every photo through, adult ones too.
    package static var everything: FilterRun {
        var filter = PhotoFilter()
        filter.includesAdult = true
        return FilterRun(filter, limit: nil)
    }

    /// A run of `filter` that lets at most `limit` photos through; `nil` for no limit.
    package init(_ filter: PhotoFilter, limit: Int?, isUnique: Bool = false) {
        self.filter = filter
        self.limit = limit
        self.isUnique = isUnique
    }

    /// Whether the limit is reached.
    package var isFull: Bool { limit.map { passed >= $0 } ?? false }

    /// Whether there is no limit.
    package var isUnlimited: Bool { limit == nil }

    /// Whether photos are filtered by more than whether they are for adults.
    package var isSelective: Bool { filter.isSelective }

    /// The number of photos in a row without a match after which a search is given up.
    package var patience: Int { max(Self.patience, limit ?? 0) }

    /// Whether a search without an end of its own goes on: it has a limit that may never be reached. One without
    /// a limit is for everything there is.
    package mutating func goesOn() -> Bool {
        isGivenUp = limit != nil && missed >= patience
        return !isGivenUp
    }

    /// Why no photo of `list` can pass; `nil` where one may.
    package func obstacle(in list: PhotoList, _ catalog: ServiceCatalog) -> SelectionError? {
        guard !filter.tags.isEmpty, case .feed(_, let loader) = list, !loader.service.listsTags else {
            return nil
        }
        return .noTags(service: loader.service.name, having: catalog.namesListingTags)
    }

    /// Photos left out so far.
    package var dropped: Int { counts.values.reduce(0, +) }

    /// Photos left out so far, by rule.
    package var droppedByRule: [PhotoFilter.Rule: Int] { counts }

    /// Whether a photo passes; counts it either way.
    package mutating func passes(_ photo: Photo) -> Bool {
        seen += 1
        defer { report?(Progress(seen: seen, passed: passed)) }
        if let rule = filter.rule(against: photo) {
            counts[rule, default: 0] += 1
            missed += 1
            return false
        }
        passed += 1
        missed = 0
        return true
    }

    /// Takes photos out of `photos` until that is empty or the limit is reached, and returns those that pass.
    package mutating func passing(_ photos: inout ArraySlice<IndexedPhoto>) -> [IndexedPhoto] {
        var result: [IndexedPhoto] = []
        while !isFull, let photo = photos.popFirst() {
            if passes(photo.photo) { result.append(photo) }
        }
        return result
    }

    /// Makes room under the limit for `photos` that passed and turned out to be duplicates.
    package mutating func takeBack(_ photos: Int) { passed -= photos }

    /// Counts photos that passed and turned out to be duplicates as left out, and makes room for as many.
    package mutating func leaveOut(duplicates photos: Int) {
        guard photos > 0 else { return }
        counts[.unique, default: 0] += photos
        takeBack(photos)
    }

    /// The most photos that may pass of `count`, as far as is known.
    func passingAtMost(of count: Int) -> Int { min(max(0, count - dropped), limit ?? .max) }
}
