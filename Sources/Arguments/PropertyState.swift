import Synchronization

/// A property wrapper's state: its declaration and, once a command line was parsed, its value.
enum PropertyState<Value: Sendable>: Sendable {
    case declared(Declared)
    /// Set by a program, in place of what was parsed.
    case set(Value)

    final class Declared: Sendable {
        let declarations: @Sendable (PropertyKey) -> [Declaration]
        /// Creates the value from the parsed command line.
        let read: @Sendable (ParsedValues, PropertyKey) throws -> Value
        let parsed = Mutex<Value?>(nil)

        init(
            _ declarations: @escaping @Sendable (PropertyKey) -> [Declaration],
            _ read: @escaping @Sendable (ParsedValues, PropertyKey) throws -> Value
        ) {
            self.declarations = declarations
            self.read = read
        }
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
        let declared = PropertyState<Value>.Declared(declare) { values, key in
            guard let value = values[key]?.value as? Value else { throw ParserError.missing(key) }
            return value
        }
        self.init(state: .declared(declared))
    }

    func declarations(for key: PropertyKey) -> [Declaration] {
        guard case .declared(let declared) = state else { return [] }
        return declared.declarations(key)
    }

    /// Takes the property's value from the parsed command line.
    func read(_ values: ParsedValues, for key: PropertyKey) throws {
        guard case .declared(let declared) = state else { return }
        let value = try declared.read(values, key)
        declared.parsed.withLock { $0 = value }
    }

    /// The parsed value.
    var value: Value {
        switch state {
        case .set(let value): return value
        case .declared(let declared):
            guard let value = declared.parsed.withLock({ $0 }) else {
                preconditionFailure(
                    """
                    \(Self.self) has no value yet. Make its command by `parse`, `parseAsRoot` or `main`, \
                    or set every property in an initializer of its own.
                    """)
            }
            return value
        }
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
