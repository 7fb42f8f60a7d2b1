import Foundation

// Services have sent the same value in several forms over the years: a number as `88`, `"88"`,
// or `""`, a flag as `true` or `1`, a list as an object. These types read every form that
// was seen, and reject the rest with the field's path.

/// An object as it is on the wire, read while it is being decoded.
///
/// What a photo can do without is `nil` where it cannot be read, as where it is missing.
struct WireObject: Decodable {
    private let fields: KeyedDecodingContainer<AnyKey>

    init(from decoder: any Decoder) throws {
        do { fields = try decoder.container(keyedBy: AnyKey.self) } catch {
            throw WireError(decoder, expected: "an object")
        }
    }

    /// Whether there is such a field, and it is not `null`.
    func has(_ key: String) -> Bool {
        let key = AnyKey(stringValue: key)
        return fields.contains(key) && (try? fields.decodeNil(forKey: key)) != true
    }

    subscript<Value: Decodable>(key: String) -> Value? {
        // What is missing makes no error, which would cost more than reading it.
        try? fields.decodeIfPresent(Value.self, forKey: AnyKey(stringValue: key))
    }

    func string(_ key: String) -> String? { self[key] }

    /// A text without markup; `nil` if it is empty: services send `""` for unknown values.
    func text(_ key: String) -> String? {
        string(key).map(Markup.plain).flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The texts of a list, without markup; none where there is no list.
    func texts(_ key: String) -> [String] { elements(key, as: String.self).map(Markup.plain) }

    /// A text as it is, or a number in its place.
    func scalar(_ key: String) -> String? { (self[key] as WireScalar?)?.text }

    func int(_ key: String) -> Int? { (self[key] as WireScalar?)?.int }

    func double(_ key: String) -> Double? { (self[key] as WireScalar?)?.double }

    func flag(_ key: String) -> Bool? { (self[key] as WireScalar?)?.flag }

    /// A date and time in ISO 8601 with any offset.
    func date(_ key: String) -> Date? { string(key).flatMap { WireDate.date($0) } }

    /// Seconds since 1970, up to the year 9999.
    func seconds(_ key: String) -> Date? {
        int(key).flatMap { seconds in
            (0..<253_402_300_800).contains(seconds) ? Date(timeIntervalSince1970: TimeInterval(seconds)) : nil
        }
    }

    func url(_ key: String) -> URL? { string(key).flatMap { WebAddress.url($0) } }

    /// Width and height in pixels.
    func size(_ width: String = "width", _ height: String = "height") -> PixelSize? {
        PixelSize(width: int(width), height: int(height))
    }

    var bytes: Int64? { int("size").map { Int64($0) } }

    func object(_ key: String) -> WireObject? { self[key] }

    /// The elements of a list that can be read; none where there is no list.
    func elements<Element: Decodable>(_ key: String, as type: Element.Type = Element.self) -> [Element] {
        (self[key] as WireList<Element>?)?.elements ?? []
    }

    // MARK: - What cannot be done without

    func required<Value: Decodable>(_ key: String, as type: Value.Type = Value.self) throws -> Value {
        let name = AnyKey(stringValue: key)
        guard fields.contains(name) else { throw lacks(key) }
        return try fields.decode(Value.self, forKey: name)
    }

    func lacks(_ key: String) -> WireError {
        WireError(
            field: WireError.path(fields.codingPath + [AnyKey(stringValue: key)]), sent: nil, expected: nil)
    }

    func id(_ key: String) throws -> String { try certain(key, "an identifier", \.id) }

    /// A number that is never guessed: `nil` only where it is missing, `null`, or `""`.
    func certainInt(_ key: String) throws -> Int? {
        guard has(key), scalar(key) != "" else { return nil }
        return try certain(key, "a whole number", \.int)
    }

    /// A flag that is never guessed: `nil` only where it is missing or `null`.
    func certainFlag(_ key: String) throws -> Bool? {
        has(key) ? try certain(key, "true or false", \.flag) : nil
    }

    private func certain<Value>(
        _ key: String, _ expected: String, _ read: (WireScalar) -> Value?
    ) throws -> Value {
        let name = AnyKey(stringValue: key)
        guard fields.contains(name) else { throw lacks(key) }
        guard let value = (self[key] as WireScalar?).flatMap(read) else {
            throw WireError(try fields.superDecoder(forKey: name), expected: expected)
        }
        return value
    }

    /// The keys of an object whose values are unused. PHP writes one without members as `[]`.
    func keys(of key: String) throws -> [String] {
        if let list: [WireScalar] = self[key], list.isEmpty { return [] }
        return try required(key, as: WireObject.self).fields.allKeys.map(\.stringValue)
    }

    /// Each object of a list as `read` reads it, in its place, or why it cannot be read.
    func rows<Row>(_ key: String, _ read: (WireObject) throws -> Row) throws -> [Result<Row, WireError>] {
        try required(key, as: WireList<WireObject>.self).rows(read)
    }
}

/// A text, a number, or a flag, in whatever form it was sent.
struct WireScalar: Decodable {
    private enum Form {
        case text(String)
        case whole(Int)
        case number(Double)
        case flag(Bool)
    }

    private let form: Form

    /// In bytes: several times the longest that any service has, and short enough for a manifest's line.
    private static let longestID = 512

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let text = try? container.decode(String.self) {
            form = .text(text)
        } else if let number = try? container.decode(Int.self) {
            form = .whole(number)
        } else if let number = try? container.decode(Double.self) {
            form = .number(number)
        } else if let flag = try? container.decode(Bool.self) {
            form = .flag(flag)
        } else {
            throw WireError(decoder, expected: "a text")
        }
    }

    /// A text as sent, with its markup, or a number in its place.
    var text: String? {
        switch form {
        case .text(let text): text
        case .whole(let number): String(number)
        case .number(let number): String(number)
        case .flag: nil
        }
    }

    var int: Int? {
        switch form {
        case .text(let text): Int(text, within: Int.outside)
        case .whole(let number): number.clamped(to: Int.outside)
        case .number(let number): Int(exactly: number.rounded())?.clamped(to: Int.outside)
        case .flag: nil
        }
    }

    /// The text of a number is that number again.
    var double: Double? { text.flatMap { Double($0) } }

    /// `true`, `1`, `"1"`.
    var flag: Bool? { if case .flag(let flag) = form { flag } else { int.map { $0 != 0 } } }

    /// A text or a whole number.
    var id: String? {
        switch form {
        case .text(let text): text.isEmpty || text.utf8.count > Self.longestID ? nil : text
        case .whole(let number): String(number)
        case .number, .flag: nil
        }
    }
}

/// Dates and times as services write them.
enum WireDate {
    /// The time of a date and time in ISO 8601 with any offset; `nil` for any other text.
    static func date(_ text: String) -> Date? {
        ISO8601.date(text)
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
    let rows: [Result<Element, WireError>]
    /// Whether it is a list: the values of an object are in no particular order.
    let isOrdered: Bool

    var elements: [Element] { rows.compactMap { try? $0.get() } }

    init(from decoder: any Decoder) throws {
        if var list = try? decoder.unkeyedContainer() {
            var rows: [Result<Element, WireError>] = []
            while !list.isAtEnd { rows.append(try list.decode(WireElement<Element>.self).content) }
            self.rows = rows
            isOrdered = true
        } else if let object = try? decoder.container(keyedBy: AnyKey.self) {
            rows = try object.allKeys.map { try object.decode(WireElement<Element>.self, forKey: $0).content }
            isOrdered = false
        } else {
            throw WireError(decoder, expected: "a list")
        }
    }

    /// Each element as `read` reads it, in its place, or why it cannot be read.
    func rows<Row>(_ read: (Element) throws -> Row) throws -> [Result<Row, WireError>] {
        try rows.map { row in
            do { return .success(try read(row.get())) } catch let error as WireError {
                return .failure(error)
            }
        }
    }
}

/// An element of a list. Reading it never fails, so that the list goes on behind one that is broken.
private struct WireElement<Element: Decodable>: Decodable {
    let content: Result<Element, WireError>

    init(from decoder: any Decoder) throws {
        do {
            content = .success(try Element(from: decoder))
        } catch {
            content = .failure(error as? WireError ?? WireError(decoder, expected: "a text"))
        }
    }
}

package struct AnyKey: CodingKey {
    package let stringValue: String
    package var intValue: Int? { nil }

    package init(stringValue: String) { self.stringValue = stringValue }

    package init?(intValue: Int) { nil }
}

/// Why a value cannot be read.
package struct WireError: Error {
    /// Where it is, such as `photos[0].name`.
    let field: String
    /// What was sent, in the words of a message; `nil` where there is nothing.
    let sent: String?
    let expected: String?
}

extension WireError {
    /// The value that `decoder` is at is not what belongs there.
    init(_ decoder: any Decoder, expected: String) {
        let (path, sent) = (decoder.codingPath, Self.quotation(decoder))
        self.init(
            field: path.isEmpty ? "the answer" : Self.path(path), sent: sent,
            expected: sent == "null" ? nil : expected)
    }

    static func path(_ keys: [any CodingKey]) -> String {
        keys.reduce(into: "") { path, key in
            if let index = key.intValue {
                path += "[\(index)]"
            } else {
                path += (path.isEmpty ? "" : ".") + PlainText.excerpt(key.stringValue)
            }
        }
    }

    private static func quotation(_ decoder: any Decoder) -> String {
        if (try? decoder.container(keyedBy: AnyKey.self)) != nil { return "an object" }
        if (try? decoder.unkeyedContainer()) != nil { return "a list" }
        guard let value = try? decoder.singleValueContainer(), !value.decodeNil() else { return "null" }
        if let flag = try? value.decode(Bool.self) { return String(flag) }
        if let number = try? value.decode(Int.self) { return String(number) }
        if let number = try? value.decode(Double.self) { return String(number) }
        return "\"\(PlainText.excerpt((try? value.decode(String.self)) ?? "", limit: 40))\""
    }
}
