import Foundation

/// Replies on disk, in one folder that several processes may share.
///
/// A file stands under its name whole or not at all, and says by itself what it is. So nothing
/// that happens to the folder gives a wrong answer: what is cut, changed or foreign is a miss.
/// No secret is ever written: see ``CacheKey``.
public actor DiskCache {
    /// The most bytes that stay, where nobody says otherwise: 256 MiB.
    public static let usualLimit: Int64 = 256 << 20

    private let folder: CacheFolder
    private let limit: Int64
    private let date: @Sendable () -> Date
    private let warn: @Sendable (CacheError) -> Void
    private let executor = QueueExecutor(label: "gallery.cache")

    private var salt: CacheSalt?
    private var isWritable = true
    /// What stands in the folder as far as is known; `nil` before the first sweep.
    private var knownBytes: Int64?
    private var storedSinceSweep: Int64 = 0

    /// A cache in `folder`, which is made when something is first stored.
    ///
    /// - Parameters:
    ///   - limit: bytes that stay at most. Processes that write at the same time may pass it by a
    ///     sixteenth each until their next sweep.
    ///   - timekeeper: the calendar, for tests.
    ///   - warn: told once, where the folder cannot be used; all goes on without it.
    public init(
        folder: URL, limit: Int64 = DiskCache.usualLimit, timekeeper: Timekeeper = .system,
        warn: @escaping @Sendable (CacheError) -> Void = { _ in }
    ) {
        self.folder = CacheFolder(url: folder)
        self.limit = max(0, limit)
        self.date = timekeeper.date
        self.warn = warn
    }

    /// The queue of the actor's own on which it blocks.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    // MARK: - Replies

    /// What is stored for `request`, fresh or not; counts as a use.
    func entry(for request: HTTPRequest) -> CacheEntry? {
        guard let key = key(of: request), let bytes = folder.read(key.fileName, use: date()) else {
            return nil
        }
        guard let entry = CacheEntry(encoded: bytes), entry.key == key, !entry.isOverdue(at: date()) else {
            // Another process may have put a good one there since: that is a miss more, no harm.
            remove(key.fileName, bytes: Int64(bytes.count))
            return nil
        }
        return entry
    }

    /// Stores a reply for as long as `lifetime` says.
    func store(_ reply: HTTPReply, to request: HTTPRequest, lifetime: Duration) {
        guard isWritable, !isTold(by: reply, secretsOf: request),
            let key = key(of: request, making: true)
        else { return }
        write(CacheEntry(key: key, reply: reply, stored: date(), lifetime: lifetime))
    }

    /// Lets an entry that the service has confirmed hold anew.
    func renew(_ entry: CacheEntry, lifetime: Duration) {
        var entry = entry
        entry.stored = date()
        entry.lifetime = lifetime / .seconds(1)
        write(entry)
    }

    /// Forgets what is stored for `request`.
    func forget(_ request: HTTPRequest) {
        if let key = key(of: request) { remove(key.fileName, bytes: 0) }
    }

    private func write(_ entry: CacheEntry) {
        guard isWritable, let bytes = try? entry.encoded(), bytes.count <= limit else { return }
        do throws(CacheError) {
            try folder.write(bytes, to: entry.key.fileName, use: date())
            knownBytes? += Int64(bytes.count)
            storedSinceSweep += Int64(bytes.count)
            // A replaced entry counts twice until the sweep, which counts anew.
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

    /// A service that repeats the key it was asked with must not bring it into a file.
    private func isTold(by reply: HTTPReply, secretsOf request: HTTPRequest) -> Bool {
        request.secrets.values.contains { secret in
            secret.spellings.contains { spelling in
                // By bytes: a `String` takes ten times as long to search.
                reply.body.range(of: Data(spelling.utf8)) != nil
                    || CacheEntry.validators(of: reply).contains { $0.contains(spelling) }
            }
        }
    }

    // MARK: - The salt

    private static let saltName = "salt"

    private func key(of request: HTTPRequest, making: Bool = false) -> CacheKey? {
        if let key = CacheKey(request, salt: salt) { return key }
        salt = folder.read(Self.saltName).flatMap { CacheSalt($0) }
        if salt == nil, making, let new = CacheSalt.random() {
            do throws(CacheError) {
                try folder.write(Data(new.bytes), to: Self.saltName, use: date())
                // What stands there, not what we wrote: of two processes that begin together the
                // later one's salt counts, and the worst is that the other's replies are not found.
                salt = folder.read(Self.saltName).flatMap { CacheSalt($0) }
            } catch {
                giveUp(error)
            }
        }
        return CacheKey(request, salt: salt)
    }

    // MARK: - The whole

    /// What the folder holds.
    public func info() throws(CacheError) -> CacheInfo { info(try folder.entries()) }

    /// Removes every stored reply, whichever process stored it; what was freed.
    ///
    /// Processes that run go on, and store what they get from now on.
    public func clear() throws(CacheError) -> CacheInfo {
        let freed = try folder.entries().filter { folder.remove($0.name) }
        for draft in try folder.leftovers(before: .distantFuture) { folder.remove(draft.name) }
        folder.remove(Self.saltName)
        salt = nil
        knownBytes = nil
        return info(freed)
    }

    private func info(_ entries: [EvictionPlan.Entry]) -> CacheInfo {
        CacheInfo(
            folder: folder.url, entries: entries.count, bytes: entries.reduce(0) { $0 + $1.bytes },
            limit: limit, oldestUse: entries.map(\.lastUse).min())
    }

    private func sweep() throws(CacheError) {
        let now = date()
        let plan = EvictionPlan(
            try folder.entries(), limit: limit, oldest: now.addingTimeInterval(-CacheEntry.longestKept))
        for victim in plan.victims { folder.remove(victim) }
        for draft in try folder.leftovers(before: now.addingTimeInterval(-3600)) { folder.remove(draft.name) }
        knownBytes = plan.remaining
        storedSinceSweep = 0
    }
}
