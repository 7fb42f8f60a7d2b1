import Foundation

/// Finds a secret in text that comes back, however each of its characters is spelled there: as it is, percent-encoded,
/// escaped as in JSON, or as HTML has it by number or name; in UTF-8, UTF-16, or UTF-32.
struct SecretSearch {
    private let secret: [UInt8]
    /// In UTF-8.
    private let blank: [UInt8]

    /// - Parameter blank: What stands in its place.
    init(_ secret: Secret, blank: String = Secret.shown) {
        (self.secret, self.blank) = (Array(secret.value.utf8), Array(blank.utf8))
    }

    /// `bytes` with the secret blanked; `nil` where it does not occur.
    ///
    /// In JSON only strings are examined, so that whatever could be decoded before still can be.
    func blanked(in bytes: [UInt8]) -> [UInt8]? {
        bytes.withUnsafeBufferPointer { buffer in
            let text = Text(bytes: buffer)
            var (result, copied, index) = ([UInt8](), 0, 0)
            var isInString = false
            while index < buffer.count {
                let unit = text.unit(at: index)
                if text.isJSON {
                    if unit == UInt8(ascii: "\"") { isInString.toggle() }
                    guard isInString else {
                        index += text.width
                        continue
                    }
                }
                if let end = match(text, at: index), !isWordOfFormat || !text.isKey(from: end) {
                    result += buffer[copied..<index] + text.encoded(blank)
                    (copied, index) = (end, end)
                } else {
                    index += text.isJSON && unit == UInt8(ascii: "\\") ? 2 * text.width : text.width
                }
            }
            return copied == 0 ? nil : result + buffer[min(copied, buffer.count)...]
        }
    }

    /// Whether it might be a name that a service's replies have.
    private var isWordOfFormat: Bool {
        secret.count < 16
            && secret.allSatisfy { (0x61...0x7A).contains($0 | 0x20) || $0 == UInt8(ascii: "_") }
    }

    /// Where the secret ends that begins at `index`; `nil` where none does.
    private func match(_ text: Text, at index: Int) -> Int? {
        var index = index
        for byte in secret {
            guard let end = text.end(of: byte, at: index) else { return nil }
            index = end
        }
        return index
    }

    /// Bytes as units of text.
    private struct Text {
        let bytes: UnsafeBufferPointer<UInt8>
        /// Bytes in a unit, and which of them the lowest is.
        let width: Int
        private let lowest: Int
        private(set) var isJSON = false

        init(bytes: UnsafeBufferPointer<UInt8>) {
            self.bytes = bytes
            // A mark of their order, or what an ASCII character has around it.
            let head = Array(bytes.prefix(4))
            let isZero = head.map { $0 == 0 } + [Bool](repeating: false, count: 4 - head.count)
            let isMarked = [[0xFF, 0xFE], [0xFE, 0xFF]].contains(head.prefix(2))
            if isZero[3], isZero[2], !isZero[0] {
                (width, lowest) = (4, 0)
            } else if isZero[0], isZero[1] {
                (width, lowest) = (4, 3)
            } else if isZero[0] || isZero[1] || isMarked {
                (width, lowest) = (2, isZero[0] || head.first == 0xFE ? 1 : 0)
            } else {
                (width, lowest) = (1, 0)
            }
            var start = 0
            while let unit = unit(at: start), " \t\r\n".utf8.contains(unit) { start += width }
            let first = unit(at: start)
            isJSON = first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
        }

        /// The unit at `index`, if it is a byte's.
        func unit(at index: Int) -> UInt8? {
            guard index + width <= bytes.count else { return nil }
            guard width > 1 else { return bytes[index] }
            for place in 0..<width where place != lowest && bytes[index + place] != 0 { return nil }
            return bytes[index + lowest]
        }

        /// Where the spelling of `byte` ends that begins at `index`; `nil` where there is none.
        func end(of byte: UInt8, at index: Int) -> Int? {
            guard let unit = unit(at: index) else { return nil }
            let next = index + width
            switch unit {
            case UInt8(ascii: "\\"):
                if self.unit(at: next) == UInt8(ascii: "u"),
                    let (value, end) = number(at: next + width, 16, 4), value == byte,
                    end == next + 5 * width
                {
                    return end
                }
                if self.unit(at: next) == byte { return next + width }
            case UInt8(ascii: "%"):
                // Perhaps escaped twice.
                let isTwice = [0, width].map { self.unit(at: next + $0) } == Array("25".utf8)
                for start in isTwice ? [next + 2 * width, next] : [next] {
                    if let (value, end) = number(at: start, 16, 2), value == byte, end == start + 2 * width {
                        return end
                    }
                }
            case UInt8(ascii: "&"):
                if let end = reference(to: byte, at: next) { return end }
            default: break
            }
            return unit == byte ? next : nil
        }

        /// The number in so many digits at most.
        private func number(at start: Int, _ radix: Int, _ most: Int) -> (value: Int, end: Int)? {
            var (value, index) = (0, start)
            while index < start + most * width, let unit = unit(at: index),
                let digit = Character(Unicode.Scalar(unit)).hexDigitValue, digit < radix
            {
                (value, index) = (value * radix + digit, index + width)
            }
            return index > start ? (value, index) : nil
        }

        /// `#65;`, `#x41;`, or `amp;`.
        private func reference(to byte: UInt8, at start: Int) -> Int? {
            func closed(_ end: Int) -> Int { unit(at: end) == UInt8(ascii: ";") ? end + width : end }
            if unit(at: start) == UInt8(ascii: "#") {
                let isHexadecimal = unit(at: start + width).map { $0 | 0x20 } == UInt8(ascii: "x")
                let digits = start + (isHexadecimal ? 2 : 1) * width
                guard let (value, end) = number(at: digits, isHexadecimal ? 16 : 10, 9), value == byte else {
                    return nil
                }
                return closed(end)
            }
            let name: String? =
                switch byte {
                case UInt8(ascii: "&"): "amp"
                case UInt8(ascii: "<"): "lt"
                case UInt8(ascii: ">"): "gt"
                case UInt8(ascii: "\""): "quot"
                case UInt8(ascii: "'"): "apos"
                default: nil
                }
            guard let name, name.utf8.enumerated().allSatisfy({ unit(at: start + $0 * width) == $1 }) else {
                return nil
            }
            return closed(start + name.utf8.count * width)
        }

        /// Whether the string of JSON that goes on at `index` is the name of an object's member.
        func isKey(from index: Int) -> Bool {
            guard isJSON else { return false }
            var index = index
            while let unit = unit(at: index), unit != UInt8(ascii: "\"") {
                index += unit == UInt8(ascii: "\\") ? 2 * width : width
            }
            repeat { index += width } while unit(at: index).map(" \t\r\n".utf8.contains) == true
            return unit(at: index) == UInt8(ascii: ":")
        }

        /// Text in UTF-8 as the other units have it.
        func encoded(_ text: [UInt8]) -> [UInt8] {
            guard width > 1 else { return text }
            return String(decoding: text, as: UTF8.self).unicodeScalars.flatMap { scalar in
                let bytes = (0..<width).map { UInt8(truncatingIfNeeded: scalar.value >> (8 * $0)) }
                return lowest == 0 ? bytes : bytes.reversed()
            }
        }
    }
}
