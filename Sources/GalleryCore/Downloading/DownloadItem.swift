import Foundation

package struct DownloadItem: Hashable, Sendable {
    /// A number that is unique within the batch.
    package var number: Int
    /// The photo's index in its feed, from 1.
    package let index: Int?
    package let photo: PhotoID
    /// The page of the photo, from 0.
    package let page: Int
    package let size: PhotoFileSize
    package internal(set) var source: HTTPRequest
    /// What to download in its place, in turn, where the file is not there.
    package var standIns: [DownloadItem] = []
    /// Its address without the query, where it is one of these; `nil` for the file that is asked for.
    package internal(set) var standIn: String?
    /// The path below the destination folder, without an extension. Must be safe; see ``NameAssignment``.
    package var name: String
    package var leaf: String { name.split(separator: "/").last.map(String.init) ?? name }
    /// Whether `name` identifies the photo, so that an existing file that is not in the manifest is adopted.
    package var isNameUnique: Bool
    /// Whether the photo was named individually, so that it is stored even if it is a duplicate.
    package let isNamed: Bool
    /// The contents of `NAME.json` beside the file; `nil` for none.
    package let metadata: Data?
    /// The file's modification date; `nil` for the time of the download.
    package let date: Date?
    /// Where the photo's service is, for the manifest; `nil` for its official address.
    package let base: URL?

    package init(
        number: Int, index: Int? = nil, photo: PhotoID, page: Int = 0, size: PhotoFileSize = .full,
        source: HTTPRequest, name: String, isNameUnique: Bool, isNamed: Bool = false, metadata: Data? = nil,
        date: Date? = nil, base: URL? = nil
    ) {
        (self.number, self.index, self.photo, self.page) = (number, index, photo, page)
        (self.size, self.source, self.name, self.isNameUnique) = (size, source, name, isNameUnique)
        (self.isNamed, self.metadata, self.date, self.base) = (isNamed, metadata, date, base)
    }
}

/// An event of a batch. For each item there are any number of the first three, then exactly one of the next three; and
/// where it is ``finished(_:_:)``, the last may follow.
package enum DownloadEvent: Sendable {
    /// The transfer began with `offset` bytes already here. `expected` is the file's length, if announced.
    case started(DownloadItem, offset: Int64, expected: Int64?)
    /// `received` bytes of the file are on disk.
    case progress(DownloadItem, received: Int64, expected: Int64?)
    /// A temporary failure; the next attempt follows after `delay`.
    case waiting(DownloadItem, delay: Duration, because: DownloadError)
    /// The file is complete and under its name.
    case finished(DownloadItem, DownloadedFile)
    /// The file was left out as a duplicate of another one; see ``Downloader/Configuration/skipsDuplicates``.
    case duplicate(DownloadItem, of: URL)
    /// The download failed. Its bytes are kept as a part if they can be resumed.
    case failed(DownloadItem, DownloadError)
    /// A file that was finished is gone again: later ones have shown that it is nobody's photo.
    case revoked(DownloadItem, DownloadedFile, DownloadError)
}

/// A file that is complete and under its name.
public struct DownloadedFile: Hashable, Sendable {
    /// Where the file came from.
    public enum Status: String, Hashable, Sendable {
        /// It was downloaded from its first byte.
        case fetched
        case resumed
        case kept
    }

    /// The file.
    public var url: URL { folder.appending(path: path) }
    package var name: Substring { path.split(separator: "/").last ?? "" }
    /// Its length in bytes.
    public let bytes: Int64
    /// Where it came from.
    public let status: Status
    /// The XXH64 of its bytes, as 16 hexadecimal digits.
    public let digest: String?

    /// What to tell the user of it, such as that it is incomplete; `nil` for nothing.
    public let warning: String?
    /// The picture's size as its file says it, whatever its service does; `nil` if it does not or is not known.
    public let pixels: PixelSize?
    /// See ``DownloadItem/standIn``.
    package let standIn: String?

    private let folder: URL
    /// Below `folder`.
    let path: String

    /// A file at `url`.
    public init(
        url: URL, bytes: Int64, status: Status, digest: String? = nil, warning: String? = nil,
        pixels: PixelSize? = nil
    ) {
        self.init(
            in: url.deletingLastPathComponent(), path: url.lastPathComponent, bytes: bytes, status: status,
            digest: digest, warning: warning, pixels: pixels)
    }

    /// A file at `path` below `folder`: apart, since joining and splitting addresses is slow, and few are asked for.
    package init(
        in folder: URL, path: String, bytes: Int64, status: Status, digest: String?, warning: String? = nil,
        pixels: PixelSize?, standIn: String? = nil
    ) {
        (self.folder, self.path, self.bytes, self.status) = (folder, path, bytes, status)
        (self.digest, self.warning, self.pixels, self.standIn) = (digest, warning, pixels, standIn)
    }
}
