import Arguments
import Foundation
import GalleryCore

/// What is fetched of a photo, and where to.
struct FetchOptions: ParsableArguments {
    @Option(help: "Which of a photo's files.")
    var size = FetchSize.full

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("The folder, created where missing.", valueName: "path"),
        completion: .directory)
    var directory = "."

    @Option(
        help: ArgumentHelp(
            """
            How files are named: text with the fields {index} {service} {id} {title} {author} {date} {width} \
            {height} {page}. '/' makes folders.
            """,
            valueName: "template"),
        transform: FetchOptions.template)
    var name = NameTemplate.standard

    @Option(name: .shortAndLong, help: ArgumentHelp("Files at once.", valueName: "n"))
    var jobs = 6

    @Flag(help: "Fetch anew what is there.")
    var overwrite = false

    @Flag(help: "Beside each file its photo as JSON.")
    var metadata = false

    @Flag(help: "Print what would be fetched, ask for no image.")
    var dryRun = false

    @Option(help: "How the files are printed.")
    var format = FetchFormat.text

    /// Beyond this, connections cost more than they bring, and a host would be right to refuse.
    private static let mostJobs = 64

    func validate() throws {
        guard (1...Self.mostJobs).contains(jobs) else {
            throw ValidationError("'--jobs \(jobs)' is out of range. Use 1 to \(Self.mostJobs).")
        }
        guard !directory.isEmpty else { throw ValidationError("'--directory' names no folder.") }
    }

    private static func template(_ text: String) throws -> NameTemplate {
        do {
            return try NameTemplate(text)
        } catch {
            throw ValidationError([error.description, error.hint].compactMap(\.self).joined(separator: " "))
        }
    }
}

/// Which of a photo's files.
enum FetchSize: String, ExpressibleByArgument, CaseIterable {
    case full, thumbnail
}

/// How fetched files are printed.
enum FetchFormat: String, ExpressibleByArgument, CaseIterable {
    case text, jsonl
}
