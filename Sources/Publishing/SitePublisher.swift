import Foundation
import GalleryCore
import PictureFiles
import Synchronization

/// Writes a site's pages around the pictures that are there already.
///
/// All of them are written aside first and moved to their names last, `index.html` after all others: a
/// site that cannot be written leaves the one before it as it was. A file that it did not write, or that has
/// been changed since, is never replaced.
package final class SitePublisher: Sendable {
    private let folder: URL
    /// The folder, and with it the lock on it, once it is open.
    private let top = Mutex<DestinationFolder?>(nil)
    /// What the site before wrote, once nobody else can write it.
    private let former = Mutex<SiteRecord?>(nil)

    /// The folder in which files wait until they are whole.
    static let staging = ".gallery-web"

    package init(_ folder: URL) { self.folder = folder }

    /// Creates the folder if missing, and makes sure that a site may be written to it.
    ///
    /// - Throws: ``PublishError/cannotCreate(path:reason:)``; ``PublishError/notInstalled(_:)``;
    ///   ``PublishError/foreign(path:)`` for the first file that any site has and is somebody else's here.
    package func prepare(for options: SiteOptions = SiteOptions()) async throws(PublishError) {
        try await Disk.run { () throws(PublishError) in
            let (top, site) = (try self.opened(), PhotoSite([], options: options))
            let record = try SiteRecord(of: top)
            for document in site.documents {
                _ = try self.isToBeWritten(
                    site.path(of: document), try self.text(of: document, in: site), record, in: top)
            }
        }
    }

    /// Makes sure that the pages of photos called `names` may be written.
    ///
    /// - Throws: As ``prepare(for:)``.
    package func prepare(forPhotos names: Set<String>) async throws(PublishError) {
        try await Disk.run { () throws(PublishError) in
            let top = try self.opened()
            // Not read again for each part of a long list.
            let former = self.former.withLock { $0 }
            let record = if let former { former } else { try SiteRecord(of: top) }
            for name in names.sorted() {
                _ = try self.isToBeWritten(PhotoSite.path(ofPhoto: name), "", record, in: top)
            }
        }
    }

    /// Where the site's pictures go. From then on no other process writes this site.
    ///
    /// - Parameter metadata: What they say of themselves.
    package func pictures(_ metadata: PublishedMetadata) async throws(PublishError) -> SitePictures {
        try await Disk.run { () throws(PublishError) in
            let top = try self.opened()
            try self.lock(top.root)
            let record = try SiteRecord(of: top)
            // Also the mark by which the folder is known for a page's.
            try self.keep(record.text(), in: top)
            self.former.withLock { $0 = record }
            return try SitePictures(in: top, record, metadata)
        }
    }

    /// Writes `site`, and removes files that the site before had and this one has not.
    ///
    /// - Parameter prunes: Whether it does; else such files stay, for a later run to remove.
    /// - Returns: How many files of pictures were removed.
    @discardableResult
    package func publish(_ site: PhotoSite, prunes: Bool = true) async throws(PublishError) -> Int {
        try await Disk.run { () throws(PublishError) in try self.write(site, prunes: prunes) }
    }

    private func write(_ site: PhotoSite, prunes: Bool) throws(PublishError) -> Int {
        let top = try opened()
        try lock(top.root)
        former.withLock { $0 = nil }
        // What a run that was killed has left.
        let staging = folder.appending(path: Self.staging)
        try? FileManager.default.removeItem(at: staging)
        defer { try? FileManager.default.removeItem(at: staging) }
        let before = try SiteRecord(of: top)
        // Descriptions that were wanted once stay, and stay true.
        let metadata = site.path(of: .metadata)
        let site = before.has(metadata, digest(of: metadata, in: top)) ? site.withMetadata : site
        var (after, changed) = (SiteRecord(), [String]())
        after.addDates(of: before)
        for (id, entry) in site.options.feed.entries { after.add(date: entry.published, of: id) }
        for document in site.documents {
            let (path, text) = (site.path(of: document), try text(of: document, in: site))
            after.add(path, SiteRecord.digest(text))
            guard try isToBeWritten(path, text, before, in: top) else { continue }
            let draft = try destination("\(Self.staging)/\(path)", in: top)
            try writing(path) { () throws(SystemCall.Failure) in
                let flags = O_WRONLY | O_CREAT | O_EXCL
                let file = try SystemCall.open(draft.leaf, in: draft.folder, flags, mode: 0o666)
                try SystemCall.write(Array(text.utf8), to: file)
            }
            changed.append(path)
        }
        // Both sites at first: a run that is killed leaves pages of each.
        try keep(before.text(with: after), in: top)
        for path in changed { try moveDraft(to: path, in: top) }
        let removed = prune(before, &after, site, isWanted: prunes, in: top)
        try keep(after.text(), in: top)
        return removed
    }

    /// Removes what the site before had and this one has not, and says in `after` what stays of it.
    ///
    /// - Returns: How many files of pictures were removed.
    private func prune(
        _ before: SiteRecord, _ after: inout SiteRecord, _ site: PhotoSite, isWanted: Bool,
        in top: DestinationFolder
    ) -> Int {
        let new = after
        // Where case is no difference, a former name may be a new one. Few files go, so most runs
        // never ask.
        var names: Set<Int>?
        func isTaken(_ path: String) -> Bool {
            var known = names ?? []
            if names == nil {
                func take(_ path: String) { known.insert(FileName.collisionKey(path).hashValue) }
                new.forEachFile { path, _ in take(path) }
                site.forEachPicture(take)
            }
            names = known
            return known.contains(FileName.collisionKey(path).hashValue)
        }
        var removed = 0
        before.forEachFile { path, digest in
            guard !new.hasFile(at: path) else { return }
            if site.hasPicture(at: path) || !isWanted && self.digest(of: path, in: top) != nil {
                return after.add(path, digest, of: before)
            }
            guard let file = top.existingDestination(for: path),
                before.has(path, self.digest(of: path, in: top))
                    || SiteRecord.isPicture(path) && file.isSecondName,
                !isTaken(path)
            else { return }
            // One that cannot be removed is of no harm, and tried again.
            do throws(SystemCall.Failure) {
                try SystemCall.remove(file.leaf, from: file.folder)
                if !path.hasSuffix(".html") { removed += 1 }
            } catch {
                after.add(path, digest, of: before)
            }
        }
        return removed
    }

    private func moveDraft(to path: String, in top: DestinationFolder) throws(PublishError) {
        let draft = try destination("\(Self.staging)/\(path)", in: top)
        let page = try destination(path, in: top)
        try writing(path) { () throws(SystemCall.Failure) in
            try SystemCall.check { renameat(draft.folder.number, draft.leaf, page.folder.number, page.leaf) }
        }
    }

    /// Whether a file has to be written: one that says the same is left alone, since it would cost a write to
    /// the medium.
    ///
    /// - Throws: ``PublishError/foreign(path:)`` where that would replace what is somebody else's.
    private func isToBeWritten(
        _ path: String, _ text: String, _ record: SiteRecord, in top: DestinationFolder
    ) throws(PublishError) -> Bool {
        guard let found = digest(of: path, in: top) else { return true }
        if found == SiteRecord.digest(text) { return false }
        // One that was changed is its owner's, and the page goes on with it.
        if path == PhotoSite.stylesheet, record.hasFile(at: path), !record.has(path, found) {
            return false
        }
        guard record.has(path, found) else { throw .foreign(path: shown(path)) }
        return true
    }

    /// The digest of what is at `path`: `nil` for nothing, and empty for what is no file, or cannot be read.
    private func digest(of path: String, in top: DestinationFolder) -> String? {
        do throws(SystemCall.Failure) {
            guard let file = try top.open(path) else { return nil }
            let status = try SystemCall.status(of: file)
            return status.isRegular ? try Digest.text(of: file, length: status.length) : ""
        } catch {
            return error.code == ENAMETOOLONG ? nil : ""
        }
    }

    private func text(of document: PhotoSite.Document, in site: PhotoSite) throws(PublishError) -> String {
        do throws(MissingResource) { return try site.text(of: document) } catch { throw .notInstalled(error) }
    }

    // MARK: - The folder

    private func opened() throws(PublishError) -> DestinationFolder {
        try top.withLock { top throws(PublishError) in
            if let top { return top }
            let created = try PublishError.creating(folder) { () throws(DownloadError) in
                try DestinationFolder(creating: folder)
            }
            top = created
            return created
        }
    }

    private func destination(_ path: String, in top: DestinationFolder) throws(PublishError) -> Destination {
        try PublishError.creating(folder.appending(path: path)) { () throws(DownloadError) in
            try top.destination(for: path)
        }
    }

    private func lock(_ root: Descriptor) throws(PublishError) {
        do throws(SystemCall.Failure) {
            try SystemCall.lock(root, LOCK_EX | LOCK_NB)
        } catch {
            throw error.code == EWOULDBLOCK ? .busy(path: shown("")) : .cannotWrite(path: shown(""), error)
        }
    }

    private func keep(_ record: [UInt8], in top: DestinationFolder) throws(PublishError) {
        try writing(SiteRecord.name) { () throws(SystemCall.Failure) in
            guard digest(of: SiteRecord.name, in: top) != SiteRecord.digest(record) else { return }
            let draft = try FileDraft(of: SiteRecord.name, in: top.root, mode: 0o666)
            try SystemCall.write(record, to: draft.file)
            try draft.finish(isDurable: false)
        }
    }

    private func writing(_ path: String, _ work: () throws(SystemCall.Failure) -> Void) throws(PublishError) {
        try PublishError.naming(folder.appending(path: path), PublishError.cannotWrite, work)
    }

    private func shown(_ path: String) -> String {
        PublishError.shown(path.isEmpty ? folder : folder.appending(path: path))
    }
}
