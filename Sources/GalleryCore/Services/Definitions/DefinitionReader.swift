import Foundation

struct DefinitionFault: Error {
    let node: JSONNode
    /// The end of a sentence that begins with the key.
    let problem: String
    /// The keys that there are, where that of ``node`` is none of them.
    let known: [String]
}

struct DefinitionReader {
    static let expressionNames = ["path", "all", "text", "split", "replace", "words", "prefix", "join"]

    let node: JSONNode

    func fault(_ problem: String, known: [String] = []) -> DefinitionFault {
        DefinitionFault(node: node, problem: problem, known: known)
    }

    /// The members of an object that has no other keys than these.
    func members(_ known: [String]) throws(DefinitionFault) -> [String: DefinitionReader] {
        let members = try members()
        if let unknown = members.keys.sorted().first(where: { !known.contains($0) }) {
            throw members[unknown, default: self].fault("is unknown", known: known)
        }
        return members
    }

    func members() throws(DefinitionFault) -> [String: DefinitionReader] {
        guard node.isObject else { throw fault("is not an object") }
        return node.members.reduce(into: [:]) { $0[$1.key?.string ?? ""] = DefinitionReader(node: $1) }
    }

    /// The elements of a list, or one value in its place.
    var elements: [DefinitionReader] {
        node.isList ? node.elements?.map(DefinitionReader.init) ?? [] : [self]
    }

    func text() throws(DefinitionFault) -> String {
        guard let text = node.string else { throw fault("is not a string") }
        return text
    }

    func texts() throws(DefinitionFault) -> [String] {
        try elements.map { (element) throws(DefinitionFault) in try element.text() }
    }

    func words() throws(DefinitionFault) -> [String: String] {
        var words: [String: String] = [:]
        for (key, member) in try members() { words[key] = try member.text() }
        return words
    }

    func flag() throws(DefinitionFault) -> Bool {
        guard let flag = node.bool else { throw fault("is not true or false") }
        return flag
    }

    func number(from least: Double, to most: Double = 1e9) throws(DefinitionFault) -> Double {
        guard let number = node.number, (least...most).contains(number) else {
            throw fault("is not a number from \(Int(least)) to \(Int(most))")
        }
        return number
    }

    func int(from least: Int, to most: Int = 1_000_000_000) throws(DefinitionFault) -> Int {
        let number = try number(from: Double(least), to: Double(most))
        guard number == number.rounded() else { throw fault("is not a whole number") }
        return Int(number)
    }

    func headers() throws(DefinitionFault) -> [String: String] {
        for (name, member) in try members() {
            _ = try member.headerName(name)
            let text = try member.text()
            guard text == PlainText.line(text) else { throw member.fault("is not one line of plain text") }
        }
        return try words()
    }

    /// The name of a header field that a definition may set: the connection and the body's form are not its choice.
    func headerName(_ name: String) throws(DefinitionFault) -> String {
        let own = ["host", "connection", "content-length", "transfer-encoding", "accept-encoding", "range"]
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
        if node.string != nil { return .path(try sourcePath()) }
        if node.isList { return .first(try expressions()) }
        guard node.isObject else { throw fault("is neither a path, nor a list of paths, nor an object") }
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
    }

    private func expressions() throws(DefinitionFault) -> [SourceExpression] {
        let found = try elements.map { (element) throws(DefinitionFault) in try element.expression() }
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
