import Foundation

/// The photos that were marked on this machine, of any service, whole: they list without asking anyone.
///
/// A file of JSON lines, the newest last, as `--format jsonl` prints them. A line that cannot be
/// read is left as it is. Several processes may mark at once.
public struct MarkStore: Sendable {
    /// What is marked.
    public struct Marks: Sendable {
        /// The photos, newest first, each once.
        public let photos: [Photo]
        /// Numbers of lines that hold no photo, from 1.
        public let damaged: [Int]
        /// The file, for messages.
        public let path: String

        /// One sentence about the damaged lines; `nil` where there are none.
        public var warning: String? {
            guard let first = damaged.first else { return nil }
            let which =
                damaged.count == 1 ? "Line \(first)" : "\(damaged.count) lines (the first is \(first))"
            return
                "\(which) of '\(PlainText.line(path))' cannot be read and \(damaged.count == 1 ? "is" : "are") left alone."
        }
    }

    private let lines: StateLines

    /// The marks kept in `file`, which need not be there.
    public init(file: URL) {
        lines = StateLines(file: file)
    }

    /// What is marked.
    public func marks() async throws(StateFileError) -> Marks {
        let lines = lines
        return try await Disk.run { () throws(StateFileError) in Self.marks(in: try lines.read(), lines.file)
        }
    }

    /// Marks `photos`; those that are marked already keep their place.
    ///
    /// - Returns: how many were not marked before.
    @discardableResult
    public func mark(_ photos: [Photo]) async throws(StateFileError) -> Int {
        let lines = lines
        return try await Disk.run { () throws(StateFileError) in
            var added = 0
            try lines.change { lines in
                var known = Set(lines.compactMap(Self.id))
                for photo in photos where known.insert(photo.id).inserted {
                    lines.append(Data(IndexedPhoto(index: nil, photo: photo).json.text.utf8))
                    added += 1
                }
            }
            return added
        }
    }

    /// Takes the marks of `photos` away.
    ///
    /// - Returns: how many were marked.
    @discardableResult
    public func unmark(_ photos: [PhotoID]) async throws(StateFileError) -> Int {
        let lines = lines
        return try await Disk.run { () throws(StateFileError) in
            let unwanted = Set(photos)
            var removed: Set<PhotoID> = []
            try lines.change { lines in
                lines.removeAll { line in
                    guard let id = Self.id(of: line), unwanted.contains(id) else { return false }
                    removed.insert(id)
                    return true
                }
            }
            return removed.count
        }
    }

    private static func photo(in line: Data) -> Photo? {
        try? JSONDecoder().decode(IndexedPhoto.self, from: line).photo
    }

    private static func id(of line: Data) -> PhotoID? { photo(in: line)?.id }

    private static func marks(in lines: [Data], _ file: URL) -> Marks {
        var photos: [Photo] = []
        var seen: Set<PhotoID> = []
        var damaged: [Int] = []
        for (number, line) in lines.enumerated() {
            guard let photo = photo(in: line) else {
                damaged.append(number + 1)
                continue
            }
            if seen.insert(photo.id).inserted { photos.append(photo) }
        }
        return Marks(photos: photos.reversed(), damaged: damaged, path: file.path)
    }
}

extension MarkStore.Marks {
    /// The marked photos as a service whose only feed they are, so that they list and page like any other.
    public var service: any PhotoService { MarkedPhotos(photos: photos) }
}

/// A service that has its photos at hand. Their files and details are their own services' business.
private struct MarkedPhotos: PhotoService {
    let name = "marked"
    let photos: [Photo]

    func pageSizes(of feed: Feed) -> PageSizes { .upTo(PhotoLoader.largePageSize) }

    func page(_ slice: PageSlice, of feed: Feed, cursor: PageCursor?) throws(ServiceError) -> Exchange<Page> {
        guard feed == .marked else {
            throw .unsupported(service: name, what: "feed '\(feed.word)'", known: [Feed.marked.word])
        }
        let shown = photos.enumerated().dropFirst(slice.firstIndex - 1).prefix(slice.size)
            .map { IndexedPhoto(index: $0 + 1, photo: $1) }
        return .done(
            Page(photos: shown, total: photos.count, hasMore: slice.indexes.upperBound < photos.count))
    }

    func details(of photos: [Photo]) throws(ServiceError) -> Exchange<
        [PhotoID: Result<PhotoDetail, ServiceError>]
    > {
        .done([:])
    }

    func photo(atPage page: URL) -> PhotoID? { nil }
}
