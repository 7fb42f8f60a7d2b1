import Foundation

/// One line of a folder's record: which file is which photo.
public struct ManifestEntry: Hashable, Sendable, Decodable {
    /// The path below the folder, as it was named.
    public let file: String
    /// The photo's service, as the user types it.
    public let service: String
    /// The photo's identifier there. Untrusted text.
    public let id: String
    /// Which page of the photo, from 0.
    public let page: Int
    /// Which of the photo's files.
    public let size: PhotoFileSize
    /// Its length when it was whole, in bytes.
    public let bytes: Int64
    /// The XXH64 of its bytes when it was whole, as 16 hexadecimal digits.
    public let digest: String?
    /// The entity tag or date it was sent with; `nil` where the host gave none.
    public let validator: String?

    init(
        _ item: DownloadItem, file: String, bytes: Int64, digest: String?, validator: String?
    ) {
        self.file = file
        service = item.photo.service
        id = item.photo.value
        page = item.page
        size = item.size
        self.bytes = bytes
        self.digest = digest
        self.validator = validator
    }

    /// The photo.
    public var photo: PhotoID { PhotoID(service: service, value: id) }

    /// Whether it is the photo that `item` wants, in whichever size.
    func isPhoto(of item: DownloadItem) -> Bool { photo == item.photo && page == item.page }

    /// The line, with its end. The file comes first: that is how ``Manifest`` finds it.
    var line: [UInt8] {
        let value = JSONValue.members([
            "file": .string(file), "service": .string(service), "id": .string(id), "page": .int(page),
            "size": .string(size.rawValue), "bytes": .int(Int(bytes)), "digest": .optional(digest),
            "validator": .optional(validator),
        ])
        return Array(value.text.utf8) + [0x0A]
    }

    /// The entry that a line is; `nil` for a torn one.
    init?(line: some Collection<UInt8>) {
        guard let entry = try? JSONDecoder().decode(ManifestEntry.self, from: Data(line)) else { return nil }
        self = entry
    }
}

/// Who may claim the file that stands under a name an item would like.
enum FileClaim: Hashable {
    /// The item's photo, by the record; `isAsked` if it serves what is asked for, at its recorded length:
    /// a full size is never given up for a thumbnail.
    case ours(isAsked: Bool)
    /// Nobody by the record, and the name can only be this photo's.
    case unclaimed
    /// Another photo, or somebody who keeps no record.
    case stranger

    /// - Parameter length: of the file on disk, in bytes.
    init(_ entry: ManifestEntry?, item: DownloadItem, length: Int64) {
        switch entry {
        case let entry? where entry.isPhoto(of: item):
            let serves = entry.size == item.size || entry.size == .full
            self = .ours(isAsked: serves && entry.bytes == length)
        case nil where item.isNameUnique: self = .unclaimed
        default: self = .stranger
        }
    }
}
