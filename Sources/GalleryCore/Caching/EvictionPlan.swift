import Foundation

/// Which stored replies have to go: a pure function of what is there.
struct EvictionPlan: Hashable {
    /// A file in the cache.
    struct Entry: Hashable {
        let name: String
        let bytes: Int64
        /// When it was last stored or read.
        let lastUse: Date
    }

    /// Names of files to remove, in the order in which to do so.
    let victims: [String]
    /// Bytes that stay.
    let remaining: Int64

    /// A plan that leaves at most `limit` bytes and nothing unused since before `oldest`.
    ///
    /// Where the limit is passed a tenth more than needed goes, so that a full cache is not swept
    /// at every reply. Least recently used goes first, equals by name.
    init(_ entries: [Entry], limit: Int64, oldest: Date) {
        var victims: [String] = []
        var remaining = entries.reduce(0) { $0 + $1.bytes }
        let goal = remaining > limit ? limit - limit / 10 : limit
        for entry in entries.sorted(by: { ($0.lastUse, $0.name) < ($1.lastUse, $1.name) }) {
            guard entry.lastUse < oldest || remaining > goal else { break }
            victims.append(entry.name)
            remaining -= entry.bytes
        }
        self.victims = victims
        self.remaining = remaining
    }
}
