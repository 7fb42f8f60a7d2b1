import Foundation

// Services have sent the same value in several forms over the years: a number as `88`, `"88"`,
// or `""`, a flag as `true` or `1`, a list as an object. These types read every form that
// was seen, and reject the rest with the field's path.

/// An object as it is on the wire, read while it is being decoded.
///
/// What a photo can do without is `nil` where it cannot be read, as where it is missing.
struct WireObject: Decodable {
    private let fields: KeyedDecodingContainer<AnyKey>

    init(from decoder: any Decoder) throws { fields = try decoder.container(keyedBy: AnyKey.self) }

    /// Whether there is such a field, and it is not `null`.
    func has(_ key: String) -> Bool {
        let key = AnyKey(stringValue: key)
        return fields.contains(key) && (try? fields.decodeNil(forKey: key)) != true
    }

    subscript<Value: Decodable>(key: String) -> Value? {
        // What is missing makes no error, which would cost more than reading it.
        try? fields.decodeIfPresent(Value.self, forKey: AnyKey(stringValue: key))
    }

    /// A text as it is.
    func string(_ key: String) -> String? { self[key] }

    /// A text without markup; `nil` if it is empty: services send `""` for unknown values.
    func text(_ key: String) -> String? { (self[key] as WireText?)?.filled }

    /// A text as it is, or a number in its place.
    func scalar(_ key: String) -> String? { (self[key] as WireScalar?)?.text }

    func int(_ key: String) -> Int? { (self[key] as WireInt?)?.value }

    func double(_ key: String) -> Double? { (self[key] as WireDouble?)?.value }

    /// A date and time in ISO 8601.
    func date(_ key: String) -> Date? { (self[key] as WireDate?)?.value }

    /// Seconds since 1970, up to the year 9999.
    func seconds(_ key: String) -> Date? {
        int(key).flatMap { seconds in
            (0..<253_402_300_800).contains(seconds) ? Date(timeIntervalSince1970: TimeInterval(seconds)) : nil
        }
    }

    /// An address on the web.
    func url(_ key: String) -> URL? { string(key).flatMap { WebAddress.url($0) } }

    /// Width and height in pixels.
    func size(_ width: String = "width", _ height: String = "height") -> PixelSize? {
        PixelSize(width: int(width), height: int(height))
    }

    func object(_ key: String) -> WireObject? { self[key] }

    /// The elements of a list that can be read; none where there is no list.
    func elements<Element: Decodable>(_ key: String, as type: Element.Type = Element.self) -> [Element] {
        (self[key] as WireList<Element>?)?.elements ?? []
    }

    // MARK: - What cannot be done without

    func required<Value: Decodable>(_ key: String, as type: Value.Type = Value.self) throws -> Value {
        try fields.decode(Value.self, forKey: AnyKey(stringValue: key))
    }

    /// The error where there is no such field.
    func lacks(_ key: String) -> DecodingError {
        .keyNotFound(AnyKey(stringValue: key), .init(codingPath: fields.codingPath, debugDescription: ""))
    }

    func id(_ key: String) throws -> String { try required(key, as: WireID.self).value }

    /// A number that is never guessed: `nil` only where it is missing or `null`.
    func certainInt(_ key: String) throws -> Int? {
        try fields.decodeIfPresent(WireInt.self, forKey: AnyKey(stringValue: key))?.value
    }

    /// A flag that is never guessed: `nil` only where it is missing or `null`.
    func certainFlag(_ key: String) throws -> Bool? {
        try fields.decodeIfPresent(WireBool.self, forKey: AnyKey(stringValue: key))?.value
    }

    /// The keys of an object whose values are unused. PHP writes one without members as `[]`.
    func keys(of key: String) throws -> [String] {
        if let list: [WireID] = self[key], list.isEmpty { return [] }
        return try required(key, as: WireObject.self).fields.allKeys.map(\.stringValue)
    }

    /// Each object of a list as `read` reads it, in its place, or why it cannot be read.
    func rows<Row>(
        _ key: String, _ read: (WireObject) throws -> Row
    ) throws -> [Result<Row, DecodingError>] {
        try required(key, as: WireList<WireObject>.self).rows(read)
    }
}

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

    /// The text, or `nil` if it is empty.
    var filled: String? { value.isEmpty ? nil : value }

    init(from decoder: any Decoder) throws {
        value = Markup.plain(try decoder.singleValueContainer().decode(String.self))
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

/// Elements of a list, or the values of an object (as in 500px's batch answer). An element that cannot be read
/// leaves its place empty.
struct WireList<Element: Decodable>: Decodable {
    /// Each element in its place, or why it cannot be read.
    let rows: [Result<Element, DecodingError>]
    /// Whether it is a list: the values of an object are in no particular order.
    let isOrdered: Bool

    /// The elements that could be read.
    var elements: [Element] { rows.compactMap { try? $0.get() } }

    init(from decoder: any Decoder) throws {
        if let list = try? decoder.unkeyedContainer() {
            var list = list
            var rows: [Result<Element, DecodingError>] = []
            while !list.isAtEnd { rows.append(try list.decode(WireElement<Element>.self).content) }
            self.rows = rows
            isOrdered = true
        } else if let object = try? decoder.container(keyedBy: AnyKey.self) {
            rows = try object.allKeys.map {
                try object.decode(WireElement<Element>.self, forKey: $0).content
            }
            isOrdered = false
        } else {
            throw DecodingError.expected("a list", in: decoder)
        }
    }

    /// Each element as `read` reads it, in its place, or why it cannot be read.
    func rows<Row>(_ read: (Element) throws -> Row) throws -> [Result<Row, DecodingError>] {
        try rows.map { row in
            do { return .success(try read(row.get())) } catch let error as DecodingError {
                return .failure(error)
            }
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
