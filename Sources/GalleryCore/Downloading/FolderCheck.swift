import Foundation

/// Checks the downloaded files of a folder against its manifest.
///
/// ```swift
/// for try await finding in try FolderCheck(of: folder).findings() {
///     if case .broken(let entry, let reason) = finding { … }
/// }
/// ```
package struct FolderCheck: Sendable {
    /// The state of a file.
    package enum Finding: Hashable, Sendable {
        /// It is byte for byte as it was downloaded.
        case whole(ManifestEntry)
        /// It has changed or is damaged; `reason` completes "The file is broken: …".
        case broken(ManifestEntry, reason: String)
        /// It does not exist.
        case missing(ManifestEntry)
        /// It exists as it was recorded, which is incomplete, since its host has no more; `reason` completes
        /// "The file is incomplete: …".
        case incomplete(ManifestEntry, reason: String)

        /// Whether the file is byte for byte as it was recorded.
        var isAsRecorded: Bool {
            switch self {
            case .whole, .incomplete: true
            case .broken, .missing: false
            }
        }
    }

    private let manifest: Manifest
    private let folder: DestinationFolder

    /// A check of the existing folder at `url`.
    ///
    /// - Throws: ``DownloadError/cannotCreate(path:reason:code:)`` if it cannot be opened.
    package init(of url: URL) throws(DownloadError) {
        do {
            folder = try DestinationFolder(existing: url)
        } catch {
            let path = PlainText.line(url.path(percentEncoded: false))
            throw .cannotCreate(path: path, reason: error.reason, code: error.code)
        }
        manifest = Manifest(of: folder)
    }

    /// Whether the folder has a manifest. Blocks briefly.
    package var hasManifest: Bool {
        (try? SystemCall.status(of: Manifest.name, in: folder.root))?.isRegular ?? false
    }

    /// The photos that were ever downloaded to the folder, or left out as duplicates, in one size.
    ///
    /// Files that have since been moved or deleted count.
    package func history(of size: PhotoFileSize) async throws(DownloadError) -> DownloadHistory {
        let manifest = manifest
        return try await Disk.run { () throws(DownloadError) in
            var history = DownloadHistory()
            try manifest.forEachFile { photo, page, recorded in
                if recorded == size || recorded == .full { history.add(photo, page: page) }
            }
            return history
        }
    }

    /// The state of every file in the manifest, in the order they were added.
    ///
    /// Reads one file at a time.
    package func findings() -> AsyncThrowingStream<Finding, any Error> {
        let rest = UncheckedOffsets(of: manifest)
        return AsyncThrowingStream {
            while let offset = try await rest.next() {
                if let finding = try await finding(at: offset) { return finding }
            }
            return nil
        }
    }

    /// A name assignment that respects the names in the manifest.
    package func names(
        _ template: NameTemplate, size: PhotoFileSize = .full
    ) async throws(DownloadError) -> NameAssignment {
        let manifest = manifest
        return try await Disk.run { () throws(DownloadError) in
            var names = NameAssignment(template: template, size: size)
            for offset in try manifest.offsets() {
                guard let entry = try manifest.entry(at: offset), let dot = entry.file.lastIndex(of: ".")
                else { continue }
                names.record(
                    String(entry.file[..<dot]), of: .init(photo: entry.photo, page: entry.page),
                    size: entry.size)
            }
            return names
        }
    }

    /// The pages of each photo whose files of one size are there, with the lengths that the manifest says.
    package func pages(_ size: PhotoFileSize) async throws(DownloadError) -> [PhotoID: Set<Int>] {
        let (manifest, folder) = (manifest, folder)
        return try await Disk.run { () throws(DownloadError) in
            var pages: [PhotoID: Set<Int>] = [:]
            for offset in try manifest.offsets() {
                guard let entry = try manifest.entry(at: offset), entry.size == size,
                    let file = (try? folder.open(entry.file)) ?? nil,
                    let status = try? SystemCall.status(of: file), status.isRegular,
                    status.length == entry.bytes
                else { continue }
                pages[entry.photo, default: []].insert(entry.page)
            }
            return pages
        }
    }

    /// Removes broken files that have since been downloaded again as pictures of another type, since nothing
    /// else would ever replace them.
    ///
    /// - Parameter entries: the files that were found broken.
    package func removeReplaced(_ entries: [ManifestEntry]) async throws(DownloadError) {
        let (manifest, folder, broken) = (manifest, folder, Set(entries))
        try await Disk.run { () throws(DownloadError) in
            for offset in try manifest.offsets() {
                guard let entry = try manifest.entry(at: offset), broken.contains(entry),
                    let later = try Self.successor(of: entry, in: manifest, after: offset),
                    Self.finding(later, in: folder).isAsRecorded
                else { continue }
                let file = try folder.destination(for: entry.file)
                // If this fails, the next check finds it again.
                try? SystemCall.remove(file.leaf, from: file.folder)
            }
        }
    }

    private func finding(at offset: Int64) async throws -> Finding? {
        let (manifest, folder) = (manifest, folder)
        return try await Disk.run {
            guard let entry = try manifest.entry(at: offset) else { return nil }
            let finding = Self.finding(entry, in: folder)
            if case .missing = finding, try Self.successor(of: entry, in: manifest, after: offset) != nil {
                return nil
            }
            return finding
        }
    }

    /// The later entry of the same file as a picture of another type, which gave it another extension.
    private static func successor(
        of entry: ManifestEntry, in manifest: Manifest, after offset: Int64
    ) throws(DownloadError) -> ManifestEntry? {
        let extensions = PictureType.allCases.map(\.fileExtension)
        guard let own = extensions.first(where: { entry.file.hasSuffix("." + $0) }) else { return nil }
        for other in extensions where other != own {
            let name = entry.file.dropLast(own.count) + other
            guard let later = try manifest.entry(for: String(name), from: offset) else { continue }
            if (later.photo, later.page, later.size) == (entry.photo, entry.page, entry.size) { return later }
        }
        return nil
    }

    private static func finding(_ entry: ManifestEntry, in folder: DestinationFolder) -> Finding {
        do throws(SystemCall.Failure) {
            guard let file = try folder.open(entry.file) else { return .missing(entry) }
            let status = try SystemCall.status(of: file)
            guard status.isRegular else { return .broken(entry, reason: "it is not a file") }
            guard status.length == entry.bytes else {
                return .broken(entry, reason: "it has \(status.length) of \(entry.bytes) bytes")
            }
            if let digest = entry.digest, try Digest.text(of: file, length: entry.bytes) != digest {
                return .broken(entry, reason: "its bytes have changed")
            }
            let found = try? PictureFile.examine(
                descriptor: file.number, length: entry.bytes, named: entry.file)
            switch found {
            case .whole: return .whole(entry)
            case .damaged(let reason):
                return entry.missing == nil
                    ? .broken(entry, reason: reason) : .incomplete(entry, reason: reason)
            case .notAPicture(let found): return .broken(entry, reason: "it is \(found)")
            case nil: return .broken(entry, reason: "it could not be read")
            }
        } catch {
            return .broken(entry, reason: error.reason)
        }
    }
}

/// Tells which files a download would keep, without changing anything.
package struct FetchPreview: Sendable {
    private let folder: DownloadFolder?

    /// A preview for the folder at `url`, which need not exist.
    package init(of url: URL) {
        folder = (try? DestinationFolder(existing: url)).map { DownloadFolder($0) }
    }

    /// The file that would be kept; `nil` if `item` would be downloaded.
    package func keptFile(of item: DownloadItem) async throws(DownloadError) -> DownloadedFile? {
        guard let folder else { return nil }
        return try await Disk.run { () throws(DownloadError) in try folder.fileToKeep(of: item) }
    }
}

/// The photos that a folder's manifest has ever had, in a few bytes each.
package struct DownloadHistory: Sendable {
    /// Hashes of photos and pages.
    private var pages = HashIndex<Void>()

    /// A history without photos.
    package init() {}

    mutating func add(_ photo: PhotoID, page: Int) {
        pages.put((), at: Self.hash(photo, page))
    }

    /// Whether all pages of `photo` were downloaded.
    package func contains(_ photo: Photo) -> Bool {
        (0..<max(1, photo.pageCount)).allSatisfy { pages.contains(Self.hash(photo.id, $0)) }
    }

    private static func hash(_ photo: PhotoID, _ page: Int) -> Int {
        var hasher = Hasher()
        hasher.combine(photo)
        hasher.combine(page)
        return hasher.finalize()
    }
}

/// The offsets of entries that have not been checked yet.
private actor UncheckedOffsets {
    private let manifest: Manifest
    private var offsets: ArraySlice<Int64>?

    init(of manifest: Manifest) {
        self.manifest = manifest
    }

    func next() async throws -> Int64? {
        let manifest = manifest
        if offsets == nil { offsets = try await Disk.run { try manifest.offsets() }[...] }
        return offsets?.popFirst()
    }
}
