import Foundation

/// Damages text the way wires, proxies and enemies do; the same damage for the same seed.
public struct Mutation {
    private var chance: SeededGenerator

    /// The damage of `seed`.
    public init(seed: UInt64) {
        chance = SeededGenerator(seed: seed)
    }

    /// One to three damages, in place.
    public mutating func damage(_ bytes: inout [UInt8]) {
        for _ in 0..<number(1...3) where !bytes.isEmpty {
            let place = number(0...bytes.count - 1)
            switch number(0...9) {
            case 0: bytes[place] ^= 1 << UInt8(number(0...7))
            case 1: bytes[place] = UInt8(number(0...255))
            case 2: bytes.insert(UInt8(number(0...255)), at: place)
            case 3: bytes.removeSubrange(span(from: place, in: bytes))
            case 4: bytes.insert(contentsOf: Array(bytes[span(from: place, in: bytes)]), at: place)
            case 5: bytes.removeSubrange(place...)
            case 6: moveSpan(to: place, in: &bytes)
            case 7: bytes.insert(contentsOf: nesting(), at: place)
            case 8: bytes.replaceSubrange(span(from: place, in: bytes), with: token().utf8)
            default: bytes.insert(contentsOf: splice(), at: place)
            }
        }
    }

    private mutating func number(_ range: ClosedRange<Int>) -> Int { .random(in: range, using: &chance) }

    /// A few bytes mostly, now and then many.
    private mutating func span(from place: Int, in bytes: [UInt8]) -> Range<Int> {
        let longest = number(0...9) == 0 ? 400 : 12
        return place..<min(bytes.count, place + number(1...longest))
    }

    private mutating func moveSpan(to place: Int, in bytes: inout [UInt8]) {
        let taken = span(from: number(0...bytes.count - 1), in: bytes)
        let moved = Array(bytes[taken])
        bytes.insert(contentsOf: moved, at: place)
    }

    /// Around 512 levels Foundation's decoder gives up.
    private mutating func nesting() -> [UInt8] {
        let depth = [2, 30, 505, 513, 3000][number(0...4)]
        let opening = [#"["#, #"{"a":"#, #"[{"a":"#][number(0...2)]
        return Array(String(repeating: opening, count: depth).utf8)
    }

    /// Something that JSON knows.
    private mutating func token() -> String {
        let tokens = [
            "{", "}", "[", "]", "\"", ":", ",", "\\", "null", "true", "-1", "0", "1e999",
            "-9223372036854775809",
            "18446744073709551616", "0.1", "\"\"", "[]", "{}", "\"\\u0000\"", "\"\\ud800\"", "\"2012-02-31\"",
        ]
        return tokens[number(0...tokens.count - 1)]
    }

    /// Something that text knows: digits, quotes, NUL, markup, directions, and bytes that are no UTF-8.
    private mutating func splice() -> [UInt8] {
        let splices: [[UInt8]] = [
            Array(String(repeating: "9", count: number(1...40)).utf8), Array(token().utf8), [0],
            [0xFF, 0xFE],
            [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xE2, 0x80, 0xAE], [0xE2, 0x80],
            [0x1B, 0x5B, 0x32, 0x4A], [0xEF, 0xBB, 0xBF], [13, 10], Array("&#x110000;&amp".utf8),
            Array("<a href='".utf8), Array("\\u202e\\u001b".utf8), Array("https://[::1".utf8),
            Array("%2F..%00".utf8),
        ]
        return splices[number(0...splices.count - 1)]
    }
}
