import Foundation

/// A JSON text as a tree of values that know where they are. Nothing is decoded before it is asked for.
package final class JSONDocument: Sendable {
    /// A position, both counted from 1; columns in characters.
    package struct Place: Hashable, Sendable, CustomStringConvertible {
        package let line: Int
        package let column: Int

        package var description: String { "line \(line), column \(column)" }
    }

    /// Who sent it, for errors.
    package let sender: String

    /// What is wrong with the syntax; `nil` if nothing is.
    package let fault: (place: Place, problem: String)?

    let bytes: [UInt8]
    let entries: [JSONEntry]

    /// Reads `data`; if `isMending`, texts as browsers and people do: control characters stand for themselves, half of
    /// a surrogate pair is U+FFFD, and a backslash that escapes nothing is dropped.
    package init(_ data: Data, from sender: String = "", isMending: Bool = false) {
        self.sender = sender
        var parser = JSONParser(bytes: Array(WebText.text(data).utf8), isMending: isMending)
        let fault = parser.read()
        (bytes, entries) = (parser.bytes, parser.entries)
        self.fault = fault.map { (Self.place(of: parser.offset, in: parser.bytes), $0.problem) }
    }

    /// The value that everything is in; `nil` where there is a ``fault``.
    package var root: JSONNode? { fault == nil ? JSONNode(document: self, index: 0) : nil }

    /// The value at the end of these keys; `nil` if there is none.
    package subscript(path: [String]) -> JSONNode? { path.reduce(root) { $0?.member($1) } }

    func place(of offset: Int) -> Place { Self.place(of: offset, in: bytes) }

    private static func place(of offset: Int, in bytes: [UInt8]) -> Place {
        let before = bytes.prefix(offset)
        let line = before.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).last ?? []
        return Place(
            line: before.count { $0 == UInt8(ascii: "\n") } + 1,
            column: String(decoding: line, as: UTF8.self).count + 1)
    }
}

/// A value, or a key, which comes before its value. Half as large as with `Int`: a list has millions of them.
struct JSONEntry {
    let start: Int32
    fileprivate(set) var stop: Int32
    /// The index of what it is in; -1 for the root.
    let parent: Int32
    /// Its number in there, from 0; a key and its value have two.
    let position: Int32
    /// The index after all that is in it.
    fileprivate(set) var end: Int32

    var range: Range<Int> { Int(start)..<Int(stop) }
}

private struct JSONParser {
    struct Fault: Error {
        let problem: String
        init(_ problem: String) { self.problem = problem }
    }

    let bytes: [UInt8]
    let isMending: Bool
    var entries: [JSONEntry] = []
    var offset = 0

    private static let early = "it ends too early"

    mutating func read() -> Fault? {
        do throws(Fault) {
            guard bytes.count < Int32.max else { throw Fault("it is too long") }
            try value(in: -1, at: 0, depth: 0)
            guard next == nil else { throw Fault("something follows the end") }
            return nil
        } catch {
            return error
        }
    }

    private var next: UInt8? {
        mutating get {
            while offset < bytes.count {
                switch bytes[offset] {
                case 0x20, 0x09, 0x0A, 0x0D: offset += 1
                case let byte: return byte
                }
            }
            return nil
        }
    }

    private mutating func open(in parent: Int, at position: Int32) {
        let (start, end) = (Int32(offset), Int32(entries.count + 1))
        entries.append(
            JSONEntry(start: start, stop: start, parent: Int32(parent), position: position, end: end))
    }

    private mutating func close(_ index: Int) {
        entries[index].stop = Int32(offset)
        entries[index].end = Int32(entries.count)
    }

    private mutating func value(in parent: Int, at position: Int32, depth: Int) throws(Fault) {
        // As deep as the system's decoder goes.
        guard depth < 512 else { throw Fault("it is nested too deeply") }
        let first = next
        let index = entries.count
        open(in: parent, at: position)
        switch first {
        case UInt8(ascii: "{")?, UInt8(ascii: "[")?: try list(index, depth)
        case UInt8(ascii: "\"")?: try text()
        case nil: throw Fault(Self.early)
        default: try word()
        }
        close(index)
    }

    /// What stands between brackets, with commas between its members; one after the last does no harm.
    private mutating func list(_ index: Int, _ depth: Int) throws(Fault) {
        let isObject = bytes[offset] == UInt8(ascii: "{")
        let end = UInt8(ascii: isObject ? "}" : "]")
        var position: Int32 = 0
        offset += 1
        while next != end {
            if isObject {
                try key(in: index, at: position)
                position += 1
            }
            try value(in: index, at: position, depth: depth + 1)
            position += 1
            if next == UInt8(ascii: ",") {
                offset += 1
            } else if next != end {
                throw Fault(next == nil ? Self.early : "a ',' or a '\(UnicodeScalar(end))' is missing")
            }
        }
        offset += 1
    }

    private mutating func key(in parent: Int, at position: Int32) throws(Fault) {
        guard next == UInt8(ascii: "\"") else {
            throw Fault(next == nil ? Self.early : "a key in double quotes is missing")
        }
        let index = entries.count
        open(in: parent, at: position)
        try text()
        close(index)
        guard next == UInt8(ascii: ":") else { throw Fault("a ':' is missing") }
        offset += 1
    }

    private mutating func text() throws(Fault) {
        let start = offset
        var (end, isEscaped) = (start + 1, false)
        defer { offset = min(end, bytes.count) }
        while end < bytes.count, bytes[end] != UInt8(ascii: "\"") {
            guard isMending || bytes[end] >= 0x20 else { throw Fault("a text goes beyond its line") }
            let isEscape = bytes[end] == UInt8(ascii: "\\")
            isEscaped = isEscaped || isEscape
            end += isEscape ? 2 : 1
        }
        guard end < bytes.count else { throw Fault(Self.early) }
        end += 1
        if isEscaped, !isMending, JSONEscapes.text(bytes[(start + 1)..<(end - 1)]).isMended {
            end = start
            throw Fault("a text has an escape that there is not")
        }
    }

    private mutating func word() throws(Fault) {
        let start = offset
        var isNumber = true
        scan: while offset < bytes.count {
            switch bytes[offset] {
            case 0x30...0x39, UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "."), UInt8(ascii: "e"),
                UInt8(ascii: "E"):
                break
            case 0x41...0x5A, 0x61...0x7A: isNumber = false
            default: break scan
            }
            offset += 1
        }
        let word = String(decoding: bytes[start..<offset], as: UTF8.self)
        isNumber = isNumber && !"+.".contains(word.prefix(1)) && Double(word) != nil
        guard !isNumber, !["true", "false", "null"].contains(word) else { return }
        offset = start
        throw Fault("a value is missing, or a text without its double quotes")
    }
}

enum JSONEscapes {
    private static let plain: [UInt8: UInt8] = [
        UInt8(ascii: "\""): 0x22, UInt8(ascii: "\\"): 0x5C, UInt8(ascii: "/"): 0x2F, UInt8(ascii: "b"): 0x08,
        UInt8(ascii: "f"): 0x0C, UInt8(ascii: "n"): 0x0A, UInt8(ascii: "r"): 0x0D, UInt8(ascii: "t"): 0x09,
    ]

    /// The text that is written so, and whether an escape in it is none.
    static func text(_ written: ArraySlice<UInt8>) -> (text: String, isMended: Bool) {
        var (text, isMended, rest) = ([UInt8](), false, written)
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "\\") else {
                text.append(byte)
                continue
            }
            if let escaped = rest.first.flatMap({ plain[$0] }) {
                text.append(escaped)
                rest.removeFirst()
            } else if let unit = unit(rest) {
                rest = rest.dropFirst(5)
                var units = [unit]
                if UTF16.isLeadSurrogate(unit), rest.first == UInt8(ascii: "\\"),
                    let trail = self.unit(rest.dropFirst()), UTF16.isTrailSurrogate(trail)
                {
                    units.append(trail)
                    rest = rest.dropFirst(6)
                }
                isMended = isMended || units.count == 1 && UTF16.isSurrogate(unit)
                text += String(decoding: units, as: UTF16.self).utf8
            } else {
                isMended = true
            }
        }
        return (String(decoding: text, as: UTF8.self), isMended)
    }

    /// The number in `u00E9`; `nil` where there is none.
    private static func unit(_ text: ArraySlice<UInt8>) -> UInt16? {
        let digits = text.dropFirst().prefix(4)
        guard text.first == UInt8(ascii: "u"), digits.count == 4,
            digits.allSatisfy({ UnicodeScalar($0).properties.isASCIIHexDigit })
        else { return nil }
        return UInt16(String(decoding: digits, as: UTF8.self), radix: 16)
    }
}
