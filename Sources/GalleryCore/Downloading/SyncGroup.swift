import Foundation

/// Files whose names reach the storage device together. Their entries in the manifest name the group, and a
/// ``SyncedEntry`` follows once the names are there.
///
/// Until then a power failure may leave an entry without the name it is about: a photo recorded that was never had.
struct SyncGroup: Hashable, Sendable {
    /// The boot session and a random number, both hexadecimal.
    let text: String

    init() {
        let number = UInt32.random(in: .min ... .max)
        text = "\(Self.boot)-\(String(number, radix: 16))"
    }

    /// What the groups of this boot session begin with; another one each time where the system does not say.
    static let boot: String = {
        let session = System.bootSession
        let text = session.isEmpty ? "\(UInt64.random(in: .min ... .max))" : session
        return String(Hexadecimal.text(Digest.hash(Array(text.utf8))).prefix(8))
    }()

    /// Whether what an entry says was ever true: that a file has its name. `group` is `nil` for a file that was there
    /// already, and in lines of earlier versions. Of groups that begin with `boot`, this session's, nothing is lost.
    static func outlasted(
        _ group: String?, boot: String, isSynced: (String) throws(DownloadError) -> Bool, isThere: () -> Bool
    ) throws(DownloadError) -> Bool {
        guard let group else { return true }
        if group.hasPrefix(boot + "-") { return true }
        return try isSynced(group) || isThere()
    }
}

/// A line of a manifest: the names of a ``SyncGroup`` are on the storage device.
struct SyncedEntry: Hashable, ManifestLine {
    static let key = "synced"
    let synced: String

    var subject: String { synced }
    var facts: KeyValuePairs<String, JSONValue?> { [:] }
}
