import Foundation

/// Whether the fetched files of a folder are whole: what `gallery verify` asks.
///
/// ```swift
/// for try await finding in FolderCheck(of: folder) {
///     if case .broken(let entry, let reason) = finding { … }
/// }
/// ```
public struct FolderCheck: Sendable {
    /// What is true of one recorded file.
    public enum Finding: Hashable, Sendable {
        /// It is there, byte for byte as it was recorded.
        case whole(ManifestEntry)
        /// It is there, and not as it was recorded; `reason` completes "The file is broken: …".
        case broken(ManifestEntry, reason: String)
        /// It is not there.
        case missing(ManifestEntry)
    }

    private let record: Manifest
    private let folder: DestinationFolder

    /// A check of the folder at `url`, which must be there.
    ///
    /// - Throws: ``DownloadError/cannotCreate(path:reason:)`` where it cannot be opened.
    public init(of url: URL) throws(DownloadError) {
        do {
            folder = try DestinationFolder(existing: url)
        } catch {
            let path = PlainText.line(url.path(percentEncoded: false))
            throw .cannotCreate(path: path, reason: error.reason)
        }
        record = Manifest(of: folder)
    }

    /// Every recorded file's finding, in the order they were recorded; one at a time, however many there are.
    ///
    /// Reads each file once.
    public func findings() -> AsyncThrowingStream<Finding, any Error> {
        let rest = Rest(record: record)
        return AsyncThrowingStream {
            while let place = try await rest.next() {
                if let finding = try await finding(at: place) { return finding }
            }
            return nil
        }
    }

    /// The names of files to come, which give way to the recorded ones.
    public func names(_ template: NameTemplate) async throws(DownloadError) -> NameAssignment {
        let record = record
        return try await Disk.run { () throws(DownloadError) in
            var names = NameAssignment(template: template)
            for place in try record.places() {
                guard let entry = try record.entry(at: place), let dot = entry.file.lastIndex(of: ".") else {
                    continue
                }
                names.record(String(entry.file[..<dot]), of: .init(photo: entry.photo, page: entry.page))
            }
            return names
        }
    }

    /// Removes those files of `entries`, which were found broken, that have come once more since, whole and as
    /// pictures of another type: nothing else would ever take their place.
    public func removeReplaced(_ entries: [ManifestEntry]) async throws(DownloadError) {
        let (record, folder, broken) = (record, folder, Set(entries))
        try await Disk.run { () throws(DownloadError) in
            for place in try record.places() {
                guard let entry = try record.entry(at: place), broken.contains(entry),
                    let later = try Self.successor(of: entry, in: record, behind: place),
                    case .whole = Self.finding(later, in: folder)
                else { continue }
                let file = try folder.place(for: entry.file)
                // What cannot be removed is found again.
                try? SystemCall.remove(file.leaf, from: file.folder)
            }
        }
    }

    private func finding(at place: Int64) async throws -> Finding? {
        let (record, folder) = (record, folder)
        return try await Disk.run {
            guard let entry = try record.entry(at: place) else { return nil }
            let finding = Self.finding(entry, in: folder)
            if case .missing = finding, try Self.successor(of: entry, in: record, behind: place) != nil {
                return nil
            }
            return finding
        }
    }

    /// The entry of the same file where it came once more later, as a picture of another type: its name has
    /// another extension.
    private static func successor(
        of entry: ManifestEntry, in record: Manifest, behind place: Int64
    ) throws(DownloadError) -> ManifestEntry? {
        let extensions = PictureType.allCases.map(\.fileExtension)
        guard let own = extensions.first(where: { entry.file.hasSuffix("." + $0) }) else { return nil }
        for other in extensions where other != own {
            let name = entry.file.dropLast(own.count) + other
            guard let later = try record.entry(for: String(name), from: place) else { continue }
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
            switch try? PictureFile.examine(descriptor: file.number, length: entry.bytes) {
            case .whole: return .whole(entry)
            case .torso(let reason): return .broken(entry, reason: reason)
            case .notAPicture(let found): return .broken(entry, reason: "it is \(found)")
            case nil: return .broken(entry, reason: "it could not be read")
            }
        } catch {
            return .broken(entry, reason: error.reason)
        }
    }
}

/// The places that are still to be looked at.
private actor Rest {
    private let record: Manifest
    private var places: ArraySlice<Int64>?

    init(record: Manifest) {
        self.record = record
    }

    func next() async throws -> Int64? {
        let record = record
        if places == nil { places = try await Disk.run { try record.places() }[...] }
        return places?.popFirst()
    }
}
