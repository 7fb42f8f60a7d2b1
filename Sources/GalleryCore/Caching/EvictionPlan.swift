import Foundation

/// Which files to remove to keep a folder within its limits: a pure function of what is there.
struct EvictionPlan: Hashable {
    struct Entry: Hashable {
        let name: String
        let bytes: Int64
        /// When it was last written or read.
        let lastUse: Date
    }

    let victims: [String]
    let remaining: Int64

    /// A plan that leaves at most `limit` bytes, and nothing last used before `oldest`. The least recently used go
    /// first, ties by name; above the limit a tenth more than necessary, so that not every new file needs a sweep.
    init(_ entries: [Entry], limit: Int64, oldest: Date) {
        var victims: [String] = []
        var remaining = entries.reduce(0) { $0 + $1.bytes }
        let goal = remaining > limit ? limit - limit / 10 : limit
        for entry in entries.sorted(by: { ($0.lastUse, $0.name) < ($1.lastUse, $1.name) }) {
            guard entry.lastUse < oldest || remaining > goal else { break }
            victims.append(entry.name)
            remaining -= entry.bytes
        }
        (self.victims, self.remaining) = (victims, remaining)
    }

    /// The regular files in `folder` whose names satisfy `condition`. A draft that nobody has written to for an hour
    /// was left by a process that was killed: as if it was never used.
    static func files(
        in folder: Descriptor, now: Date, where condition: (String) -> Bool = { _ in true }
    ) throws(SystemCall.Failure) -> [Entry] {
        try SystemCall.names(in: folder).compactMap { name in
            guard condition(name), let status = try? SystemCall.status(of: name, in: folder), status.isRegular
            else { return nil }
            let isLeft = name.hasSuffix(FileDraft.suffix) && status.lastModified < now - 3600
            let lastUse = isLeft ? Date.distantPast : status.lastModified
            return Entry(name: name, bytes: status.length, lastUse: lastUse)
        }
    }
}
