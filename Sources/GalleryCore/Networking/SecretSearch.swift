import Foundation

/// Finds a secret in text that comes back, however each of its characters is spelled there: as it is, percent-encoded,
/// escaped as in JSON, or as HTML has it by number or name; in UTF-8, UTF-16, or UTF-32.
struct SecretSearch {
    private let secret: [UInt8]
    private let blank: String

    /// - Parameter blank: What stands in its place.
    init(_ secret: Secret, blank: String = Secret.shown) {
        (self.secret, self.blank) = (Array(secret.value.utf8), blank)
    }

    /// `bytes` with the secret blanked; `nil` where it does not occur.
    ///
    /// In JSON no number is changed, nor the name of a member that may be a service's own, so that whatever could be
    /// decoded before still can be.
    func blanked(in bytes: [UInt8]) -> [UInt8]? {
        let text = SpelledText(bytes)
        var (result, copied, index, isInString) = ([UInt8](), 0, 0, !text.isJSON)
        while index < bytes.count {
            let unit = text.unit(at: index)
            if text.isJSON, unit == UInt8(ascii: "\"") {
                isInString.toggle()
                if isInString, isWord, let end = text.endOfKey(from: index + text.width) {
                    index = end
                    continue
                }
            } else if isInString || !isNumber, let end = match(text, at: index) {
                result += bytes[copied..<index] + text.encoded(blank)
                (copied, index) = (end, end)
                continue
            } else if text.isJSON, unit == UInt8(ascii: "\\") {
                index += text.width
            }
            index += text.width
        }
        return copied == 0 ? nil : result + bytes[copied...]
    }

    /// Whether it might be a name that a service's replies have.
    private var isWord: Bool {
        secret.count < 16
            && secret.allSatisfy { (0x61...0x7A).contains($0 | 0x20) || $0 == UInt8(ascii: "_") }
    }

    private var isNumber: Bool { secret.allSatisfy { (0x30...0x39).contains($0) } }

    /// Where the secret ends that begins at `index`; `nil` where none does.
    private func match(_ text: SpelledText, at index: Int) -> Int? {
        var index = index
        for byte in secret {
            guard let unit = text.unit(at: index) else { return nil }
            if let end = text.spelled(unit, at: index).first(where: { $0.value == byte })?.end {
                index = end
            } else if unit == byte {
                index += text.width
            } else {
                return nil
            }
        }
        return index
    }
}

/// Bytes as units of text, most of which are a character of ASCII.
private struct SpelledText {
    private let bytes: [UInt8]
    /// Bytes in a unit, and which of them the lowest is.
    let width: Int
    private let lowest: Int
    private(set) var isJSON = false

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        // A mark of their order, or what an ASCII character has around it.
        let head = Array((bytes + [1, 1, 1, 1]).prefix(4))
        switch (head[0], head[1], head[2], head[3]) {
        case (1..., _, 0, 0): (width, lowest) = (4, 0)
        case (0, 0, _, _): (width, lowest) = (4, 3)
        case (1..., 0, _, _), (0xFF, 0xFE, _, _): (width, lowest) = (2, 0)
        case (0, 1..., _, _), (0xFE, 0xFF, _, _): (width, lowest) = (2, 1)
        default: (width, lowest) = (1, 0)
        }
        var start = width > 1 && head[0] != 0 && head[0] >= 0xFE ? width : 0
        while let unit = unit(at: start), " \t\r\n".utf8.contains(unit) { start += width }
        isJSON = [UInt8(ascii: "{"), UInt8(ascii: "[")].contains(unit(at: start))
    }

    /// The unit at `index`, if it is a byte's.
    func unit(at index: Int) -> UInt8? {
        guard index + width <= bytes.count else { return nil }
        for place in 0..<width where place != lowest && bytes[index + place] != 0 { return nil }
        return bytes[index + lowest]
    }

    /// What `unit`, which is at `index`, begins to spell, and where that ends.
    func spelled(_ unit: UInt8, at index: Int) -> [(value: Int, end: Int)] {
        let next = index + width
        switch unit {
        case UInt8(ascii: "\\"):
            guard let unit = self.unit(at: next) else { return [] }
            let number = unit == UInt8(ascii: "u") ? number(at: next + width, 16, 4...4) : nil
            return [number ?? (Int(unit), next + width)]
        case UInt8(ascii: "%"):
            let once = number(at: next, 16, 2...2)
            // Perhaps escaped twice.
            let twice = once.flatMap { $0.value == 0x25 ? number(at: $0.end, 16, 2...2) : nil }
            return [twice, once].compactMap(\.self)
        case UInt8(ascii: "&"):
            let named = zip("&<>\"'".utf8, ["amp;", "lt;", "gt;", "quot;", "apos;"]).first { _, name in
                name.utf8.enumerated().allSatisfy { self.unit(at: next + $0 * width) == $1 }
            }
            if let (byte, name) = named { return [(Int(byte), next + name.utf8.count * width)] }
            let digits = next + width
            let isHexadecimal = self.unit(at: digits).map { $0 | 0x20 } == UInt8(ascii: "x")
            guard self.unit(at: next) == UInt8(ascii: "#"),
                let (value, end) = isHexadecimal
                    ? number(at: digits + width, 16, 1...99) : number(at: digits, 10, 1...99)
            else { return [] }
            return [(value, self.unit(at: end) == UInt8(ascii: ";") ? end + width : end)]
        default: return []
        }
    }

    /// The number in so many digits.
    private func number(
        at start: Int, _ radix: Int, _ digits: ClosedRange<Int>
    ) -> (value: Int, end: Int)? {
        var (value, count) = (0, 0)
        while count < digits.upperBound, let unit = unit(at: start + count * width),
            let digit = Character(Unicode.Scalar(unit)).hexDigitValue, digit < radix
        {
            (value, count) = (min(value * radix + digit, 0x11_0000), count + 1)
        }
        return digits.contains(count) ? (value, start + count * width) : nil
    }

    /// Where the string of JSON that begins at `index` ends, if it is the name of an object's member.
    func endOfKey(from index: Int) -> Int? {
        var index = index
        while let unit = unit(at: index), unit != UInt8(ascii: "\"") {
            index += unit == UInt8(ascii: "\\") ? 2 * width : width
        }
        let end = index
        repeat { index += width } while unit(at: index).map(" \t\r\n".utf8.contains) == true
        return unit(at: index) == UInt8(ascii: ":") ? end : nil
    }

    /// Text as the other units have it.
    func encoded(_ text: String) -> [UInt8] {
        guard width > 1 else { return Array(text.utf8) }
        return text.unicodeScalars.flatMap { scalar in
            let bytes = (0..<width).map { UInt8(truncatingIfNeeded: scalar.value >> (8 * $0)) }
            return lowest == 0 ? bytes : bytes.reversed()
        }
    }
}
