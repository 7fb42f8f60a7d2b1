/// A property read from a word by its place: `gallery search <text>`.
///
///     @Argument(help: "Photos: 7, 3-9, 90-, an address, or -.")
///     var selections: [String]
@propertyWrapper
public struct Argument<Value>: PropertyWrapper {
    var state: PropertyState<Value>

    init(state: PropertyState<Value>) { self.state = state }

    /// Never used: it lets the compiler look for the initializers that fit the property's type.
    @available(
        *, unavailable,
        message: "A default value must be provided unless the type conforms to 'ExpressibleByArgument'."
    )
    public init() { preconditionFailure("unavailable") }

    /// Takes the value from a parsed line; called by the parser alone.
    public init(from decoder: any Decoder) throws { try self.init(reading: decoder) }

    /// The value that was read.
    public var wrappedValue: Value {
        get { value }
        set { state = .read(newValue) }
    }
}

extension Argument: Sendable where Value: Sendable {}

// MARK: - One word

extension Argument where Value: ExpressibleByArgument {
    /// An argument with a default.
    public init(wrappedValue: Value, help: ArgumentHelp? = nil, completion: CompletionKind? = nil) {
        self.init(initial: wrappedValue) { key, initial in
            let reader = ValueReader<Value>(completion: completion)
            return [.single(key, .positional, .next, help, reader, initial: initial)]
        }
    }

    /// An argument that must be given.
    public init(help: ArgumentHelp? = nil, completion: CompletionKind? = nil) {
        self.init { key, _ in
            [.single(key, .positional, .next, help, ValueReader<Value>(completion: completion))]
        }
    }
}

extension Argument {
    /// An argument with a default, read by a function of one's own.
    public init(
        wrappedValue: Value, help: ArgumentHelp? = nil, completion: CompletionKind? = nil,
        transform: @Sendable @escaping (String) throws -> Value
    ) {
        self.init(initial: wrappedValue) { key, initial in
            let reader = ValueReader(completion: completion, transform: transform)
            return [.single(key, .positional, .next, help, reader, initial: initial)]
        }
    }

    /// An argument that must be given, read by a function of one's own.
    @_disfavoredOverload
    public init(
        help: ArgumentHelp? = nil, completion: CompletionKind? = nil,
        transform: @Sendable @escaping (String) throws -> Value
    ) {
        self.init { key, _ in
            let reader = ValueReader(completion: completion, transform: transform)
            return [.single(key, .positional, .next, help, reader)]
        }
    }
}

// MARK: - A word or none

extension Argument {
    /// An argument that may be left out.
    public init<T: ExpressibleByArgument>(
        wrappedValue: _OptionalNilComparisonType, help: ArgumentHelp? = nil, completion: CompletionKind? = nil
    ) where Value == T? {
        self.init(help: help, completion: completion)
    }

    /// An argument that may be left out.
    public init<T: ExpressibleByArgument>(help: ArgumentHelp? = nil, completion: CompletionKind? = nil)
    where Value == T? {
        self.init { key, _ in
            let reader = ValueReader<T>(completion: completion)
            return [.single(key, .positional, .next, help, reader, isOptional: true)]
        }
    }

    /// An argument that may be left out, read by a function of one's own.
    public init<T>(
        wrappedValue: _OptionalNilComparisonType, help: ArgumentHelp? = nil,
        completion: CompletionKind? = nil, transform: @Sendable @escaping (String) throws -> T
    ) where Value == T? {
        self.init(help: help, completion: completion, transform: transform)
    }

    /// An argument that may be left out, read by a function of one's own.
    public init<T>(
        help: ArgumentHelp? = nil, completion: CompletionKind? = nil,
        transform: @Sendable @escaping (String) throws -> T
    ) where Value == T? {
        self.init { key, _ in
            let reader = ValueReader(completion: completion, transform: transform)
            return [.single(key, .positional, .next, help, reader, isOptional: true)]
        }
    }
}

// MARK: - All further words

extension Argument {
    /// All further words, with defaults for when there is none.
    public init<T: ExpressibleByArgument>(
        wrappedValue: [T], help: ArgumentHelp? = nil, completion: CompletionKind? = nil
    ) where Value == [T] {
        self.init(initial: wrappedValue) { key, initial in
            let reader = ValueReader<T>(completion: completion)
            return [.list(key, .positional, .next, help, reader, initial: initial)]
        }
    }

    /// All further words, of which there must be one.
    public init<T: ExpressibleByArgument>(help: ArgumentHelp? = nil, completion: CompletionKind? = nil)
    where Value == [T] {
        self.init { key, _ in
            [.list(key, .positional, .next, help, ValueReader<T>(completion: completion), initial: nil)]
        }
    }

    /// All further words, read by a function of one's own.
    public init<T>(
        wrappedValue: [T], help: ArgumentHelp? = nil, completion: CompletionKind? = nil,
        transform: @Sendable @escaping (String) throws -> T
    ) where Value == [T] {
        self.init(initial: wrappedValue) { key, initial in
            let reader = ValueReader(completion: completion, transform: transform)
            return [.list(key, .positional, .next, help, reader, initial: initial)]
        }
    }

    /// All further words, of which there must be one, read by a function of one's own.
    public init<T>(
        help: ArgumentHelp? = nil, completion: CompletionKind? = nil,
        transform: @Sendable @escaping (String) throws -> T
    ) where Value == [T] {
        self.init { key, _ in
            let reader = ValueReader(completion: completion, transform: transform)
            return [.list(key, .positional, .next, help, reader, initial: nil)]
        }
    }
}
