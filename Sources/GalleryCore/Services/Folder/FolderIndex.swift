import Foundation
import PictureFiles

/// The pictures of a folder in order, found only as far as requested.
///
/// Only its contents tell whether a file is a complete picture, and all of 100,000 would take minutes on a slow disk.
/// Examining those up to the requested ones takes only as long as needed, and gives every picture the same index on
/// every run: 100,000 JPEGs took two seconds in all on Linux, thirteen with nothing of the disk in memory. Rankings by
/// file contents need them all.
struct FolderIndex: Sendable {
    /// The number of files examined beyond the request, so that the total of an ordinary folder is known.
    static let lookahead = 500

    /// A picture, as the position of its file in the scan: sixteen bytes.
    private struct Picture {
        let file: Int32
        let type: PictureType
        /// In pixels; 0 where the file does not say.
        private let width, height: UInt32

        init(file: Int, type: PictureType, size: PixelSize?) {
            (self.file, self.type) = (Int32(clamping: file), type)
            (width, height) = (UInt32(size?.width ?? 0), UInt32(size?.height ?? 0))
        }

        var size: PixelSize? { PixelSize(width: Int(width), height: Int(height)) }
        var area: Int { Int(width) * Int(height) }
    }

    let scan: FolderScan
    let ranking: FolderRanking
    private var pictures: [Picture] = []
    private var examined = 0
    /// What the files of the last ``pictures`` hold: a page that follows at once need not open them again.
    private var contents: [FolderFile.Contents] = []
    private var isRanked = false
    /// What is no picture, as positions in the scan.
    private var foreign: [ForeignContent.Kind: [Int32]] = [:]
    /// What is left out and not told yet.
    private var leftOut: [ImportError]
    private var hasToldOthers = false
    private var found: (match: FolderMatch, positions: [Int])?
    /// A page that was made before anybody asked for it.
    private var ahead: (slice: PageSlice, match: FolderMatch, page: Page)?

    init(_ scan: FolderScan, _ ranking: FolderRanking = .newest) {
        self.scan = ranking == .name ? scan.sortedByPath() : scan
        self.ranking = ranking
        leftOut = scan.leftOut
    }

    /// A page of the folder that was named as `folder`, or `nil` if `isWanted` returned `false` before it was ready.
    mutating func page(
        _ slice: PageSlice, of folder: String, _ match: FolderMatch, _ thumbnails: DesktopThumbnails,
        isWanted: () -> Bool
    ) -> Page? {
        defer { ahead = nil }
        let made = ahead.flatMap { $0.slice == slice && $0.match == match ? $0.page : nil }
        guard var page = made ?? newPage(slice, of: folder, match, thumbnails, isWanted: isWanted) else {
            return nil
        }
        // Once: there may be more of them than photos.
        defer { leftOut = [] }
        if examined == scan.files.count, !hasToldOthers {
            hasToldOthers = true
            leftOut += [otherFiles].compactMap(\.self)
        }
        page.leftOut = leftOut
        return page
    }

    /// Makes a page that is likely to be asked for next.
    mutating func prepare(
        _ slice: PageSlice, of folder: String, _ match: FolderMatch, _ thumbnails: DesktopThumbnails
    ) {
        ahead = newPage(slice, of: folder, match, thumbnails) { true }.map { (slice, match, $0) }
    }

    private mutating func newPage(
        _ slice: PageSlice, of folder: String, _ match: FolderMatch, _ thumbnails: DesktopThumbnails,
        isWanted: () -> Bool
    ) -> Page? {
        let (first, end) = (slice.indexes.lowerBound, slice.indexes.upperBound)
        // A search, and a ranking by file contents, need every picture.
        let isPartial = match.isEverything && (ranking == .newest || ranking == .name)
        guard examine(upTo: isPartial ? end : .max, from: isPartial ? first : .max, isWanted), rank(isWanted)
        else { return nil }
        var known = pictures.count
        var found: [Int]?
        if !match.isEverything {
            guard let positions = positions(match, isWanted) else { return nil }
            (found, known) = (positions, positions.count)
        }
        let kept = thumbnails.areThere ? thumbnails : nil
        // One by one: a list of all positions for each page would take quadratic time.
        let photos = Self.concurrently(min(first - 1, known)..<min(end, known)) { [self, found] position in
            let place = found?[position] ?? position
            let picture = pictures[place]
            let held = place - (pictures.count - contents.count)
            let facts = facts(of: picture, held < 0 ? nil : contents[held])
            let detail = facts.detail(path(of: picture), in: folder, size: picture.size, kept)
            return IndexedPhoto(index: position + 1, photo: detail.photo)
        }
        // Who asks for a page again gets what the files hold then.
        contents.removeFirst(max(0, contents.count - max(0, pictures.count - end)))
        return Page(photos: photos, total: examined == scan.files.count ? known : nil, hasMore: known > end)
    }

    /// The index, from 1, of the picture at `path`; `nil` if there is none, or the result was not wanted to the end.
    mutating func index(of path: String, _ isWanted: () -> Bool) -> Int? {
        guard let file = scan.files.firstIndex(where: { scan.path(of: $0) == path }) else { return nil }
        let isPartial = ranking == .newest || ranking == .name
        while examined <= file {
            let count = isPartial ? pictures.count + 1 : .max
            guard examine(upTo: count, from: .max, isWanted) else { return nil }
        }
        guard rank(isWanted) else { return nil }
        return pictures.firstIndex { $0.file == file }.map { $0 + 1 }
    }

    /// The files that are not pictures, counted by kind, and the folders that are passed over; `nil` if there are none.
    private var otherFiles: ImportError? {
        let words: KeyValuePairs<ForeignContent.Kind, (String, String)> = [
            .video: ("video", "videos"), .audio: ("sound file", "sound files"),
            .document: ("document", "documents"), .drawing: ("drawing", "drawings"),
            .archive: ("archive", "archives"), .other: ("other file", "other files"),
        ]
        let counts = words.compactMap { kind, word in
            foreign[kind].map { "\($0.count) \($0.count == 1 ? word.0 : word.1)" }
        }
        let folders = FolderMark.allCases.compactMap { mark in
            let count = scan.passedOver.count { $0.mark == mark }
            return count == 0 ? nil : "\(count) \(count == 1 ? mark.words.0 : mark.words.1)"
        }
        guard !counts.isEmpty || !folders.isEmpty else { return nil }
        let paths = words.flatMap { foreign[$0.key] ?? [] }.map { scan.path(of: scan.files[Int($0)]) }
        return .otherFiles(
            service: Folder.word, counts: (counts + folders).joined(separator: ", "),
            paths: paths + scan.passedOver.map { $0.path.isEmpty ? "./" : $0.path })
    }

    /// Returns whether the result was wanted to the end.
    ///
    /// - Parameter first: The index of the first picture whose contents are wanted.
    private mutating func examine(upTo count: Int, from first: Int, _ isWanted: () -> Bool) -> Bool {
        let (wanted, isAll) = count.addingReportingOverflow(Self.lookahead)
        while isAll || pictures.count < wanted, examined < scan.files.count {
            if !isWanted() { return false }
            // No more than are wanted: files that nobody asked for may be slow to read.
            let most = isAll ? Self.batch : min(Self.batch, wanted - pictures.count)
            let next = examined..<min(examined + most, scan.files.count)
            // A first page may be all that is wanted, and embedded thumbnails take reading.
            let isSoon = first > 1 && pictures.count + most >= first
            let files = Self.concurrently(next) { [scan] position in
                var contents: FolderFile.Contents?
                let path = scan.root + "/" + scan.path(of: scan.files[position])
                return (
                    FolderFile(at: path, below: scan.root) {
                        contents = isSoon ? $0().withoutThumbnail : nil
                    }, contents
                )
            }
            for (position, (file, contents)) in zip(next, files) {
                switch file {
                case .picture(let type, let size, _):
                    if let contents { self.contents.append(contents) } else { self.contents = [] }
                    pictures.append(Picture(file: position, type: type, size: size))
                case .broken(let reason):
                    leftOut.append(FolderScan.leftOut(scan.path(of: scan.files[position]), reason))
                case .foreign(let kind): foreign[kind, default: []].append(Int32(clamping: position))
                case .gone: break
                }
            }
            examined = next.upperBound
        }
        return true
    }

    /// How many files are read before anybody is asked whether more are wanted.
    private static let batch = 256
    private static let processors = max(1, ProcessInfo.processInfo.activeProcessorCount)

    /// What `make` returns for each position, in order, made by all processors. This blocks.
    private static func concurrently<Value: Sendable>(
        _ positions: Range<Int>, _ make: @Sendable (Int) -> Value
    ) -> [Value] {
        // Below this, a further thread takes longer to come than the files take.
        let share = max(32, positions.count / processors)
        guard positions.count > share else { return positions.map(make) }
        // Where they stay: joining parts would copy all that is known of each file.
        return Array(unsafeUninitializedCapacity: positions.count) { buffer, count in
            // Each iteration has places of its own, and all have ended before anybody reads them.
            nonisolated(unsafe) let places = buffer
            DispatchQueue.concurrentPerform(iterations: (positions.count + share - 1) / share) { number in
                let first = number * share
                for place in first..<min(first + share, positions.count) {
                    places.initializeElement(at: place, to: make(positions.lowerBound + place))
                }
            }
            count = positions.count
        }
    }

    /// Sorts the pictures by file contents; returns whether the result was wanted to the end.
    private mutating func rank(_ isWanted: () -> Bool) -> Bool {
        guard !isRanked else { return true }
        switch ranking {
        case .newest, .name: break
        case .largest: pictures.sort { ($0.area, $1.file) > ($1.area, $0.file) }
        case .taken:
            var dates: [(Date, Picture)] = []
            for (number, picture) in pictures.enumerated() {
                if number.isMultiple(of: 64), !isWanted() { return false }
                dates.append((facts(of: picture).metadata.taken?.date ?? .distantPast, picture))
            }
            pictures = dates.sorted { ($0.0, $1.1.file) > ($1.0, $0.1.file) }.map(\.1)
        }
        isRanked = ranking == .largest || ranking == .taken
        return true
    }

    /// The positions in `pictures` of those that match; `nil` if the result was not wanted to the end.
    private mutating func positions(_ match: FolderMatch, _ isWanted: () -> Bool) -> [Int]? {
        if let found, found.match == match { return found.positions }
        var positions: [Int] = []
        for position in pictures.indices {
            if position.isMultiple(of: 64), !isWanted() { return nil }
            let picture = pictures[position]
            if match.accepts(path(of: picture), { facts(of: picture) }) { positions.append(position) }
        }
        found = (match, positions)
        return positions
    }

    private func path(of picture: Picture) -> String { scan.path(of: scan.files[Int(picture.file)]) }

    private func facts(of picture: Picture, _ contents: FolderFile.Contents? = nil) -> FolderFacts {
        FolderFacts(
            at: scan.root + "/" + path(of: picture), below: scan.root, picture.type, picture.size, contents,
            beside: scan.files[Int(picture.file)].beside)
    }
}

/// What is known about a picture besides its size.
struct FolderFacts: Sendable {
    /// From the metadata file that `fetch` wrote next to it.
    let note: Photo?
    /// From the files next to it and its own.
    private(set) var metadata: PictureMetadata
    /// The camera's: its size and length.
    private let thumbnail: (size: PixelSize, bytes: Int)?
    private let preview: PixelSize?
    /// The file's length, and when it was changed, in seconds since 1970; `nil` if it cannot be read.
    private let length, modified: Int64?

    /// Reads the picture at `path`, and the files next to it.
    ///
    /// Programs that edit write beside the picture what they would have written into it, so XMP files come first; then
    /// the photo that was fetched, the picture's own metadata, and what Takeout says.
    ///
    /// - Parameters:
    ///   - target: where the picture is, if `path` is a link.
    ///   - contents: what its file holds, if that is known.
    ///   - beside: which files there may be next to it.
    init(
        at path: String, target: String? = nil, below root: String, _ type: PictureType, _ size: PixelSize?,
        _ contents: FolderFile.Contents? = nil, beside: UInt32, triesTakeouts: Bool = true
    ) {
        let contents = contents ?? FolderFile.contents(at: target ?? path, below: root, type, size)
        let files = beside == 0 ? nil : FilesBeside(path, below: root, beside, triesTakeouts: triesTakeouts)
        (metadata, note) = (files?.before ?? contents.metadata, files?.note)
        if let files {
            metadata.complete(with: contents.metadata, from: "", addsKeywords: false)
            metadata.complete(with: files.behind, from: "", addsKeywords: false)
        }
        (preview, thumbnail) = (contents.preview, contents.thumbnailFile)
        (length, modified) = (contents.length, contents.modified)
    }

    /// The size comes from the picture.
    func detail(
        _ path: String, in folder: String, size: PixelSize?, _ thumbnails: DesktopThumbnails?
    ) -> PhotoDetail {
        let prefix = path.hasPrefix("/") ? "" : folder == "/" ? "/" : folder + "/"
        let address = FolderFile.address(prefix + path)
        let small = thumbnail.flatMap { size, bytes in
            FolderPart.thumbnail.url(in: address).map { Rendition(url: $0, size: size, bytes: Int64(bytes)) }
        }
        let full = Rendition(url: address, size: size, bytes: length)
        let author = note?.author?.name == metadata.artist ? note?.author : nil
        let stars = (metadata.rating ?? note?.stars).flatMap { $0 == 0 ? nil : $0 }
        var detail = PhotoDetail(
            photo: Photo(
                id: PhotoID(service: Folder.word, value: path),
                title: metadata.title ?? FolderFile.stem(FolderFile.name(path)),
                author: author ?? metadata.artist.map { Author(name: $0) }, page: note?.page,
                size: size, thumbnail: small ?? full, full: full, renditions: others(of: address, thumbnails),
                likes: note?.likes, views: note?.views, rating: note?.rating, stars: stars,
                tags: metadata.keywords, category: note?.category, license: note?.license,
                licenseURL: note?.licenseURL, attribution: metadata.copyright,
                description: metadata.description, alt: metadata.alt, isGenerated: note?.isGenerated,
                isAdult: note?.isAdult ?? false
            ).dated(published: note?.publishedDate))
        detail.photo.takenDate = metadata.taken
        detail.take(metadata)
        return detail
    }

    private func others(of address: URL, _ thumbnails: DesktopThumbnails?) -> [Rendition] {
        let preview = preview.flatMap { size in
            FolderPart.preview.url(in: address).map { Rendition(url: $0, size: size) }
        }
        let kept = modified.flatMap { modified in
            thumbnails?.current(ThumbnailNote(file: address, modified: modified))
        }
        let ofDesktop = (kept ?? []).compactMap { size, pixels in
            FolderPart.desktop(size).url(in: address).map { Rendition(url: $0, size: pixels) }
        }
        return [preview].compactMap(\.self) + ofDesktop
    }
}
