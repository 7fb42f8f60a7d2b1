import Foundation

// Services have sent the same value in several forms over the years: a number as `88`, `"88"`,
// or `""`, a flag as `true` or `1`, a list as an object. These types read every form that
// was seen, and reject the rest with the field's path.

/// A whole number in any form; `""` is `nil`.
struct WireInt: Decodable {
    let value: Int?

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let number = try? container.decode(Int.self) {
            value = number
        } else if let number = try? container.decode(Double.self) {
            value = Int(exactly: number.rounded())
        } else {
            value = try container.numberInText("a whole number", Int.init)
        }
    }
}

/// A number in any form; `""` is `nil`.
struct WireDouble: Decodable {
    let value: Double?

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let number = try? container.decode(Double.self) {
            value = number
        } else {
            value = try container.numberInText("a number", Double.init)
        }
    }
}

extension SingleValueDecodingContainer {
    fileprivate func numberInText<Number>(
        _ expected: String, _ read: (String) -> Number?
    ) throws -> Number? {
        let text = try? decode(String.self)
        if text == "" { return nil }
        guard let number = text.flatMap(read) else {
            throw DecodingError.typeMismatch(
                Number.self, .init(codingPath: codingPath, debugDescription: expected))
        }
        return number
    }
}

/// An identifier: a text or a whole number.
struct WireID: Decodable, Hashable {
    let value: String

    /// In bytes: several times the longest that any service has, and short enough for a manifest's line.
    private static let longest = 512

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let text = try? container.decode(String.self), !text.isEmpty, text.utf8.count <= Self.longest {
            value = text
        } else if let number = try? container.decode(Int.self) {
            value = String(number)
        } else {
            throw DecodingError.expected("an identifier", in: decoder)
        }
    }
}

/// A flag: `true`, `1`, `"1"`.
struct WireBool: Decodable {
    let value: Bool

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let flag = try? container.decode(Bool.self) {
            value = flag
        } else if let number = try? WireInt(from: decoder).value {
            value = number != 0
        } else {
            throw DecodingError.expected("true or false", in: decoder)
        }
    }
}

/// A text without markup, empty where the service sends nothing in it.
struct WireText: Decodable {
    let value: String

    init(from decoder: any Decoder) throws {
        value = Markup.plain(try decoder.singleValueContainer().decode(String.self))
    }
}

/// A date and time in ISO 8601 with any offset; any other text is `nil`.
struct WireDate: Decodable {
    let value: Date?

    init(from decoder: any Decoder) throws {
        value = Self.date(try decoder.singleValueContainer().decode(String.self))
    }

    static func date(_ text: String) -> Date? {
        (try? Date(text, strategy: .iso8601))
            ?? (try? Date(text, strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: true)))
    }
}

/// A value that a photo can do without: one that cannot be read is as good as one that is missing.
@propertyWrapper
struct IfReadable<Value: Decodable>: Decodable {
    var wrappedValue: Value?

    init(wrappedValue: Value?) {
        self.wrappedValue = wrappedValue
    }

    init(from decoder: any Decoder) throws { wrappedValue = try? Value(from: decoder) }
}

extension IfReadable: Sendable where Value: Sendable {}

extension KeyedDecodingContainer {
    /// What the compiler's own decoding calls for a property that is ``IfReadable``.
    func decode<Value>(_ type: IfReadable<Value>.Type, forKey key: Key) throws -> IfReadable<Value> {
        IfReadable(wrappedValue: try? decodeIfPresent(Value.self, forKey: key))
    }
}

/// Elements of a list, or the values of an object (as in 500px's batch answer). An element that cannot be read
/// leaves its place empty.
struct WireList<Element: Decodable>: Decodable {
    /// Each element in its place, or why it cannot be read.
    let rows: [Result<Element, DecodingError>]

    /// The elements that could be read.
    var elements: [Element] { rows.compactMap { try? $0.get() } }

    init(from decoder: any Decoder) throws {
        if let list = try? decoder.unkeyedContainer() {
            var list = list
            var rows: [Result<Element, DecodingError>] = []
            while !list.isAtEnd { rows.append(try list.decode(WireElement<Element>.self).content) }
            self.rows = rows
        } else if let object = try? decoder.container(keyedBy: AnyKey.self) {
            rows = try object.allKeys.map {
                try object.decode(WireElement<Element>.self, forKey: $0).content
            }
        } else {
            throw DecodingError.expected("a list", in: decoder)
        }
    }
}

/// An element of a list. Reading it never fails, so that the list goes on behind one that is broken.
private struct WireElement<Element: Decodable>: Decodable {
    let content: Result<Element, DecodingError>

    init(from decoder: any Decoder) throws {
        do {
            content = .success(try Element(from: decoder))
        } catch let error as DecodingError {
            content = .failure(error)
        }
    }
}

/// Any key of an object.
struct AnyKey: CodingKey {
    let stringValue: String
    let intValue: Int?

    init(stringValue: String) {
        self.stringValue = stringValue
        self.intValue = nil
    }

    init?(intValue: Int) { nil }
}

extension DecodingError {
    /// Names what belongs at the decoder's position; ``Reply`` adds what was sent instead.
    static func expected(_ what: String, in decoder: any Decoder) -> DecodingError {
        .typeMismatch(Any.self, Context(codingPath: decoder.codingPath, debugDescription: what))
    }
}

/// A text as sent, with its markup, or a number in its place.
struct WireScalar: Decodable {
    let text: String

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let text = try? container.decode(String.self) {
            self.text = text
        } else if let number = try? container.decode(Int.self) {
            text = String(number)
        } else if let number = try? container.decode(Double.self) {
            text = String(number)
        } else {
            throw DecodingError.expected("a text", in: decoder)
        }
    }
}

extension WireDate {
    /// A date and time as cameras store it, `2015-09-12 13:51:49` or the day alone, read as if in UTC
    /// because it has no time zone; `nil` if invalid, such as `0000-00-00`.
    static func withoutZone(_ text: String) -> Date? {
        let parts = text.split(maxSplits: 1, whereSeparator: { $0 == " " || $0 == "T" }).map { String($0) }
        guard let day = parts.first.flatMap({ CalendarDay($0) }) else { return nil }
        let time = parts.count > 1 ? parts[1] : "00:00:00"
        // Foundation would count an hour 99 into the days after.
        guard time.wholeMatch(of: /([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]/) != nil else { return nil }
        return date("\(day)T\(time)Z")
    }
}

extension WireText {
    /// The text, or `nil` if it is empty: services send `""` for unknown values.
    var filled: String? { value.isEmpty ? nil : value }
}
