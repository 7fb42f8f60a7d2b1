/// A name as it is typed, dashes included.
enum Name: Hashable {
    case long(String)
    /// `joined`: the value may follow without a space, as in `-j6`.
    case short(Character, joined: Bool = false)
    /// A word behind a single dash; undeclared, it is a cluster of short names.
    case longWithSingleDash(String)

    /// Reads a word that begins with a dash.
    init(typed word: some StringProtocol) {
        if word.hasPrefix("--") {
            self = .long(String(word.dropFirst(2)))
        } else if word.count == 2, let letter = word.last {
            self = .short(letter)
        } else {
            self = .longWithSingleDash(String(word.dropFirst()))
        }
    }

    /// The name with its dashes.
    var spelled: String {
        switch self {
        case .long(let name): "--\(name)"
        case .short(let letter, _): "-\(letter)"
        case .longWithSingleDash(let name): "-\(name)"
        }
    }

    /// The name without its dashes.
    var bare: String {
        switch self {
        case .long(let name), .longWithSingleDash(let name): name
        case .short(let letter, _): String(letter)
        }
    }

    var isShort: Bool {
        if case .short = self { true } else { false }
    }

    var allowsJoinedValue: Bool {
        if case .short(_, joined: true) = self { true } else { false }
    }

    /// Whether this is the declared name, however its value may be attached.
    func matches(_ declared: Name) -> Bool {
        if case (.short(let letter, _), .short(let other, _)) = (self, declared) { return letter == other }
        return self == declared
    }
}

extension [Name] {
    /// The name that usage lines and messages call an argument by.
    var preferred: Name? { first { !$0.isShort } ?? first }
    /// Short names before long ones, as help lists them.
    var shortFirst: [Name] { filter(\.isShort) + filter { !$0.isShort } }
}

/// Where a property stands: its name, behind those of the groups it is in.
struct PropertyKey: Hashable {
    let path: [String]

    init(_ label: String, in parent: PropertyKey? = nil) {
        // A property wrapper's storage is the property's name with an underscore.
        path = (parent?.path ?? []) + [label.first == "_" ? String(label.dropFirst()) : label]
    }

    init(path: [String]) { self.path = path }

    var name: String { path.last ?? "" }
}

extension String {
    /// `perPage` as it is typed, `per-page`; runs of capitals stay one word.
    var hyphenated: String {
        guard contains(where: \.isUppercase) else { return self }
        let letters = Array(self)
        var result = ""
        for (index, letter) in letters.enumerated() {
            if letter.isUppercase, index > 0 {
                let previous = letters[index - 1]
                let beginsWord = index + 1 < letters.count && letters[index + 1].isLowercase
                if previous.isUppercase ? beginsWord : previous != "-" { result += "-" }
            }
            result += letter.lowercased()
        }
        return result
    }

    /// The name with a word before it, joined the way the name joins its own.
    func prefixed(by word: String) -> String {
        if contains("-") { return "\(word)-\(self)" }
        if contains("_") { return "\(word)_\(self)" }
        if first?.isLowercase == true, contains(where: \.isUppercase) { return capitalized(after: word) }
        return "\(word)-\(self)"
    }

    /// `color` after `no`: `noColor`.
    func capitalized(after word: String) -> String {
        word + prefix(1).uppercased() + dropFirst()
    }
}
