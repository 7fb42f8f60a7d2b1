/// Reads what one command declares from the command line, and skips the rest, which may belong to a subcommand.
struct ArgumentMatcher {
    private let declarations: [Declaration]
    private(set) var line: SplitArguments
    private(set) var values: ParsedValues = [:]

    init(_ declarations: [Declaration], in line: SplitArguments) throws {
        (self.declarations, self.line) = (declarations, line)
        for declaration in declarations where declaration.initial != nil {
            values[declaration.key] = ParsedValue(value: declaration.initial)
        }
        try readNames()
        try readPositions()
    }

    private mutating func readNames() throws {
        for index in line.tokens.indices where line.isOpen[index] {
            guard case .name(let name, let attached) = line.tokens[index].content,
                let declaration = declarations.first(where: { $0.names.contains(name) })
            else { continue }
            switch declaration.action {
            case .flag(let value):
                if let attached { throw ParserError.unexpectedValue(name, attached) }
                values[declaration.key] = ParsedValue(value: value, isGiven: true)
                line.claim(index)
            case .value(let store):
                let found = try findValue(of: name, at: index, attached, declaration.parsing)
                try keep(found.word, from: [index, found.token], as: name, of: declaration, store)
            }
        }
    }

    private mutating func readPositions() throws {
        var open = line.openIndices(from: 0).filter { line.tokens[$0].value != nil }[...]
        let positional = declarations.filter(\.isPositional)
        for (place, declaration) in positional.enumerated() {
            guard case .value(let store) = declaration.action else { continue }
            repeat {
                guard let index = open.popFirst() else { return }
                try keep(line.words[line.tokens[index].word], from: [index], as: nil, of: declaration, store)
                // What follows a list has one word each.
            } while declaration.repeats && open.count >= positional.count - place
        }
    }

    private mutating func keep(
        _ word: String, from origin: [Int], as name: Name?, of declaration: Declaration,
        _ store: (String, inout ParsedValue) throws -> Bool
    ) throws {
        switch Result(catching: { try store(word, &values[declaration.key, default: ParsedValue()]) }) {
        case .success(true): break
        case .success(false): throw ParserError.unreadable(word, name, declaration.key, reason: nil)
        case .failure(let error): throw ParserError.unreadable(word, name, declaration.key, reason: error)
        }
        values[declaration.key]?.isGiven = true
        for index in origin { line.claim(index) }
    }

    private func findValue(
        of name: Name, at index: Int, _ attached: String?, _ strategy: SingleValueParsingStrategy
    ) throws(ParserError) -> (word: String, token: Int) {
        if let attached { return (attached, index) }
        if let next = line.wholeWord(after: index) {
            if let word = line.tokens[next].value { return (word, next) }
            if strategy == .unconditional { return (line.words[line.tokens[next].word], next) }
        }
        let token = line.tokens[index]
        throw .missingValue(name, in: token.letter == nil ? nil : Name(typed: line.words[token.word]))
    }
}
