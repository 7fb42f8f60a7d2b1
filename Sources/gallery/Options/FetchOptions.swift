import Arguments
import Foundation
import GalleryCore

/// What is fetched of a photo, and where to.
struct FetchOptions: ParsableArguments {
    @Option(help: "Which size to download.")
    var size = PhotoFileSize.full

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("Folder to download to; created if missing. (default: .)", valueName: "path"),
        completion: .directory)
    var directory: String?

    @Option(
        help: ArgumentHelp(
            """
            Template for file names, with the fields {index} {service} {id} {title} {author} {date} {width} \
            {height} {page}. A '/' creates a folder.
            """,
            valueName: "template"),
        transform: FetchOptions.template)
    var name: NameTemplate?

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("Number of files to download at once. (default: 6)", valueName: "n"))
    var jobs: Int?

    @Flag(help: "Download files again even if they exist.")
    var overwrite = false

    @Flag(help: "Keep pictures that are incomplete at their host.")
    var acceptIncomplete = false

    @Flag(help: "Write each photo's metadata beside it as JSON.")
    var metadata = false

    @Flag(help: "Print what would be fetched, without downloading.")
    var dryRun = false

    @Option(help: "Output format for the list of files.")
    var format = FetchFormat.text

    func validate() throws {
        if let jobs, !Configuration.possibleJobs.contains(jobs) {
            throw ValidationError(
                "'--jobs' must be from 1 to \(Configuration.possibleJobs.upperBound).")
        }
        if directory == "" { throw ValidationError("'--directory' must not be empty.") }
    }

    /// The settings with what the configuration says where the line says nothing.
    func settings(_ context: Context) -> FetchSettings {
        let configuration = context.configuration
        return FetchSettings(
            size: size, directory: context.directory(directory), name: name ?? configuration.name,
            jobs: jobs ?? configuration.jobs, overwrites: overwrite,
            acceptsIncomplete: acceptIncomplete, writesMetadata: metadata, format: format)
    }

    private static func template(_ text: String) throws -> NameTemplate {
        do {
            return try NameTemplate(text)
        } catch {
            throw ValidationError([error.description, error.hint].compactMap(\.self).joined(separator: " "))
        }
    }
}

extension PhotoFileSize: ExpressibleByArgument {}

extension FetchFormat: ExpressibleByArgument {}
