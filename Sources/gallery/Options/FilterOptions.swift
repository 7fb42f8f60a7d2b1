import Arguments
import GalleryCore

/// Which photos of a list are wanted.
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
        try require("--limit", limit, in: 1...Int.max)
        try require("--min-width", minWidth, in: 1...Int.max)
        try require("--min-height", minHeight, in: 1...Int.max)
    }

    /// The filter, with what a command has of its own where the line says nothing.
    func run(
        limit usual: Int? = nil, orientation usualOrientation: Orientation? = nil, isUnique: Bool = false
    ) -> FilterRun {
        var filter = PhotoFilter()
        filter.orientation = orientation ?? usualOrientation
        filter.minWidth = minWidth
        filter.minHeight = minHeight
        filter.tags = tag
        filter.author = author.first
        filter.includesAdult = adult
        return FilterRun(filter, limit: limit ?? usual, isUnique: unique || isUnique)
    }
}
