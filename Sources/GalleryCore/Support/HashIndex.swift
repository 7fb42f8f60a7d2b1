import Foundation

/// A map from hashes to values that takes about as much memory for a million entries as for a thousand.
///
/// Recent entries are in a dictionary; the rest, sorted, in a file without a name, which goes with the process.
/// Finding one of them reads a kilobyte or two, about a microsecond. Copies share the file: it is never changed, but
/// written anew with what was recent. Where no file can be made, all entries stay in the dictionary.
struct HashIndex<Value: BitwiseCopyable & Sendable>: Sendable {
    private var recent: [Int: Value] = [:]
    private var settled: SettledEntries<Value>?
    /// How many of them stay in memory.
    private var mostRecent = 4096
    private let folders: [String]

    /// - Parameter folders: Where the file may be; the first in which one can be made is taken.
    init(in folders: [String] = System.temporaryFolders) { self.folders = folders }

    /// Whether there is no value.
    var isEmpty: Bool { recent.isEmpty && settled == nil }

    /// The value for `hash`, if there is one.
    subscript(hash: Int) -> Value? { recent[hash] ?? settled?[hash] }

    /// Whether there is a value for `hash`.
    func contains(_ hash: Int) -> Bool { self[hash] != nil }

    /// Sets the value for `hash`.
    mutating func put(_ value: Value, at hash: Int) {
        recent[hash] = value
        guard recent.count > mostRecent else { return }
        guard let merged = SettledEntries(recent, over: settled, in: folders) else { return mostRecent *= 2 }
        // A thirty-second: on the way to a million entries each is written again as many times at most.
        (settled, mostRecent) = (merged, max(4096, merged.count / 32))
        recent.removeAll(keepingCapacity: true)
    }
}

/// Entries in a file, ascending by their hashes, each hash once: in blocks, of which each has its hashes first.
private final class SettledEntries<Value: BitwiseCopyable & Sendable>: Sendable {
    private static var perBlock: Int { 128 }
    private static var hashBytes: Int { perBlock * MemoryLayout<Int>.stride }
    private static var valueBytes: Int {
        MemoryLayout<Value>.size == 0 ? 0 : perBlock * MemoryLayout<Value>.stride
    }

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
        var (starts, count, isWritten) = ([Int](), 0, true)
        var (hashes, values) = ([Int](), [Value]())
        hashes.reserveCapacity(Self.perBlock)
        values.reserveCapacity(Self.perBlock)
        func flush() {
            guard let first = hashes.first else { return }
            let offset = Int64(starts.count * (Self.hashBytes + Self.valueBytes))
            starts.append(first)
            count += hashes.count
            do throws(SystemCall.Failure) {
                try SystemCall.write(hashes, to: file, at: offset)
                if Self.valueBytes > 0 {
                    try SystemCall.write(values, to: file, at: offset + Int64(Self.hashBytes))
                }
            } catch {
                isWritten = false
            }
            hashes.removeAll(keepingCapacity: true)
            values.removeAll(keepingCapacity: true)
        }
        func append(_ hash: Int, _ value: Value) {
            hashes.append(hash)
            values.append(value)
            if hashes.count == Self.perBlock { flush() }
        }
        var new = recent.sorted { $0.key < $1.key }[...]
        let isRead = older?.forEach { hash, value in
            while let entry = new.first, entry.key < hash {
                append(entry.key, entry.value)
                new.removeFirst()
            }
            if new.first?.key != hash { append(hash, value) }
        }
        for (hash, value) in new { append(hash, value) }
        flush()
        guard isWritten, isRead ?? true else { return nil }
        (self.file, self.starts, self.count) = (file, starts, count)
    }

    subscript(hash: Int) -> Value? {
        let block = starts.partition { $0 <= hash } - 1
        guard block >= 0 else { return nil }
        var found: Value?
        // A disk that cannot be read any more gives nothing.
        _ = read(block) { hashes, values in
            let place = hashes.partition { $0 < hash }
            guard place < hashes.count, hashes[place] == hash else { return }
            found = values.load(fromByteOffset: place * MemoryLayout<Value>.stride, as: Value.self)
        }
        return found
    }

    /// Calls `body` with all entries, ascending; returns whether they could be read.
    func forEach(_ body: (_ hash: Int, _ value: Value) -> Void) -> Bool {
        starts.indices.allSatisfy { block in
            read(block) { hashes, values in
                for (place, hash) in hashes.enumerated() {
                    body(
                        hash, values.load(fromByteOffset: place * MemoryLayout<Value>.stride, as: Value.self))
                }
            }
        }
    }

    private func read(
        _ block: Int, _ body: (_ hashes: UnsafeBufferPointer<Int>, _ values: UnsafeRawBufferPointer) -> Void
    ) -> Bool {
        let bytes = Self.hashBytes + Self.valueBytes
        // Values of no bytes begin somewhere too.
        return withUnsafeTemporaryAllocation(byteCount: bytes + Self.perBlock, alignment: 16) { buffer in
            let got = try? SystemCall.check {
                pread(file.number, buffer.baseAddress, bytes, off_t(block * bytes))
            }
            let hashes = min(Self.perBlock, count - block * Self.perBlock)
            let needed =
                bytes - (Self.perBlock - hashes)
                * (Self.valueBytes > 0 ? MemoryLayout<Value>.stride : MemoryLayout<Int>.stride)
            guard let got, got >= needed else { return false }
            body(
                UnsafeBufferPointer(
                    rebasing: UnsafeRawBufferPointer(buffer).bindMemory(to: Int.self)[..<hashes]),
                UnsafeRawBufferPointer(rebasing: buffer[Self.hashBytes...]))
            return true
        }
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
