import Foundation
import GalleryCore

/// Conditions on photos; a photo passes when it meets all of them.
package struct PhotoFilter: Hashable, Sendable {
    /// What a photo was left out for, by the word that asks for it.
    package enum Rule: String, Hashable, Sendable, CaseIterable {
        /// Its file is identical to one already taken, which only its download shows: no ``PhotoFilter`` returns this.
        case unique
        /// Its file is smaller or larger than wanted, which shows only once its host has said so.
        case bytes
        case orientation
        case minWidth = "min-width"
        case minHeight = "min-height"
        case tag, author, stars
        case excludeTag = "exclude-tag"
        case excludeAuthor = "exclude-author"
        case after, before
        case generated = "no-generated"
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
    /// The rating given on this machine, where 0 is none; `nil` for any.
    package var stars: ClosedRange<Int>?
    /// When it was taken, or else published, at the earliest; `nil` for any. A photo without either does not pass.
    package var after: Date?
    /// A time before which it was taken, or else published; `nil` for any. A photo without either does not pass.
    package var before: Date?
    /// Tags of which a photo must have none, compared as ``tags``.
    package var excludedTags: [String] = []
    /// Names and usernames of which none may be the author's, compared as ``author``.
    package var excludedAuthors: [String] = []
    /// Whether photos are left out that a program is known to have generated.
    package var excludesGenerated = false
    package var includesAdult = false

    /// A filter that leaves out adult photos only.
    package init() {}

    /// Whether it leaves out more than adult photos.
    package var isSelective: Bool {
        var plain = PhotoFilter()
        plain.includesAdult = includesAdult
        return self != plain
    }

    /// The first rule that `photo` fails; `nil` where it passes.
    package func rule(against photo: Photo) -> Rule? {
        if !includesAdult, photo.isAdult { return .adult }
        if let orientation, photo.size?.orientation != orientation { return .orientation }
        if let minWidth, (photo.size?.width ?? 0) < minWidth { return .minWidth }
        if let minHeight, (photo.size?.height ?? 0) < minHeight { return .minHeight }
        let owned = Set((photo.tags + [photo.category].compactMap(\.self)).map { $0.lowercased() })
        if !tags.allSatisfy({ owned.contains($0.lowercased()) }) { return .tag }
        if excludedTags.contains(where: { owned.contains($0.lowercased()) }) { return .excludeTag }
        let names = [photo.author?.name, photo.author?.username].compactMap { $0?.lowercased() }
        if let author, !names.contains(author.lowercased()) { return .author }
        if excludedAuthors.contains(where: { names.contains($0.lowercased()) }) { return .excludeAuthor }
        if let stars, !stars.contains(photo.stars ?? 0) { return .stars }
        let date = photo.taken ?? photo.published
        if let after, date.map({ $0 < after }) ?? true { return .after }
        if let before, date.map({ $0 >= before }) ?? true { return .before }
        return excludesGenerated && photo.isGenerated == true ? .generated : nil
    }

    /// Where a year, month, or day such as `2024`, `2024-05`, or `2024-05-01` begins in UTC, or so many days before
    /// `now`, as in `7d`; `nil` for any other text.
    package static func date(_ text: String, now: Date = Date()) -> Date? {
        if text.hasSuffix("d"), text.first?.isNumber == true,
            let days = Int(text.dropLast(), within: 0...999_999)
        {
            return now.addingTimeInterval(-86_400 * Double(days))
        }
        let date = WrittenDate(text)
        // As it is written here, and not as cameras do.
        return date.flatMap {
            ISO8601.text($0.date, $0.precision) == text && $0.precision != .moment ? $0.date : nil
        }
    }
}

/// A filter at work: counts what it lets through, up to a limit, and what it leaves out and why.
package struct FilterRun: Sendable {
    /// Whether duplicates are left out. A duplicate is known only once its file is there; see ``takeBack(_:)``.
    package let isUnique: Bool

    package struct Progress: Hashable, Sendable {
        package var seen = 0
        package var passed = 0
    }

    /// After so many photos in a row that did not pass, a search that only ``limit`` would end is given up.
    package static let patience = 1000

    package var report: (@Sendable (Progress) -> Void)?
    /// The order in which the photos that pass are wanted; `nil` for that of their list.
    package var order: PhotoOrder?
    package var ratings = Ratings()
    /// Whether photos come in the order in which they were published, the latest first.
    package var isInDateOrder = false
    package private(set) var isGivenUp = false

    let filter: PhotoFilter
    private var limit: Int?
    /// The limit that applies once the photos are in order.
    private var lastLimit: Int?
    /// Whether ``limit`` is that of photos that are put in order.
    private var limitsOrder = false
    private var progress = Progress()
    /// Photos in a row that did not pass, up to now.
    private var missed = 0
    /// Photos in a row that were published before those that are wanted.
    private var past = 0
    package private(set) var droppedByRule: [PhotoFilter.Rule: Int] = [:]
    /// The first few of those, as a line names them.
    package private(set) var namesByRule: [PhotoFilter.Rule: [String]] = [:]
    /// Rules that the command has of its own, by which it names what it left out; `nil` for none.
    package var ownRules: Set<PhotoFilter.Rule>?

    /// Lets every photo through, adult ones too.
    package static var everything: FilterRun {
        var filter = PhotoFilter()
        filter.includesAdult = true
        return FilterRun(filter, limit: nil)
    }

    /// A run of `filter` that lets at most `limit` photos through; `nil` for no limit.
    package init(_ filter: PhotoFilter, limit: Int?, isUnique: Bool = false) {
        (self.filter, self.limit, self.isUnique) = (filter, limit, isUnique)
    }

    /// Whether the limit is reached, or all that follows is older than wanted: a few photos alone may be out of order.
    package var isFull: Bool { past >= 20 || limit.map { progress.passed >= $0 } ?? false }

    /// Of a service's list, which may have no end, the photos that are put in order: some minutes of requests.
    package static let mostOrdered = 1000

    /// Has all photos put in order before the limit applies, or ``mostOrdered`` where nobody knows how many there are.
    package mutating func orderBeforeLimit(mayBeEndless: Bool) {
        guard order != nil else { return }
        lastLimit = limit
        limit = mayBeEndless ? max(Self.mostOrdered, limit ?? 0) : nil
        limitsOrder = mayBeEndless
    }

    /// How many photos were put in order of a list that may have more; `nil` where it is all of them.
    package var orderedFirst: Int? { limit.flatMap { limitsOrder && progress.passed >= $0 ? $0 : nil } }

    /// Photos in the order that is wanted, as many as the limit allows, else `usual`. Throws ``SelectionError/endless``
    /// where all of a list were wanted that may have more.
    package func ordered(
        _ photos: [IndexedPhoto], limit usual: Int? = nil
    ) throws(SelectionError) -> [IndexedPhoto] {
        guard let order else { return photos }
        let count = lastLimit ?? usual
        if count == nil, orderedFirst != nil { throw .endless }
        return Array(order.ordered(photos).prefix(count ?? .max))
    }

    package var isUnlimited: Bool { limit == nil }

    /// Whether photos are filtered by more than whether they are for adults.
    package var isSelective: Bool { filter.isSelective }

    /// The number of photos in a row without a match after which a search is given up.
    package var patience: Int { max(Self.patience, limit ?? 0) }

    /// Whether an endless search goes on: its limit may never be reached; without one it is for everything there is.
    package mutating func goesOn() -> Bool {
        isGivenUp = limit != nil && missed >= patience
        return !isGivenUp
    }

    package func obstacle(in list: PhotoList, _ catalog: ServiceCatalog) -> SelectionError? {
        guard !filter.tags.isEmpty, let first = list.feeds.first?.loader.service,
            list.feeds.allSatisfy({ !$0.loader.service.listsTags })
        else { return nil }
        return .noTags(service: first.name, having: catalog.namesListingTags)
    }

    package var dropped: Int { droppedByRule.values.reduce(0, +) }

    /// Whether a photo passes; counts it either way.
    package mutating func passes(_ entry: IndexedPhoto) -> Bool {
        let photo = entry.photo
        progress.seen += 1
        let isPast = isInDateOrder && photo.published.map { $0 < filter.after ?? .distantPast } ?? false
        past = isPast ? past + 1 : 0
        defer { report?(progress) }
        if let rule = filter.rule(against: ratings.applied(to: photo)) {
            droppedByRule[rule, default: 0] += 1
            if namesByRule[rule, default: []].count < 20 {
                namesByRule[rule, default: []].append(entry.shortName)
            }
            missed += 1
            return false
        }
        progress.passed += 1
        missed = 0
        return true
    }

    /// Takes photos out of `photos` until that is empty or the limit is reached, and returns those that pass, with their ratings.
    package mutating func passing(_ photos: inout ArraySlice<IndexedPhoto>) -> [IndexedPhoto] {
        var result: [IndexedPhoto] = []
        while !isFull, let photo = photos.popFirst() {
            if passes(photo) { result.append(ratings.applied(to: photo)) }
        }
        return result
    }

    /// Makes room under the limit for `photos` that passed and turned out to be duplicates.
    package mutating func takeBack(_ photos: Int) { progress.passed -= photos }

    /// Counts photos that passed and turned out to be duplicates as left out, and makes room for as many.
    package mutating func leaveOut(duplicates photos: Int) {
        guard photos > 0 else { return }
        droppedByRule[.unique, default: 0] += photos
        takeBack(photos)
    }

    /// The most photos that may pass of `count`, as far as is known.
    func passingAtMost(of count: Int) -> Int { min(max(0, count - dropped), lastLimit ?? limit ?? .max) }
}
