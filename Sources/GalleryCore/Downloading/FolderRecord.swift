/// What a folder's manifest says that matters to the next fetch, read in one pass.
struct FolderRecord: Sendable {
    /// The names that it has given away.
    var names: NameAssignment
    /// The photos that it has ever had in the size that is wanted.
    var history = DownloadHistory()
    /// The photos whose files of that size are there, with the lengths that the manifest says.
    var present = DownloadHistory()
    /// The last runs that came to the end of a feed.
    var completed: [String: CompleteEntry] = [:]
    /// When feeds were last gone through to their ends.
    var walks: [String: WalkEntry] = [:]

    /// The record of `folder`; `nil` is one that does not exist. Blocks.
    init(
        of folder: DownloadFolder?, named template: NameTemplate, size: PhotoFileSize, looksForFiles: Bool
    ) throws(DownloadError) {
        names = NameAssignment(template: template, size: size)
        guard let folder else { return }
        var lines = try folder.manifest.lines()
        /// Of the group asked about last: entries of one follow each other.
        var known: (group: String, isSynced: Bool)?
        while let line = try lines.next() {
            if let entry = ManifestEntry(line: line.text) {
                let wasThere = try SyncGroup.outlasted(entry.group, boot: SyncGroup.boot) {
                    group throws(DownloadError) in
                    if let known, known.group == group { return known.isSynced }
                    let isSynced = try folder.manifest.last(SyncedEntry.self, about: group) != nil
                    known = (group, isSynced)
                    return isSynced
                } isThere: {
                    folder.folder.open(entry.file, length: entry.bytes) != nil
                }
                take(entry, size, wasThere: wasThere)
                if looksForFiles, entry.size == size,
                    folder.folder.open(entry.file, length: entry.bytes) != nil
                {
                    present.add(entry.lastingID, page: entry.page)
                }
            } else if let file = DuplicateEntry(line: line.text)?.file {
                if file.size.serves(size) { history.add(file.photo, page: file.page) }
            } else if let entry = CompleteEntry(line: line.text) {
                completed[entry.complete] = entry
            } else if let entry = WalkEntry(line: line.text) {
                walks[entry.walked] = entry
            }
        }
    }

    /// - Parameter wasThere: False for a name that a power failure has undone.
    private mutating func take(_ entry: ManifestEntry, _ size: PhotoFileSize, wasThere: Bool) {
        if wasThere, entry.size.serves(size) { history.add(entry.lastingID, page: entry.page) }
        guard let dot = entry.file.lastIndex(of: ".") else { return }
        names.record(
            String(entry.file[..<dot]), ending: String(entry.file[dot...].dropFirst()),
            of: .init(photo: entry.lastingID, page: entry.page), size: entry.size)
    }
}

extension PhotoFileSize {
    /// Whether a photo had in this size need not be had in size `wanted`: who has the full-size file has it all.
    func serves(_ wanted: PhotoFileSize) -> Bool { self == wanted || self == .full }
}

/// Photos that a folder has, or has ever had, in a few bytes each.
struct DownloadHistory: Sendable {
    private var pages: Set<Int> = []

    mutating func add(_ photo: PhotoID, page: Int) {
        pages.insert(NameAssignment.Owner(photo: photo, page: page).hashValue)
    }

    func contains(_ photo: Photo) -> Bool {
        (0..<max(1, photo.pageCount)).allSatisfy { page in
            // By the first where nothing says which folder a picture was of.
            [photo.id, photo.lastingID].contains {
                pages.contains(NameAssignment.Owner(photo: $0, page: page).hashValue)
            }
        }
    }
}
