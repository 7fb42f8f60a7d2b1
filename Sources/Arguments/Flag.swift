/// A property set by naming it: `--json`, `--no-color`, `--landscape`.
///
///     @Flag(name: .shortAndLong, help: "Errors only.") var quiet = false
@propertyWrapper
public struct Flag<Value>: PropertyWrapper {
    var state: PropertyState<Value>

    init(state: PropertyState<Value>) { self.state = state }

    /// Never used: it lets the compiler look for the initializers that fit the property's type.
    @available(*, unavailable, message: "Give a default, or a type that is 'EnumerableFlag'.")
    public init() { preconditionFailure("unavailable") }

    /// Takes the value from a parsed line; called by the parser alone.
    public init(from decoder: any Decoder) throws { try self.init(reading: decoder) }

    /// The value that was read.
    public var wrappedValue: Value {
        get { value }
        set { state = .read(newValue) }
    }
}

extension Flag: Sendable where Value: Sendable {}

/// How a flag is spelled where it says no.
public enum FlagInversion: Hashable, Sendable {
    /// `--color`, `--no-color`
    case prefixedNo
    /// `--enable-color`, `--disable-color`
    case prefixedEnableDisable

    func names(_ name: NameSpecification, for key: PropertyKey) -> (on: [Name], off: [Name]) {
        func prefixed(by word: String) -> [Name] {
            name.elements.compactMap { $0.name(for: key, prefixedBy: word) }
        }
        func prefixedOrShort(by word: String) -> [Name] {
            name.elements.compactMap { $0.name(for: key, prefixedBy: word) ?? $0.name(for: key) }
        }
        return switch self {
        case .prefixedNo: (name.names(for: key), prefixed(by: "no"))
        case .prefixedEnableDisable: (prefixedOrShort(by: "enable"), prefixed(by: "disable"))
        }
    }
}

/// What happens when flags of one property contradict each other.
public enum FlagExclusivity: Hashable, Sendable {
    /// The line is refused.
    case exclusive
    /// The first counts.
    case chooseFirst
    /// The last counts.
    case chooseLast

    /// Sets a flag's value, or returns `false` where it contradicts an earlier one.
    func set<Value: Equatable>(_ value: Value, in stored: inout ParsedValue) -> Bool {
        if stored.isGiven {
            if self == .chooseFirst { return true }
            if self == .exclusive { return stored.value as? Value == value }
        }
        stored.value = value
        return true
    }
}

// MARK: - Yes or no

extension Flag where Value == Bool {
    /// A flag that turns something on.
    public init(wrappedValue: Bool, name: NameSpecification = .long, help: ArgumentHelp? = nil) {
        self.init(initial: wrappedValue) { key, initial in
            let turnOn = Declaration.Action.flag { FlagExclusivity.chooseLast.set(true, in: &$0) }
            return [
                Declaration(
                    key: key, kind: .named(name.names(for: key)), action: turnOn, help: help ?? "",
                    isOptional: true, defaultText: initial == true ? "true" : nil, initial: initial)
            ]
        }
    }

    /// A flag that can be turned on and off.
    public init(
        wrappedValue: Bool, name: NameSpecification = .long, inversion: FlagInversion,
        exclusivity: FlagExclusivity = .chooseLast, help: ArgumentHelp? = nil
    ) {
        self.init(initial: wrappedValue) {
            Declaration.pair($0, inversion.names(name, for: $0), exclusivity, help, initial: $1)
        }
    }
}

extension Flag where Value == Bool? {
    /// A flag that may be left undecided.
    public init(
        name: NameSpecification = .long, inversion: FlagInversion,
        exclusivity: FlagExclusivity = .chooseLast, help: ArgumentHelp? = nil
    ) {
        self.init { key, _ in
            Declaration.pair(key, inversion.names(name, for: key), exclusivity, help, initial: nil)
        }
    }
}

extension Declaration {
    fileprivate static func pair(
        _ key: PropertyKey, _ names: (on: [Name], off: [Name]), _ exclusivity: FlagExclusivity,
        _ help: ArgumentHelp?, initial: Bool?
    ) -> [Declaration] {
        let on = Declaration(
            key: key, kind: .named(names.on), action: .flag { exclusivity.set(true, in: &$0) },
            help: help ?? "", isOptional: true, isComposite: true,
            defaultText: initial.flatMap { ($0 ? names.on : names.off).first?.spelled }, initial: initial)
        let off = Declaration(
            key: key, kind: .named(names.off), action: .flag { exclusivity.set(false, in: &$0) },
            help: help ?? "", isOptional: true, initial: initial)
        return [on, off]
    }
}
