import Foundation

/// A JSON Schema, limited to what our own uses: types, objects, arrays, choices, bounds, patterns, `$ref`.
public struct JSONSchema: Sendable {
    private let text: Data

    /// A keyword that this validator does not know: thrown so that no rule is silently ignored.
    public struct Unsupported: Error {
        let keyword: String
    }

    private static let known: Set = [
        "$schema", "$defs", "$ref", "title", "description", "anyOf", "type", "items", "properties",
        "required", "additionalProperties", "enum", "const", "minimum", "maximum", "minLength", "pattern",
        "minItems", "maxItems", "minProperties",
        // What other programs may make of a text: no rule of ours.
        "format",
    ]

    /// Creates a schema from its text.
    public init(_ text: Data) { self.text = text }

    private func root() throws -> [String: Any] {
        try JSONSerialization.jsonObject(with: text) as? [String: Any] ?? [:]
    }

    /// Validates `text` as the definition `name`; returns one line per fault, none if it is valid.
    public func faults(of text: Data, as name: String) throws -> [String] {
        let value = try JSONSerialization.jsonObject(with: text, options: .fragmentsAllowed)
        return try check(value, ["$ref": "#/$defs/\(name)"], of: root(), at: name)
    }

    /// Validates `text` as a whole document; returns one line per fault, none if it is valid.
    public func faults(of text: Data) throws -> [String] {
        let root = try root()
        return try check(
            JSONSerialization.jsonObject(with: text, options: .fragmentsAllowed), root, of: root, at: "$")
    }

    private func check(
        _ value: Any, _ schema: [String: Any], of root: [String: Any], at path: String
    ) throws -> [String] {
        if let unknown = schema.keys.first(where: { !Self.known.contains($0) }) {
            throw Unsupported(keyword: unknown)
        }
        if let reference = schema["$ref"] as? String {
            let name = String(reference.split(separator: "/").last ?? "")
            guard let target = (root["$defs"] as? [String: Any])?[name] as? [String: Any] else {
                throw Unsupported(keyword: reference)
            }
            return try check(value, target, of: root, at: path)
        }
        if let choices = schema["anyOf"] as? [[String: Any]] {
            let all = try choices.map { try check(value, $0, of: root, at: path) }
            return all.contains([]) ? [] : ["\(path): none of \(choices.count) choices"] + all.flatMap(\.self)
        }
        var faults: [String] = []
        let types = (schema["type"] as? [String]) ?? (schema["type"] as? String).map { [$0] }
        if let types, !types.contains(where: { Self.is(value, $0) }) {
            return ["\(path): \(value) is not \(types.joined(separator: " or "))"]
        }
        if let allowed = schema["enum"] as? [String], !allowed.contains(value as? String ?? "") {
            faults.append("\(path): \(value) is none of \(allowed)")
        }
        if let only = schema["const"] as? String, only != value as? String {
            faults.append("\(path): \(value) is not \(only)")
        }
        if let count = (value as? [Any])?.count ?? (value as? [String: Any])?.count {
            let least = (schema["minItems"] ?? schema["minProperties"]) as? Int ?? 0
            if count < least || count > schema["maxItems"] as? Int ?? .max {
                faults.append("\(path): \(count) members are too few or too many")
            }
        }
        if let number = value as? NSNumber, !Self.isFlag(number) {
            if let minimum = schema["minimum"] as? Double, number.doubleValue < minimum {
                faults.append("\(path): \(number) is below \(minimum)")
            }
            if let maximum = schema["maximum"] as? Double, number.doubleValue > maximum {
                faults.append("\(path): \(number) is above \(maximum)")
            }
        }
        if let text = value as? String {
            if let length = schema["minLength"] as? Int, text.count < length {
                faults.append("\(path): the text is shorter than \(length)")
            }
            if let pattern = schema["pattern"] as? String, text.firstMatch(of: try Regex(pattern)) == nil {
                faults.append("\(path): '\(text)' does not match \(pattern)")
            }
        }
        if let elements = value as? [Any], let items = schema["items"] as? [String: Any] {
            for (index, element) in elements.enumerated() {
                faults += try check(element, items, of: root, at: "\(path)[\(index)]")
            }
        }
        if let object = value as? [String: Any] {
            faults += try members(of: object, schema, of: root, at: path)
        }
        return faults
    }

    private func members(
        of object: [String: Any], _ schema: [String: Any], of root: [String: Any], at path: String
    ) throws -> [String] {
        let properties = schema["properties"] as? [String: [String: Any]] ?? [:]
        var faults = (schema["required"] as? [String] ?? []).filter { object[$0] == nil }
            .map { "\(path): '\($0)' is missing" }
        for (key, value) in object.sorted(by: { $0.key < $1.key }) {
            if let property = properties[key] {
                faults += try check(value, property, of: root, at: "\(path).\(key)")
            } else if schema["additionalProperties"] as? Bool == false {
                faults.append("\(path): '\(key)' is not allowed")
            } else if let other = schema["additionalProperties"] as? [String: Any] {
                faults += try check(value, other, of: root, at: "\(path).\(key)")
            }
        }
        return faults
    }

    private static func isFlag(_ number: NSNumber) -> Bool { String(cString: number.objCType) == "c" }

    private static func `is`(_ value: Any, _ type: String) -> Bool {
        switch type {
        case "null": value is NSNull
        case "string": value is String
        case "array": value is [Any]
        case "object": value is [String: Any]
        case "boolean": (value as? NSNumber).map(isFlag) ?? false
        case "number": (value as? NSNumber).map { !isFlag($0) } ?? false
        case "integer":
            (value as? NSNumber).map { !isFlag($0) && $0.doubleValue == $0.doubleValue.rounded() } ?? false
        default: false
        }
    }
}
