import Foundation

/// JSON with what decoders refuse, or read as nothing, made into what browsers and people read it as.
///
/// Text that is not UTF-8 is windows-1252; control characters in a text stand for themselves; half of a surrogate pair
/// is U+FFFD; a backslash that escapes nothing is dropped; and of several members with one key the last counts, where
/// `JSONDecoder` takes the first.
package struct MendedJSON {
    /// The JSON; the very bytes that were sent where nothing was to mend.
    package private(set) var data: Data

    private struct Key {
        let hash: UInt64
        let start: Int
        /// Where the next member begins.
        var end = 0
    }

    /// For each bracket that is open, where its keys begin in ``keys``; -1 for a list.
    private var open: [Int] = []
    private var keys: [Key] = []
    private var edits: [(range: Range<Int>, text: String)] = []

    /// Mends `body`.
    package init(_ body: Data) {
        data = body
        // UTF-16 and UTF-32, which the decoder knows by their zeros.
        if body.prefix(4).contains(0) { return }
        if String(validating: body, as: UTF8.self) == nil { data = Data(WebText.text(body).utf8) }
        let bytes = Array(data)
        scan(bytes)
        guard !edits.isEmpty else { return }
        var (mended, place) = ([UInt8](), 0)
        // A member that is taken out takes what is in it along.
        for edit in edits.sorted(by: { $0.range.lowerBound < $1.range.lowerBound })
        where edit.range.lowerBound >= place {
            mended += bytes[place..<edit.range.lowerBound] + Array(edit.text.utf8)
            place = edit.range.upperBound
        }
        data = Data(mended + bytes[place...])
    }

    private mutating func scan(_ bytes: [UInt8]) {
        var (place, isKey) = (0, false)
        while place < bytes.count {
            switch bytes[place] {
            case UInt8(ascii: "{"): open.append(keys.count)
            case UInt8(ascii: "["): open.append(-1)
            case UInt8(ascii: "}"), UInt8(ascii: "]"): close(open.popLast() ?? -1)
            case UInt8(ascii: "\""):
                let start = place
                passText(bytes, &place)
                if isKey { add(Key(hash: FNV1a.hash(bytes[start..<min(place, bytes.count)]), start: start)) }
                isKey = false
            default: break
            }
            if place < bytes.count, "{,".utf8.contains(bytes[place]) { isKey = (open.last ?? -1) >= 0 }
            place += 1
        }
    }

    private mutating func add(_ key: Key) {
        if let first = open.last, first < keys.count { keys[keys.count - 1].end = key.start }
        keys.append(key)
    }

    /// Takes out members of an object that ends, all but the last of each key.
    private mutating func close(_ first: Int) {
        guard first >= 0 else { return }
        if keys.count - first > 1 {
            let sorted = keys[first...].sorted { ($0.hash, $0.start) < ($1.hash, $1.start) }
            for (key, next) in zip(sorted, sorted.dropFirst()) where key.hash == next.hash {
                edits.append((key.start..<key.end, ""))
            }
        }
        keys.removeLast(keys.count - first)
    }

    /// Goes to the quotation mark that ends the text at `place`.
    private mutating func passText(_ bytes: [UInt8], _ place: inout Int) {
        place += 1
        while place < bytes.count, bytes[place] != UInt8(ascii: "\"") {
            if bytes[place] == UInt8(ascii: "\\") {
                place += passEscape(bytes, place)
            } else {
                if bytes[place] < 0x20 {
                    edits.append((place..<place + 1, #"\u00"# + Hexadecimal.text(bytes[place])))
                }
                place += 1
            }
        }
    }

    /// The length of the escape at `place`.
    private mutating func passEscape(_ bytes: [UInt8], _ place: Int) -> Int {
        if let unit = Self.unit(bytes, at: place) {
            let isHigh = (0xD800..<0xDC00).contains(unit)
            if isHigh, let low = Self.unit(bytes, at: place + 6), (0xDC00..<0xE000).contains(low) { return 12 }
            if (0xD800..<0xE000).contains(unit) { edits.append((place..<place + 6, #"\ufffd"#)) }
            return 6
        }
        if place + 1 < bytes.count, "\"\\/bfnrt".utf8.contains(bytes[place + 1]) { return 2 }
        edits.append((place..<place + 1, ""))
        return 1
    }

    /// The number in `\u00E9` at `place`; `nil` where there is no such escape.
    private static func unit(_ bytes: [UInt8], at place: Int) -> Int? {
        guard place + 6 <= bytes.count, bytes[place] == UInt8(ascii: "\\"), bytes[place + 1] == UInt8(ascii: "u")
        else { return nil }
        return bytes[(place + 2)..<(place + 6)].reduce(Int?.some(0)) { number, byte in
            Character(UnicodeScalar(byte)).hexDigitValue.flatMap { digit in number.map { $0 * 16 + digit } }
        }
    }
}
