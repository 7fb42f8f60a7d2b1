/// A compact map from hashes to values.
///
/// A `Dictionary` doubles when it is three quarters full: a hundred thousand offsets by hash take 4.2 MB
/// in one, and 6.3 MB while it doubles; here they take 1.7 MB. Recent entries are in a dictionary, the
/// rest in a sorted array.
struct HashIndex<Value: Sendable>: Sendable {
    /// Ascending, each hash once.
    private var settled: [(hash: Int, value: Value)] = []
    private var recent: [Int: Value] = [:]

    init() {}

    /// The value for `hash`, if there is one.
    subscript(hash: Int) -> Value? { recent[hash] ?? position(of: hash).map { settled[$0].value } }

    /// Whether there is a value for `hash`.
    func contains(_ hash: Int) -> Bool { self[hash] != nil }

    /// Sets the value for `hash`.
    mutating func put(_ value: Value, at hash: Int) {
        if let position = position(of: hash) {
            settled[position].value = value
            return
        }
        recent[hash] = value
        // A sixteenth: on the way to a hundred thousand entries each is moved about sixteen times at most.
        guard recent.count > 1024 + settled.count / 16 else { return }
        // Left to itself, the array takes twice what it holds.
        settled.reserveCapacity(settled.count + recent.count)
        settled += recent.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
        recent = [:]
        // Two runs, which sorting merges.
        settled.sort { $0.hash < $1.hash }
    }

    /// All values, in no particular order.
    var all: [Value] { settled.map(\.value) + recent.values }

    private func position(of hash: Int) -> Int? {
        var range = settled.indices
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            if settled[middle].hash == hash { return middle }
            range = settled[middle].hash < hash ? middle + 1..<range.upperBound : range.lowerBound..<middle
        }
        return nil
    }
}
