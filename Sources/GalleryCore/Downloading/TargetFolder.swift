import Foundation
import Synchronization

/// A folder to download into, and its manifest, opened once for all that a run asks of it.
package final class TargetFolder: Sendable {
    /// The folder, which need not exist.
    package let url: URL
    private let opened = Mutex<DownloadFolder?>(nil)

    /// The folder at `url`, which is not opened yet.
    package init(_ url: URL) { self.url = url }

    /// The folder, created if it is missing. Blocks briefly.
    func created() throws(DownloadError) -> DownloadFolder {
        try folder { () throws(DownloadError) in try DestinationFolder(creating: url) }
    }

    /// The folder if it exists; throws ``DownloadError/cannotCreate(path:reason:code:)`` if it does not open. Blocks.
    package func existing() throws(DownloadError) -> DownloadFolder? {
        if let opened = opened.withLock(\.self) { return opened }
        do throws(SystemCall.Failure) {
            let found = try DestinationFolder(existing: url)
            return try? folder { found }
        } catch  where error.code == ENOENT {
            return nil
        } catch {
            let path = PlainText.line(url.path(percentEncoded: false))
            throw .cannotCreate(path: path, reason: error.reason, code: error.code)
        }
    }

    private func folder(
        _ open: () throws(DownloadError) -> DestinationFolder
    ) throws(DownloadError) -> DownloadFolder {
        try opened.withLock { opened throws(DownloadError) in
            if let opened { return opened }
            let folder = DownloadFolder(try open())
            opened = folder
            return folder
        }
    }

    /// Whether what was opened is no longer what the path names.
    var isStale: Bool {
        guard let opened = opened.withLock(\.self) else { return false }
        let now = try? SystemCall.openFolder(url.path(percentEncoded: false))
        return now.flatMap { try? SystemCall.status(of: $0).st_ino }
            != (try? SystemCall.status(of: opened.folder.root).st_ino)
    }

    /// Whether there are bytes from which a download of any of `items` would go on.
    package func hasPart(ofAny items: [DownloadItem]) async -> Bool {
        await Disk.run {
            guard let folder = try? self.existing()?.folder else { return false }
            return items.contains { item in
                guard let file = folder.existingDestination(for: item.name),
                    let part = try? SystemCall.status(of: file.part, in: file.folder)
                else { return false }
                return part.st_size > 0
            }
        }
    }

    /// The file that a download would keep; `nil` if `item` would be downloaded.
    package func keptFile(of item: DownloadItem) async throws(DownloadError) -> DownloadedFile? {
        try await Disk.run { () throws(DownloadError) in
            guard let folder = try self.existing(),
                let destination = folder.folder.existingDestination(for: item.name),
                let file = try folder.holding(of: item, at: destination).1
            else { return nil }
            return file.kept
        }
    }

    /// Removes what killed runs have left in it; see ``Leftovers``. Nothing in a folder without a manifest.
    package func clearLeftovers() async {
        await Disk.run {
            guard let folder = try? self.existing(), (try? folder.manifest.lines()) != nil,
                (try? SystemCall.status(of: Manifest.name, in: folder.folder.root)) != nil
            else { return }
            Leftovers(in: folder).clear()
        }
    }

    /// Gives a manifest of which nothing can be read another name, and returns that; `nil` for any other.
    package func setManifestAside() async throws(DownloadError) -> String? {
        try await Disk.run { () throws(DownloadError) in try self.existing()?.manifest.setAside() }
    }

    /// The numbers of those lines of the manifest that could not be read, from 1.
    package func unreadableLines() async -> [Int] {
        await Disk.run { (try? self.existing()?.manifest.unreadableLines()) ?? [] }
    }
}

/// The folder that files are downloaded into, opened once. Everything below it is opened relative to it, so
/// renaming it, or replacing it by a link, does not redirect a download.
package struct DestinationFolder: Sendable {
    package let url: URL
    package let root: Descriptor

    /// Opens `url`, creating it and its parents if they are missing.
    package init(creating url: URL) throws(DownloadError) {
        self.url = url
        let path = url.path(percentEncoded: false)
        var (ancestor, refusal) = (path.hasPrefix("/") ? "/" : "", nil as SystemCall.Failure?)
        for part in path.split(separator: "/") {
            ancestor += part + "/"
            // An ancestor may exist without being writable, so only opening the last one decides.
            if mkdir(ancestor, 0o777) == 0 {
                let parent = URL(filePath: ancestor).deletingLastPathComponent().path(percentEncoded: false)
                if let folder = try? SystemCall.openFolder(parent) { try? SystemCall.sync(folder) }
            } else if errno == ENOSPC || errno == EROFS {
                break
            } else if errno != ENOENT, errno != EEXIST, refusal == nil {
                refusal = SystemCall.Failure(code: errno)
            }
        }
        do {
            root = try SystemCall.openFolder(path.isEmpty ? "." : path)
        } catch {
            // What is below a folder that could not be made is missing for that reason.
            let error = error.code == ENOENT ? refusal ?? error : error
            throw .cannotCreate(path: PlainText.line(path), reason: error.reason, code: error.code)
        }
    }

    /// Opens `url` if it exists.
    package init(existing url: URL) throws(SystemCall.Failure) {
        self.url = url
        root = try SystemCall.openFolder(url.path(percentEncoded: false))
    }

    /// The destination for `name`, a path below this folder. Creates its folders, through no link.
    package func destination(for name: String) throws(DownloadError) -> Destination {
        do throws(SystemCall.Failure) {
            if let destination = try walk(name, creates: true) { return destination }
        } catch {
            let folders = name.split(separator: "/").dropLast().joined(separator: "/")
            let path = url.appending(path: folders).path(percentEncoded: false)
            throw .cannotCreate(path: PlainText.line(path), reason: error.reason, code: error.code)
        }
        throw .cannotCreate(path: PlainText.line(name), reason: "the name leads out of the folder")
    }

    package func existingDestination(for name: String) -> Destination? {
        (try? walk(name, creates: false)) ?? nil
    }

    /// Opens the file at `path` below this folder for reading, through no link; `nil` if it is missing.
    package func open(_ path: String) throws(SystemCall.Failure) -> Descriptor? {
        do {
            guard let destination = try walk(path, creates: false) else { return nil }
            return try SystemCall.open(destination.leaf, in: destination.folder, O_RDONLY)
        } catch  where error.code == ENOENT || error.code == ENOTDIR {
            return nil
        }
    }

    /// Opens the regular file at `path` if it has this length.
    package func open(_ path: String, length: Int64) -> Descriptor? {
        guard let file = try? open(path), let status = try? SystemCall.status(of: file), status.isRegular,
            status.length == length
        else { return nil }
        return file
    }

    /// Calls `body` with each regular file below this folder that is not hidden and whose name has one of the
    /// `endings`, by its path; no link is followed. One after the other: a hundred thousand take sixteen megabytes.
    package func forEachFile(
        endingIn endings: [String] = [""], _ body: (_ path: String, _ status: stat) -> Void
    ) {
        forEachFile(endingIn: endings, in: "", root, body)
    }

    private func forEachFile(
        endingIn endings: [String], in path: String, _ folder: Descriptor, _ body: (String, stat) -> Void
    ) {
        let names = try? SystemCall.names(in: folder) { name, isFile in
            !name.hasPrefix(".") && (!isFile || endings.contains(where: name.hasSuffix))
        }
        for name in (names ?? []).sorted() {
            guard let status = (try? SystemCall.status(of: name, in: folder)) ?? nil else { continue }
            if status.isRegular {
                if endings.contains(where: name.hasSuffix) { body(path + name, status) }
            } else if let inner = try? SystemCall.open(name, in: folder, O_RDONLY | O_DIRECTORY) {
                forEachFile(endingIn: endings, in: path + name + "/", inner, body)
            }
        }
    }

    private func walk(_ name: String, creates: Bool) throws(SystemCall.Failure) -> Destination? {
        var parts = name.split(separator: "/").map(String.init)
        let isSafe =
            !name.hasPrefix("/") && !parts.contains { $0 == "." || $0 == ".." || $0.utf8.contains(0) }
        guard isSafe, let leaf = parts.popLast() else { return nil }
        var folder = root
        var parents: [Descriptor] = []
        for part in parts {
            if creates { try SystemCall.makeFolder(part, in: folder) }
            parents.append(folder)
            folder = try SystemCall.open(part, in: folder, O_RDONLY | O_DIRECTORY)
        }
        return Destination(
            top: url, prefix: parts.map { $0 + "/" }.joined(), parents: parents, folder: folder, leaf: leaf)
    }
}

/// Where a file goes: its folder, open, and its name without an extension.
package struct Destination: Sendable {
    let top: URL
    /// The folders between `top` and `folder`, each followed by a slash.
    let prefix: String
    /// The folders above `folder`, from `top`, open.
    let parents: [Descriptor]
    package let folder: Descriptor
    package let leaf: String
    /// Which of the names that a part may have, from 1: the first ones may be somebody else's.
    var partNumber = 1

    var part: String { leaf + (partNumber == 1 ? ".part" : ".\(partNumber).part") }
    var note: String { part + ".json" }

    /// The path of `name` below `top`, as in the manifest.
    func relative(_ name: String) -> String { prefix + name }

    func url(_ name: String) -> URL { top.appending(path: relative(name)) }

    func shown(_ name: String) -> String { PlainText.line(url(name).path(percentEncoded: false)) }
}
