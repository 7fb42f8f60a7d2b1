/// An enumeration each of whose cases is a flag.
///
///     enum Layout: EnumerableFlag { case table, grid }
///     @Flag(help: "How photos are laid out.") var layout = Layout.table    // --table, --grid
public protocol EnumerableFlag: CaseIterable, Equatable, SendableMetatype {
    /// The names of a case's flag.
    static func name(for value: Self) -> NameSpecification
    /// What help says about a case; `nil` takes what it says about the property.
    static func help(for value: Self) -> ArgumentHelp?
}

extension EnumerableFlag {
    /// The case's name behind two dashes.
    public static func name(for value: Self) -> NameSpecification { .long }
    /// The property's own.
    public static func help(for value: Self) -> ArgumentHelp? { nil }
}

extension Flag where Value: EnumerableFlag {
    /// One of several flags, with a default.
    public init(wrappedValue: Value, exclusivity: FlagExclusivity = .exclusive, help: ArgumentHelp? = nil) {
        self.init(initial: wrappedValue) { key, initial in
            Declaration.cases(key, help, initial: initial, isOptional: true) {
                exclusivity.set($0, in: &$1)
            }
        }
    }

    /// One of several flags, which must be given.
    public init(exclusivity: FlagExclusivity = .exclusive, help: ArgumentHelp? = nil) {
        self.init { key, _ in
            Declaration.cases(key, help, initial: Value?.none, isOptional: false) {
                exclusivity.set($0, in: &$1)
            }
        }
    }
}

extension Flag {
    /// One of several flags, or none.
    public init<Element: EnumerableFlag>(
        exclusivity: FlagExclusivity = .exclusive, help: ArgumentHelp? = nil
    ) where Value == Element? {
        self.init { key, _ in
            Declaration.cases(key, help, initial: Element?.none, isOptional: true) {
                exclusivity.set($0, in: &$1)
            }
        }
    }
}

extension Declaration {
    fileprivate static func cases<Case: EnumerableFlag>(
        _ key: PropertyKey, _ help: ArgumentHelp?, initial: Case?, isOptional: Bool,
        set: @escaping (Case, inout ParsedValue) -> Bool
    ) -> [Declaration] {
        // One case with words of its own gives every case a line of its own.
        let isComposite = Case.allCases.allSatisfy { Case.help(for: $0) == nil }
        func names(_ value: Case) -> [Name] {
            Case.name(for: value).names(for: PropertyKey(String(describing: value), in: key))
        }
        return Case.allCases.map { value in
            let shown = isComposite || value == initial ? initial : nil
            return Declaration(
                key: key, kind: .named(names(value)), action: .flag { set(value, &$0) },
                help: Case.help(for: value) ?? help ?? "", isOptional: isOptional, isComposite: isComposite,
                defaultText: shown.flatMap { names($0).first?.spelled }, initial: initial)
        }
    }
}
