import Synchronization

/// A property wrapper's state: what it declares and, once a command line was parsed, its value.
///
/// A class, because reflection gives copies of the wrappers: only a reference in them can be written through.
final class PropertyState<Value: Sendable>: Sendable {
    fileprivate let declare: @Sendable (PropertyKey) -> [Declaration]
    /// Creates the value from the parsed command line.
    fileprivate let read: @Sendable (ParsedValues, PropertyKey) throws -> Value
    fileprivate let value: Mutex<Value?>

    init(
        declare: @escaping @Sendable (PropertyKey) -> [Declaration],
        read: @escaping @Sendable (ParsedValues, PropertyKey) throws -> Value
    ) {
        self.declare = declare
        self.read = read
        value = Mutex(nil)
    }

    /// A value that a program has set.
    init(_ value: Value) {
        declare = { _ in [] }
        read = { _, _ in value }
        self.value = Mutex(value)
    }
}

/// The common part of `Option`, `Flag`, `Argument`, and `OptionGroup`.
protocol PropertyWrapper {
    associatedtype Value: Sendable
    var state: PropertyState<Value> { get }
    init(state: PropertyState<Value>)
}

extension PropertyWrapper {
    /// A property whose value the parser has stored under its key.
    init(declare: @escaping @Sendable (PropertyKey) -> [Declaration]) {
        let state = PropertyState<Value>(declare: declare) { values, key in
            guard let value = values[key]?.value as? Value else { throw ParserError.missing(key) }
            return value
        }
        self.init(state: state)
    }

    func declarations(for key: PropertyKey) -> [Declaration] { state.declare(key) }

    /// Takes the property's value from the parsed command line.
    func read(_ values: ParsedValues, for key: PropertyKey) throws {
        let value = try state.read(values, key)
        state.value.withLock { $0 = value }
    }

    /// The parsed value.
    var value: Value {
        guard let value = state.value.withLock({ $0 }) else {
            preconditionFailure(
                """
                \(Self.self) has no value yet. Make its command by `parse`, `parseAsRoot` or `main`, \
                or set every property in an initializer of its own.
                """)
        }
        return value
    }
}

extension ParsableArguments {
    /// The properties that declare arguments, in source order.
    func properties(in parent: PropertyKey? = nil) -> [(key: PropertyKey, property: any PropertyWrapper)] {
        Mirror(reflecting: self).children.compactMap { label, value in
            (value as? any PropertyWrapper).map { (PropertyKey(label ?? "", in: parent), $0) }
        }
    }

    /// A command, or a group of it, with the values of a parsed command line.
    init(_ values: ParsedValues, in parent: PropertyKey? = nil) throws {
        self.init()
        for (key, property) in properties(in: parent) { try property.read(values, for: key) }
    }
}
