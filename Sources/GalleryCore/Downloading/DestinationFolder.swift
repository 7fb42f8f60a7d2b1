import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The folder that files are fetched into, opened once; everything below it is reached from there.
///
/// So a folder that is renamed or replaced by a link meanwhile leads nowhere else.
struct DestinationFolder: Sendable {
    let url: URL
    let root: Descriptor

    /// Opens `url`, creating it and the folders above it where missing.
    init(creating url: URL) throws(DownloadError) {
        self.url = url
        let path = url.path(percentEncoded: false)
        do throws(SystemCall.Failure) {
            var ancestor = path.hasPrefix("/") ? "/" : ""
            for part in path.split(separator: "/") {
                ancestor += part + "/"
                // An ancestor may be there and not ours to write to: only the last `open` decides.
                if mkdir(ancestor, 0o777) != 0, errno == ENOSPC || errno == EROFS { break }
            }
            root = Descriptor(
                try SystemCall.check {
                    Self.systemOpen(path.isEmpty ? "." : path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
                })
        } catch {
            throw .cannotCreate(path: PlainText.line(path), reason: error.reason)
        }
    }

    /// Opens `url` where it is there.
    init(existing url: URL) throws(SystemCall.Failure) {
        self.url = url
        let path = url.path(percentEncoded: false)
        root = Descriptor(
            try SystemCall.check { Self.systemOpen(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) })
    }

    /// The place of `name`, a path below this folder; its folders are created one by one, through no link.
    func place(for name: String) throws(DownloadError) -> Destination {
        var parts = name.split(separator: "/").map(String.init)
        let isSafe = !name.hasPrefix("/") && !parts.contains { $0 == "." || $0 == ".." || $0.contains("\0") }
        guard isSafe, let leaf = parts.popLast() else {
            throw .cannotCreate(path: PlainText.line(name), reason: "the name leads out of the folder")
        }
        var folder = root
        for part in parts {
            do throws(SystemCall.Failure) {
                if mkdirat(folder.number, part, 0o777) != 0, errno != EEXIST {
                    throw SystemCall.Failure(code: errno)
                }
                folder = try SystemCall.open(part, in: folder, O_RDONLY | O_DIRECTORY)
            } catch {
                let path = url.appending(path: parts.joined(separator: "/")).path(percentEncoded: false)
                throw .cannotCreate(path: PlainText.line(path), reason: error.reason)
            }
        }
        return Destination(top: url, prefix: parts.map { $0 + "/" }.joined(), folder: folder, leaf: leaf)
    }

    /// Opens the file at `path` below this folder for reading, through no link; `nil` where there is none.
    func open(_ path: String) throws(SystemCall.Failure) -> Descriptor? {
        var parts = path.split(separator: "/").map(String.init)
        guard let leaf = parts.popLast(), !parts.contains(".."), leaf != ".." else { return nil }
        do {
            var folder = root
            for part in parts { folder = try SystemCall.open(part, in: folder, O_RDONLY | O_DIRECTORY) }
            return try SystemCall.open(leaf, in: folder, O_RDONLY)
        } catch  where error.code == ENOENT || error.code == ENOTDIR {
            return nil
        }
    }

    private static func systemOpen(_ path: String, _ flags: Int32) -> Int32 {
        #if canImport(Glibc)
            Glibc.open(path, flags)
        #else
            Darwin.open(path, flags)
        #endif
    }
}

/// Where one file goes: its folder, open, and its name there without an extension.
struct Destination: Sendable {
    /// The folder that was asked for.
    let top: URL
    /// The folders between `top` and `folder`, each followed by a slash.
    let prefix: String
    let folder: Descriptor
    let leaf: String

    var part: String { leaf + ".part" }
    var note: String { part + ".json" }

    /// The path below `top`, as the record has it.
    func relative(_ name: String) -> String { prefix + name }

    func url(_ name: String) -> URL { top.appending(path: relative(name)) }

    /// The path for messages.
    func shown(_ name: String) -> String { PlainText.line(url(name).path(percentEncoded: false)) }
}
