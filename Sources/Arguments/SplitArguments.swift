/// The command line split into names, values, and clusters, and which of them have been claimed.
struct SplitArguments {
    struct Token {
        enum Content: Equatable {
            case value(String)
            case name(Name, value: String?)
            /// The first `--`; all words after it are values.
            case terminator
        }

        let content: Content
        let word: Int
        /// The index of its letter in a cluster; `nil` for a whole word.
        var letter: Int?

        var value: String? { if case .value(let value) = content { value } else { nil } }
        var name: Name? { if case .name(let name, _) = content { name } else { nil } }
    }

    let words: [String]
    let tokens: [Token]
    private(set) var isOpen: [Bool]

    init(_ words: [String]) throws(ParserError) {
        var tokens: [Token] = []
        var isTerminated = false
        for (index, word) in words.enumerated() {
            if isTerminated {
                tokens.append(Token(content: .value(word), word: index))
            } else {
                tokens += try Self.tokens(of: word, at: index)
                isTerminated = tokens.last?.content == .terminator
            }
        }
        (self.words, self.tokens) = (words, tokens)
        isOpen = Array(repeating: true, count: tokens.count)
    }

    private static func tokens(of word: String, at index: Int) throws(ParserError) -> [Token] {
        let rest = word.drop { $0 == "-" }
        switch (dashes: word.count - rest.count, isEmpty: rest.isEmpty) {
        case (0, _), (1, isEmpty: true): return [Token(content: .value(word), word: index)]
        case (2, isEmpty: true): return [Token(content: .terminator, word: index)]
        case (2, _): return [Token(content: longName(word), word: index)]
        case (1, _): return try cluster(rest, at: index)
        default: throw .malformedOption(word)
        }
    }

    /// `--name=` is only the name: its value is the next word, as in the original.
    private static func longName(_ word: String) -> Token.Content {
        let name = word.prefix { $0 != "=" }
        let value = word.dropFirst(name.count + 1)
        return .name(Name(typed: name), value: value.isEmpty ? nil : String(value))
    }

    /// `-s`, `-s=value`, or a cluster, which counts as a name as well as its letters.
    private static func cluster(_ rest: Substring, at index: Int) throws(ParserError) -> [Token] {
        let name = rest.prefix { $0 != "=" }
        if name.count < rest.count {
            if name.isEmpty { throw .malformedOption("-" + rest) }
            let value = String(rest.dropFirst(name.count + 1))
            return [Token(content: .name(Name(typed: "-" + name), value: value), word: index)]
        }
        let whole = Token(content: .name(Name(typed: "-" + rest), value: nil), word: index)
        guard rest.count > 1 else { return [whole] }
        let letters = rest.enumerated().map { position, letter in
            Token(content: .name(.short(letter), value: nil), word: index, letter: position)
        }
        return [whole] + letters
    }
}

extension SplitArguments {
    var openTokens: [Token] { openIndices(from: 0).map { tokens[$0] } }

    func openIndices(from start: Int) -> some Sequence<Int> {
        (start..<max(start, tokens.count)).lazy.filter { isOpen[$0] }
    }

    /// Claims a token: a whole word with all its letters, or a letter with its word.
    mutating func claim(_ index: Int) {
        let token = tokens[index]
        isOpen[index] = false
        if let letter = token.letter {
            isOpen[index - letter - 1] = false
        } else {
            for next in tokens.indices[(index + 1)...].prefix(while: { tokens[$0].word == token.word }) {
                isOpen[next] = false
            }
        }
    }

    /// The next whole word, which may follow the rest of a cluster.
    func wholeWord(after index: Int) -> Int? {
        openIndices(from: index + 1).first { tokens[$0].letter == nil }
    }

    /// Unclaimed words as typed; letters of a cluster whose word was claimed.
    var leftovers: [String] {
        openTokens.filter { $0.content != .terminator }.compactMap { token in
            token.letter == nil ? words[token.word] : token.name?.spelled
        }
    }
}
