/// The names of an option or flag.
///
///     @Option(name: .shortAndLong) var service: String?          // --service, -s
///     @Option(name: [.short, .customLong("dir")]) var directory = "."
package struct NameSpecification: ExpressibleByArrayLiteral, Sendable {
    package enum Element: Hashable, Sendable {
        /// The property's name with two dashes, hyphenated.
        case long
        /// The first letter of the property's name with one dash.
        case short
        /// A custom name, with two dashes or one.
        case customLong(String, withSingleDash: Bool = false)

        /// The name for a property, or `nil` if the property's name has no letters.
        func name(for key: PropertyKey) -> Name? {
            switch self {
            case .long: .long(key.name.hyphenated)
            case .short: key.name.first.map { .short($0) }
            case .customLong(let name, withSingleDash: true): .longWithSingleDash(name)
            case .customLong(let name, withSingleDash: false): .long(name)
            }
        }
    }

    let elements: [Element]

    /// In the order that help lists them.
    package init(arrayLiteral elements: Element...) { self.elements = elements }

    /// `--per-page` for `perPage`.
    package static var long: NameSpecification { [.long] }
    /// Both `--per-page` and `-p`.
    package static var shortAndLong: NameSpecification { [.long, .short] }
    package static func customLong(_ name: String) -> NameSpecification { [.customLong(name)] }

    func names(for key: PropertyKey) -> [Name] { elements.compactMap { $0.name(for: key) } }
}
