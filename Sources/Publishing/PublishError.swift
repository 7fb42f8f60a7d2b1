import Foundation
import GalleryCore

/// Why a site or a collage could not be made.
package enum PublishError: ActionableError, Hashable {
    /// A file or folder could not be created; its path and the system's reason.
    case cannotCreate(path: String, reason: String)
    /// Writing failed, such as on a full disk.
    case cannotWrite(path: String, SystemCall.Failure)
    /// A picture that was downloaded cannot be read.
    case cannotRead(path: String, SystemCall.Failure)
    /// The file at `path` was made or changed by something else, and is not replaced.
    case foreign(path: String)
    /// The file at `path`, which the user has named for a result, is there already.
    case taken(path: String)
    /// Another process is writing the site at `path`.
    case busy(path: String)
    /// The file at `path`, of a photo of a folder, is not in the folder of this command.
    case outside(path: String)
    /// The picture in the file `name` is in a format that browsers do not show, such as `HEIC`; and why none was made
    /// that they do, where that was tried.
    case notForWeb(format: String, name: String, reason: String? = nil)
    /// The metadata of a picture in a format such as `AVIF` cannot be removed, and no smaller picture can be made.
    case uncleaned(format: String)
    /// The site's style sheet or script is not installed.
    case notInstalled(MissingResource)

    /// One sentence that names the path.
    package var description: String {
        switch self {
        case .cannotCreate(let path, let reason): "'\(path)' could not be created: \(reason)."
        case .cannotWrite(let path, let failure): "'\(path)' could not be written: \(failure.reason)."
        case .cannotRead(let path, let failure): "'\(path)' could not be read: \(failure.reason)."
        case .foreign(let path):
            "'\(path)' is a \(path.hasSuffix(".html") ? "page" : "file") "
                + "that gallery did not write, or that was changed since."
        case .taken(let path): "'\(path)' is there already."
        case .busy(let path): "'\(path)' is being written by another process."
        case .outside(let path): "'\(path)' is not in the folder of this command."
        case .notForWeb(let format, let name, let reason):
            "'\(PlainText.excerpt(name, limit: 120))' is a \(format) file, which browsers do not show"
                + (reason.map { ": \(PlainText.line($0))." } ?? ".")
        case .uncleaned(let format): "The metadata of its \(format) file cannot be removed."
        case .notInstalled(let resource): resource.description
        }
    }

    package var hint: String? {
        switch self {
        case .cannotWrite(_, let failure) where failure.isLackOfRoom: "Free some space, then try again."
        case .cannotCreate, .cannotWrite, .cannotRead: "Check the path and its permissions."
        case .foreign: "Choose another folder, or remove that file."
        case .taken: "Choose another name, or replace it with '--force'."
        case .busy: "Wait until it is done, then try again."
        case .outside: "Name its folder with '--folder'."
        case .uncleaned: "Install vipsthumbnail (libvips-tools), ImageMagick, or ffmpeg."
        case .notForWeb:
            "Install vipsthumbnail (libvips-tools), ImageMagick, or ffmpeg, with what they need for that format."
        case .notInstalled(let resource): resource.hint
        }
    }
}

extension PublishError {
    /// What `work` gives; where a system call fails, what `fault` makes of the path of `file` and the failure.
    @discardableResult
    static func naming<Value>(
        _ file: URL, _ fault: (String, SystemCall.Failure) -> PublishError,
        _ work: @autoclosure () throws(SystemCall.Failure) -> Value
    ) throws(PublishError) -> Value {
        do throws(SystemCall.Failure) { return try work() } catch { throw fault(shown(file), error) }
    }

    /// That a file could not be written: where it may not be replaced, that it is somebody else's.
    static func writing(_ path: String, _ failure: SystemCall.Failure) -> PublishError {
        [EEXIST, ELOOP, EISDIR].contains(failure.code)
            ? .foreign(path: path) : .cannotWrite(path: path, failure)
    }

    /// What `work` gives; where it cannot create a folder on the way to `file`, that as an error of ours.
    static func creating<Value>(
        _ file: URL, _ work: @autoclosure () throws(DownloadError) -> Value
    ) throws(PublishError) -> Value {
        do throws(DownloadError) { return try work() } catch {
            guard case .cannotCreate(let path, let reason, _) = error else {
                throw .cannotCreate(path: shown(file), reason: PlainText.line(error.description))
            }
            throw .cannotCreate(path: path, reason: reason)
        }
    }

    static func shown(_ file: URL) -> String { PlainText.line(file.path(percentEncoded: false)) }
}
