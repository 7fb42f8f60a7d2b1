import Foundation

/// Header lines in order, as bytes, looked up case-insensitively.
///
///     let headers: LocalHeaders = ["Retry-After": "1"]
///     headers["retry-after"]  // "1"
public struct LocalHeaders: Sendable, ExpressibleByDictionaryLiteral {
    /// A header line. The value is bytes because servers send anything.
    public struct Line: Sendable {
        /// The name as spelled on the wire.
        public var name: String
        /// The value without surrounding whitespace.
        public var value: Data
    }

    /// The lines in order.
    public private(set) var lines: [Line] = []

    /// Creates headers in the order given; a name may appear twice.
    public init(dictionaryLiteral elements: (String, String)...) {
        for (name, value) in elements { add(name, value) }
    }

    /// The first value with this name, as UTF-8.
    public subscript(name: String) -> String? {
        all(name).first
    }

    /// All values with this name.
    public func all(_ name: String) -> [String] {
        lines.filter { $0.name.lowercased() == name.lowercased() }
            .map { String(decoding: $0.value, as: UTF8.self) }
    }

    /// Adds a line, keeping those with the same name.
    public mutating func add(_ name: String, _ value: String) {
        lines.append(Line(name: name, value: Data(value.utf8)))
    }

    /// Replaces all lines with this name; `nil` removes them.
    public mutating func set(_ name: String, _ value: Data?) {
        lines.removeAll { $0.name.lowercased() == name.lowercased() }
        if let value { lines.append(Line(name: name, value: value)) }
    }

    mutating func set(_ name: String, _ value: String?) {
        set(name, value.map { Data($0.utf8) })
    }
}
