import Foundation

/// The two files that every photo has.
public enum PhotoFileSize: String, Hashable, Sendable, Codable, CaseIterable {
    /// The largest that the service will give.
    case full
    /// The small one of lists.
    case thumbnail
}

/// One file that is wanted.
public struct DownloadItem: Hashable, Sendable {
    /// The caller's own number for it, unique within a batch.
    public let number: Int
    /// Which photo it is, for the record.
    public let photo: PhotoID
    /// Which page of the photo, from 0.
    public let page: Int
    /// Which of the photo's files.
    public let size: PhotoFileSize
    /// Where the bytes are.
    public let source: HTTPRequest
    /// The safe path below the target folder, without an extension; see ``FileName``.
    public let name: String
    /// Whether `name` can only be this photo's, so that a whole picture without a record is adopted.
    public let isNameUnique: Bool
    /// Whether its photo was named by itself, so that it is taken though another file has its bytes.
    public let isNamed: Bool
    /// What is to stand beside the file as `NAME.json`; `nil` for nothing.
    public let metadata: Data?

    /// A wish for one file.
    public init(
        number: Int, photo: PhotoID, page: Int = 0, size: PhotoFileSize = .full, source: HTTPRequest,
        name: String, isNameUnique: Bool, isNamed: Bool = false, metadata: Data? = nil
    ) {
        self.number = number
        self.photo = photo
        self.page = page
        self.size = size
        self.source = source
        self.name = name
        self.isNameUnique = isNameUnique
        self.isNamed = isNamed
        self.metadata = metadata
    }
}

/// What a batch reports about one of its items. Each item: any number of the
/// first three, then exactly one of the others.
public enum DownloadEvent: Sendable {
    /// The server agreed; `offset` bytes were already here. `expected` is the whole file's length, where announced.
    case started(DownloadItem, offset: Int64, expected: Int64?)
    /// `received` bytes of the whole file are on disk.
    case progress(DownloadItem, received: Int64, expected: Int64?)
    /// A passing fault; the next try comes after `delay`.
    case waiting(DownloadItem, delay: Duration, because: DownloadError)
    /// The file is whole and under its name.
    case finished(DownloadItem, DownloadedFile)
    /// The file is left out, since the one at `sameAs` has its bytes; see
    /// ``Downloader/Configuration/leavesOutCopies``.
    case leftOut(DownloadItem, sameAs: URL)
    /// The file did not arrive; its bytes so far are kept as a part where that helps.
    case failed(DownloadItem, DownloadError)
}

/// A file that is whole and under its name.
public struct DownloadedFile: Hashable, Sendable {
    /// How it came to be there.
    public enum Status: String, Hashable, Sendable {
        /// Fetched from its first byte.
        case fetched
        /// Fetched from where an earlier run stopped.
        case resumed
        /// It was there already.
        case kept
    }

    /// Where it is.
    public let url: URL
    /// Its length in bytes.
    public let bytes: Int64
    /// How it came to be there.
    public let status: Status
    /// The XXH64 of its bytes, as 16 hexadecimal digits: files that differ in it differ.
    public let digest: String?

    /// A file at `url`.
    public init(url: URL, bytes: Int64, status: Status, digest: String? = nil) {
        self.url = url
        self.bytes = bytes
        self.status = status
        self.digest = digest
    }
}
