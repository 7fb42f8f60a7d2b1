import Foundation

/// Bytes as `%` and two hexadecimal digits, as RFC 3986 has them in addresses.
package enum PercentEncoding {
    /// `text` with all encoded but RFC 3986's unreserved characters, those of `kept`, and, if `keepsEscapes`, a percent
    /// sign before two hexadecimal digits. By hand: `URLComponents` leaves `+` alone, which servers read as a space.
    package static func encoded(
        _ text: some StringProtocol, keeping kept: StaticString = "", keepsEscapes: Bool = false
    ) -> String {
        guard !consists(text, of: kept) else { return String(text) }
        var encoded: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            let isEscape = keepsEscapes && byte == percent && value(of: rest.prefix(2)) != nil
            if isEscape || stays(byte, kept) {
                encoded.append(byte)
            } else {
                encoded += [percent, digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: encoded, as: UTF8.self)
    }

    /// Whether all of `text` is of RFC 3986's unreserved characters and those of `kept`.
    static func consists(_ text: some StringProtocol, of kept: StaticString) -> Bool {
        text.utf8.allSatisfy { stays($0, kept) }
    }

    private static func stays(_ byte: UInt8, _ kept: StaticString) -> Bool {
        isUnreserved(byte)
            || UnsafeBufferPointer(start: kept.utf8Start, count: kept.utf8CodeUnitCount).contains(byte)
    }

    /// `bytes` with every escape decoded; a percent sign without two hexadecimal digits stays.
    package static func decoded(_ bytes: Data) -> Data {
        guard bytes.contains(percent) else { return bytes }
        var decoded = Data()
        var rest = bytes[...]
        while let byte = rest.popFirst() {
            if byte == percent, let value = value(of: rest.prefix(2)) {
                decoded.append(value)
                rest = rest.dropFirst(2)
            } else {
                decoded.append(byte)
            }
        }
        return decoded
    }

    private static let percent = UInt8(ascii: "%")
    private static let digits = Array("0123456789ABCDEF".utf8)

    /// What two hexadecimal digits stand for; `nil` for anything else.
    private static func value(of escape: some Collection<UInt8>) -> UInt8? {
        // Not by `UInt8` alone, which takes `+7` too.
        guard escape.count == 2, escape.allSatisfy({ UnicodeScalar($0).properties.isASCIIHexDigit }) else {
            return nil
        }
        return UInt8(String(decoding: escape, as: UTF8.self), radix: 16)
    }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"):
            true
        default: false
        }
    }
}
