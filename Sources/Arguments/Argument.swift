/// A positional argument: `gallery search <text>`.
///
///     @Argument(help: "Photos: 7, 3-9, 90-, an address, or -.")
///     var selections: [String]
@propertyWrapper
package struct Argument<Value: Sendable>: PropertyWrapper, Sendable {
    var state: PropertyState<Value>

    init(state: PropertyState<Value>) { self.state = state }

    /// Unavailable; makes the compiler consider the initializers that fit the property's type.
    @available(*, unavailable, message: "Give a default, or a type that is 'ExpressibleByArgument'.")
    package init() { preconditionFailure("unavailable") }

    package var wrappedValue: Value {
        get { value }
        set { state = PropertyState(newValue) }
    }
}

extension Argument where Value: ExpressibleByArgument {
    /// An argument with a default.
    package init(
        wrappedValue: Value, help: ArgumentHelp? = nil, completion: @autoclosure @escaping Completion = nil
    ) {
        self.init { [.single($0, nil, help, ValueReader<Value>(completion), initial: wrappedValue)] }
    }

    /// A required argument.
    package init(help: ArgumentHelp? = nil, completion: @autoclosure @escaping Completion = nil) {
        self.init { [.single($0, nil, help, ValueReader<Value>(completion))] }
    }
}

extension Argument {
    /// An optional argument.
    package init<T: ExpressibleByArgument>(
        help: ArgumentHelp? = nil, completion: @autoclosure @escaping Completion = nil
    ) where Value == T? {
        self.init { [.single($0, nil, help, ValueReader<T>(completion), isOptional: true)] }
    }

    /// All remaining values, or the defaults if there are none.
    package init<T: ExpressibleByArgument>(
        wrappedValue: [T], help: ArgumentHelp? = nil, completion: @autoclosure @escaping Completion = nil
    ) where Value == [T] {
        self.init { [.list($0, nil, help, ValueReader<T>(completion), initial: wrappedValue)] }
    }

    /// All remaining values, at least one.
    package init<T: ExpressibleByArgument>(
        help: ArgumentHelp? = nil, completion: @autoclosure @escaping Completion = nil
    ) where Value == [T] {
        self.init { [.list($0, nil, help, ValueReader<T>(completion), initial: nil)] }
    }

    /// All remaining values, with a custom transform.
    package init<T>(
        wrappedValue: [T], help: ArgumentHelp? = nil, completion: @autoclosure @escaping Completion = nil,
        transform: @Sendable @escaping (String) throws -> T
    ) where Value == [T] {
        self.init { [.list($0, nil, help, ValueReader(completion, transform), initial: wrappedValue)] }
    }

    /// All remaining values, at least one, with a custom transform.
    package init<T>(
        help: ArgumentHelp? = nil, completion: @autoclosure @escaping Completion = nil,
        transform: @Sendable @escaping (String) throws -> T
    ) where Value == [T] {
        self.init { [.list($0, nil, help, ValueReader(completion, transform), initial: nil)] }
    }
}
