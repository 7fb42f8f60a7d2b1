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
    /// - Throws: ``PublishError/cannotCreate(path:reason:code:)``; ``PublishError/otherPage(path:)`` where it has
    ///   an `index.html` that is not a site's; ``PublishError/notInstalled(_:)``.
    public func prepare() async throws(PublishError) {
        try await Disk.run { () throws(PublishError) in
            _ = try opened()
            _ = try text(of: .stylesheet, in: PhotoSite([]))
            _ = try text(of: .script, in: PhotoSite([]))
        }
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
        let drafts = try SiteFolders(Self.staging, in: top.root, path: shown(Self.staging))
        let pages = try SiteFolders("", in: top.root, path: shown(""))
        var changed: [String] = []
        for document in site.documents {
            let (path, text) = (site.path(of: document), try text(of: document, in: site))
            if pages.holds(text, in: path) { continue }
            try drafts.create(path, text)
            changed.append(path)
        }
        for path in changed { try drafts.move(path, to: pages) }
        removePages(of: top, except: Set(site.documents.map(site.path)))
    }

    private func text(of document: PhotoSite.Document, in site: PhotoSite) throws(PublishError) -> String {
        do throws(MissingResource) { return try site.text(of: document) } catch { throw .notInstalled(error) }
    }

    /// The folder, once nothing of anybody else's would be overwritten.
    private func opened() throws(PublishError) -> DestinationFolder {
        let top: DestinationFolder
        do throws(DownloadError) { top = try DestinationFolder(creating: folder) } catch {
            guard case .cannotCreate(let path, let reason, let code) = error else {
                throw .cannotCreate(path: shown(""), reason: PlainText.line(error.description))
            }
            throw .cannotCreate(path: path, reason: reason, code: code)
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
                ? .busy(path: shown(""))
                : .cannotWrite(path: shown(""), reason: error.reason, code: error.code)
        }
    }

    // MARK: - Pages

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

/// A folder of pages and the one below it for the pages of photos, both open and reached through no link.
private struct SiteFolders {
    private let top: Descriptor
    private let photos: Descriptor
    /// The folder's path, for messages.
    private let path: String

    /// The folder `name` in `parent`, or `parent` itself; created if missing.
    init(_ name: String, in parent: Descriptor, path: String) throws(PublishError) {
        self.path = path
        do throws(SystemCall.Failure) {
            top = name.isEmpty ? parent : try Self.folder(name, in: parent)
            photos = try Self.folder("photo", in: top)
        } catch {
            throw .cannotCreate(path: path, reason: error.reason, code: error.code)
        }
    }

    private static func folder(_ name: String, in parent: Descriptor) throws(SystemCall.Failure) -> Descriptor
    {
        try SystemCall.makeFolder(name, in: parent)
        return try SystemCall.open(name, in: parent, O_RDONLY | O_DIRECTORY)
    }

    /// Creates a page, which must not be there.
    func create(_ page: String, _ text: String) throws(PublishError) {
        let (folder, name) = location(of: page)
        do throws(SystemCall.Failure) {
            let file = try SystemCall.open(name, in: folder, O_WRONLY | O_CREAT | O_EXCL, mode: 0o666)
            try SystemCall.write(Array(text.utf8), to: file)
        } catch {
            throw .cannotWrite(path: path + "/" + page, reason: error.reason, code: error.code)
        }
    }

    /// Whether a page says just this: one that is replaced costs a write to the medium.
    func holds(_ text: String, in page: String) -> Bool {
        let (folder, name) = location(of: page)
        guard let file = try? SystemCall.open(name, in: folder, O_RDONLY),
            let status = try? SystemCall.status(of: file), status.isRegular,
            status.length == Int64(text.utf8.count),
            let bytes = try? SystemCall.read(file, at: 0, count: text.utf8.count)
        else { return false }
        return bytes.elementsEqual(text.utf8)
    }

    /// Moves a page to the same path in `other`, in the stead of what is there.
    func move(_ page: String, to other: SiteFolders) throws(PublishError) {
        let (folder, name) = location(of: page)
        let target = other.location(of: page).folder
        do throws(SystemCall.Failure) {
            try SystemCall.check { renameat(folder.number, name, target.number, name) }
        } catch {
            throw .cannotWrite(path: other.path + "/" + page, reason: error.reason, code: error.code)
        }
    }

    private func location(of page: String) -> (folder: Descriptor, name: String) {
        page.hasPrefix("photo/") ? (photos, String(page.dropFirst(6))) : (top, page)
    }
}
