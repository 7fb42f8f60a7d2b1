/// A property set by naming it: `--json`, `--no-color`.
///
///     @Flag(name: .shortAndLong, help: "Errors only.") var quiet = false
@propertyWrapper
package struct Flag: PropertyWrapper, Sendable {
    var state: PropertyState<Bool>

    package var wrappedValue: Bool {
        get { value }
        set { state = PropertyState(newValue) }
    }
}

/// The spelling of a flag's negation.
package enum FlagInversion: Sendable {
    /// `--color`, `--no-color`
    case prefixedNo
}

extension Flag {
    /// A flag that is `true` when given.
    package init(wrappedValue: Bool, name: NameSpecification = .long, help: ArgumentHelp? = nil) {
        self.init { key in
            [.setting(true, of: key, names: name.names(for: key), help, initial: wrappedValue)]
        }
    }

    /// A flag that can be turned on and off; the last one wins.
    package init(wrappedValue: Bool, inversion: FlagInversion, help: ArgumentHelp? = nil) {
        self.init { key in
            let yes = [Name.long(key.name.hyphenated)]
            let no = [Name.long("no-" + key.name.hyphenated)]
            var on = Declaration.setting(true, of: key, names: yes, help, initial: wrappedValue)
            on.defaultText = { (wrappedValue ? yes : no).first?.spelled }
            return [on, .setting(false, of: key, names: no, help, initial: wrappedValue)]
        }
    }
}

extension Declaration {
    fileprivate static func setting(
        _ value: Bool, of key: PropertyKey, names: [Name], _ help: ArgumentHelp?, initial: Bool
    ) -> Declaration {
        Declaration(
            key: key, names: names, action: .flag(value), help: help ?? "", isOptional: true, initial: initial
        )
    }
}
