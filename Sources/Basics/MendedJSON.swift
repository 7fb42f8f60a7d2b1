import Foundation

/// JSON with what decoders refuse, or read as nothing, made into what browsers and people read it as.
///
/// Text that is not UTF-8 is windows-1252; control characters in a text stand for themselves; half of a surrogate pair
/// is U+FFFD; a backslash that escapes nothing is dropped; and of several members with one key the last counts, where
/// `JSONDecoder` takes the first.
package struct MendedJSON {
    /// The JSON; the very bytes that were sent where nothing was to mend.
    package private(set) var data: Data

    private let bytes: [UInt8]
    private var place = 0
    /// For each bracket that is open, where its keys begin in ``keys``; -1 for a list.
    private var open: [Int] = []
    /// What each key is, where it begins, and where the member after it does.
    private var keys: [(hash: UInt64, start: Int, end: Int)] = []
    private var edits: [(range: Range<Int>, text: String)] = []

    /// Mends `body`.
    package init(_ body: Data) {
        // The decoder knows UTF-16 and UTF-32 by their zeros.
        let isWide = body.prefix(4).contains(0)
        let isUTF8 = isWide || String(validating: body, as: UTF8.self) != nil
        data = isUTF8 ? body : Data(WebText.text(body).utf8)
        bytes = isWide ? [] : Array(data)
        scan()
        guard !edits.isEmpty else { return }
        var (mended, end) = ([UInt8](), 0)
        // A member that is taken out takes what is in it along.
        for edit in edits.sorted(by: { $0.range.lowerBound < $1.range.lowerBound })
        where edit.range.lowerBound >= end {
            mended += bytes[end..<edit.range.lowerBound] + Array(edit.text.utf8)
            end = edit.range.upperBound
        }
        data = Data(mended + bytes[end...])
    }

    private mutating func scan() {
        var isKey = false
        while place < bytes.count {
            let (byte, start) = (bytes[place], place)
            switch byte {
            case UInt8(ascii: "{"): open.append(keys.count)
            case UInt8(ascii: "["): open.append(-1)
            case UInt8(ascii: "}"), UInt8(ascii: "]"): close(open.popLast() ?? -1)
            case UInt8(ascii: "\""):
                passText()
                guard isKey, let first = open.last, first >= 0 else { break }
                if first < keys.count { keys[keys.count - 1].end = start }
                keys.append((FNV1a.hash(bytes[start..<min(place, bytes.count)]), start, start))
                isKey = false
            default: break
            }
            if "{,".utf8.contains(byte) { isKey = (open.last ?? -1) >= 0 }
            place += 1
        }
    }

    /// Takes out members of an object that ends, all but the last of each key.
    private mutating func close(_ first: Int) {
        guard first >= 0 else { return }
        let sorted = keys[first...].sorted { ($0.hash, $0.start) < ($1.hash, $1.start) }
        for (key, next) in zip(sorted, sorted.dropFirst()) where key.hash == next.hash {
            edits.append((key.start..<key.end, ""))
        }
        keys.removeLast(keys.count - first)
    }

    /// Goes to the quotation mark that ends the text.
    private mutating func passText() {
        place += 1
        while place < bytes.count, bytes[place] != UInt8(ascii: "\"") {
            if bytes[place] == UInt8(ascii: "\\") {
                passEscape()
            } else {
                if bytes[place] < 0x20 {
                    edits.append((place..<place + 1, #"\u00"# + Hexadecimal.text(bytes[place])))
                }
                place += 1
            }
        }
    }

    private mutating func passEscape() {
        let start = place
        if let unit = unit(at: start) {
            let next = UTF16.isLeadSurrogate(unit) ? self.unit(at: start + 6) : nil
            let isPair = next.map(UTF16.isTrailSurrogate) ?? false
            if !isPair, UTF16.isSurrogate(unit) { edits.append((start..<start + 6, #"\ufffd"#)) }
            place += isPair ? 12 : 6
        } else if start + 1 < bytes.count, "\"\\/bfnrt".utf8.contains(bytes[start + 1]) {
            place += 2
        } else {
            edits.append((start..<start + 1, ""))
            place += 1
        }
    }

    /// The number in `\u00E9` there; `nil` where there is no such escape.
    private func unit(at start: Int) -> UInt16? {
        guard start + 6 <= bytes.count, bytes[start...].starts(with: #"\u"#.utf8) else { return nil }
        let digits = bytes[(start + 2)..<(start + 6)]
        guard digits.allSatisfy({ UnicodeScalar($0).properties.isASCIIHexDigit }) else { return nil }
        return UInt16(String(decoding: digits, as: UTF8.self), radix: 16)
    }
}
