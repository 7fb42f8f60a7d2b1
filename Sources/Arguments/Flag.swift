/// A property set by naming it: `--json`, `--no-color`.
///
///     @Flag(name: .shortAndLong, help: "Errors only.") var quiet = false
@propertyWrapper
public struct Flag<Value>: PropertyWrapper {
    var state: PropertyState<Value>

    init(state: PropertyState<Value>) { self.state = state }

    /// Unavailable; makes the compiler consider the initializers that fit the property's type.
    @available(*, unavailable, message: "Give a default, or a value of 'true' or 'false'.")
    public init() { preconditionFailure("unavailable") }

    /// Takes the value from a parsed command line. Called only by the parser.
    public init(from decoder: any Decoder) throws { try self.init(reading: decoder) }

    /// The parsed value.
    public var wrappedValue: Value {
        get { value }
        set { state = .read(newValue) }
    }
}

extension Flag: Sendable where Value: Sendable {}

/// The spelling of a flag's negation.
public enum FlagInversion: Sendable {
    /// `--color`, `--no-color`
    case prefixedNo
}

extension Flag where Value == Bool {
    /// A flag that is `true` when given.
    public init(wrappedValue: Bool, name: NameSpecification = .long, help: ArgumentHelp? = nil) {
        self.init(initial: wrappedValue) { key, initial in
            [.setting(true, of: key, names: name.names(for: key), help, initial: initial)]
        }
    }

    /// A flag that can be turned on and off; the last one wins.
    public init(wrappedValue: Bool, inversion: FlagInversion, help: ArgumentHelp? = nil) {
        self.init(initial: wrappedValue) { key, initial in
            let yes = [Name.long(key.name.hyphenated)]
            let no = [Name.long("no-" + key.name.hyphenated)]
            var on = Declaration.setting(true, of: key, names: yes, help, initial: initial)
            on.isComposite = true
            on.defaultText = (initial == true ? yes : no).first?.spelled
            return [on, .setting(false, of: key, names: no, help, initial: initial)]
        }
    }
}

extension Declaration {
    fileprivate static func setting(
        _ value: Bool, of key: PropertyKey, names: [Name], _ help: ArgumentHelp?, initial: Bool?
    ) -> Declaration {
        Declaration(
            key: key, names: names, action: .flag(value), help: help ?? "", isOptional: true, initial: initial
        )
    }
}
