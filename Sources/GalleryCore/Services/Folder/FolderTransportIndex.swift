/// The pictures of a folder in their order, found only as far as anybody asked.
///
/// Which file is a picture, and a whole one, only its bytes tell. To look into all of
/// 100,000 files before the first is shown would take minutes on a slow disk; to look
/// into those before the ones asked for takes as long as that needs, and gives every
/// picture the same index on every run: 100,000 JPEGs took two seconds in all on Linux,
/// thirteen where nothing of the disk was in memory.
struct FolderIndex: Sendable {
    /// Files looked into beyond what was asked for, so that the total of an ordinary folder is known.
    static let lookahead = 500

    /// What is told of something left out.
    typealias Warning = FolderScan.Warning

    let scan: FolderScan
    private var pictures: [(file: Int32, size: PixelSize?)] = []
    private var examined = 0
    private var found: (match: FolderMatch, places: [Int])?

    init(_ scan: FolderScan) {
        self.scan = scan
    }

    /// The answer to a list, or `nil` where `isWanted` said no before it was ready.
    mutating func list(
        first: Int, count: Int, _ match: FolderMatch, isWanted: () -> Bool, warning: Warning
    ) -> JSONValue? {
        let (last, isTooMuch) = (first - 1).addingReportingOverflow(count)
        let end = isTooMuch ? Int.max : last
        // Whoever searches wants to know of every picture.
        let needed = match.isEverything ? end : .max
        guard examine(upTo: needed, isWanted, warning) else { return nil }
        var known = pictures.count
        var found: [Int]?
        if !match.isEverything {
            guard let places = places(match, isWanted) else { return nil }
            (found, known) = (places, places.count)
        }
        let isComplete = examined == scan.files.count
        // One by one: a list of all places, for each page anew, takes the square of their number.
        let rows = (min(first - 1, known)..<min(end, known)).map { place in
            row(pictures[found?[place] ?? place], index: place + 1)
        }
        return .members([
            "total": isComplete ? .int(known) : .null, "more": .bool(known > end), "photos": .array(rows),
        ])
    }

    /// Whether it was wanted to the end.
    private mutating func examine(upTo count: Int, _ isWanted: () -> Bool, _ warning: Warning) -> Bool {
        let (sum, isTooMuch) = count.addingReportingOverflow(Self.lookahead)
        let wanted = isTooMuch ? Int.max : sum
        while pictures.count < wanted, examined < scan.files.count {
            if examined.isMultiple(of: 64), !isWanted() { return false }
            let path = scan.path(of: scan.files[examined])
            switch FolderFile(at: scan.root + "/" + path, below: scan.root) {
            case .picture(let size): pictures.append((Int32(clamping: examined), size))
            case .broken(let reason): warning(path, reason)
            case .other: break
            }
            examined += 1
        }
        return true
    }

    /// The places in `pictures` of those that match; `nil` where it was not wanted to the end.
    private mutating func places(_ match: FolderMatch, _ isWanted: () -> Bool) -> [Int]? {
        if let found, found.match == match { return found.places }
        var places: [Int] = []
        for place in pictures.indices {
            if place.isMultiple(of: 64), !isWanted() { return nil }
            let file = scan.files[Int(pictures[place].file)]
            if match.accepts(scan.path(of: file), { metadata(of: file)?.photo }) { places.append(place) }
        }
        found = (match, places)
        return places
    }

    private func row(_ picture: (file: Int32, size: PixelSize?), index: Int) -> JSONValue {
        let file = scan.files[Int(picture.file)]
        return FolderRow.json(
            index: index, path: scan.path(of: file), size: picture.size, metadata: metadata(of: file))
    }

    private func metadata(of file: FolderScan.File) -> IndexedPhoto? {
        guard let note = file.note.name(for: file.name) else { return nil }
        let folder = scan.folders[Int(file.folder)]
        return FolderFile.metadata(at: scan.root + "/" + folder + note, below: scan.root)
    }
}

/// One picture as the answer describes it.
enum FolderRow {
    static func json(index: Int?, path: String, size: PixelSize?, metadata: IndexedPhoto?) -> JSONValue {
        .members([
            "index": .optional(index), "path": .string(path), "width": .optional(size?.width),
            "height": .optional(size?.height), "metadata": metadata?.json ?? .null,
        ])
    }
}
