import Foundation

/// Where a value is in a reply: `data[0].title`, `$.config.url`, `^.user.name`, `links[rel=next].href`.
package struct SourcePath: Hashable, Sendable {
    enum Step: Hashable, Sendable {
        case key(String)
        /// From 0; below 0 from the end.
        case index(Int)
        case every
        /// `#`, the key under which a value is in an object that is used as a list.
        case ownKey
        /// Elements of which the value at `keys` is one of `words`, or ends in one.
        case matching(keys: [String], words: [String], isEnd: Bool)
    }

    /// As it is written.
    package let text: String
    /// Whether it begins at the reply, `$`.
    private let isFromReply: Bool
    /// How many levels further out it begins, `^`.
    private let outward: Int
    private let steps: [Step]

    package var namesElements: Bool {
        switch steps.last {
        case .every?, .matching?: true
        default: false
        }
    }

    /// - Throws: What is wrong with it, as the end of a sentence about it.
    init(_ text: String) throws(PathFault) {
        var rest = text[...]
        isFromReply = rest.first == "$"
        if isFromReply || rest.first == "@" { rest.removeFirst() }
        let carets = rest.prefix { $0 == "^" }
        if !isFromReply { rest = rest.dropFirst(carets.count) }
        outward = isFromReply ? 0 : carets.count
        let isRooted = rest.startIndex != text.startIndex
        var steps: [Step] = []
        while let first = rest.first {
            if first == "[" {
                steps.append(try Self.bracket(&rest))
                continue
            }
            if first == "." {
                guard isRooted || !steps.isEmpty else { throw PathFault(problem: "begins with a '.'") }
                rest.removeFirst()
            } else if isRooted || !steps.isEmpty {
                throw PathFault(problem: "lacks a '.' before '\(PlainText.excerpt(String(rest)))'")
            }
            let isQuoted = rest.first == "'"
            let name = try Self.name(&rest)
            steps.append(name == "#" && !isQuoted ? .ownKey : .key(name))
        }
        guard isRooted || !steps.isEmpty else { throw PathFault(problem: "is empty") }
        (self.text, self.steps) = (text, steps)
    }

    // MARK: - Reading

    /// The values there; `null` is none.
    package func nodes(in scope: SourceScope) -> [JSONNode] {
        guard let start = start(in: scope) else { return [] }
        return steps.reduce([start]) { nodes, step in nodes.flatMap { step.nodes(of: $0) } }
    }

    /// Whether the value's place is there, with `null` in it.
    func isNull(in scope: SourceScope) -> Bool {
        guard case .key(let key)? = steps.last, let start = start(in: scope) else { return false }
        let parents = steps.dropLast().reduce([start]) { nodes, step in nodes.flatMap { step.nodes(of: $0) } }
        return parents.first?.member(key) != nil
    }

    /// Why there is no value, as a part of a sentence.
    package func absence(in scope: SourceScope) -> String {
        guard let start = start(in: scope) else { return "there is nothing that far out" }
        var nodes = [start]
        for step in steps {
            let next = nodes.flatMap { step.nodes(of: $0) }
            if next.isEmpty {
                let keys = nodes.first?.sortedKeys.prefix(12).map { PlainText.excerpt($0, limit: 30) } ?? []
                let there =
                    if !keys.isEmpty {
                        "there are \(keys.joined(separator: ", "))"
                    } else if let list = nodes.first, list.isList, let count = list.elements?.count {
                        "there is a list of \(count)"
                    } else {
                        "there is \(nodes.first?.text.map { "'\(PlainText.excerpt($0))'" } ?? "nothing")"
                    }
                return "no \(step.word); \(there)"
            }
            nodes = next
        }
        return nodes.first?.members.isEmpty == false ? "an object" : "empty"
    }

    private func start(in scope: SourceScope) -> JSONNode? {
        if isFromReply { return scope.levels.first }
        let level = scope.levels.count - 1 - outward
        return level >= 0 ? scope.levels[level] : nil
    }

    // MARK: - Parsing

    private static func name(_ rest: inout Substring) throws(PathFault) -> String {
        if rest.first == "'" { return try quoted(&rest) }
        let name = rest.prefix { $0 != "." && $0 != "[" }
        guard !name.isEmpty else { throw PathFault(problem: "has an empty name") }
        rest = rest[name.endIndex...]
        return String(name)
    }

    private static func quoted(_ rest: inout Substring) throws(PathFault) -> String {
        let inner = rest.dropFirst()
        guard let end = inner.firstIndex(of: "'") else { throw PathFault(problem: "lacks a closing \"'\"") }
        rest = inner[inner.index(after: end)...]
        return String(inner[..<end])
    }

    /// `[0]`, `[-1]`, `[*]`, `[key=word]`, `[key$=.jpg|.png]`.
    private static func bracket(_ rest: inout Substring) throws(PathFault) -> Step {
        rest.removeFirst()
        guard let end = rest.firstIndex(of: "]") else { throw PathFault(problem: "lacks a ']'") }
        let inner = rest[..<end]
        rest = rest[rest.index(after: end)...]
        if inner == "*" { return .every }
        if let index = Int(inner) { return .index(index) }
        guard let sign = inner.firstIndex(of: "="), sign > inner.startIndex else {
            throw PathFault(
                problem: "has '[\(PlainText.excerpt(String(inner)))]', not a number, '*', or 'key=word'")
        }
        let isEnd = inner[..<sign].hasSuffix("$")
        let keys = inner[..<sign].dropLast(isEnd ? 1 : 0).split(separator: ".").map { String($0) }
        let words = inner[inner.index(after: sign)...].split(separator: "|", omittingEmptySubsequences: false)
        return .matching(keys: keys, words: words.map { isEnd ? $0.lowercased() : String($0) }, isEnd: isEnd)
    }
}

/// What is wrong with a path, as the end of a sentence about it.
struct PathFault: Error {
    let problem: String
}

/// What paths begin at: the reply, the row, then a photo or a file of it, from the outside to the inside.
package struct SourceScope {
    package let levels: [JSONNode]
    /// The size of the file whose address is wanted.
    var file: PixelSize?

    package init(levels: [JSONNode], file: PixelSize? = nil) { (self.levels, self.file) = (levels, file) }

    var here: JSONNode { levels[levels.count - 1] }
    package func inside(_ node: JSONNode) -> SourceScope { SourceScope(levels: levels + [node]) }
}

extension SourcePath.Step {
    fileprivate func nodes(of node: JSONNode) -> [JSONNode] {
        switch self {
        case .key(let key): return node[key].map { [$0] } ?? []
        case .index(let index):
            guard node.isList, let list = node.elements else { return [] }
            let index = index < 0 ? list.count + index : index
            return list.indices.contains(index) ? [list[index]] : []
        // Some services send a single value instead of a list of one.
        case .every: return node.items() ?? [node]
        case .ownKey: return node.key.map { [$0] } ?? []
        case .matching(let keys, let words, let isEnd):
            func found(_ element: JSONNode) -> String? { keys.reduce(element) { $0?[$1] }?.text }
            // An object that has the key itself is the only element.
            let elements = !node.isList && found(node) != nil ? [node] : node.items() ?? []
            return elements.filter { element in
                guard let text = found(element) else { return false }
                return words.contains { isEnd ? text.lowercased().hasSuffix($0) : text == $0 }
            }
        }
    }

    fileprivate var word: String {
        switch self {
        case .key(let key): "'\(key)'"
        case .index(let index): "element \(index)"
        case .every: "elements"
        case .ownKey: "key that it is under"
        case .matching(let keys, let words, _):
            "element where '\(keys.joined(separator: "."))' is \(words.joined(separator: " or "))"
        }
    }
}

extension JSONNode {
    /// The most elements of a list, so that no reply costs more than a large page.
    package static let mostElements = 10_000

    /// Elements of a list, or values of an object that is used as one, by their keys; `nil` of a single value.
    package func items(from first: Int = 0, most: Int = mostElements) -> [JSONNode]? {
        let all = isObject ? sortedKeys.compactMap { self[$0] } : elements
        return all.map { Array($0.dropFirst(first).prefix(most)) }
    }

    fileprivate var sortedKeys: [String] {
        members.compactMap { $0.key?.string }.sorted {
            $0.compare($1, options: .numeric) == .orderedAscending
        }
    }

    /// A text, a number, or a flag as a word; `nil` for what is empty or none of these.
    var text: String? {
        let text = scalar ?? bool.map { "\($0)" }
        return text?.isEmpty == false ? text : nil
    }

    var texts: [String] { text.map { [$0] } ?? (isList ? items()?.compactMap(\.text) ?? [] : []) }
}
