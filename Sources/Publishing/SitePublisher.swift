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
    /// What the folder's record says, once nobody else can write it.
    private let record = Mutex<SharedValue<SiteRecord>?>(nil)

    package init(_ folder: URL) { self.folder = folder }

    /// Creates the folder if missing, and makes sure that a site may be written to it.
    ///
    /// - Throws: ``PublishError/cannotCreate(path:reason:)``; ``PublishError/notInstalled(_:)``;
    ///   ``PublishError/foreign(path:)`` for the first file that any site has and is somebody else's here.
    package func prepare(for options: SiteOptions = SiteOptions()) async throws(PublishError) {
        try await Disk.run { () throws(PublishError) in
            let (top, site) = (try self.opened(), PhotoSite(PhotoShelf(), options: options))
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
            let known = self.record.withLock(\.self)?.value
            let record = if let known { known } else { try SiteRecord(of: top) }
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
            let record = try self.ownRecord(in: top)
            // Also the mark by which the folder is known for a page's.
            try self.keep(record.value.text(), in: top)
            return try SitePictures(in: top, record, metadata)
        }
    }

    /// What the site's feed said before.
    package func feedHistory() async throws(PublishError) -> FeedHistory {
        try await Disk.run { () throws(PublishError) in
            let top = try self.opened()
            return FeedHistory(in: top, try self.ownRecord(in: top).value)
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
        // Taken out, since a copy of it would be large.
        var before = try ownRecord(in: top).withLock { record in
            defer { record = SiteRecord() }
            return record
        }
        record.withLock { $0 = nil }
        let staging = try PublishError.naming(folder, PublishError.cannotWrite, try SiteStaging(in: top.root))
        // Descriptions that were wanted once stay, and stay true.
        let metadata = site.path(of: .metadata)
        let site = before.has(metadata, digest(of: metadata, in: top)) ? site.withMetadata : site
        var (after, changed) = (SiteRecord(), [(path: String, draft: String)]())
        defer { for (_, draft) in changed { try? SystemCall.remove(draft, from: staging.folder) } }
        after.addDates(of: before)
        for (id, entry) in site.options.feed.entries { after.add(date: entry.published, of: id) }
        for document in site.documents {
            let (path, text) = (site.path(of: document), try text(of: document, in: site))
            after.add(path, SiteRecord.digest(text))
            guard try isToBeWritten(path, text, before, in: top) else { continue }
            let page = try destination(path, in: top)
            // Closed, since they are many.
            let draft = "page.\(changed.count)\(FileDraft.suffix)"
            let flags = O_WRONLY | O_CREAT | O_EXCL
            try writing(path, try Self.own(path, before).check(page.leaf, in: page.folder))
            let file = try writing(path, try SystemCall.open(draft, in: staging.folder, flags, mode: 0o666))
            changed.append((path, draft))
            try writing(path, try SystemCall.write(Array(text.utf8), to: file))
        }
        // Both sites at first: a run that is killed leaves pages of each.
        try keep(before.text(with: after), in: top)
        for (path, draft) in changed {
            let page = try destination(path, in: top)
            try writing(
                path,
                try Self.own(path, before).put(draft, of: staging.folder, as: page.leaf, in: page.folder))
        }
        let removed = prune(&before, after, site, isWanted: prunes, in: top)
        try keep(after.text(with: before), in: top)
        return removed
    }

    /// Removes what the site before had and this one has not, and leaves in `before` what stays of it.
    ///
    /// - Returns: How many files of pictures were removed.
    private func prune(
        _ before: inout SiteRecord, _ after: SiteRecord, _ site: PhotoSite, isWanted: Bool,
        in top: DestinationFolder
    ) -> Int {
        // Where case is no difference, a former name may be a new one.
        var names: Set<Int> = []
        func take(_ path: String) { names.insert(FileName.collisionKey(path).hashValue) }
        after.paths.forEach(take)
        site.forEachPicture(take)
        var removed = 0
        for path in Array(before.paths) {
            guard !after.hasFile(at: path) else {
                before.remove(path)
                continue
            }
            let isTaken = names.contains(FileName.collisionKey(path).hashValue)
            if isTaken || !isWanted && digest(of: path, in: top) != nil { continue }
            do throws(SystemCall.Failure) {
                if let file = top.existingDestination(for: path),
                    try Self.own(path, before).check(file.leaf, in: file.folder)
                {
                    try SystemCall.remove(file.leaf, from: file.folder)
                    if !path.hasSuffix(".html") { removed += 1 }
                }
            } catch  where ![EEXIST, ELOOP, EISDIR].contains(error.code) {
                // One that cannot be removed is of no harm, and tried again.
                continue
            } catch {}
            before.remove(path)
        }
        return removed
    }

    /// What may be replaced at `path`: what `record` says was written there.
    private static func own(_ path: String, _ record: SiteRecord) -> Replacement {
        .own { file, status throws(SystemCall.Failure) in
            try record.has(path, Digest.text(of: file, length: status.length))
                || SiteRecord.isPicture(path) && status.st_nlink > 1
        }
    }

    /// Whether a file has to be written: one that says the same is left alone, to spare the medium a write.
    ///
    /// - Throws: ``PublishError/foreign(path:)`` where that would replace what is somebody else's.
    private func isToBeWritten(
        _ path: String, _ text: String, _ record: SiteRecord, in top: DestinationFolder
    ) throws(PublishError) -> Bool {
        guard let found = digest(of: path, in: top) else { return true }
        if found == SiteRecord.digest(text) { return false }
        // One that was changed is its owner's, and the page goes on with it.
        if path == PhotoSite.stylesheet, record.hasFile(at: path), !record.has(path, found) { return false }
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
            let created = try PublishError.creating(folder, try DestinationFolder(creating: folder))
            top = created
            return created
        }
    }

    private func destination(_ path: String, in top: DestinationFolder) throws(PublishError) -> Destination {
        try PublishError.creating(folder.appending(path: path), try top.destination(for: path))
    }

    /// What the folder's record says, which no other process writes from then on.
    private func ownRecord(in top: DestinationFolder) throws(PublishError) -> SharedValue<SiteRecord> {
        if let record = record.withLock(\.self) { return record }
        do throws(SystemCall.Failure) {
            try SystemCall.lock(top.root, LOCK_EX | LOCK_NB)
        } catch {
            throw error.code == EWOULDBLOCK ? .busy(path: shown("")) : .cannotWrite(path: shown(""), error)
        }
        let read = SharedValue(try SiteRecord(of: top))
        record.withLock { $0 = read }
        return read
    }

    private func keep(_ record: [UInt8], in top: DestinationFolder) throws(PublishError) {
        guard digest(of: SiteRecord.name, in: top) != SiteRecord.digest(record) else { return }
        let draft = try writing(
            SiteRecord.name, try FileDraft(of: SiteRecord.name, in: top.root, mode: 0o666))
        try writing(SiteRecord.name, try SystemCall.write(record, to: draft.file))
        try writing(SiteRecord.name, try draft.finish(over: .own(nil), isDurable: false))
    }

    @discardableResult
    private func writing<Value>(
        _ path: String, _ work: @autoclosure () throws(SystemCall.Failure) -> Value
    ) throws(PublishError) -> Value {
        try PublishError.naming(folder.appending(path: path), PublishError.writing, try work())
    }

    private func shown(_ path: String) -> String {
        PublishError.shown(path.isEmpty ? folder : folder.appending(path: path))
    }
}
