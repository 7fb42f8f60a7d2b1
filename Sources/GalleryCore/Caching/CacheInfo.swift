import Foundation

/// What a cache holds, or what clearing it freed.
public struct CacheInfo: Hashable, Sendable {
    /// Where it is.
    public let folder: URL
    /// How many replies.
    public let entries: Int
    /// Their bytes on disk, as files' lengths.
    public let bytes: Int64
    /// The most bytes that stay after a sweep.
    public let limit: Int64
    /// When the one unused for longest was last used; `nil` where there is none.
    public let oldestUse: Date?
}
