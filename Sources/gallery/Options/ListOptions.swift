import Arguments
import GalleryCore

/// Which photos of a feed are listed, and how.
struct ListOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Page number, starting at 1.", valueName: "n"))
    var page: Int?

    @Option(help: ArgumentHelp("Number of photos per page.", valueName: "n"))
    var perPage = PhotoLoader.usualPageSize

    @Option(help: ArgumentHelp("List the photos at these indexes instead of a page.", valueName: "A-B"))
    var range: IndexSpan?

    @Option(help: "Output format for the list.")
    var format = ListFormat.table

    /// A page beyond this many photos is asked for by mistake.
    private static let mostPerPage = 10_000

    func validate() throws {
        if let page, !(1...1_000_000).contains(page) {
            throw ValidationError("'--page' must be from 1 to 1000000.")
        }
        guard (1...Self.mostPerPage).contains(perPage) else {
            throw ValidationError("'--per-page' must be from 1 to \(Self.mostPerPage).")
        }
        if page != nil, range != nil {
            throw ValidationError("'--page' and '--range' cannot be used together.")
        }
    }
}

/// Indexes as selections spell them: `A-B`, `A`, or `A-` for all from there on.
struct IndexSpan: ExpressibleByArgument {
    let indexes: ClosedRange<Int>

    init?(argument: String) {
        switch try? Selection(argument) {
        case .range(let range): indexes = range
        case .index(let index): indexes = index...index
        case .from(let first): indexes = first...Int.max
        case .page, .standardInput, nil: return nil
        }
    }
}

/// How a list is printed.
enum ListFormat: String, ExpressibleByArgument, CaseIterable {
    case table, json, jsonl, csv, url

    func rows(columns: Int?, style: Style, _ markers: ListMarkers = ListMarkers()) -> any RowFormat {
        switch self {
        case .table: TableRows(width: columns, style: style, markers: markers)
        case .json: JSONRows()
        case .jsonl: JSONLineRows()
        case .csv: CSVRows()
        case .url: URLRows()
        }
    }
}
