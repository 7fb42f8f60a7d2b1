import Arguments
import Curation
import Foundation
import GalleryCore

struct FilterOptions: ParsableArguments {
    @Option(help: "Only landscape, portrait, or square photos.")
    var orientation: Orientation?

    @Option(help: ArgumentHelp("Minimum width of the original, in pixels.", valueName: "pixels"))
    var minWidth: Int?

    @Option(help: ArgumentHelp("Minimum height of the original, in pixels.", valueName: "pixels"))
    var minHeight: Int?

    @Option(help: ArgumentHelp("Only photos with this tag; repeat to require several.", valueName: "word"))
    var tag: [String] = []

    @Option(help: ArgumentHelp("Only photos by this author, by name or username.", valueName: "name"))
    var author: [String] = []

    @Option(
        name: [.long, .customLong("rating")], parsing: .unconditional,
        help: ArgumentHelp(
            "Only photos with your rating: '4', '4-', '-3', '2-4', or '0' for none.", valueName: "range"),
        transform: FilterOptions.stars)
    var stars: ClosedRange<Int>?

    @Option(
        help: ArgumentHelp("Leave out photos with this tag; repeat to leave out several.", valueName: "word"))
    var excludeTag: [String] = []

    @Option(
        help: ArgumentHelp("Leave out photos by this author; repeat to leave out several.", valueName: "name")
    )
    var excludeAuthor: [String] = []

    @Option(
        help: ArgumentHelp(
            """
            Only photos taken (or published, if that is unknown) from then on: '2024', '2024-05', '2024-05-01', or \
            '7d' for the last seven days.
            """, valueName: "date"), transform: FilterOptions.date)
    var after: Date?

    @Option(
        help: ArgumentHelp(
            "Only photos taken (or published, if that is unknown) before then.", valueName: "date"),
        transform: FilterOptions.date)
    var before: Date?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            """
            Sort the photos, all of a list or the first 1,000 of a service's, before '--limit' applies: lowest first; \
            with a '-' before the key, highest first.
            """,
            valueName: "key"))
    var sort: SortOrder?

    @Flag(help: "Put the photos in random order, as '--sort' sorts them.")
    var shuffle = false

    @Option(help: ArgumentHelp("Shuffle, the same way each time.", valueName: "number"))
    var seed: Int?

    @Option(help: ArgumentHelp("Stop after this many photos.", valueName: "n"))
    var limit: Int?

    @Flag(help: "Skip photos whose file is identical to one already taken.")
    var unique = false

    @Flag(help: "Leave out photos that a program is known to have generated.")
    var noGenerated = false

    @Flag(help: "Include photos marked as adult.")
    var adult = false

    func validate() throws {
        guard author.count <= 1 else {
            throw ValidationError("'--author' can be given once: a photo has one author.")
        }
        if sort != nil, shuffle || seed != nil {
            throw ValidationError("'--sort' and '--shuffle' are different orders. Use one of them.")
        }
        try require("--limit", limit, in: 1...Int.max)
        try require("--min-width", minWidth, in: 1...Int.max)
        try require("--min-height", minHeight, in: 1...Int.max)
    }

    var isEmpty: Bool {
        orientation == nil && minWidth == nil && minHeight == nil && tag.isEmpty && author.isEmpty
            && excludeTag.isEmpty && excludeAuthor.isEmpty && stars == nil && after == nil && before == nil
            && !noGenerated
    }

    /// The filter, with what the configuration leaves out, and a command's own defaults where the line says nothing.
    func run(
        _ context: Context, limit usual: Int? = nil, orientation usualOrientation: Orientation? = nil,
        isUnique: Bool = false
    ) async throws -> FilterRun {
        var filter = PhotoFilter()
        filter.orientation = orientation ?? usualOrientation
        filter.minWidth = minWidth
        filter.minHeight = minHeight
        filter.tags = tag
        filter.author = author.first
        filter.excludedTags = excludeTag + context.configuration.excludedTags
        filter.excludedAuthors = excludeAuthor + context.configuration.excludedAuthors
        filter.stars = stars
        (filter.after, filter.before) = (after, before)
        filter.excludesGenerated = noGenerated
        filter.includesAdult = adult
        var run = FilterRun(filter, limit: limit ?? usual, isUnique: unique || isUnique)
        if isUnique {
            // Of those that no option asks for, the last two are of the settings.
            let own: [PhotoFilter.Rule?] = [
                orientation == nil ? .orientation : nil, unique ? nil : .unique,
                excludeTag.isEmpty ? .excludeTag : nil, excludeAuthor.isEmpty ? .excludeAuthor : nil,
            ]
            run.ownRules = Set(own.compactMap(\.self))
        }
        run.ratings = try await context.ratings(areNeeded: stars != nil || sort?.key == .stars)
        if shuffle || seed != nil {
            run.order = .shuffled(seed: seed.map { UInt64(bitPattern: Int64($0)) } ?? .random(in: 0 ... .max))
        } else if let sort {
            run.order = .sorted(by: sort.key, isReversed: sort.isReversed)
        }
        return run
    }

    private static func date(_ text: String) throws -> Date {
        guard let date = PhotoFilter.date(text) else {
            throw ValidationError(
                "use a year, a month, or a day such as '2024-05-01', or '7d' for seven days ago.")
        }
        return date
    }

    /// Ratings as users type them: `4`, `4-`, `-3`, or `2-4`.
    static func stars(_ text: String) throws -> ClosedRange<Int> {
        let ends = text.split(separator: "-", omittingEmptySubsequences: false)
        let most = Photo.starRange.upperBound
        let limits = [1, most]
        let numbers = ends.enumerated().map {
            $1.isEmpty && text.count > 1 ? limits[min($0, 1)] : Int($1) ?? -1
        }
        guard numbers.count <= 2, let first = numbers.first, let last = numbers.last, first <= last,
            (0...most).contains(first), last <= most
        else { throw ValidationError("use a rating from 0 to \(most), or a range such as '3-' or '2-4'.") }
        return first...last
    }
}

/// What photos are sorted by, reversed after a `-`.
struct SortOrder: ExpressibleByArgument {
    let key: PhotoOrder.Key
    let isReversed: Bool

    init?(argument: String) {
        isReversed = argument.hasPrefix("-")
        guard let key = PhotoOrder.Key(rawValue: isReversed ? String(argument.dropFirst()) : argument) else {
            return nil
        }
        self.key = key
    }

    static var allValueStrings: [String] { PhotoOrder.Key.allCases.map(\.rawValue) }
}
