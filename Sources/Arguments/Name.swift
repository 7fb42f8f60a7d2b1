/// A name as typed, including dashes.
enum Name: Hashable {
    case long(String)
    case short(Character)
    /// A word with a single dash; if undeclared, a cluster of short names.
    case longWithSingleDash(String)

    init(typed word: some StringProtocol) {
        if word.hasPrefix("--") {
            self = .long(String(word.dropFirst(2)))
        } else if word.count == 2, let letter = word.last {
            self = .short(letter)
        } else {
            self = .longWithSingleDash(String(word.dropFirst()))
        }
    }

    var spelled: String {
        switch self {
        case .long(let name): "--\(name)"
        case .short(let letter): "-\(letter)"
        case .longWithSingleDash(let name): "-\(name)"
        }
    }

    var bare: String {
        switch self {
        case .long(let name), .longWithSingleDash(let name): name
        case .short(let letter): String(letter)
        }
    }

    var isShort: Bool { if case .short = self { true } else { false } }
}

extension [Name] {
    /// The name used for an argument in usage lines and messages.
    var preferred: Name? { first { !$0.isShort } ?? first }
    var shortFirst: [Name] { filter(\.isShort) + filter { !$0.isShort } }
}

/// The path to a property: its name, after those of the groups that contain it.
struct PropertyKey: Hashable {
    let path: [String]

    init(_ label: String, in parent: PropertyKey? = nil) {
        // A property wrapper's storage is named after the property, with a leading underscore.
        path = (parent?.path ?? []) + [label.first == "_" ? String(label.dropFirst()) : label]
    }

    var name: String { path.last ?? "" }
}

extension String {
    /// `per-page` for `perPage`; a run of capitals stays one word.
    var hyphenated: String {
        // By bytes, since it is asked of every property, and the tables of Unicode are slow.
        guard utf8.contains(where: { $0 >= 0x80 || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) })
        else {
            return self
        }
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
}
