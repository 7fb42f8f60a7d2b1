import Foundation

/// Header lines in order, as bytes, looked up without regard to case.
///
///     let headers: LocalHeaders = ["Retry-After": "1"]
///     headers["retry-after"]  // "1"
public struct LocalHeaders: Sendable, ExpressibleByDictionaryLiteral {
    /// One line. The value is bytes because servers send what they like.
    public struct Line: Sendable {
        /// As it was spelled on the wire.
        public var name: String
        /// Without surrounding white space.
        public var value: Data
    }

    /// The lines in order of appearance.
    public private(set) var lines: [Line] = []

    /// Lines in the order written; a name may appear twice.
    public init(dictionaryLiteral elements: (String, String)...) {
        for (name, value) in elements { add(name, value) }
    }

    /// The first value under this name, read as UTF-8.
    public subscript(name: String) -> String? {
        all(name).first
    }

    /// Every value under this name.
    public func all(_ name: String) -> [String] {
        lines.filter { $0.name.lowercased() == name.lowercased() }
            .map { String(decoding: $0.value, as: UTF8.self) }
    }

    /// Adds a line, beside those of the same name.
    public mutating func add(_ name: String, _ value: String) {
        lines.append(Line(name: name, value: Data(value.utf8)))
    }

    /// Replaces every line of this name by one; `nil` leaves none.
    public mutating func set(_ name: String, _ value: Data?) {
        lines.removeAll { $0.name.lowercased() == name.lowercased() }
        if let value { lines.append(Line(name: name, value: value)) }
    }

    mutating func set(_ name: String, _ value: String?) {
        set(name, value.map { Data($0.utf8) })
    }
}
