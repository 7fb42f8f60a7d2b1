/// An enumeration whose cases are flags.
///
///     enum Layout: EnumerableFlag { case table, grid }
///     @Flag(help: "How photos are laid out.") var layout = Layout.table    // --table, --grid
public protocol EnumerableFlag: CaseIterable, Equatable, SendableMetatype {
    /// The names of the flag for a case.
    static func name(for value: Self) -> NameSpecification
    /// The help for a case; `nil` for the property's help.
    static func help(for value: Self) -> ArgumentHelp?
}

extension EnumerableFlag {
    /// The case's name with two dashes.
    public static func name(for value: Self) -> NameSpecification { .long }
    /// `nil`: the property's help.
    public static func help(for value: Self) -> ArgumentHelp? { nil }
}

extension Flag where Value: EnumerableFlag {
    /// One of several flags, with a default value.
    public init(wrappedValue: Value, help: ArgumentHelp? = nil) {
        self.init(initial: wrappedValue) { Declaration.cases($0, help, initial: $1) }
    }
}

extension Flag {
    /// One of several flags, or none.
    public init<Element: EnumerableFlag>(help: ArgumentHelp? = nil) where Value == Element? {
        self.init { key, _ in Declaration.cases(key, help, initial: Element?.none) }
    }
}

extension Declaration {
    /// One flag for each case; only one of them may be given.
    fileprivate static func cases<Case: EnumerableFlag>(
        _ key: PropertyKey, _ help: ArgumentHelp?, initial: Case?
    ) -> [Declaration] {
        // If any case has its own help, every case gets its own line.
        let isComposite = Case.allCases.allSatisfy { Case.help(for: $0) == nil }
        func names(_ value: Case) -> [Name] {
            Case.name(for: value).names(for: PropertyKey(String(describing: value), in: key))
        }
        return Case.allCases.map { value in
            let choose = Action.flag { stored in
                if stored.isGiven { return stored.value as? Case == value }
                stored.value = value
                return true
            }
            let shown = isComposite || value == initial ? initial : nil
            return Declaration(
                key: key, kind: .named(names(value)), action: choose,
                help: Case.help(for: value) ?? help ?? "",
                isOptional: true, isComposite: isComposite,
                defaultText: shown.flatMap { names($0).first?.spelled }, initial: initial)
        }
    }
}
