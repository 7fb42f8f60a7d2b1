import Foundation

// Services spell one thing in several ways over the years: a number as `88`, `"88"`
// or `""`, a flag as `true` or `1`, a list as an object. These types read every
// spelling that was seen and refuse the rest with the field's path.

/// A whole number, however spelled; `""` is `nil`.
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

/// A number, however spelled; `""` is `nil`.
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

/// An identifier: a text, or a whole number made one.
struct WireID: Decodable, Hashable {
    let value: String

    /// Bytes: several times the longest that any service has. A record's line must hold one.
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

/// A moment, ISO 8601 with any offset; a text that is no moment is `nil`.
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

/// Elements in a list, or as the values of an object (500px's batch answer).
struct WireList<Element: Decodable>: Decodable {
    let elements: [Element]

    init(from decoder: any Decoder) throws {
        if let list = try? decoder.unkeyedContainer() {
            var list = list
            var elements: [Element] = []
            while !list.isAtEnd { elements.append(try list.decode(Element.self)) }
            self.elements = elements
        } else if let object = try? decoder.container(keyedBy: AnyKey.self) {
            elements = try object.allKeys.map { try object.decode(Element.self, forKey: $0) }
        } else {
            throw DecodingError.expected("a list", in: decoder)
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
    /// What belongs where `decoder` stands; ``Reply`` adds what was sent instead.
    static func expected(_ what: String, in decoder: any Decoder) -> DecodingError {
        .typeMismatch(Any.self, Context(codingPath: decoder.codingPath, debugDescription: what))
    }
}

/// A text as sent, markup and all, also where a number stands in its place.
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
    /// A moment as cameras keep it, `2015-09-12 13:51:49` or the day alone, read as if in UTC
    /// because no zone is said; `nil` for what is none, such as `0000-00-00`.
    static func withoutZone(_ text: String) -> Date? {
        let parts = text.split(maxSplits: 1, whereSeparator: { $0 == " " || $0 == "T" }).map { String($0) }
        guard let day = parts.first.flatMap({ CalendarDay($0) }) else { return nil }
        let time = parts.count > 1 ? parts[1] : "00:00:00"
        // Foundation would count an hour 99 into the days after.
        guard time.wholeMatch(of: /([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]/) != nil else { return nil }
        return date("\(day)T\(time)Z")
    }
}
