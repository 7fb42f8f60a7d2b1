import Foundation

/// A map from hashes to values that takes about as much memory for a million entries as for a thousand.
///
/// Recent entries are in a dictionary; the rest, sorted, in a file without a name, which goes with the process.
/// Finding one of them reads half a kilobyte, about a microsecond. Copies share the file: it is never changed, but
/// written anew with what was recent. Where no file can be made, all entries stay in the dictionary.
package struct HashIndex<Value: BitwiseCopyable & Sendable>: Sendable {
    private var recent: [Int: Value] = [:]
    private var settled: SettledEntries<Value>?
    /// How many of them stay in memory.
    private var mostRecent = 4096
    private let folders: [String]

    /// - Parameter folders: Where the file may be; the first in which one can be made is taken.
    package init(in folders: [String] = System.temporaryFolders) { self.folders = folders }

    /// Whether there is no value.
    package var isEmpty: Bool { recent.isEmpty && settled == nil }

    /// The value for `hash`, if there is one.
    package subscript(hash: Int) -> Value? { recent[hash] ?? settled?[hash] }

    /// Whether there is a value for `hash`.
    package func contains(_ hash: Int) -> Bool { self[hash] != nil }

    /// Sets the value for `hash`.
    package mutating func put(_ value: Value, at hash: Int) {
        recent[hash] = value
        guard recent.count > mostRecent else { return }
        guard let merged = SettledEntries(recent, over: settled, in: folders) else { return mostRecent *= 2 }
        // A thirty-second: on the way to a million entries each is written again as many times at most.
        (settled, mostRecent) = (merged, max(4096, merged.count / 32))
        recent.removeAll(keepingCapacity: true)
    }
}

private struct Entry<Value: BitwiseCopyable & Sendable>: BitwiseCopyable, Sendable {
    let hash: Int
    let value: Value
}

/// Entries in a file, ascending by their hashes, each hash once.
private final class SettledEntries<Value: BitwiseCopyable & Sendable>: Sendable {
    /// So few that a search's buffer is on the stack.
    static var perBlock: Int { 32 }

    private let file: Descriptor
    /// The first hash of each block.
    private let starts: [Int]
    let count: Int

    /// The entries of `recent`, and those of `older` that these do not replace; `nil` if they cannot be written.
    init?(_ recent: [Int: Value], over older: SettledEntries?, in folders: [String]) {
        guard
            let file = folders.lazy.compactMap({ path in
                try? SystemCall.unnamedFile(in: SystemCall.openFolder(path))
            }).first
        else { return nil }
        var writer = EntryWriter<Value>(file: file)
        let new = recent.map { Entry(hash: $0, value: $1) }.sorted { $0.hash < $1.hash }
        var next = 0
        let isRead = older?.forEach { entry in
            while next < new.count, new[next].hash < entry.hash {
                writer.append(new[next])
                next += 1
            }
            if next == new.count || new[next].hash != entry.hash { writer.append(entry) }
        }
        for entry in new[next...] { writer.append(entry) }
        guard isRead ?? true, writer.finish() else { return nil }
        (self.file, starts, count) = (file, writer.starts, writer.count)
    }

    subscript(hash: Int) -> Value? {
        let block = starts.partition { $0 <= hash } - 1
        guard block >= 0 else { return nil }
        let first = block * Self.perBlock
        var found: Value?
        // A disk that cannot be read any more gives nothing.
        _ = read(first..<min(first + Self.perBlock, count)) { entries in
            let place = entries.partition { $0.hash < hash }
            if place < entries.count, entries[place].hash == hash { found = entries[place].value }
        }
        return found
    }

    /// Calls `body` with all entries, ascending; returns whether they could be read.
    private func forEach(_ body: (Entry<Value>) -> Void) -> Bool {
        let most = EntryWriter<Value>.most
        return stride(from: 0, to: count, by: most).allSatisfy { first in
            read(first..<min(first + most, count)) { $0.forEach(body) }
        }
    }

    private func read(
        _ places: Range<Int>, _ body: (UnsafeMutableBufferPointer<Entry<Value>>) -> Void
    ) -> Bool {
        withUnsafeTemporaryAllocation(of: Entry<Value>.self, capacity: places.count) { buffer in
            let size = MemoryLayout<Entry<Value>>.stride
            let got = try? SystemCall.check {
                pread(file.number, buffer.baseAddress, buffer.count * size, off_t(places.lowerBound * size))
            }
            guard got == buffer.count * size else { return false }
            body(buffer)
            return true
        }
    }
}

/// Writes entries to a file, some thousands at a time.
private struct EntryWriter<Value: BitwiseCopyable & Sendable> {
    /// How many are written, or read, at once.
    static var most: Int { 2048 }

    let file: Descriptor
    private(set) var starts: [Int] = []
    private(set) var count = 0
    private var pending: [Entry<Value>] = []
    private var isWritten = true

    init(file: Descriptor) {
        self.file = file
        pending.reserveCapacity(Self.most)
    }

    mutating func append(_ entry: Entry<Value>) {
        if count % SettledEntries<Value>.perBlock == 0 { starts.append(entry.hash) }
        pending.append(entry)
        count += 1
        if pending.count == Self.most { isWritten = finish() }
    }

    /// Writes what is left; returns whether all could be written.
    mutating func finish() -> Bool {
        // Also where the disk is full, lest all that is to come is kept for nothing.
        defer { pending.removeAll(keepingCapacity: true) }
        let offset = Int64((count - pending.count) * MemoryLayout<Entry<Value>>.stride)
        return isWritten && (try? SystemCall.write(pending, to: file, at: offset)) != nil
    }
}

extension RandomAccessCollection where Index == Int {
    /// The first place whose element does not pass, of a collection in which those that do come first.
    fileprivate func partition(where isBefore: (Element) -> Bool) -> Int {
        var range = startIndex..<endIndex
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            range = isBefore(self[middle]) ? middle + 1..<range.upperBound : range.lowerBound..<middle
        }
        return range.lowerBound
    }
}
