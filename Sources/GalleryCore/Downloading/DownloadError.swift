import Foundation

/// Why a download failed.
public enum DownloadError: ActionableError {
    /// The reply did not arrive complete, after all retries.
    case transport(TransportError)
    /// The host answered with an error status, 300 to 599; `seconds` is its `Retry-After`.
    case refused(host: String, status: Int, seconds: Int?)
    /// The file is not a picture of a supported format; `found` says what it looks like.
    case notAPicture(host: String, found: String)
    case empty(host: String)
    /// The picture is incomplete: it is too short, or its format's end is missing.
    case incomplete(host: String, reason: String)
    /// The host sent the whole file, which lacks its format's end; see ``Downloader/Configuration/acceptsIncomplete``.
    case brokenAtHost(host: String, reason: String)
    /// A file or folder could not be created; `path`, the reason, and the `errno` where it is the system's.
    case cannotCreate(path: String, reason: String, code: Int32? = nil)
    /// The file or the folder at `path`, as plain text, would be copied to where it is.
    case ownFolder(path: String)
    /// Writing failed, such as on a full disk; `path`, the reason, and the `errno` where it is the system's.
    case cannotWrite(path: String, reason: String, code: Int32? = nil)
    /// Nothing of the folder's manifest can be read, and without it what was deleted would be downloaded again.
    case unreadableManifest(path: String)
    /// The file, of `bytes`, is smaller or larger than ``Downloader/Configuration/lengths`` wants it.
    case unwanted(host: String, bytes: Int64)
    /// The file at `path` has other bytes than were downloaded, though nobody has written to it since.
    case damaged(path: String)
    /// Another process is downloading the same file.
    case busy(path: String)
    /// The task was cancelled. Parts are kept.
    case cancelled

    /// One sentence that names the host or the path.
    public var description: String {
        switch self {
        case .transport(let error): error.description
        case .refused(let host, let status, let seconds?) where .seconds(seconds) > RetryPolicy.longestAsked:
            "'\(host)' asks to wait \(seconds) seconds (status \(status))."
        // A file of this machine, which has no host but its scheme.
        case .refused("file", 404, _): "The file is gone."
        case .refused("file", 403, _): "The file cannot be read."
        case .refused(let host, let status, _): "'\(host)' answered with status \(status)."
        case .notAPicture(let host, let found): "'\(host)' sent \(found) instead of a picture."
        case .empty(let host): "'\(host)' sent an empty file."
        case .incomplete(let host, let reason), .brokenAtHost(let host, let reason):
            "'\(host)' sent a broken picture: \(reason)."
        case .cannotCreate(let path, let reason, _): "'\(path)' could not be created: \(reason)."
        case .ownFolder(let path): "'\(path)' would be copied into the folder that it is read from."
        case .cannotWrite(let path, let reason, _): "'\(path)' could not be written: \(reason)."
        case .unreadableManifest(let path): "Nothing of the manifest '\(path)' can be read."
        case .unwanted(let host, let bytes): "'\(host)' has a file of \(bytes) bytes, which is not wanted."
        case .damaged(let path): "'\(path)' is damaged: its bytes have changed, and its date has not."
        case .busy(let path): "'\(path)' is being downloaded by another process."
        case .cancelled: "The download was canceled."
        }
    }

    /// What to do about it.
    public var hint: String? {
        switch self {
        case .transport(.cutShort(_, let received, _)) where received > 0: "Try again; the download resumes."
        case .transport(let error): error.hint
        case .refused(_, let status, _) where [202, 420, 429, 503].contains(status):
            "Wait a while, then try again."
        case .cannotWrite where isLackOfRoom: "Free some space, then run the same command again."
        case .cannotCreate, .cannotWrite: "Check the path and its permissions."
        case .ownFolder: "Name another folder."
        case .unreadableManifest: "Restore it from a backup, or give it another name to begin a new one."
        case .damaged: "Check the disk, and download the file again."
        case .busy, .cancelled: "Try again; the download resumes."
        case .refused, .notAPicture, .empty, .incomplete, .brokenAtHost, .unwanted: nil
        }
    }

    /// Whether the disk is full, which is one fact however many files it keeps from being written.
    package var isLackOfRoom: Bool {
        guard case .cannotWrite(_, _, let code) = self else { return false }
        return SystemCall.Failure(code: code ?? 0).isLackOfRoom
    }

    var isLackOfFiles: Bool {
        if case .cannotCreate(_, _, let code) = self { code == EMFILE } else { false }
    }

    /// Whether the same download may succeed later without anything being changed.
    public var isPassing: Bool {
        switch self {
        case .transport(let error): error.isPassing
        case .refused(_, let status, _): RetryPolicy.isPassing(status: status)
        case .incomplete, .busy: true
        // Others will have closed theirs by then.
        case .cannotCreate where isLackOfFiles: true
        case .notAPicture, .empty, .brokenAtHost, .unwanted, .cannotCreate, .ownFolder, .cannotWrite,
            .unreadableManifest, .damaged, .cancelled:
            false
        }
    }

    /// Whether the host has no such file, or none that is a whole picture, and so another size of it may do.
    var isOfMissingFile: Bool {
        switch self {
        case .refused(_, let status, _): status == 404 || status == 410
        case .notAPicture, .empty, .brokenAtHost: true
        default: false
        }
    }

    var transportError: TransportError? {
        if case .transport(let error) = self { error } else { nil }
    }

    var secondsAsked: Int? {
        if case .refused(_, _, let seconds) = self { seconds } else { nil }
    }

    init(_ error: TransportError) {
        switch error {
        case .cancelled: self = .cancelled
        case .rejected(let own as DownloadError): self = own
        default: self = .transport(error)
        }
    }
}
