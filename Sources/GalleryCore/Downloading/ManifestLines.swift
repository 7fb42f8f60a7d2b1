import Foundation

/// A line of a manifest: an object whose first member says what it is about, by which ``Manifest`` finds it.
package protocol ManifestLine: Decodable, Sendable {
    /// The first member's key.
    static var key: String { get }
    /// The first member's value.
    var subject: String { get }
    /// The other members; those without a value are left out.
    var facts: KeyValuePairs<String, JSONValue?> { get }
}

extension ManifestLine {
    var line: [UInt8] {
        let facts = facts.compactMap { fact in fact.value.map { JSONValue.Member(key: fact.key, value: $0) } }
        let members = [JSONValue.Member(key: Self.key, value: .string(subject))] + facts
        return Array(JSONValue.object(members).text.utf8) + [0x0A]
    }

    /// Parses a line; `nil` if it is of another kind or torn.
    package init?(line: some Collection<UInt8>) {
        guard line.starts(with: Array("{\"\(Self.key)\"".utf8)),
            let parsed = try? JSONDecoder().decode(Self.self, from: Data(line))
        else { return nil }
        self = parsed
    }
}

/// A line of a manifest: which photo a file is.
package struct ManifestEntry: Hashable, ManifestLine {
    package static let key = "file"

    /// The path below the folder.
    package var file: String
    package let service: String
    /// The photo's identifier. Untrusted text.
    package let id: String
    /// The page of the photo, from 0.
    package let page: Int
    package let size: PhotoFileSize
    /// The file's length in bytes when it was completed.
    package let bytes: Int64
    /// The picture's size as its file says it; `nil` if it does not, and in lines of earlier versions.
    let width: Int?
    let height: Int?
    /// The XXH64 of its bytes when it was completed, as 16 hexadecimal digits.
    package let digest: String?
    /// The entity tag or date it was sent with.
    package let validator: String?
    /// What its format lacks, if it was accepted although it is incomplete; `nil` for a complete picture.
    package let missing: String?
    /// See ``DownloadItem/standIn``.
    let standIn: String?
    /// The address of its service; `nil` for the official one, and in lines of earlier versions. Untrusted text.
    package let base: String?
    /// The text of the ``SyncGroup`` that its name belongs to; `nil` if the file was there before the line.
    var group: String?
    /// When the completed file was modified, and when anything of it changed, in microseconds since 1970; `nil` in
    /// lines of earlier versions.
    private(set) var modified, changed: Int?

    init(
        _ item: DownloadItem, file: String, bytes: Int64, digest: String?, validator: String?,
        missing: String? = nil, pixels: PixelSize? = nil, group: SyncGroup? = nil, _ status: stat? = nil
    ) {
        (self.file, self.bytes, self.group) = (file, bytes, group?.text)
        (service, id, page, size) = (item.photo.service, item.photo.value, item.page, item.size)
        (width, height) = (pixels?.width, pixels?.height)
        (self.digest, self.validator, self.missing) = (digest, validator, missing)
        (standIn, base) = (item.standIn, item.base.flatMap(Self.withoutSecrets))
        (modified, changed) = (status?.microseconds.modified, status?.microseconds.changed)
    }

    func dated(_ status: stat) -> ManifestEntry {
        var entry = self
        (entry.modified, entry.changed) = status.microseconds
        return entry
    }

    /// Whether nobody has written to the file since, going by its time of modification, of which programs that copy
    /// files keep a microsecond, or a second. If its bytes differ all the same, they are damaged, not edited.
    package func isUntouched(_ status: stat) -> Bool {
        guard let modified else { return false }
        let now = status.microseconds.modified
        return (now &- modified).magnitude <= 1
            || now.isMultiple(of: 1_000_000) && now / 1_000_000 == modified / 1_000_000
    }

    /// Whether the file's bytes cannot have changed, short of what only reading them all would show.
    func isUnchanged(_ status: stat) -> Bool {
        status.length == bytes && changed == status.microseconds.changed
    }

    /// `base` if it fits a line and has nothing that only its user should know, for others may read a manifest.
    private static func withoutSecrets(_ base: URL) -> String? {
        let isOpen = base.user == nil && base.password == nil && base.query == nil && base.fragment == nil
        let text = base.absoluteString
        return isOpen && text.utf8.count <= 2048 ? text : nil
    }

    package var photo: PhotoID { PhotoID(service: service, value: id) }
    var lastingID: PhotoID { photo.lasting(in: base.flatMap { URL(string: $0) }) }
    var pixels: PixelSize? { PixelSize(width: width, height: height) }

    func isFile(of item: DownloadItem) -> Bool {
        (lastingID == item.photo.lasting(in: item.base) || base == nil && photo == item.photo)
            && page == item.page && size == item.size
    }

    package var subject: String { file }
    package var facts: KeyValuePairs<String, JSONValue?> {
        [
            "service": .string(service), "id": .string(id), "page": .int(page),
            "size": .string(size.rawValue), "bytes": .int(Int(bytes)),
            "width": width.map(JSONValue.int), "height": height.map(JSONValue.int),
            "digest": .optional(digest), "validator": .optional(validator),
            "missing": missing.map(JSONValue.string), "standIn": standIn.map(JSONValue.string),
            "base": base.map(JSONValue.string), "group": group.map(JSONValue.string),
            "modified": modified.map(JSONValue.int), "changed": changed.map(JSONValue.int),
        ]
    }
}

/// A line of a manifest: what ``ManifestEntry`` says of a file has never been so, for it was nobody's photo.
struct RevokedEntry: Hashable, ManifestLine {
    static let key = ManifestEntry.key
    let file: String

    var subject: String { file }
    var facts: KeyValuePairs<String, JSONValue?> { [:] }
}

extension DownloadItem {
    /// The error where the picture that came is one that its host sends for photos that are gone.
    var isPlaceholder: DownloadError {
        .notAPicture(host: Redaction.host(of: source), found: "a placeholder for what is gone")
    }

    package var key: String { Self.key(of: photo, page: page, size: size) }

    package static func key(of photo: PhotoID, page: Int, size: PhotoFileSize) -> String {
        "\(size.rawValue) \(page) \(photo)"
    }

    /// What a key identifies; `nil` for any other text.
    static func file(of key: String) -> (photo: PhotoID, page: Int, size: PhotoFileSize)? {
        let parts = key.split(separator: " ", maxSplits: 2)
        guard parts.count == 3, let size = PhotoFileSize(rawValue: String(parts[0])),
            let page = Int(parts[1]), let colon = parts[2].firstIndex(of: ":")
        else { return nil }
        let value = parts[2][parts[2].index(after: colon)...]
        return (PhotoID(service: String(parts[2][..<colon]), value: String(value)), page, size)
    }
}

/// A line of a manifest: a file left out as a duplicate of another, so that the next run need not transfer it again.
struct DuplicateEntry: Hashable, ManifestLine {
    static let key = "leftOut"
    /// The file; see ``DownloadItem/key``.
    let leftOut: String
    /// The path of the identical file, below the folder.
    let sameAs: String
    let bytes: Int64
    /// The XXH64 of its bytes.
    let digest: String

    init(_ item: DownloadItem, sameAs: String, _ fingerprint: UniqueFiles.Fingerprint) {
        leftOut = item.key
        (self.sameAs, bytes, digest) = (sameAs, fingerprint.bytes, fingerprint.digest)
    }

    var file: (photo: PhotoID, page: Int, size: PhotoFileSize)? { DownloadItem.file(of: leftOut) }
    var subject: String { leftOut }
    var facts: KeyValuePairs<String, JSONValue?> {
        ["sameAs": .string(sameAs), "bytes": .int(Int(bytes)), "digest": .string(digest)]
    }
}

/// A line of a manifest: a file that its host sent complete and broken. Once two transfers have brought the same bytes,
/// a third is pointless for a week, or until the host has others.
struct BrokenEntry: Hashable, ManifestLine {
    static let key = "broken"
    /// The file; see ``DownloadItem/key``.
    let broken: String
    /// The URL without query and secrets: at another address the file may be complete.
    let source: String
    let bytes: Int64
    /// The XXH64 of its bytes.
    let digest: String
    let reason: String
    /// How many transfers in a row brought these bytes.
    let transfers: Int
    /// The entity tag, weak or strong, or the date that it was sent with; `nil` if it had neither.
    let validator: String?
    /// The day of the last transfer, counted from 1970; `nil` in lines of earlier versions.
    let day: Int?

    init(
        _ item: DownloadItem, bytes: Int64, digest: String, reason: String, validator: String?, day: Int,
        after known: BrokenEntry?
    ) {
        (broken, source) = (item.key, PartNote.source(of: item))
        (self.bytes, self.digest) = (bytes, digest)
        (self.reason, self.validator, self.day) = (reason, validator, day)
        let isSame = known?.digest == digest && known?.bytes == bytes && known?.source == source
        transfers = isSame ? min((known?.transfers ?? 0), 1000) + 1 : 1
    }

    enum Step: Hashable { case transfer, ask, leave }

    /// What to do about `item`'s file on the day `today`.
    func step(for item: DownloadItem, today: Int) -> Step {
        guard transfers >= 2, source == PartNote.source(of: item), let day,
            (max(0, today - 6)...max(0, today)).contains(day)
        else { return .transfer }
        return validator == nil ? .leave : .ask
    }

    /// The header fields of a request for a file that differs.
    var conditions: [String: String] {
        guard let validator else { return [:] }
        return [validator.hasSuffix("\"") ? "If-None-Match" : "If-Modified-Since": validator]
    }

    /// Whether a reply says that the file is still the same, which some hosts do by sending it.
    func isMet(by head: HTTPHead) -> Bool {
        guard let validator else { return false }
        return head.status == 304 || (200..<204).contains(head.status) && Validator.any(in: head) == validator
    }

    var subject: String { broken }
    var facts: KeyValuePairs<String, JSONValue?> {
        [
            "source": .string(source), "bytes": .int(Int(bytes)), "digest": .string(digest),
            "reason": .string(reason), "transfers": .int(transfers), "validator": .optional(validator),
            "day": .optional(day),
        ]
    }
}

/// A line of a manifest: a run came to the end of a feed, or to where an earlier one had, and nothing failed. Where a
/// later run meets the photos that the feed began with then, the folder has had all that follows.
package struct CompleteEntry: Hashable, ManifestLine {
    package static let key = "complete"
    /// The feed.
    package let complete: String
    /// The identifiers of the newest photos, newest first.
    package let newest: [String]

    package init(complete: String, newest: [String]) { (self.complete, self.newest) = (complete, newest) }

    package var subject: String { complete }
    package var facts: KeyValuePairs<String, JSONValue?> { ["newest": .array(newest.map(JSONValue.string))] }
}

/// A line of a manifest: when a feed was last gone through to its end, whatever was known of it.
package struct WalkEntry: Hashable, ManifestLine {
    package static let key = "walked"
    /// The feed, as in ``CompleteEntry/complete``.
    package let walked: String
    /// How many runs have ended at known photos since.
    package let runs: Int
    /// The day, counted from 1970.
    package let day: Int

    package init(walked: String, runs: Int, day: Int) {
        (self.walked, self.runs, self.day) = (walked, runs, day)
    }

    package var subject: String { walked }
    package var facts: KeyValuePairs<String, JSONValue?> { ["runs": .int(runs), "day": .int(day)] }
}

/// A line of a manifest: a file missing on purpose, deleted or found elsewhere. That it was there is not forgotten.
package struct ForgottenEntry: Hashable, ManifestLine {
    package static let key = "forgotten"
    /// The path below the folder.
    package let forgotten: String

    package init(forgotten: String) { self.forgotten = forgotten }

    package var subject: String { forgotten }
    package var facts: KeyValuePairs<String, JSONValue?> { [:] }
}

/// A file of metadata that was written beside a picture, and what it said.
struct SidecarEntry: Hashable, ManifestLine {
    static let key = "beside"
    /// Its path below the manifest's folder.
    let beside: String
    let digest: String

    var subject: String { beside }
    var facts: KeyValuePairs<String, JSONValue?> { ["digest": .string(digest)] }
}
