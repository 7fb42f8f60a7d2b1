import Foundation

/// The message for an error: one sentence and, if useful, what was expected.
struct ErrorMessage {
    /// `nil` if there is nothing to print.
    let sentence: String?
    /// The `Help:` line: the option and its abstract.
    var help: String?

    init(_ fault: ParserError, of command: any ParsableCommand.Type) {
        let declarations = Declaration.all(of: command)
        switch fault {
        case .helpRequested, .versionRequested, .completionScriptRequested: self.init(sentence: nil)
        case .unsupportedShell(let shell): self.init(sentence: Self.unsupported(shell))
        case .unknownOption(let name): self.init(sentence: Self.unknown(name, among: declarations))
        case .malformedOption(let word): self.init(sentence: "Invalid option: \(word)")
        case .missingValue(let name, let cluster): self.init(missing: name, in: cluster, among: declarations)
        case .unexpectedValue(let name, let value):
            let what = "The option '\(name.spelled)' does not take any value"
            self.init(sentence: "\(what), but '\(value)' was specified.")
        case .unexpectedWords(let words):
            let what = words.count == 1 ? "Unexpected argument" : "\(words.count) unexpected arguments:"
            self.init(sentence: "\(what) '\(words.joined(separator: "', '"))'")
        case .missing(let key): self.init(missing: key, among: declarations)
        case .unreadable(let word, let name, let key, let reason):
            self.init(unreadable: word, of: name, declarations.first { $0.key == key }, reason)
        case .refused(let error): self.init(sentence: error.sentence)
        }
    }

    private init(sentence: String?, help: String? = nil) { (self.sentence, self.help) = (sentence, help) }
}

// MARK: - Missing and invalid values

extension ErrorMessage {
    private init(missing name: Name, in cluster: Name?, among declarations: [Declaration]) {
        let declaration = declarations.first { $0.names.contains(name) }
        let expected = [name.spelled, declaration.map { "<\($0.valueName)>" }].compactMap(\.self)
        let missing = "Missing value for '\(expected.joined(separator: " "))'"
        guard let cluster else {
            self.init(sentence: missing, help: declaration.map { "\(name.spelled) \($0.expectation)" })
            return
        }
        // The cluster may have been meant as a long name.
        let unknown = Self.unknown(cluster, among: declarations)
        self.init(sentence: "\(unknown)\n   or: \(missing) in '\(cluster.spelled)'")
    }

    private init(missing key: PropertyKey, among declarations: [Declaration]) {
        let owner = declarations.first { $0.key == key }
        let name = owner?.names.first.map { $0.spelled + " " } ?? ""
        let expected = owner.map { " '\(UsageLine.synopsis(of: $0, isRequired: true))'" } ?? ""
        self.init(sentence: "Missing expected argument\(expected)", help: owner.map { name + $0.expectation })
    }

    private init(
        unreadable word: String, of name: Name?, _ declaration: Declaration?, _ reason: (any Error)?
    ) {
        let expected = [name?.spelled, declaration.map { "<\($0.valueName)>" }].compactMap(\.self)
        let place = expected.isEmpty ? "." : " for '\(expected.joined(separator: " "))'"
        let why = reason.map { ": \($0.sentence)" } ?? declaration?.choices ?? ""
        let help = declaration.map { (name.map { "\($0.spelled) " } ?? "") + $0.expectation }
        self.init(sentence: "The value '\(word)' is invalid\(place)\(why)", help: help)
    }
}

extension Declaration {
    fileprivate var expectation: String { "<\(valueName)>  \(help.abstract)" }

    /// The accepted values, if they can be listed: up to five in a sentence, more in a list.
    fileprivate var choices: String {
        let values = allValues()
        guard let last = values.last else { return "" }
        let quoted = values.map { "'\($0)'" }
        return switch quoted.count {
        case 1, 2: ". Please provide one of \(quoted.joined(separator: " and "))."
        case 3...5: ". Please provide one of \(quoted.dropLast().joined(separator: ", ")) or '\(last)'."
        default:
            ". Please provide one of the following:\n" + values.map { "  - \($0)" }.joined(separator: "\n")
        }
    }
}

extension Error {
    var sentence: String { (self as? any LocalizedError)?.errorDescription ?? String(describing: self) }
}

// MARK: - Unknown names

extension ErrorMessage {
    private static func unsupported(_ shell: String?) -> String {
        """
        \(shell.map { "Can't generate completion scripts for '\($0)'." } ?? "Can't autodetect a supported shell.")
        Please use --generate-completion-script=<shell> with one of:
            \(CompletionShell.allCases.map(\.rawValue).joined(separator: " "))
        """
    }

    /// Suggests the closest declared name, with an edit distance of at most three.
    private static func unknown(_ name: Name, among declarations: [Declaration]) -> String {
        let sentence = "Unknown option '\(name.spelled)'"
        if name.isShort { return sentence }
        let nearest = declarations.flatMap(\.names).filter { !$0.isShort }
            .map { (spelled: $0.spelled, distance: $0.spelled.editDistance(to: name.spelled)) }
            .min { $0.distance < $1.distance }
        guard let nearest, nearest.distance < 4 else { return sentence }
        return "\(sentence). Did you mean '\(nearest.spelled)'?"
    }
}

extension String {
    func editDistance(to other: String) -> Int {
        let other = Array(other)
        var row = Array(0...other.count)
        for (index, letter) in enumerated() {
            var diagonal = index
            row[0] = index + 1
            for (column, candidate) in other.enumerated() {
                let substituted = diagonal + (letter == candidate ? 0 : 1)
                diagonal = row[column + 1]
                row[column + 1] = Swift.min(substituted, diagonal + 1, row[column] + 1)
            }
        }
        return row[other.count]
    }
}
