/// The names of an option or flag.
///
///     @Option(name: .shortAndLong) var service: String?          // --service, -s
///     @Option(name: [.short, .customLong("dir")]) var directory = "."
public struct NameSpecification: ExpressibleByArrayLiteral, Sendable {
    /// One name.
    public enum Element: Hashable, Sendable {
        /// The property's name with two dashes, hyphenated.
        case long
        /// The first letter of the property's name with one dash.
        case short
        /// A custom name, with two dashes or one.
        case customLong(String, withSingleDash: Bool = false)
        /// A custom letter, with one dash; with `allowingJoined`, `-j6` means `-j 6`.
        case customShort(Character, allowingJoined: Bool = false)

        /// The name for a property, or `nil` if the property's name has no letters.
        func name(for key: PropertyKey) -> Name? {
            switch self {
            case .long: .long(key.name.hyphenated)
            case .short: key.name.first.map { .short($0) }
            case .customLong(let name, withSingleDash: true): .longWithSingleDash(name)
            case .customLong(let name, withSingleDash: false): .long(name)
            case .customShort(let letter, let allowingJoined): .short(letter, joined: allowingJoined)
            }
        }

        /// The negated name; `nil` for single letters.
        func inverseName(for key: PropertyKey) -> Name? {
            switch self {
            case .long: .long(key.name.capitalized(after: "no").hyphenated)
            case .customLong(let name, let isSingle):
                Element.customLong(name.prefixed(by: "no"), withSingleDash: isSingle).name(for: key)
            case .short, .customShort: nil
            }
        }
    }

    let elements: [Element]

    /// Keeps the first occurrence of each name, in order.
    public init<S: Sequence>(_ sequence: S) where S.Element == Element {
        elements = sequence.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }

    /// Keeps the first occurrence of each name, in order.
    public init(arrayLiteral elements: Element...) { self.init(elements) }

    /// `--per-page` for `perPage`.
    public static var long: NameSpecification { [.long] }
    /// `-p` for `perPage`.
    public static var short: NameSpecification { [.short] }
    /// Both `--per-page` and `-p`.
    public static var shortAndLong: NameSpecification { [.long, .short] }
    /// A custom name, with two dashes or one.
    public static func customLong(_ name: String, withSingleDash: Bool = false) -> NameSpecification {
        [.customLong(name, withSingleDash: withSingleDash)]
    }
    /// A custom letter, with one dash.
    public static func customShort(_ char: Character, allowingJoined: Bool = false) -> NameSpecification {
        [.customShort(char, allowingJoined: allowingJoined)]
    }

    func names(for key: PropertyKey) -> [Name] { elements.compactMap { $0.name(for: key) } }
}
