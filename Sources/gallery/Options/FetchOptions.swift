import Arguments
import Foundation
import GalleryCore

struct FetchOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            Which size to download: full, thumbnail, or the pixels that the longer edge should have; then the \
            smallest file with as many, or else the largest.
            """), completion: PhotoFileSize.words)
    var size = PhotoFileSize.full

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("Folder to download to; created if missing. (default: .)", valueName: "path"),
        completion: .directory)
    var directory: String?

    @Option(
        help: ArgumentHelp(
            """
            Template for file names, such as '{author}/{index:4}_{title}'; 'gallery help names' lists the fields. \
            (default: {id}_{title}, and {name} for a folder's pictures)
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

    @Flag(help: "Keep pictures even if the host's copy is incomplete.")
    var acceptIncomplete = false

    @Flag(help: "Write each photo's metadata beside it as JSON.")
    var metadata = false

    @Flag(help: "Skip photos ever downloaded to this folder.")
    var new = false

    @Option(
        help: ArgumentHelp(
            "Only files of at least this many bytes (500k, 2M), if the host says how many.",
            valueName: "bytes"))
    var minBytes: ByteCount?

    @Option(
        help: ArgumentHelp(
            "Only files of at most this many bytes, if the host says how many.", valueName: "bytes"))
    var maxBytes: ByteCount?

    @Option(help: ArgumentHelp("Limit the total rate, in bytes per second (500k, 2M).", valueName: "bytes"))
    var limitRate: ByteCount?

    @Flag(help: "Set each file's modification time to the photo's date.")
    var times = false

    @Option(
        help: ArgumentHelp(
            "Skip photos that this file lists, and add those that are downloaded.", valueName: "file"),
        completion: .file())
    var archive: String?

    @Option(
        help: ArgumentHelp("Read photos from this file, as '-' does from standard input.", valueName: "file"),
        completion: .file())
    var input: String?

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("The file to write one photo to, or - for standard output.", valueName: "file"),
        completion: .file())
    var output: String?

    @Flag(help: "Replace the file that '--output' names if it is there.")
    var force = false

    @Option(
        help: ArgumentHelp(
            """
            Command to run with each file that was downloaded, as its last argument. GALLERY_ID, GALLERY_TITLE, \
            GALLERY_AUTHOR, and others tell of its photo.
            """, valueName: "command"),
        transform: UserCommand.init(line:))
    var exec: UserCommand?

    @Flag(help: "Print what would be downloaded, without downloading it.")
    var dryRun = false

    @Option(help: "Output format for the list of files.")
    var format = FetchFormat.text

    func validate() throws {
        try require("--jobs", jobs, in: Configuration.possibleJobs)
        try require("--limit-rate", limitRate?.bytes, in: ByteCount.leastRate...Int.max)
        if let minBytes, let maxBytes, minBytes.bytes > maxBytes.bytes {
            throw ValidationError("'--min-bytes' is more than '--max-bytes'.")
        }
        if directory == "" { throw ValidationError("'--directory' must not be empty.") }
        guard !force || ![nil, "-"].contains(output) else {
            throw ValidationError("'--force' can only be used with '--output <file>'.")
        }
        guard output?.isEmpty != true, output?.hasSuffix("/") != true else {
            throw ValidationError("'--output' must name a file.")
        }
        if let output, let other = forFiles.first(where: \.value)?.key {
            throw ValidationError(
                "'--output\(output == "-" ? " -" : "")' and '\(other)' cannot be used together.")
        }
    }

    /// Options about files in a folder, and whether they are given.
    private var forFiles: KeyValuePairs<String, Bool> {
        [
            "--directory": directory != nil, "--name": name != nil, "--accept-incomplete": acceptIncomplete,
            "--metadata": metadata, "--new": new, "--min-bytes": minBytes != nil,
            "--max-bytes": maxBytes != nil, "--limit-rate": limitRate != nil, "--times": times,
            "--archive": archive != nil, "--exec": exec != nil, "--dry-run": dryRun,
            "--format jsonl": format == .jsonl,
        ]
    }

    /// The settings with what the configuration says where the line says nothing.
    func settings(_ context: Context, _ service: ServiceOptions) -> FetchSettings {
        let configuration = context.configuration
        var settings = FetchSettings(
            directory: context.directory(directory),
            named: name ?? configuration.name ?? .standard(for: size),
            service.downloads(jobs: jobs ?? configuration.jobs))
        settings.planning.size = size
        settings.planning.writesMetadata = metadata
        settings.planning.setsTimes = times
        settings.planning.isOnlyNew = new
        settings.planning.trustsManifest = !dryRun && !overwrite
        settings.downloads.overwrites = overwrite
        settings.downloads.acceptsIncomplete = acceptIncomplete
        settings.downloads.bytesPerSecond = limitRate?.bytes
        if minBytes != nil || maxBytes != nil {
            settings.downloads.lengths =
                Int64(minBytes?.bytes ?? 0)...(maxBytes.map { Int64($0.bytes) } ?? .max)
        }
        settings.format = format
        return settings
    }

    private static func template(_ text: String) throws -> NameTemplate {
        do {
            return try NameTemplate(text)
        } catch {
            // The help of the option, which is printed below, lists the fields.
            let hint = error.hint.flatMap { $0.contains("{title}") ? nil : " " + $0 }
            throw ValidationError(error.description + (hint ?? ""))
        }
    }
}

extension PhotoFileSize: ExpressibleByArgument {
    static let words = CompletionKind.list(["full", "thumbnail"])
}

/// Bytes, in all or per second, with the suffixes of curl: `500k`, `2M`, `1.5G`.
struct ByteCount: ExpressibleByArgument {
    /// Slower than this per second, hosts give up before a transfer ends.
    static let leastRate = 1000

    let bytes: Int

    init?(argument: String) {
        let factors: [Character: Double] = ["k": 1024, "m": 1_048_576, "g": 1_073_741_824]
        let factor = argument.last.flatMap { factors[Character($0.lowercased())] }
        let number = factor == nil ? argument[...] : argument.dropLast()
        guard !number.isEmpty, number.allSatisfy({ "0123456789.".contains($0) }),
            let value = Double(number).map({ $0 * (factor ?? 1) }), (0..<1e15).contains(value)
        else { return nil }
        bytes = Int(value)
    }
}

extension FetchFormat: ExpressibleByArgument {}
