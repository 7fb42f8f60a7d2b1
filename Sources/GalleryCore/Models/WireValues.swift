import Foundation

// Services have sent the same value in several forms over the years: a number as `88`, `"88"`, or `""`, a flag as
// `true` or `1`, a list as an object. Every form that was seen is read; the rest is rejected with the field's path.

/// A text, a number, or a flag, in whatever form it was sent.
extension JSONNode {
    /// In bytes: several times the longest that any service has, and short enough for a manifest's line.
    private static let longestID = 512

    /// A text as sent, with its markup, or a number in its place.
    var scalar: String? {
        string ?? whole.map(String.init) ?? number.flatMap { $0.isFinite ? String($0) : nil }
    }

    var int: Int? {
        string.flatMap { Int($0, within: Int.outside) }
            ?? number.flatMap { Int(exactly: $0.rounded()) }?.clamped(to: Int.outside)
    }

    var double: Double? { string.flatMap { Double($0) } ?? number }

    /// `true`, `1`, `"1"`.
    var flag: Bool? { bool ?? int.map { $0 != 0 } }

    var id: String? {
        string.flatMap { $0.isEmpty || $0.utf8.count > Self.longestID ? nil : $0 } ?? whole.map(String.init)
    }
}

/// An object as it is on the wire: what a photo can do without is `nil` where it cannot be read, as where it is missing.
extension JSONNode {
    /// Whether there is such a field, and it is not `null`.
    func has(_ key: String) -> Bool { self[key] != nil }
    func string(_ key: String) -> String? { self[key]?.string }

    /// A text without markup; `nil` if it is empty: services send `""` for unknown values.
    func text(_ key: String) -> String? { string(key).map(Markup.plain).flatMap { $0.isEmpty ? nil : $0 } }

    /// The texts of a list; none where there is no list.
    func strings(_ key: String) -> [String] { (self[key]?.elements ?? []).compactMap(\.string) }

    /// The same without markup.
    func texts(_ key: String) -> [String] { strings(key).map(Markup.plain) }

    func scalar(_ key: String) -> String? { self[key]?.scalar }
    func int(_ key: String) -> Int? { self[key]?.int }
    func double(_ key: String) -> Double? { self[key]?.double }
    func flag(_ key: String) -> Bool? { self[key]?.flag }

    func date(_ key: String) -> WrittenDate? { string(key).flatMap { WrittenDate($0) } }

    /// Seconds since 1970, up to the year 9999.
    func seconds(_ key: String) -> Date? {
        int(key).flatMap { seconds in
            (0..<253_402_300_800).contains(seconds) ? Date(timeIntervalSince1970: TimeInterval(seconds)) : nil
        }
    }

    func url(_ key: String) -> URL? { string(key).flatMap { WebAddress.url($0) } }

    func size(_ width: String = "width", _ height: String = "height") -> PixelSize? {
        PixelSize(width: int(width), height: int(height))
    }

    var bytes: Int64? { int("size").map { Int64($0) } }

    func object(_ key: String) -> JSONNode? { self[key].flatMap { $0.isObject ? $0 : nil } }

    /// The objects of a list, or of an object (as in 500px's batch answer); none where there is no list.
    func objects(_ key: String) -> [JSONNode] { (self[key]?.elements ?? []).filter(\.isObject) }

    // MARK: - What cannot be done without

    func lacks(_ key: String) -> ImportError { ImportError(self, lacks: key) }

    func required(_ key: String) throws -> JSONNode { try value(key).asObject() }

    /// The elements of a list, or the values of an object.
    func list(_ key: String) throws -> [JSONNode] {
        let value = try value(key)
        guard let elements = value.elements else { throw ImportError(value, expected: "a list") }
        return elements
    }

    func id(_ key: String) throws -> String { try value(key).certain("an identifier", \.id) }

    /// A number that is never guessed: `nil` only where it is missing, `null`, or `""`.
    func certainInt(_ key: String) throws -> Int? {
        guard let value = self[key], value.string != "" else { return nil }
        return try value.certain("a whole number", \.int)
    }

    /// A flag that is never guessed: `nil` only where it is missing or `null`.
    func certainFlag(_ key: String) throws -> Bool? { try self[key]?.certain("true or false", \.flag) }

    /// The keys of an object whose values are unused. PHP writes one without members as `[]`.
    func keys(of key: String) throws -> [String] {
        self[key]?.elements?.isEmpty == true ? [] : try required(key).members.compactMap { $0.key?.string }
    }

    /// Each object of a list as `read` reads it, in its place, or why it cannot be read.
    func rows<Row>(_ key: String, _ read: (JSONNode) throws -> Row) throws -> [Result<Row, ImportError>] {
        try list(key).map { try $0.row(read) }
    }

    func row<Row>(_ read: (JSONNode) throws -> Row) throws -> Result<Row, ImportError> {
        do { return .success(try read(asObject())) } catch let error as ImportError { return .failure(error) }
    }

    func asObject() throws -> JSONNode {
        guard isObject else { throw ImportError(self, expected: "an object") }
        return self
    }

    private func value(_ key: String) throws -> JSONNode {
        guard let value = member(key) else { throw lacks(key) }
        return value
    }

    private func certain<Value>(_ expected: String, _ read: (JSONNode) -> Value?) throws -> Value {
        guard let value = read(self) else { throw ImportError(self, expected: expected) }
        return value
    }
}

extension ImportError {
    init(_ value: JSONNode, expected: String) {
        let path = Self.path(of: value)
        self = .unexpected(
            service: value.document.sender, field: path.isEmpty ? "the answer" : path,
            value: Self.quotation(value), expected: value.isNull ? nil : expected)
    }

    init(_ value: JSONNode, lacks field: String) {
        let path = Self.path(of: value)
        self = .absent(service: value.document.sender, field: path.isEmpty ? field : "\(path).\(field)")
    }

    private static func path(of value: JSONNode) -> String {
        value.path.reduce(into: "") { path, step in
            guard let key = step.key else { return path += "[\(step.position)]" }
            path += (path.isEmpty ? "" : ".") + PlainText.excerpt(key)
        }
    }

    private static func quotation(_ value: JSONNode) -> String {
        if value.isObject { return "an object" }
        if value.isList { return "a list" }
        if let text = value.string { return "\"\(PlainText.excerpt(text, limit: 40))\"" }
        return value.bool.map { String($0) } ?? value.scalar ?? "null"
    }
}
