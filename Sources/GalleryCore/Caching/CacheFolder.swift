import Foundation

/// The files of one cache: small calls that block, each complete in itself, so that processes
/// that share the folder need no lock. What another one has removed meanwhile is no fault.
struct CacheFolder: Sendable {
    let url: URL

    /// A file's bytes; `nil` where there is none, or it is no plain file of sensible length.
    ///
    /// - Parameter use: the time to write down as the last use.
    func read(_ name: String, use: Date? = nil) -> Data? {
        // Neither through a link nor waiting for a pipe's other end: the folder may be a stranger's.
        let number = open(path(name), O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
        guard number >= 0 else { return nil }
        let file = Descriptor(number)
        guard let status = try? SystemCall.status(of: file), status.isRegular,
            (0...Self.longest).contains(status.length),
            let bytes = try? SystemCall.read(file, at: 0, count: Int(status.length))
        else { return nil }
        if let use { futimens(file.number, [Self.time(use), Self.time(use)]) }
        return Data(bytes)
    }

    /// Puts a whole file in place of what stands under `name`.
    func write(_ data: Data, to name: String, use: Date) throws(CacheError) {
        do throws(PrivateFileError) {
            try PrivateFile.replace(url.appending(path: name), with: data)
        } catch {
            // Not there: another process has cleared the cache between our two steps.
            guard case .failed(_, let code) = error, code != ENOENT else { return }
            throw failure(code)
        }
        utimensat(AT_FDCWD, path(name), [Self.time(use), Self.time(use)], AT_SYMLINK_NOFOLLOW)
    }

    /// Removes a file; whether it was there, and we removed it.
    @discardableResult
    func remove(_ name: String) -> Bool { unlink(path(name)) == 0 }

    /// The stored replies; none where there is no folder.
    func entries() throws(CacheError) -> [EvictionPlan.Entry] {
        try list().filter { $0.name.hasSuffix(CacheKey.suffix) }
    }

    /// What writers that were killed left behind: files written before `date` that never got their name.
    func leftovers(before date: Date) throws(CacheError) -> [EvictionPlan.Entry] {
        try list().filter { Self.isDraft($0.name) && $0.lastUse < date }
    }

    private func list() throws(CacheError) -> [EvictionPlan.Entry] {
        let number = open(url.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard number >= 0 else {
            if errno == ENOENT { return [] }
            throw failure(errno)
        }
        let folder = Descriptor(number)
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: url.path) else {
            throw failure(EIO)
        }
        return names.compactMap { name in
            // Others' files in the folder are no business of ours.
            guard Self.isOurs(name), let status = try? SystemCall.status(of: name, in: folder),
                status.isRegular
            else { return nil }
            return EvictionPlan.Entry(name: name, bytes: status.length, lastUse: status.lastChange)
        }
    }

    private func path(_ name: String) -> String { url.appending(path: name).path }

    private func failure(_ code: Int32) -> CacheError {
        .unusable(path: url.path, reason: SystemCall.Failure(code: code).reason)
    }

    /// A reply in memory is at most ``MemorySink/limit``; its head is small.
    private static let longest = Int64(MemorySink.limit + 65_536)

    /// Thirty-two digits and the suffix, and after that the number and suffix of ``PrivateFile``'s drafts.
    private static func isOurs(_ name: String) -> Bool {
        let digits = name.utf8.prefix { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
        return digits.count == 32
            && (name.utf8.count == 32 + CacheKey.suffix.utf8.count && name.hasSuffix(CacheKey.suffix)
                || isDraft(name))
    }

    private static func isDraft(_ name: String) -> Bool {
        name.hasSuffix(".new") && name.dropFirst(32).hasPrefix(CacheKey.suffix + ".")
    }

    private static func time(_ date: Date) -> timespec {
        let seconds = date.timeIntervalSince1970.rounded(.down)
        return timespec(
            tv_sec: time_t(seconds), tv_nsec: Int((date.timeIntervalSince1970 - seconds) * 1e9))
    }
}

extension stat {
    /// When the content was last changed, or said to be.
    fileprivate var lastChange: Date {
        #if canImport(Darwin)
            let time = st_mtimespec
        #else
            let time = st_mtim
        #endif
        return Date(timeIntervalSince1970: Double(time.tv_sec) + Double(time.tv_nsec) / 1e9)
    }
}
