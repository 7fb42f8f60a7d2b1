import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Writes a site's pages around the pictures that are there already.
///
/// All of them are written aside first and moved to their names last, `index.html` after all others: a
/// site that cannot be written leaves the one before it as it was.
public struct SitePublisher: Sendable {
    /// The site's folder.
    public let folder: URL

    /// The folder in which pages wait until all are written.
    private static let staging = ".gallery-web"

    /// A publisher into `folder`.
    public init(_ folder: URL) { self.folder = folder }

    /// Creates the folder if missing, and makes sure that a site may be written to it.
    ///
    /// - Throws: ``PublishError/cannotCreate(path:reason:)``; ``PublishError/otherPage(path:)`` where it has
    ///   an `index.html` that is not a site's.
    public func prepare() async throws(PublishError) {
        try await Disk.run { () throws(PublishError) in _ = try opened() }
    }

    /// Writes `site`, and removes pages of photos that are no longer in it. Picture files stay.
    public func publish(_ site: PhotoSite) async throws(PublishError) {
        try await Disk.run { () throws(PublishError) in try write(site) }
    }

    private func write(_ site: PhotoSite) throws(PublishError) {
        let top = try opened()
        try lock(top.root)
        // What a run that was killed has left.
        try? FileManager.default.removeItem(at: url(Self.staging))
        defer { try? FileManager.default.removeItem(at: url(Self.staging)) }
        let documents = site.documents
        for document in documents {
            let page = try place("\(Self.staging)/\(site.path(of: document))", in: top)
            try create(page, site.text(of: document))
        }
        for document in documents {
            let path = site.path(of: document)
            let (draft, page) = (try place("\(Self.staging)/\(path)", in: top), try place(path, in: top))
            do throws(SystemCall.Failure) {
                try SystemCall.check {
                    renameat(draft.folder.number, draft.leaf, page.folder.number, page.leaf)
                }
            } catch {
                throw .cannotWrite(path: shown(path), reason: error.reason)
            }
        }
        removePages(of: top, except: Set(documents.map(site.path)))
    }

    /// The folder, once nothing of anybody else's would be overwritten.
    private func opened() throws(PublishError) -> DestinationFolder {
        let top: DestinationFolder
        do throws(DownloadError) { top = try DestinationFolder(creating: folder) } catch {
            throw PublishError(error, path: shown(""))
        }
        if FileManager.default.fileExists(atPath: url("index.html").path), !isOurs("index.html", in: top) {
            throw .otherPage(path: shown("index.html"))
        }
        return top
    }

    private func lock(_ folder: Descriptor) throws(PublishError) {
        do throws(SystemCall.Failure) {
            try SystemCall.lock(folder, LOCK_EX | LOCK_NB)
        } catch {
            throw error.code == EWOULDBLOCK
                ? .busy(path: shown("")) : .cannotWrite(path: shown(""), reason: error.reason)
        }
    }

    // MARK: - Pages

    private func place(_ path: String, in top: DestinationFolder) throws(PublishError) -> Destination {
        do throws(DownloadError) { return try top.destination(for: path) } catch {
            throw PublishError(error, path: shown(path))
        }
    }

    private func create(_ page: Destination, _ text: String) throws(PublishError) {
        do throws(SystemCall.Failure) {
            let file = try SystemCall.open(
                page.leaf, in: page.folder, O_WRONLY | O_CREAT | O_EXCL, mode: 0o666)
            try SystemCall.write(Array(text.utf8), to: file)
        } catch {
            throw .cannotWrite(path: page.shown(page.leaf), reason: error.reason)
        }
    }

    /// Removes what an earlier site had and this one has not. A page that cannot be removed is of no harm.
    private func removePages(of top: DestinationFolder, except paths: Set<String>) {
        for prefix in ["", "photo/"] {
            let names = (try? FileManager.default.contentsOfDirectory(atPath: url(prefix).path)) ?? []
            for path in names.map({ prefix + $0 }) where path.hasSuffix(".html") && !paths.contains(path) {
                guard isOurs(path, in: top) else { continue }
                try? FileManager.default.removeItem(at: url(path))
            }
        }
    }

    /// Whether a page is a site's, as its first bytes say.
    private func isOurs(_ path: String, in top: DestinationFolder) -> Bool {
        guard let file = (try? top.open(path)) ?? nil,
            let start = try? SystemCall.read(file, at: 0, count: 512)
        else { return false }
        return String(decoding: start, as: UTF8.self).contains(PageHead.mark)
    }

    private func url(_ path: String) -> URL { path.isEmpty ? folder : folder.appending(path: path) }

    private func shown(_ path: String) -> String { PlainText.line(url(path).path(percentEncoded: false)) }
}

extension PublishError {
    fileprivate init(_ error: DownloadError, path: String) {
        self =
            switch error {
            case .cannotCreate(let path, let reason): .cannotCreate(path: path, reason: reason)
            case .cannotWrite(let path, let reason): .cannotWrite(path: path, reason: reason)
            default: .cannotCreate(path: path, reason: PlainText.line(error.description))
            }
    }
}
