/// A property read from a named value: `--limit 20`, `--limit=20`.
///
///     @Option(name: .shortAndLong, help: "Stop after this many photos.")
///     var limit = 20
@propertyWrapper
public struct Option<Value>: PropertyWrapper {
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

extension Option: Sendable where Value: Sendable {}

// MARK: - One value

extension Option where Value: ExpressibleByArgument {
    /// An option with a default.
    public init(
        wrappedValue: Value, name: NameSpecification = .long, help: ArgumentHelp? = nil,
        completion: CompletionKind? = nil
    ) {
        let reader = ValueReader<Value>(completion)
        self.init(initial: wrappedValue) { [.single($0, name, help, reader, initial: $1)] }
    }

    /// An option that must be given.
    public init(
        name: NameSpecification = .long, help: ArgumentHelp? = nil, completion: CompletionKind? = nil
    ) {
        let reader = ValueReader<Value>(completion)
        self.init { key, _ in [.single(key, name, help, reader)] }
    }
}

extension Option {
    /// An option with a default, read by a function of one's own.
    public init(
        wrappedValue: Value, name: NameSpecification = .long, help: ArgumentHelp? = nil,
        completion: CompletionKind? = nil, transform: @Sendable @escaping (String) throws -> Value
    ) {
        let reader = ValueReader(completion, transform)
        self.init(initial: wrappedValue) { [.single($0, name, help, reader, initial: $1)] }
    }

    /// An option that must be given, read by a function of one's own.
    @_disfavoredOverload
    public init(
        name: NameSpecification = .long, help: ArgumentHelp? = nil, completion: CompletionKind? = nil,
        transform: @Sendable @escaping (String) throws -> Value
    ) {
        let reader = ValueReader(completion, transform)
        self.init { key, _ in [.single(key, name, help, reader)] }
    }
}

// MARK: - A value or none

extension Option {
    /// An option that may be left out.
    public init<T: ExpressibleByArgument>(
        name: NameSpecification = .long, help: ArgumentHelp? = nil, completion: CompletionKind? = nil
    ) where Value == T? {
        let reader = ValueReader<T>(completion)
        self.init { key, _ in [.single(key, name, help, reader, isOptional: true)] }
    }

    /// An option that may be left out, read by a function of one's own.
    public init<T>(
        name: NameSpecification = .long, help: ArgumentHelp? = nil, completion: CompletionKind? = nil,
        transform: @Sendable @escaping (String) throws -> T
    ) where Value == T? {
        let reader = ValueReader(completion, transform)
        self.init { key, _ in [.single(key, name, help, reader, isOptional: true)] }
    }
}

// MARK: - Many values

extension Option {
    /// An option that collects its values, with defaults; it is repeated before each value.
    public init<T: ExpressibleByArgument>(
        wrappedValue: [T], name: NameSpecification = .long, help: ArgumentHelp? = nil,
        completion: CompletionKind? = nil
    ) where Value == [T] {
        let reader = ValueReader<T>(completion)
        self.init(initial: wrappedValue) { [.list($0, name, help, reader, initial: $1)] }
    }

    /// An option that collects its values, of which there must be one.
    public init<T: ExpressibleByArgument>(
        name: NameSpecification = .long, help: ArgumentHelp? = nil, completion: CompletionKind? = nil
    ) where Value == [T] {
        let reader = ValueReader<T>(completion)
        self.init { [.list($0, name, help, reader, initial: $1)] }
    }
}
