/// An option with a value: `--limit 20`, `--limit=20`.
///
///     @Option(name: .shortAndLong, help: "Stop after this many photos.")
///     var limit = 20
@propertyWrapper
package struct Option<Value: Sendable>: PropertyWrapper, Sendable {
    var state: PropertyState<Value>

    package var wrappedValue: Value {
        get { value }
        set { state = PropertyState(newValue) }
    }
}

extension Option where Value: ExpressibleByArgument {
    /// An option with a default.
    package init(
        wrappedValue: Value, name: NameSpecification = .long, help: ArgumentHelp? = nil,
        completion: @autoclosure @escaping Completion = nil
    ) {
        self.init { [.single($0, name, help, ValueReader<Value>(completion), initial: wrappedValue)] }
    }

    /// A required option.
    package init(
        name: NameSpecification = .long, help: ArgumentHelp? = nil,
        completion: @autoclosure @escaping Completion = nil
    ) {
        self.init { [.single($0, name, help, ValueReader<Value>(completion))] }
    }
}

extension Option {
    /// An option that can be omitted.
    package init<T: ExpressibleByArgument>(
        name: NameSpecification = .long, parsing strategy: SingleValueParsingStrategy = .next,
        help: ArgumentHelp? = nil, completion: @autoclosure @escaping Completion = nil
    ) where Value == T? {
        self.init { key in
            var option = Declaration.single(key, name, help, ValueReader<T>(completion), isOptional: true)
            option.parsing = strategy
            return [option]
        }
    }

    /// An option that can be omitted, with a custom transform.
    package init<T>(
        name: NameSpecification = .long, parsing strategy: SingleValueParsingStrategy = .next,
        help: ArgumentHelp? = nil, completion: @autoclosure @escaping Completion = nil,
        transform: @Sendable @escaping (String) throws -> T
    ) where Value == T? {
        self.init { key in
            var option = Declaration.single(
                key, name, help, ValueReader(completion, transform), isOptional: true)
            option.parsing = strategy
            return [option]
        }
    }

    /// An option that collects values, with defaults. The name is repeated before each value.
    package init<T: ExpressibleByArgument>(
        wrappedValue: [T], name: NameSpecification = .long, help: ArgumentHelp? = nil,
        completion: @autoclosure @escaping Completion = nil
    ) where Value == [T] {
        self.init { [.list($0, name, help, ValueReader<T>(completion), initial: wrappedValue)] }
    }
}

/// Which word is an option's value, where none is attached to its name.
package enum SingleValueParsingStrategy: Sendable {
    /// The next one, unless it begins with a dash.
    case next
    /// The next one, whatever it is.
    case unconditional
}
