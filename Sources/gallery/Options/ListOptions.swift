import Arguments
import Curation
import GalleryCore

struct ListOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Page number, starting at 1.", valueName: "n"))
    var page: Int?

    @Option(help: ArgumentHelp("Number of photos per page.", valueName: "n"))
    var perPage = PhotoLoader.usualPageSize

    @Option(
        help: ArgumentHelp("List the photos at these indexes instead of a page.", valueName: "A-B"),
        transform: ListOptions.indexes)
    var range: ClosedRange<Int>?

    @Option(help: "Output format for the list.")
    var format = ListFormat.table

    /// A page beyond this many photos is asked for by mistake.
    private static let mostPerPage = 10_000

    func validate() throws {
        try require("--page", page, in: 1...1_000_000)
        try require("--per-page", perPage, in: 1...Self.mostPerPage)
        if page != nil, range != nil {
            throw ValidationError("'--page' and '--range' cannot be used together.")
        }
    }

    /// Indexes as selections spell them: `A-B`, `A`, or `A-` for all from there on.
    private static func indexes(_ word: String) throws -> ClosedRange<Int> {
        switch try Selection(word) {
        case .range(let range): range
        case .index(let index): index...index
        case .from(let first): first...Int.max
        case .page, .path, .standardInput: throw ValidationError("use a range such as '3-9' or '90-'.")
        }
    }
}

extension ParsableArguments {
    /// Throws a usage error where the option was given a number out of `range`.
    func require(_ option: String, _ number: Int?, in range: ClosedRange<Int>) throws {
        guard let number, !range.contains(number) else { return }
        let limits =
            range.upperBound == .max
            ? "\(range.lowerBound) or more" : "from \(range.lowerBound) to \(range.upperBound)"
        throw ValidationError("'\(option)' must be \(limits).")
    }
}

enum ListFormat: String, ExpressibleByArgument, CaseIterable {
    case table, json, jsonl, csv, url, grid

    func rows(columns: Int?, style: Style, _ markers: ListMarkers = ListMarkers()) -> any RowFormat {
        switch self {
        case .table: TableRows(width: columns, style: style, markers: markers)
        case .json: JSONRows()
        case .jsonl: JSONLineRows()
        case .csv: CSVRows()
        case .url: URLRows()
        case .grid: GridRows(in: columns ?? 80, markers)
        }
    }
}
