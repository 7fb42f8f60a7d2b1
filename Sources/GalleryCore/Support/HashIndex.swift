/// A compact map from hashes to values.
///
/// A `Dictionary` doubles when it is three quarters full: a hundred thousand offsets by hash take 4.2 MB
/// in one, and 6.3 MB while it doubles; here they take 1.7 MB. Recent entries are in a dictionary, the
/// rest in sorted arrays.
struct HashIndex<Value: Sendable>: Sendable {
    /// Ascending and unique; `values` is parallel to it.
    private var hashes: [Int] = []
    private var values: [Value] = []
    private var recent: [Int: Value] = [:]

    init() {}

    /// The value for `hash`, if there is one.
    subscript(hash: Int) -> Value? { recent[hash] ?? position(of: hash).map { values[$0] } }

    /// Whether there is a value for `hash`.
    func contains(_ hash: Int) -> Bool { self[hash] != nil }

    /// Sets the value for `hash`.
    mutating func put(_ value: Value, at hash: Int) {
        if let position = position(of: hash) {
            values[position] = value
            return
        }
        recent[hash] = value
        // A sixteenth: on the way to a hundred thousand entries each is moved about sixteen times at most.
        if recent.count > 1024 + hashes.count / 16 { merge() }
    }

    /// All values, in no particular order.
    var all: [Value] { values + recent.values }

    private func position(of hash: Int) -> Int? {
        var range = hashes.startIndex..<hashes.endIndex
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            if hashes[middle] == hash { return middle }
            range = hashes[middle] < hash ? middle + 1..<range.upperBound : range.lowerBound..<middle
        }
        return nil
    }

    /// Merges from the end, in place.
    private mutating func merge() {
        let arrivals = recent.sorted { $0.key < $1.key }
        recent = [:]
        var (old, target) = (hashes.count - 1, hashes.count + arrivals.count - 1)
        hashes.reserveCapacity(target + 1)
        values.reserveCapacity(target + 1)
        hashes += arrivals.map(\.key)
        values += arrivals.map(\.value)
        for arrival in arrivals.reversed() {
            while old >= 0, hashes[old] > arrival.key {
                (hashes[target], values[target]) = (hashes[old], values[old])
                (old, target) = (old - 1, target - 1)
            }
            (hashes[target], values[target]) = arrival
            target -= 1
        }
    }
}
