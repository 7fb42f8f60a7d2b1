import Arguments
import GalleryCore

/// Which photos of a list are wanted.
struct FilterOptions: ParsableArguments {
    @Option(help: "How the picture stands.")
    var orientation: Orientation?

    @Option(help: ArgumentHelp("Pixels of the original from left to right, at least.", valueName: "pixels"))
    var minWidth: Int?

    @Option(help: ArgumentHelp("Pixels of the original from top to bottom, at least.", valueName: "pixels"))
    var minHeight: Int?

    @Option(help: ArgumentHelp("A keyword the author gave; several must all be there.", valueName: "word"))
    var tag: [String] = []

    @Option(help: ArgumentHelp("The author's name or username.", valueName: "name"))
    var author: String?

    @Option(help: ArgumentHelp("Stop at the first that pass.", valueName: "n"))
    var limit: Int?

    @Flag(help: "No photo whose file is, byte for byte, one already taken.")
    var unique = false

    @Flag(help: "Photos marked adult, too.")
    var adult = false

    func validate() throws {
        if let limit, limit < 1 {
            throw ValidationError("'--limit \(limit)' leaves nothing. Use 1 or more.")
        }
        for (name, pixels) in [("min-width", minWidth), ("min-height", minHeight)] {
            if let pixels, pixels < 1 {
                throw ValidationError("'--\(name) \(pixels)' is no number of pixels. Use 1 or more.")
            }
        }
    }

    var sieve: FilterRun { FilterRun(filter, limit: limit, isUnique: unique) }

    private var filter: PhotoFilter {
        var filter = PhotoFilter()
        filter.orientation = orientation
        filter.minWidth = minWidth
        filter.minHeight = minHeight
        filter.tags = tag
        filter.author = author
        filter.includesAdult = adult
        return filter
    }
}
