import Foundation

/// Replies on disk, in a folder that several processes may share.
///
/// Files are replaced atomically and carry a checksum: a damaged or foreign file is a miss. Secrets are never written.
package actor DiskCache {
    package static let defaultLimit: Int64 = 256 << 20

    private let folder: CacheFolder
    private let limit: Int64
    private let date: @Sendable () -> Date
    private let warn: @Sendable (CacheError) -> Void
    private let executor = QueueExecutor(label: "gallery.cache")

    private var salt: [UInt8]?
    private var isWritable = true
    /// Bytes in the folder, as far as known; `nil` before the first sweep.
    private var knownBytes: Int64?
    private var storedSinceSweep: Int64 = 0

    /// A cache in `folder`, which is created when something is first stored, of at most `limit` bytes: each process
    /// that writes may exceed that by a sixteenth until its next sweep. `warn` is called once if the folder cannot be
    /// used; the cache then stores nothing.
    package init(
        folder: URL, limit: Int64 = DiskCache.defaultLimit, timekeeper: Timekeeper = .system,
        warn: @escaping @Sendable (CacheError) -> Void = { _ in }
    ) {
        self.folder = CacheFolder(url: folder)
        (self.limit, date, self.warn) = (max(0, limit), timekeeper.date, warn)
    }

    /// The actor's own queue, which may block.
    package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    // MARK: - Replies

    /// The entry for `request`, fresh or not. Counts as a use.
    func entry(for request: HTTPRequest) -> CacheEntry? {
        guard let key = key(of: request), let bytes = folder.read(key.fileName, use: date())
        else { return nil }
        guard let entry = CacheEntry(encoded: bytes), entry.key == key, !entry.isOverdue(at: date()) else {
            // Another process may have stored a good one since; removing it costs one more miss.
            remove(key.fileName, bytes: Int64(bytes.count))
            return nil
        }
        return entry
    }

    func store(_ reply: HTTPReply, to request: HTTPRequest, lifetime: Duration) {
        guard isWritable, !repeats(reply, secretsOf: request), let key = key(of: request, making: true)
        else { return }
        write(CacheEntry(key: key, reply: reply, stored: date(), lifetime: lifetime))
    }

    /// Stores an entry again that the service has confirmed.
    func renew(_ entry: CacheEntry, lifetime: Duration) {
        var entry = entry
        entry.stored = date()
        entry.lifetime = lifetime / .seconds(1)
        write(entry)
    }

    func forget(_ request: HTTPRequest) {
        if let key = key(of: request) { remove(key.fileName, bytes: 0) }
    }

    private func write(_ entry: CacheEntry) {
        guard isWritable, let bytes = try? entry.encodedBytes(), bytes.count <= limit else { return }
        do throws(CacheError) {
            try folder.write(bytes, to: entry.key.fileName, use: date())
            knownBytes? += Int64(bytes.count)
            storedSinceSweep += Int64(bytes.count)
            // A replaced entry counts twice until the sweep recounts.
            if knownBytes ?? .max > limit || storedSinceSweep > limit / 16 { try sweep() }
        } catch {
            giveUp(error)
        }
    }

    private func remove(_ name: String, bytes: Int64) {
        if folder.remove(name) { knownBytes? -= bytes }
    }

    private func giveUp(_ error: CacheError) {
        if isWritable { warn(error) }
        isWritable = false
    }

    /// Whether a reply contains the key that it was requested with, which must not reach the disk.
    private func repeats(_ reply: HTTPReply, secretsOf request: HTTPRequest) -> Bool {
        let texts = [Array(reply.body)] + CacheEntry.fields(of: reply).values.map { Array($0.utf8) }
        return request.secrets.values.contains { secret in
            texts.contains { SecretSearch(secret).blanked(in: $0) != nil }
        }
    }

    // MARK: - The salt

    private static let saltName = "salt"
    private static let saltLength = 16

    private func key(of request: HTTPRequest, making: Bool = false) -> CacheKey? {
        if let key = CacheKey(request, salt: salt) { return key }
        salt = storedSalt()
        if salt == nil, making {
            let new = Data((0..<Self.saltLength).map { _ in UInt8.random(in: .min ... .max) })
            do throws(CacheError) {
                try folder.write(new, to: Self.saltName, use: date())
                // Read back: if two processes start together, both use the salt written last, and at
                // worst replies stored under the other are not found.
                salt = storedSalt()
            } catch {
                giveUp(error)
            }
        }
        return CacheKey(request, salt: salt)
    }

    private func storedSalt() -> [UInt8]? {
        folder.read(Self.saltName).flatMap { $0.count == Self.saltLength ? Array($0) : nil }
    }

    // MARK: - The folder

    /// The number and size of the stored replies.
    package func info() throws(CacheError) -> CacheInfo { info(try folder.files(now: date())) }

    /// Removes all stored replies and returns what was freed. Other processes may go on using the cache.
    package func clear() throws(CacheError) -> CacheInfo {
        let freed = try folder.files(now: date()).filter { folder.remove($0.name) }
        folder.remove(Self.saltName)
        (salt, knownBytes) = (nil, nil)
        return info(freed)
    }

    private func info(_ files: [EvictionPlan.Entry]) -> CacheInfo {
        let entries = files.filter { $0.name.hasSuffix(CacheKey.suffix) }
        return CacheInfo(
            folder: folder.url, entries: entries.count, bytes: entries.reduce(0) { $0 + $1.bytes },
            limit: limit, oldestUse: entries.map(\.lastUse).min())
    }

    private func sweep() throws(CacheError) {
        let now = date()
        let plan = EvictionPlan(
            try folder.files(now: now), limit: limit, oldest: now.addingTimeInterval(-CacheEntry.longestKept))
        for victim in plan.victims { folder.remove(victim) }
        (knownBytes, storedSinceSweep) = (plan.remaining, 0)
    }
}

package struct CacheInfo: Hashable, Sendable {
    package let folder: URL
    package let entries: Int
    /// Their size in bytes.
    package let bytes: Int64
    package let limit: Int64
    /// When the least recently used reply was last used; `nil` if there are none.
    package let oldestUse: Date?
}

/// A cache's folder cannot be created, read or written.
package struct CacheError: ActionableError, Hashable {
    let path: String
    let failure: SystemCall.Failure

    package var description: String {
        "The cache folder '\(PlainText.line(path))' cannot be used: \(failure.reason)."
    }

    package var hint: String? { "Check the folder's permissions and the free space on its disk." }
}

/// The files of a cache. Each call blocks and is complete in itself, so processes that share the
/// folder need no lock; a file that another one has just removed is not an error.
private struct CacheFolder: Sendable {
    let url: URL

    /// A file's bytes, last used at `use`; `nil` if it is missing, not a regular file, or longer than an entry can be.
    func read(_ name: String, use: Date? = nil) -> Data? {
        // Neither through a link nor waiting for a pipe: others may be able to write to the folder.
        guard let file = try? SystemCall.open(path(name), O_RDONLY | O_NOFOLLOW | O_NONBLOCK),
            let status = try? SystemCall.status(of: file), status.isRegular,
            (0...Self.longest).contains(status.length),
            let bytes = try? SystemCall.read(file, at: 0, count: Int(status.length))
        else { return nil }
        if let use { try? SystemCall.setTimes(of: file, to: use) }
        return Data(bytes)
    }

    func write(_ data: Data, to name: String, use: Date) throws(CacheError) {
        do throws(PrivateFileError) {
            try PrivateFile.replace(url.appending(path: name), with: data, isDurable: false)
        } catch {
            // ENOENT: another process cleared the cache between our two steps.
            guard case .failed(_, let code) = error, code != ENOENT else { return }
            throw failure(code)
        }
        if let file = try? SystemCall.open(path(name), O_RDONLY | O_NOFOLLOW | O_NONBLOCK) {
            try? SystemCall.setTimes(of: file, to: use)
        }
    }

    /// Removes a file; false if there was none.
    @discardableResult
    func remove(_ name: String) -> Bool { unlink(path(name)) == 0 }

    /// The stored replies and drafts of such; none if there is no folder.
    func files(now: Date) throws(CacheError) -> [EvictionPlan.Entry] {
        let folder: Descriptor
        do throws(SystemCall.Failure) {
            folder = try SystemCall.openFolder(url.path)
        } catch  where error.code == ENOENT {
            return []
        } catch {
            throw failure(error.code)
        }
        // Other files in the folder are none of our business.
        guard let files = try? EvictionPlan.files(in: folder, now: now, where: Self.isOurs)
        else { throw failure(EIO) }
        return files
    }

    private func path(_ name: String) -> String { url.appending(path: name).path }

    private func failure(_ code: Int32) -> CacheError {
        CacheError(path: url.path, failure: .init(code: code))
    }

    /// A reply in memory is at most ``MemorySink/limit``, and its head is small.
    private static let longest = Int64(MemorySink.limit + 65_536)

    private static func isOurs(_ name: String) -> Bool {
        let digits = name.utf8.prefix { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
        return digits.count == 32
            && (name.dropFirst(32) == CacheKey.suffix
                || name.hasSuffix(FileDraft.suffix) && name.dropFirst(32).hasPrefix(CacheKey.suffix + "."))
    }
}
