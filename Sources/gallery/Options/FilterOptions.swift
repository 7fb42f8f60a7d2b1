import Arguments
import Curation
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
        help: ArgumentHelp(
            "Only photos with your rating: '4', '4-', '2-4', or '0' for none.", valueName: "stars"),
        transform: FilterOptions.stars)
    var rating: ClosedRange<Int>?

    @Option(
        help: ArgumentHelp("Leave out photos with this tag; repeat to leave out several.", valueName: "word"))
    var excludeTag: [String] = []

    @Option(
        help: ArgumentHelp("Leave out photos by this author; repeat to leave out several.", valueName: "name")
    )
    var excludeAuthor: [String] = []

    @Option(
        help: ArgumentHelp(
            "Only photos taken (or published, if that is unknown) on this day or later.",
            valueName: "YYYY-MM-DD"))
    var after: CalendarDay?

    @Option(
        help: ArgumentHelp(
            "Only photos taken (or published, if that is unknown) before this day.", valueName: "YYYY-MM-DD"))
    var before: CalendarDay?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Sort the photos, lowest first; with a '-' before the key, highest first.",
            valueName: "key"))
    var sort: SortOrder?

    @Flag(help: "Put the photos in random order.")
    var shuffle = false

    @Option(help: ArgumentHelp("Shuffle, the same way each time.", valueName: "number"))
    var seed: Int?

    @Option(help: ArgumentHelp("Stop after this many photos.", valueName: "n"))
    var limit: Int?

    @Flag(help: "Skip photos whose file is identical to one already taken.")
    var unique = false

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
            && excludeTag.isEmpty && excludeAuthor.isEmpty && rating == nil && after == nil && before == nil
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
        filter.stars = rating
        filter.after = after?.start
        filter.before = before?.start
        filter.includesAdult = adult
        var run = FilterRun(filter, limit: limit ?? usual, isUnique: unique || isUnique)
        if isUnique {
            let own: [PhotoFilter.Rule?] = [orientation == nil ? .orientation : nil, unique ? nil : .unique]
            run.ownRules = Set(own.compactMap(\.self))
        }
        run.ratings = try await context.ratings(areNeeded: rating != nil)
        if shuffle || seed != nil {
            run.order = .shuffled(seed: seed.map { UInt64(bitPattern: Int64($0)) } ?? .random(in: 0 ... .max))
        } else if let sort {
            run.order = .sorted(by: sort.key, isReversed: sort.isReversed)
        }
        return run
    }

    /// Ratings as users type them: `4`, `4-`, or `2-4`.
    static func stars(_ text: String) throws -> ClosedRange<Int> {
        let ends = text.split(separator: "-", omittingEmptySubsequences: false)
        let most = Photo.starRange.upperBound
        let numbers = ends.enumerated().map { $0 == 1 && $1.isEmpty ? most : Int($1) ?? -1 }
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
