import Foundation

package indirect enum SourceExpression: Hashable, Sendable {
    case path(SourcePath)
    case first([SourceExpression])
    case all([SourceExpression])
    /// A text with what is at paths put in.
    case text(SourceTemplate)
    case changed(SourceExpression, SourceChange)

    /// The values, none of them empty; if `isAddress`, what templates put in is percent-encoded.
    package func values(in scope: SourceScope, isAddress: Bool = false) -> [String] {
        switch self {
        case .path(let path): path.nodes(in: scope).flatMap(\.texts)
        case .first(let choices):
            choices.lazy.map { $0.values(in: scope, isAddress: isAddress) }.first { !$0.isEmpty } ?? []
        case .all(let parts): parts.flatMap { $0.values(in: scope, isAddress: isAddress) }
        case .text(let template):
            template.text(in: scope, isAddress: isAddress).flatMap { $0.isEmpty ? nil : [$0] } ?? []
        case .changed(let source, let change): change.changed(source.values(in: scope, isAddress: isAddress))
        }
    }

    /// The path as written; of several, the one that has a value.
    package func origin(in scope: SourceScope) -> String {
        switch self {
        case .path(let path): path.text
        case .first(let choices):
            (choices.first { !$0.values(in: scope).isEmpty } ?? choices.first)?.origin(in: scope) ?? ""
        case .all(let parts): parts.map { $0.origin(in: scope) }.joined(separator: " + ")
        case .text(let template): "\"\(template.text)\""
        case .changed(let source, let change): source.origin(in: scope) + change.names
        }
    }

    package func absence(in scope: SourceScope) -> [String] {
        switch self {
        case .path(let path): ["'\(path.text)': \(path.absence(in: scope))"]
        case .first(let parts), .all(let parts): parts.flatMap { $0.absence(in: scope) }
        case .text(let template):
            template.paths.filter { $0.nodes(in: scope).flatMap(\.texts).isEmpty }
                .map { "'\($0.text)': \($0.absence(in: scope))" }
        case .changed(let source, _): source.absence(in: scope)
        }
    }
}

/// Changes to values, applied in the order of these members.
package struct SourceChange: Hashable, Sendable {
    var split: String?
    var replace: [String] = []
    var words: [String: String] = [:]
    var prefix: String?
    var join: String?

    func changed(_ values: [String]) -> [String] {
        var values = values
        if let split {
            values = values.flatMap { value in
                value.split(separator: split).map { $0.trimmingCharacters(in: .whitespacesAndNewlines) }
                    .filter { !$0.isEmpty }
            }
        }
        if replace.count == 2 { values = values.map { $0.replacing(replace[0], with: replace[1]) } }
        if !words.isEmpty { values = values.map { words[$0] ?? $0 } }
        if let prefix {
            values = values.map { $0.hasPrefix(prefix) || $0.contains("://") ? $0 : prefix + $0 }
        }
        values.removeAll(where: \.isEmpty)
        if let join, !values.isEmpty { values = [values.joined(separator: join)] }
        return values
    }

    fileprivate var names: String {
        let names = [
            split == nil ? nil : "split", replace.isEmpty ? nil : "replace", words.isEmpty ? nil : "words",
            prefix == nil ? nil : "prefix", join == nil ? nil : "join",
        ].compactMap(\.self)
        return names.isEmpty ? "" : " (\(names.joined(separator: ", ")))"
    }
}

/// A text with paths in braces.
package struct SourceTemplate: Hashable, Sendable {
    private enum Part: Hashable, Sendable {
        case literal(String)
        case value(SourcePath, isWhole: Bool)
        /// The width or the height of the file whose address this is.
        case side(isWidth: Bool)
    }

    let text: String
    private let parts: [Part]

    var paths: [SourcePath] { parts.compactMap { if case .value(let path, _) = $0 { path } else { nil } } }

    /// - Throws: What is wrong with it, as the end of a sentence about it.
    init(_ text: String) throws(PathFault) {
        self.text = text
        var parts: [Part] = []
        for (literal, name) in try Self.parts(of: text) {
            if !literal.isEmpty { parts.append(.literal(literal)) }
            guard let name else { continue }
            if ["=width", "=height"].contains(name) {
                parts.append(.side(isWidth: name == "=width"))
                continue
            }
            let isWhole = name.hasPrefix("+")
            parts.append(.value(try SourcePath(isWhole ? String(name.dropFirst()) : name), isWhole: isWhole))
        }
        self.parts = parts
    }

    /// `nil` where something that is put in is not there.
    func text(in scope: SourceScope, isAddress: Bool) -> String? {
        var text = ""
        for part in parts {
            switch part {
            case .literal(let literal): text += literal
            case .value(let path, let isWhole):
                guard let value = path.nodes(in: scope).lazy.compactMap(\.texts.first).first else {
                    return nil
                }
                text += isAddress && !isWhole ? PercentEncoding.encoded(value) : value
            case .side(let isWidth):
                guard let file = scope.file else { return nil }
                text += "\(isWidth ? file.width : file.height)"
            }
        }
        return text
    }

    /// Each text before a brace, and what is in the braces; the last has none.
    static func parts(of text: String) throws(PathFault) -> [(literal: String, name: String?)] {
        var (parts, rest): ([(String, String?)], Substring) = ([], text[...])
        while let open = rest.firstIndex(of: "{") {
            guard let close = rest[open...].firstIndex(of: "}") else {
                throw PathFault(problem: "lacks a '}'")
            }
            parts.append((String(rest[..<open]), String(rest[rest.index(after: open)..<close])))
            rest = rest[rest.index(after: close)...]
        }
        return parts + [(String(rest), nil)]
    }
}
