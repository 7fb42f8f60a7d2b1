import Foundation

/// JSON with its keys in order, and with every character escaped that ``PlainText/isHidden(_:)``: `JSONEncoder` orders
/// keys randomly or alphabetically, and leaves C1 and bidirectional controls, which a terminal would execute.
package enum JSONValue: Hashable, Sendable {
    case null
    case bool(Bool)
    case int(Int)
    /// A number; infinity and NaN are written as `null`.
    case double(Double)
    case string(String)
    case array([JSONValue])
    /// An object, with its members in order.
    case object([Member])

    package struct Member: Hashable, Sendable {
        package let key: String
        package let value: JSONValue

        package init(key: String, value: JSONValue) { (self.key, self.value) = (key, value) }
    }

    /// An object with the members of a literal that have a value, in order.
    package static func members(_ members: KeyValuePairs<String, JSONValue?>) -> JSONValue {
        .object(members.compactMap { member in member.value.map { Member(key: member.key, value: $0) } })
    }

    package static func optional(_ text: String?) -> JSONValue { text.map(JSONValue.string) ?? .null }
    package static func optional(_ number: Int?) -> JSONValue { number.map(JSONValue.int) ?? .null }
    package static func optional(_ number: Double?) -> JSONValue { number.map(JSONValue.double) ?? .null }

    /// The JSON text, on one line.
    package var text: String {
        // As bytes: a `String` takes three times as long to append to.
        var text: [UInt8] = []
        text.reserveCapacity(1024)
        write(to: &text)
        return String(decoding: text, as: UTF8.self)
    }

    private func write(to text: inout [UInt8]) {
        switch self {
        case .null: text += "null".utf8
        case .bool(let value): text += (value ? "true" : "false").utf8
        case .int(let value): text += String(value).utf8
        case .double(let value): text += (value.isFinite ? Self.number(value) : "null").utf8
        case .string(let value): Self.write(value, to: &text)
        case .array(let values):
            text.append(UInt8(ascii: "["))
            for (offset, value) in values.enumerated() {
                if offset > 0 { text.append(UInt8(ascii: ",")) }
                value.write(to: &text)
            }
            text.append(UInt8(ascii: "]"))
        case .object(let members):
            text.append(UInt8(ascii: "{"))
            for (offset, member) in members.enumerated() {
                if offset > 0 { text.append(UInt8(ascii: ",")) }
                Self.write(member.key, to: &text)
                text.append(UInt8(ascii: ":"))
                member.value.write(to: &text)
            }
            text.append(UInt8(ascii: "}"))
        }
    }

    private static func number(_ value: Double) -> String {
        value == value.rounded() && abs(value) < 1e15 ? String(Int(value)) : String(value)
    }

    /// Whether the byte stands for itself in a string: ASCII that is neither escaped nor a control.
    private static func isPlain(_ byte: UInt8) -> Bool {
        (0x20..<0x7F).contains(byte) && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
    }

    private static func write(_ string: String, to text: inout [UInt8]) {
        text.append(UInt8(ascii: "\""))
        defer { text.append(UInt8(ascii: "\"")) }
        var string = string
        let isWritten = string.withUTF8 { bytes in
            guard bytes.allSatisfy(isPlain) else { return false }
            text += bytes
            return true
        }
        guard !isWritten else { return }
        for scalar in string.unicodeScalars {
            switch scalar {
            case "\"": text += "\\\"".utf8
            case "\\": text += "\\\\".utf8
            case "\n": text += "\\n".utf8
            case "\t": text += "\\t".utf8
            case "\r": text += "\\r".utf8
            case _ where scalar.isASCII && scalar.value >= 0x20 && scalar.value < 0x7F:
                text.append(UInt8(scalar.value))
            case _ where PlainText.isHidden(scalar):
                for unit in UTF16.encode(scalar).map(Array.init) ?? [] {
                    let digits = String(unit, radix: 16)
                    text += ("\\u" + String(repeating: "0", count: 4 - digits.count) + digits).utf8
                }
            default: text += UTF8.encode(scalar).map(Array.init) ?? []
            }
        }
    }
}
