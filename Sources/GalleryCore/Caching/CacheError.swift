import Foundation

/// Why the cache does without its folder.
public enum CacheError: ActionableError, Hashable {
    /// The folder cannot be made, read or written; `reason` is the system's.
    case unusable(path: String, reason: String)

    /// One sentence that names the folder.
    public var description: String {
        switch self {
        case .unusable(let path, let reason):
            "The cache folder '\(PlainText.line(path))' cannot be used: \(reason)."
        }
    }

    /// What to do about it.
    public var hint: String? { "Check the folder's permissions and the room on its disk." }
}
