/// A property read from a named value: `--limit 20`, `--limit=20`.
///
///     @Option(name: .shortAndLong, help: "Stop after this many photos.")
///     var limit = 20
@propertyWrapper
public struct Option<Value>: PropertyWrapper {
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

extension Option: Sendable where Value: Sendable {}

/// Where an option that keeps one value finds it.
public struct SingleValueParsingStrategy: Hashable, Sendable {
    let strategy: Declaration.Strategy
    /// The next word, which must not look like an option.
    public static var next: Self { Self(strategy: .next) }
    /// The next word, whatever it looks like.
    public static var unconditional: Self { Self(strategy: .unconditional) }
    /// The next word that does not look like an option, however far.
    public static var scanningForValue: Self { Self(strategy: .scanning) }
}

/// Where an option that collects values finds them.
public struct ArrayParsingStrategy: Hashable, Sendable {
    let strategy: Declaration.Strategy
    /// One value after each mention of the name.
    public static var singleValue: Self { Self(strategy: .next) }
    /// One word after each mention of the name, whatever it looks like.
    public static var unconditionalSingleValue: Self { Self(strategy: .unconditional) }
    /// All words up to the next that looks like an option.
    public static var upToNextOption: Self { Self(strategy: .upToNextOption) }
}

// MARK: - One value

extension Option where Value: ExpressibleByArgument {
    /// An option with a default.
    public init(
        wrappedValue: Value, name: NameSpecification = .long, parsing: SingleValueParsingStrategy = .next,
        help: ArgumentHelp? = nil, completion: CompletionKind? = nil
    ) {
        self.init(initial: wrappedValue) { key, initial in
            let reader = ValueReader<Value>(completion: completion)
            return [
                .single(key, .named(name.names(for: key)), parsing.strategy, help, reader, initial: initial)
            ]
        }
    }

    /// An option that must be given.
    public init(
        name: NameSpecification = .long, parsing: SingleValueParsingStrategy = .next,
        help: ArgumentHelp? = nil, completion: CompletionKind? = nil
    ) {
        self.init { key, _ in
            let reader = ValueReader<Value>(completion: completion)
            return [.single(key, .named(name.names(for: key)), parsing.strategy, help, reader)]
        }
    }
}

extension Option {
    /// An option with a default, read by a function of one's own.
    public init(
        wrappedValue: Value, name: NameSpecification = .long, parsing: SingleValueParsingStrategy = .next,
        help: ArgumentHelp? = nil, completion: CompletionKind? = nil,
        transform: @Sendable @escaping (String) throws -> Value
    ) {
        self.init(initial: wrappedValue) { key, initial in
            let reader = ValueReader(completion: completion, transform: transform)
            return [
                .single(key, .named(name.names(for: key)), parsing.strategy, help, reader, initial: initial)
            ]
        }
    }

    /// An option that must be given, read by a function of one's own.
    @_disfavoredOverload
    public init(
        name: NameSpecification = .long, parsing: SingleValueParsingStrategy = .next,
        help: ArgumentHelp? = nil, completion: CompletionKind? = nil,
        transform: @Sendable @escaping (String) throws -> Value
    ) {
        self.init { key, _ in
            let reader = ValueReader(completion: completion, transform: transform)
            return [.single(key, .named(name.names(for: key)), parsing.strategy, help, reader)]
        }
    }
}

// MARK: - A value or none

extension Option {
    /// An option that may be left out.
    public init<T: ExpressibleByArgument>(
        wrappedValue: _OptionalNilComparisonType, name: NameSpecification = .long,
        parsing: SingleValueParsingStrategy = .next, help: ArgumentHelp? = nil,
        completion: CompletionKind? = nil
    ) where Value == T? {
        self.init(name: name, parsing: parsing, help: help, completion: completion)
    }

    /// An option that may be left out.
    public init<T: ExpressibleByArgument>(
        name: NameSpecification = .long, parsing: SingleValueParsingStrategy = .next,
        help: ArgumentHelp? = nil, completion: CompletionKind? = nil
    ) where Value == T? {
        self.init { key, _ in
            let reader = ValueReader<T>(completion: completion)
            return [
                .single(key, .named(name.names(for: key)), parsing.strategy, help, reader, isOptional: true)
            ]
        }
    }

    /// An option that may be left out, read by a function of one's own.
    public init<T>(
        wrappedValue: _OptionalNilComparisonType, name: NameSpecification = .long,
        parsing: SingleValueParsingStrategy = .next, help: ArgumentHelp? = nil,
        completion: CompletionKind? = nil, transform: @Sendable @escaping (String) throws -> T
    ) where Value == T? {
        self.init(name: name, parsing: parsing, help: help, completion: completion, transform: transform)
    }

    /// An option that may be left out, read by a function of one's own.
    public init<T>(
        name: NameSpecification = .long, parsing: SingleValueParsingStrategy = .next,
        help: ArgumentHelp? = nil, completion: CompletionKind? = nil,
        transform: @Sendable @escaping (String) throws -> T
    ) where Value == T? {
        self.init { key, _ in
            let reader = ValueReader(completion: completion, transform: transform)
            return [
                .single(key, .named(name.names(for: key)), parsing.strategy, help, reader, isOptional: true)
            ]
        }
    }
}

// MARK: - Many values

extension Option {
    /// An option that collects its values, with defaults.
    public init<T: ExpressibleByArgument>(
        wrappedValue: [T], name: NameSpecification = .long, parsing: ArrayParsingStrategy = .singleValue,
        help: ArgumentHelp? = nil, completion: CompletionKind? = nil
    ) where Value == [T] {
        self.init(initial: wrappedValue) { key, initial in
            let reader = ValueReader<T>(completion: completion)
            return [
                .list(key, .named(name.names(for: key)), parsing.strategy, help, reader, initial: initial)
            ]
        }
    }

    /// An option that collects its values, of which there must be one.
    public init<T: ExpressibleByArgument>(
        name: NameSpecification = .long, parsing: ArrayParsingStrategy = .singleValue,
        help: ArgumentHelp? = nil, completion: CompletionKind? = nil
    ) where Value == [T] {
        self.init { key, _ in
            let reader = ValueReader<T>(completion: completion)
            return [.list(key, .named(name.names(for: key)), parsing.strategy, help, reader, initial: nil)]
        }
    }

    /// An option that collects its values, read by a function of one's own.
    public init<T>(
        wrappedValue: [T], name: NameSpecification = .long, parsing: ArrayParsingStrategy = .singleValue,
        help: ArgumentHelp? = nil, completion: CompletionKind? = nil,
        transform: @Sendable @escaping (String) throws -> T
    ) where Value == [T] {
        self.init(initial: wrappedValue) { key, initial in
            let reader = ValueReader(completion: completion, transform: transform)
            return [
                .list(key, .named(name.names(for: key)), parsing.strategy, help, reader, initial: initial)
            ]
        }
    }
}
