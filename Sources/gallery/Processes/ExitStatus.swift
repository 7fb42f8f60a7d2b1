import Curation
import Foundation
import GalleryCore

/// The program's exit statuses; the numbers follow BSD's `sysexits.h` where it has one.
enum ExitStatus: Int32, CaseIterable {
    case done = 0
    case someFailed = 1
    case usage = 64
    case unreadable = 65
    case missing = 66
    case unavailable = 69
    case cannotCreate = 73
    case inputOutput = 74
    case rateLimited = 75
    case refused = 77
    case configuration = 78
    case interrupted = 130

    init(of error: any Error) {
        self =
            switch error {
            case let error as ServiceError: Self.of(error)
            case let error as DownloadError: Self.of(error)
            case let error as TransportError: Self.of(error)
            case let error as SelectionError: Self.of(error)
            case is CacheError, is PrivateFileError: .inputOutput
            case is MissingResource, is MarkListError: .missing
            case is DefinitionError: .configuration
            case let error as any StatusError: error.status
            default: .someFailed
            }
    }

    private static func of(_ error: ServiceError) -> ExitStatus {
        switch error {
        case .unreadable, .foreign: .unreadable
        case .transport(let error): of(error)
        case .keyMissing, .refused: .refused
        case .missing, .noFolder, .noDetails, .noFile: .missing
        case .rateLimited: .rateLimited
        case .failed: .unavailable
        case .unsupported, .noAddress, .unknownUser: .usage
        }
    }

    private static func of(_ error: SelectionError) -> ExitStatus {
        switch error {
        case .beyondEnd, .nothing: .missing
        case .unknownPage, .listPage, .endless, .adult, .noTags: .usage
        case .notAPhoto, .indexInList, .severalLines, .tooLong, .outside: .unreadable
        }
    }

    private static func of(_ error: DownloadError) -> ExitStatus {
        switch error {
        case .transport(let error): of(error)
        case .refused(_, 404, _), .refused(_, 410, _): .missing
        case .refused(_, 429, _), .refused(_, 420, _): .rateLimited
        case .refused(_, 503, .some), .refused(_, 202, .some): .rateLimited
        case .refused: .unavailable
        case .notAPicture, .empty, .incomplete, .brokenAtHost, .unwanted: .unreadable
        case .cannotCreate: .cannotCreate
        case .damaged: .someFailed
        case .ownFolder: .usage
        case .cannotWrite, .unreadableManifest, .busy: .inputOutput
        case .cancelled: .interrupted
        }
    }

    private static func of(_ error: TransportError) -> ExitStatus {
        switch error {
        case .unreachable, .cutShort, .timedOut, .redirect, .malformed, .badHeader, .browsersOnly,
            .unreadable, .interrupted, .proxy:
            .unavailable
        case .rejected(let error): Self(of: error)
        case .cancelled: .interrupted
        }
    }
}

extension ActionableError {
    /// What to do about it on the command line: the hint, in terms of this program's options where there are any.
    var commandHint: String? {
        switch self as any Error {
        case SelectionError.notAPhoto, SelectionError.indexInList, SelectionError.tooLong:
            "Pipe in the output of '--format jsonl', or web addresses, one per line."
        case SelectionError.severalLines: "Put each photo on one line, with 'jq -c'."
        case SelectionError.listPage(_, let service, let feed, let isAlbum):
            "List its \(isAlbum ? "author's " : "")photos with 'gallery \(feed.command) -s \(service)'."
        case SelectionError.endless: "Name its end, such as '90-120', or add '--limit <n>'."
        case ServiceError.foreign(let error, let host):
            "'\(host)' does not answer as \(error.service) does; check '--base-url'."
        case ServiceError.keyMissing(let service, let variable?):
            "Set \(variable), or run 'gallery config set keys.\(service)'."
                + (ServiceCatalog.entry(named: service)?.keyUse.map { " \(service) takes \($0)." } ?? "")
        case ServiceError.keyMissing(let service, nil): "Run 'gallery config set services.\(service).key'."
        case ServiceError.refused(_, _, let variable?): "Check the key in \(variable)."
        case ServiceError.noAddress: "Add it with '--base-url <url>'."
        case ServiceError.unknownUser(_, nil):
            "Name a user: 'gallery favorites <name>', or '--user <name>' with '--feed favorites'."
        case DownloadError.ownFolder: "Name another folder with '--directory'."
        case ServiceError.missing(Folder.word, let what) where what.hasPrefix("picture in"):
            "If it lists photos, read it from standard input: '- < FILE'."
        case ServiceError.missing(Folder.word, let what) where what.hasPrefix("file"):
            "If it was moved, name it where it is now."
        case SelectionError.adult: "Add '--adult' to see it."
        case SelectionError.noTags(_, let having):
            "Leave out '--tag', or search for it; these include tags: \(having.joined(separator: ", "))."
        case DownloadError.unreadableManifest(let path):
            "Restore it from a backup, or begin a new one with 'gallery verify --adopt "
                + "\(URL(filePath: path).deletingLastPathComponent().relativePath.shellWord)': the old one is kept."
        case DownloadError.damaged: "Run 'gallery verify --repair' to download it again."
        case DownloadError.brokenAtHost: "Add '--accept-incomplete' to keep the picture as it is."
        default: hint
        }
    }
}

extension Feed {
    fileprivate var command: String {
        switch self {
        case .popular(let ranking, let date):
            "popular" + (ranking.map { " --ranking \($0.shellWord)" } ?? "")
                + (date.map { " --date \($0)" } ?? "")
        case .search(let text): "search \(text.shellWord)"
        case .user(let name): "user \(name.shellWord)"
        case .favorites(let name): "favorites" + (name.map { " \($0.shellWord)" } ?? "")
        }
    }
}

extension String {
    /// This text as one word of a shell, without anything that a terminal would obey.
    var shellWord: String {
        let text = PlainText.line(self)
        guard text.isEmpty || text.contains(where: { !($0.isLetter || $0.isNumber || "-_.@/:".contains($0)) })
        else { return text }
        return "\"" + text.replacing(/["\\$`]/) { "\\\($0.output)" } + "\""
    }
}

/// An error of the program itself that knows its exit status.
protocol StatusError: ActionableError { var status: ExitStatus { get } }

/// An error of a command that only its user has to tell from others.
struct CommandFault: StatusError {
    let status: ExitStatus
    let description: String
    var hint: String?

    init(_ status: ExitStatus, _ description: String, hint: String? = nil) {
        (self.status, self.description, self.hint) = (status, description, hint)
    }
}

/// The reader of standard output is gone, as in `gallery | head`.
struct ClosedPipe: Error {}
