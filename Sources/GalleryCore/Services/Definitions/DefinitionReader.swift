import Foundation

struct DefinitionFault: Error {
    let path: [String]
    /// The end of a sentence that begins with the key.
    let problem: String
    /// The keys that there are, where the one at ``path`` is none of them.
    var known: [String] = []
}

enum DefinitionValue: Decodable, Hashable, Sendable {
    case text(String)
    case number(Double)
    case flag(Bool)
    case list([DefinitionValue])
    case object([String: DefinitionValue])
    case nothing

    init(from decoder: any Decoder) throws {
        if let fields = try? decoder.container(keyedBy: AnyKey.self) {
            self = .object(
                try fields.allKeys.reduce(into: [:]) {
                    $0[$1.stringValue] = try fields.decode(DefinitionValue.self, forKey: $1)
                })
            return
        }
        let value = try decoder.singleValueContainer()
        if value.decodeNil() {
            self = .nothing
        } else if let text = try? value.decode(String.self) {
            self = .text(text)
        } else if let flag = try? value.decode(Bool.self) {
            self = .flag(flag)
        } else if let number = try? value.decode(Double.self) {
            self = .number(number)
        } else {
            self = .list(try value.decode([DefinitionValue].self))
        }
    }
}

struct DefinitionReader {
    /// The keys of an expression that is an object.
    static let expressionNames = ["path", "all", "text", "split", "replace", "words", "prefix", "join"]

    let value: DefinitionValue
    /// The keys on the way to it.
    let path: [String]

    func fault(_ problem: String) -> DefinitionFault { DefinitionFault(path: path, problem: problem) }

    /// The members of an object that has no other keys than these.
    func members(_ known: [String]) throws(DefinitionFault) -> [String: DefinitionReader] {
        let members = try members()
        if let unknown = members.keys.sorted().first(where: { !known.contains($0) }) {
            throw DefinitionFault(path: path + [unknown], problem: "is unknown", known: known)
        }
        return members
    }

    func members() throws(DefinitionFault) -> [String: DefinitionReader] {
        guard case .object(let members) = value else { throw fault("is not an object") }
        return Dictionary(
            uniqueKeysWithValues: members.map { ($0, DefinitionReader(value: $1, path: path + [$0])) })
    }

    /// The elements of a list, or one value in its place.
    var elements: [DefinitionReader] {
        guard case .list(let elements) = value else { return [self] }
        return elements.map { DefinitionReader(value: $0, path: path + ["[]"]) }
    }

    func text() throws(DefinitionFault) -> String {
        guard case .text(let text) = value else { throw fault("is not a string") }
        return text
    }

    func texts() throws(DefinitionFault) -> [String] {
        var texts: [String] = []
        for element in elements { texts.append(try element.text()) }
        return texts
    }

    func words() throws(DefinitionFault) -> [String: String] {
        var words: [String: String] = [:]
        for (key, member) in try members() { words[key] = try member.text() }
        return words
    }

    func flag() throws(DefinitionFault) -> Bool {
        guard case .flag(let flag) = value else { throw fault("is not true or false") }
        return flag
    }

    func number(from least: Double, to most: Double = 1e9) throws(DefinitionFault) -> Double {
        guard case .number(let number) = value, (least...most).contains(number) else {
            throw fault("is not a number from \(Int(least)) to \(Int(most))")
        }
        return number
    }

    func int(from least: Int, to most: Int = 1_000_000_000) throws(DefinitionFault) -> Int {
        let number = try number(from: Double(least), to: Double(most))
        guard number == number.rounded() else { throw fault("is not a whole number") }
        return Int(number)
    }

    /// Header fields, each one line.
    func headers() throws(DefinitionFault) -> [String: String] {
        for (name, member) in try members() {
            _ = try member.headerName(name)
            let text = try member.text()
            guard text == PlainText.line(text) else { throw member.fault("is not one line of plain text") }
        }
        return try words()
    }

    /// The name of a header field that a definition may set: the connection and the body's form are not its to
    /// choose.
    func headerName(_ name: String) throws(DefinitionFault) -> String {
        let own = [
            "host", "connection", "content-length", "transfer-encoding", "accept-encoding", "range",
        ]
        guard name.wholeMatch(of: /[A-Za-z0-9-]+/) != nil, !own.contains(name.lowercased()) else {
            throw fault("is not a header's name that can be set")
        }
        return name
    }

    func address() throws(DefinitionFault) -> URL {
        guard let url = WebAddress.url(try text()), url.user == nil, url.query == nil, url.fragment == nil
        else {
            throw fault("is not an 'http://' or 'https://' address")
        }
        return url
    }

    func sourcePath() throws(DefinitionFault) -> SourcePath {
        let text = try text()
        do { return try SourcePath(text) } catch { throw fault(error.problem) }
    }

    /// A path, a list of which the first that is there counts, or an object with what is done.
    func expression() throws(DefinitionFault) -> SourceExpression {
        switch value {
        case .text: return .path(try sourcePath())
        case .list:
            return .first(try expressions())
        case .object:
            let members = try members(Self.expressionNames)
            let sources = ["path", "all", "text"].compactMap { members[$0] }
            guard sources.count == 1, let source = sources.first else {
                throw fault("needs one of 'path', 'all', and 'text'")
            }
            let expression: SourceExpression
            if members["text"] != nil {
                let text = try source.text()
                do { expression = .text(try SourceTemplate(text)) } catch {
                    throw source.fault(error.problem)
                }
            } else {
                expression = members["all"] != nil ? .all(try source.expressions()) : try source.expression()
            }
            var change = SourceChange()
            change.split = try members["split"]?.text()
            change.replace = try members["replace"]?.texts() ?? []
            if let replace = members["replace"], change.replace.count != 2 || change.replace[0].isEmpty {
                throw replace.fault("is not a list of two strings: what to replace, and by what")
            }
            if change.split?.isEmpty == true { throw fault("has an empty 'split'") }
            change.words = try members["words"]?.words() ?? [:]
            change.prefix = try members["prefix"]?.text()
            change.join = try members["join"]?.text()
            return change == SourceChange() ? expression : .changed(expression, change)
        case .number, .flag, .nothing: throw fault("is neither a path, nor a list of paths, nor an object")
        }
    }

    private func expressions() throws(DefinitionFault) -> [SourceExpression] {
        var found: [SourceExpression] = []
        for element in elements { found.append(try element.expression()) }
        if found.isEmpty { throw fault("is an empty list") }
        return found
    }
}

package struct DefinitionError: ActionableError, Hashable {
    package let file: String
    package let problem: String
    /// An unknown key, and those that there are.
    package let unknown: String?
    package let known: [String]

    package var description: String { "The source '\(file)' cannot be used: \(problem)." }

    package var hint: String? {
        if let unknown, let nearest = unknown.nearest(among: known) { return "Did you mean '\(nearest)'?" }
        return known.isEmpty ? nil : "Known: \(known.joined(separator: ", "))."
    }
}
