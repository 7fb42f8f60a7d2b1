import Foundation
import GalleryCore
import PictureFiles

/// The picture files of a site: put there whole, with no more metadata than is wanted, and recorded before they have
/// their names, so that none is ever a stranger's.
package final class SitePictures: Sendable {
    private let top: DestinationFolder
    let metadata: PublishedMetadata
    /// The record, open for appending.
    private let journal: Descriptor
    private let record: SharedValue<SiteRecord>
    /// Where pictures are until they are whole.
    private let staging: SiteStaging
    /// The site's folder, with all links resolved.
    private let root: String?
    /// The files whose content credentials are not published.
    private let stripped = SharedValue<Set<String>>([])

    /// - Parameter record: What is the site's so far; it is on disk already.
    init(
        in top: DestinationFolder, _ record: SharedValue<SiteRecord>, _ metadata: PublishedMetadata
    ) throws(PublishError) {
        (self.top, self.record, self.metadata) = (top, record, metadata)
        root = FolderScan.resolve(top.url.path(percentEncoded: false))
        let file = top.url.appending(path: SiteRecord.name)
        journal = try PublishError.naming(
            file, PublishError.cannotWrite,
            try SystemCall.open(SiteRecord.name, in: top.root, O_WRONLY | O_APPEND))
        staging = try PublishError.naming(file, PublishError.cannotWrite, try SiteStaging(in: top.root))
    }

    /// Files that have content credentials, and are published without.
    package var stripCount: Int { stripped.value.count }

    /// The path of a file below the site's folder; `nil` where it is elsewhere.
    private func ownPath(of file: URL) -> String? {
        guard let root,
            let path = FolderScan.resolve(file.path(percentEncoded: false), below: root)
        else { return nil }
        return String(path.dropFirst(root.count + 1))
    }

    /// What a file is called in the record: the photo's identity stays private.
    static func key(of file: String) -> String { SiteRecord.digest(file) }

    // MARK: - What is there

    /// A file that need not be downloaded: one of the user's, at `own`, or what an earlier run has published.
    func present(_ item: DownloadItem, at own: URL?) async -> DownloadedFile? {
        await Disk.run {
            if let own, self.ownPath(of: own) == nil { self.own(own, item) } else { self.kept(item) }
        }
    }

    /// What an earlier run published of `item`, if it is whole and has the wanted metadata, or all it came with.
    private func kept(_ item: DownloadItem) -> DownloadedFile? {
        let url = item.source.url
        let picture = record.withLock { record in
            if url.isFileURL, let path = ownPath(of: url) { return record.picture(at: path) }
            // A file of the user's may have changed.
            return url.isFileURL && item.photo.service == Folder.word
                ? nil : record.picture(of: Self.key(of: item.key))
        }
        guard let picture, picture.isIntact || metadata.isAtMost(picture.metadata) else { return nil }
        return whole(picture)
    }

    private func whole(_ picture: SiteRecord.Picture) -> DownloadedFile? {
        guard let file = (try? top.open(picture.path)) ?? nil,
            let status = try? SystemCall.status(of: file), status.isRegular,
            case .whole(_, let size)? = try? PictureFile.examine(
                descriptor: file.number, length: status.length, named: "")
        else { return nil }
        return DownloadedFile(
            in: top.url, path: picture.path, bytes: status.length, status: .kept, digest: picture.origin,
            pixels: size)
    }

    // MARK: - Putting

    /// Puts a picture among the site's files.
    ///
    /// - Parameters:
    ///   - file: The picture: a download, a file of the user's, or one that ``kept(_:)`` gave.
    ///   - origin: The digest of what it was when it came; `nil` if unknown.
    ///   - path: Where it goes, without an extension.
    ///   - item: What it is.
    /// - Returns: `nil` where its metadata cannot be removed: then it is not published.
    func put(
        _ file: URL, digest origin: String?, at path: String, as item: DownloadItem
    ) async throws(PublishError) -> PictureSet.Original? {
        let source = try await Disk.run { () throws(PublishError) in
            try PictureSet.Original(of: file, digest: origin)
        }
        let key = Self.key(of: item.key)
        let own = record.withLock { record in ownPath(of: file).flatMap { record.picture(at: $0) } }
        let known = own ?? record.withLock { $0.picture(of: key) }
        let name = path.split(separator: "/").last.map(String.init) ?? path
        if let known, known.origin == source.digest, known.metadata == metadata, whole(known) != nil,
            top.existingDestination(for: known.path)?.isSecondName == false
        {
            return try await Disk.run { () throws(PublishError) in
                try .init(of: self.top.url.appending(path: known.path), digest: known.origin, named: name)
            }
        }
        let type = source.picture.type
        guard let content = await content(of: source.picture) else { return nil }
        let isIntact = if case .file = content { true } else { false }
        let target = path + "." + type.fileExtension
        let note = SiteRecord.Picture(
            path: target, origin: source.digest, metadata: metadata,
            isIntact: isIntact && own?.isIntact != false)
        return try await Disk.run { () throws(PublishError) in
            try self.write(content, at: target, key, note)
            return try .init(of: self.top.url.appending(path: target), digest: source.digest, named: name)
        }
    }

    /// Puts a picture among the site's files as one that was made.
    ///
    /// - Returns: Whether its metadata could be removed: else it is not published.
    func copy(_ picture: PublishedPicture, to path: String) async throws(PublishError) -> Bool {
        guard let content = await content(of: picture) else { return false }
        try await Disk.run { () throws(PublishError) in try self.write(content, at: path, nil, nil) }
        return true
    }

    /// A file of the user's, as if it had come: it is read where it is.
    private func own(_ file: URL, _ item: DownloadItem) -> DownloadedFile? {
        guard let opened = try? PublishedPicture.open(file), let status = try? SystemCall.status(of: opened),
            let digest = try? Self.digest(of: opened)
        else { return nil }
        let known = record.withLock { $0.picture(of: Self.key(of: item.key)) }
        return DownloadedFile(
            url: file, bytes: status.length, status: known?.origin == digest ? .kept : .fetched,
            digest: digest)
    }

    /// Writes a picture that was made of others.
    func write(_ bytes: [UInt8], _ type: PictureType, at path: String) throws(PublishError) {
        let bytes = metadata == .none ? metadata.applied(to: bytes, type) ?? bytes : bytes
        try write(.bytes(bytes), at: path, nil, nil)
    }

    private enum Content: Sendable {
        case file(URL)
        case bytes([UInt8])
    }

    /// What is published of a picture; `nil` where its metadata cannot be removed.
    private func content(of picture: PublishedPicture) async -> Content? {
        let (file, type) = (picture.file, picture.type)
        if metadata == .keep { return .file(file) }
        guard !type.isCameraRaw else { return nil }
        return await Disk.run { [metadata, stripped] in
            guard let bytes = (try? Data(contentsOf: file, options: .mappedIfSafe)).map(Array.init),
                let cleaned = metadata.applied(to: bytes, type)
            else { return nil }
            if type.hasCredentials(bytes) { stripped.withLock { _ = $0.insert(file.path) } }
            return cleaned == bytes ? .file(file) : .bytes(cleaned)
        }
    }

    /// Writes a file of the site's, unless it is there already. This blocks.
    private func write(
        _ content: Content, at path: String, _ key: String?, _ note: SiteRecord.Picture?
    ) throws(PublishError) {
        let shown = top.url.appending(path: path)
        let target = try PublishError.creating(shown, try top.destination(for: path))
        // A file that had a second name here, as earlier versions gave it, is the page's all the same.
        let replaced = Replacement.own { [self] file, status throws(SystemCall.Failure) in
            let found = try Self.digest(of: file)
            return record.withLock { $0.has(path, found) || status.st_nlink > 1 && $0.hasFile(at: path) }
        }
        do throws(SystemCall.Failure) {
            let new: String
            switch content {
            case .bytes(let bytes): new = SiteRecord.digest(bytes)
            case .file(let file): new = try Self.digest(of: PublishedPicture.open(file))
            }
            // The same bytes may be somebody else's, and then stay that.
            let found = try? SystemCall.open(target.leaf, in: target.folder, O_RDONLY)
            let isThere = found.flatMap { try? Self.digest(of: $0) } == new
            if isThere, !target.isSecondName, !record.withLock({ $0.hasFile(at: path) }) { return }
            if !isThere { try replaced.check(target.leaf, in: target.folder) }
            let lines = SiteRecord.lines(of: path, new, key, note)
            // Before it has its name: it is never taken for somebody else's.
            try SystemCall.write(Array(lines.utf8), to: journal)
            record.withLock { $0.add(lines: lines) }
            if !isThere || target.isSecondName { try put(content, at: target, over: replaced) }
        } catch {
            throw .writing(PublishError.shown(shown), error)
        }
    }

    private static func digest(of file: Descriptor) throws(SystemCall.Failure) -> String {
        try Digest.text(of: file, length: SystemCall.status(of: file).length)
    }

    /// Gives a picture its name once it is whole. It is a copy, so that neither side can change the other.
    private func put(
        _ content: Content, at target: Destination, over replaced: Replacement
    ) throws(SystemCall.Failure) {
        let draft = try FileDraft(of: target.leaf, in: staging.folder, for: target.folder, mode: 0o666)
        switch content {
        case .bytes(let bytes): try SystemCall.write(bytes, to: draft.file)
        case .file(let file):
            let input = try PublishedPicture.open(file)
            if !System.clone(input.number, to: draft.file.number) {
                var offset: Int64 = 0
                while case let bytes = try SystemCall.read(input, at: offset, count: 1 << 18), !bytes.isEmpty
                {
                    try SystemCall.write(bytes, to: draft.file)
                    offset += Int64(bytes.count)
                }
            }
        }
        try draft.finish(over: replaced, isDurable: false)
    }
}

/// The folder in which a site's files wait until they are whole. One of that name that has anything else in it is
/// somebody's: it is used, and stays as it was.
final class SiteStaging: Sendable {
    private static let name = ".gallery-web"

    let folder: Descriptor
    private let top: Descriptor

    init(in top: Descriptor) throws(SystemCall.Failure) {
        self.top = top
        try SystemCall.makeFolder(Self.name, in: top)
        folder = try SystemCall.open(Self.name, in: top, O_RDONLY | O_DIRECTORY)
        // What a run that was killed has left.
        let left = try SystemCall.names(in: folder) { name, _ in FileDraft.name(of: name) != nil }
        for draft in left { FileDraft.clear(draft, in: folder) }
    }

    deinit { unlinkat(top.number, Self.name, AT_REMOVEDIR) }
}

extension Destination {
    /// Whether what is there has another name too, so that nothing is lost where this one goes: a file of the user's
    /// that was changed since the page has it.
    var isSecondName: Bool {
        (try? SystemCall.status(of: leaf, in: folder)).map { $0.isRegular && $0.st_nlink > 1 } ?? false
    }
}

extension PublishedMetadata {
    func isAtMost(_ other: PublishedMetadata) -> Bool {
        let ranks = Self.allCases
        return (ranks.firstIndex(of: self) ?? 0) >= (ranks.firstIndex(of: other) ?? 0)
    }
}
