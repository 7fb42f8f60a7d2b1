/// A property read from a word by its place: `gallery search <text>`.
///
///     @Argument(help: "Photos: 7, 3-9, 90-, an address, or -.")
///     var selections: [String]
@propertyWrapper
public struct Argument<Value>: PropertyWrapper {
    var state: PropertyState<Value>

    init(state: PropertyState<Value>) { self.state = state }

    /// Never used: it lets the compiler look for the initializers that fit the property's type.
    @available(*, unavailable, message: "Give a default, or a type that is 'ExpressibleByArgument'.")
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
        let reader = ValueReader<Value>(completion)
        self.init(initial: wrappedValue) { [.single($0, nil, help, reader, initial: $1)] }
    }

    /// An argument that must be given.
    public init(help: ArgumentHelp? = nil, completion: CompletionKind? = nil) {
        let reader = ValueReader<Value>(completion)
        self.init { key, _ in [.single(key, nil, help, reader)] }
    }
}

extension Argument {
    /// An argument that must be given, read by a function of one's own.
    @_disfavoredOverload
    public init(
        help: ArgumentHelp? = nil, completion: CompletionKind? = nil,
        transform: @Sendable @escaping (String) throws -> Value
    ) {
        let reader = ValueReader(completion, transform)
        self.init { key, _ in [.single(key, nil, help, reader)] }
    }
}

// MARK: - A word or none

extension Argument {
    /// An argument that may be left out.
    public init<T: ExpressibleByArgument>(help: ArgumentHelp? = nil, completion: CompletionKind? = nil)
    where Value == T? {
        let reader = ValueReader<T>(completion)
        self.init { key, _ in [.single(key, nil, help, reader, isOptional: true)] }
    }

    /// An argument that may be left out, read by a function of one's own.
    public init<T>(
        help: ArgumentHelp? = nil, completion: CompletionKind? = nil,
        transform: @Sendable @escaping (String) throws -> T
    ) where Value == T? {
        let reader = ValueReader(completion, transform)
        self.init { key, _ in [.single(key, nil, help, reader, isOptional: true)] }
    }
}

// MARK: - All further words

extension Argument {
    /// All further words, with defaults for when there is none.
    public init<T: ExpressibleByArgument>(
        wrappedValue: [T], help: ArgumentHelp? = nil, completion: CompletionKind? = nil
    ) where Value == [T] {
        let reader = ValueReader<T>(completion)
        self.init(initial: wrappedValue) { [.list($0, nil, help, reader, initial: $1)] }
    }

    /// All further words, of which there must be one.
    public init<T: ExpressibleByArgument>(help: ArgumentHelp? = nil, completion: CompletionKind? = nil)
    where Value == [T] {
        let reader = ValueReader<T>(completion)
        self.init { [.list($0, nil, help, reader, initial: $1)] }
    }

    /// All further words, read by a function of one's own.
    public init<T>(
        wrappedValue: [T], help: ArgumentHelp? = nil, completion: CompletionKind? = nil,
        transform: @Sendable @escaping (String) throws -> T
    ) where Value == [T] {
        let reader = ValueReader(completion, transform)
        self.init(initial: wrappedValue) { [.list($0, nil, help, reader, initial: $1)] }
    }

    /// All further words, of which there must be one, read by a function of one's own.
    public init<T>(
        help: ArgumentHelp? = nil, completion: CompletionKind? = nil,
        transform: @Sendable @escaping (String) throws -> T
    ) where Value == [T] {
        let reader = ValueReader(completion, transform)
        self.init { [.list($0, nil, help, reader, initial: $1)] }
    }
}
