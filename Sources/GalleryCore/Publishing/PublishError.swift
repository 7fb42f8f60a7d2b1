import Foundation

/// Why a site or a collage could not be made.
public enum PublishError: ActionableError, Hashable {
    /// A file or folder could not be created; `path`, the reason, and the `errno` where it is the system's.
    case cannotCreate(path: String, reason: String, code: Int32? = nil)
    /// Writing failed, such as on a full disk; `path`, the reason, and the `errno` where it is the system's.
    case cannotWrite(path: String, reason: String, code: Int32? = nil)
    /// A picture that was downloaded cannot be read; `path` and the system's reason.
    case cannotRead(path: String, reason: String)
    /// The page at `path` was made by something else, and is not replaced.
    case otherPage(path: String)
    /// Another process is writing the site at `path`.
    case busy(path: String)
    /// The picture is in a format that browsers do not show, such as `HEIC`.
    case notForWeb(format: String)
    /// The site's style sheet or script is not installed.
    case notInstalled(MissingResource)

    /// One sentence that names the path.
    public var description: String {
        switch self {
        case .cannotCreate(let path, let reason, _): "'\(path)' could not be created: \(reason)."
        case .cannotWrite(let path, let reason, _): "'\(path)' could not be written: \(reason)."
        case .cannotRead(let path, let reason): "'\(path)' could not be read: \(reason)."
        case .otherPage(let path): "'\(path)' is a page that gallery did not write."
        case .busy(let path): "'\(path)' is being written by another process."
        case .notForWeb(let format): "It is a \(format) file, which browsers do not show."
        case .notInstalled(let resource): resource.description
        }
    }

    /// What to do about it.
    public var hint: String? {
        switch self {
        case .cannotWrite(_, _, let code?) where SystemCall.Failure(code: code).isLackOfRoom:
            "Free some space, then try again."
        case .cannotCreate, .cannotWrite, .cannotRead: "Check the path and its permissions."
        case .otherPage: "Choose another folder, or remove that file."
        case .busy: "Wait until it is done, then try again."
        case .notForWeb: nil
        case .notInstalled(let resource): resource.hint
        }
    }
}
