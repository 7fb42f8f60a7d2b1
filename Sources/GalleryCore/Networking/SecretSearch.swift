import Foundation

/// Finds a secret in text that comes back, however each of its characters is spelled there: as it is, percent-encoded,
/// escaped as in JSON, or as HTML has it by number or name; in UTF-8, UTF-16, or UTF-32.
struct SecretSearch {
    private let secret: [UInt8]
    private let blank: String

    init(_ secret: Secret, blank: String = Secret.shown) {
        (self.secret, self.blank) = (Array(secret.value.utf8), blank)
    }

    /// `bytes` with the secret blanked; `nil` where it does not occur. In JSON no number is changed, nor a member's
    /// name that may be a service's own, so that it can still be decoded.
    func blanked(in bytes: [UInt8]) -> [UInt8]? {
        let (width, lowest) = Self.unit(of: bytes)
        let places = 0..<width
        // Of a character that is no byte, one that is no text's.
        let text =
            width == 1
            ? bytes
            : stride(from: 0, through: bytes.count - width, by: width).map { start in
                places.allSatisfy { $0 == lowest || bytes[start + $0] == 0 } ? bytes[start + lowest] : 0xFF
            }
        let blank =
            width == 1
            ? Array(blank.utf8)
            : blank.unicodeScalars.flatMap { scalar in
                places.map { UInt8(truncatingIfNeeded: scalar.value >> (8 * abs(lowest - $0))) }
            }
        let isJSON = text.first { $0 < 0x80 && !" \t\r\n".utf8.contains($0) }.map("{[".utf8.contains) == true
        var (result, copied, index, isInString) = ([UInt8](), 0, 0, false)
        while index < text.count {
            if isJSON, text[index] == UInt8(ascii: "\"") {
                isInString.toggle()
                if isInString, isWord, let end = Self.endOfKey(text, from: index + 1) {
                    index = end
                    continue
                }
            } else if !isJSON || isInString || !isNumber, let end = match(text, at: index) {
                result += bytes[(copied * width)..<(index * width)] + blank
                (copied, index) = (end, end)
                continue
            } else if isJSON, text[index] == UInt8(ascii: "\\") {
                index += 1
            }
            index += 1
        }
        return copied == 0 ? nil : result + bytes[(copied * width)...]
    }

    /// Whether it might be a name that a service's replies have.
    private var isWord: Bool {
        secret.count < 16
            && secret.allSatisfy { (0x61...0x7A).contains($0 | 0x20) || $0 == UInt8(ascii: "_") }
    }

    private var isNumber: Bool { secret.allSatisfy { (0x30...0x39).contains($0) } }

    /// Where the secret ends that begins at `index`; `nil` where none does.
    private func match(_ text: [UInt8], at index: Int) -> Int? {
        var (index, rest) = (index, secret[...])
        while let byte = rest.first {
            guard index < text.count else { return nil }
            if let (bytes, end) = Self.spelled(text, at: index).first(where: { rest.starts(with: $0.bytes) })
            {
                (index, rest) = (end, rest.dropFirst(bytes.count))
            } else if text[index] == byte {
                (index, rest) = (index + 1, rest.dropFirst())
            } else {
                return nil
            }
        }
        return index
    }

    // MARK: - Text

    /// The bytes of a character of ASCII, and which of them says it: by a mark of their order, or the first character.
    private static func unit(of bytes: [UInt8]) -> (width: Int, lowest: Int) {
        let head = Array((bytes + [1, 1, 1, 1]).prefix(4))
        return switch (head[0], head[1], head[2], head[3]) {
        case (1..., _, 0, 0): (4, 0)
        case (0, 0, _, _): (4, 3)
        case (1..., 0, _, _), (0xFF, 0xFE, _, _): (2, 0)
        case (0, 1..., _, _), (0xFE, 0xFF, _, _): (2, 1)
        default: (1, 0)
        }
    }

    /// What an escape at `index`, if one is there, may stand for, in UTF-8, and where that ends.
    private static func spelled(_ text: [UInt8], at index: Int) -> [(bytes: [UInt8], end: Int)] {
        func number(_ start: Int, _ radix: Int, _ count: ClosedRange<Int>) -> (value: Int, end: Int)? {
            let digits = text.dropFirst(start).prefix(count.upperBound).prefix {
                (Character(Unicode.Scalar($0)).hexDigitValue ?? radix) < radix
            }
            guard digits.count >= count.lowerBound,
                let value = Int(String(decoding: digits, as: UTF8.self), radix: radix)
            else { return nil }
            return (value, start + digits.count)
        }
        func scalar(_ value: Int, _ end: Int) -> [(bytes: [UInt8], end: Int)] {
            UInt32(exactly: value).flatMap(Unicode.Scalar.init).map { [(Array(String($0).utf8), end)] } ?? []
        }
        let rest = text[(index + 1)...]
        switch text[index] {
        case UInt8(ascii: "\\"):
            if rest.first == UInt8(ascii: "u"), let (value, end) = number(index + 2, 16, 4...4) {
                return scalar(value, end)
            }
            return rest.first.map { [([$0], index + 2)] } ?? []
        case UInt8(ascii: "%"):
            let once = number(index + 1, 16, 2...2)
            // Perhaps escaped twice.
            return [once.flatMap { $0.value == 0x25 ? number($0.end, 16, 2...2) : nil }, once]
                .compactMap { found in found.map { ([UInt8(truncatingIfNeeded: $0.value)], $0.end) } }
        case UInt8(ascii: "&"):
            let names = zip("&<>\"'".utf8, ["amp;", "lt;", "gt;", "quot;", "apos;"])
            if let (byte, name) = names.first(where: { rest.starts(with: $1.utf8) }) {
                return [([byte], index + 1 + name.utf8.count)]
            }
            guard rest.first == UInt8(ascii: "#"),
                let (value, end) = number(index + 2, 10, 1...99)
                    ?? (rest.dropFirst().first.map("xX".utf8.contains) == true
                        ? number(index + 3, 16, 1...99) : nil)
            else { return [] }
            return scalar(value, end < text.count && text[end] == UInt8(ascii: ";") ? end + 1 : end)
        default: return []
        }
    }

    /// Where the string of JSON that begins at `index` ends, if it is the name of an object's member.
    private static func endOfKey(_ text: [UInt8], from index: Int) -> Int? {
        var end = index
        while end < text.count, text[end] != UInt8(ascii: "\"") {
            end += text[end] == UInt8(ascii: "\\") ? 2 : 1
        }
        let next = text.dropFirst(end + 1).first { !" \t\r\n".utf8.contains($0) }
        return next == UInt8(ascii: ":") ? end : nil
    }
}
