/// A property wrapper's state: its declaration before parsing, its value afterward.
enum PropertyState<Value> {
    /// The initial value is passed to the closure instead of being captured, so
    /// that a wrapper is `Sendable` exactly when its value is.
    case declared(initial: Value?, declare: @Sendable (PropertyKey, Value?) -> [Declaration])
    case read(Value)
}

extension PropertyState: Sendable where Value: Sendable {}

/// A property that declares command-line arguments.
protocol DeclaredProperty: Decodable {
    func declarations(for key: PropertyKey) -> [Declaration]
}

/// The common part of `Option`, `Flag`, and `Argument`.
protocol PropertyWrapper: DeclaredProperty {
    associatedtype Value
    var state: PropertyState<Value> { get }
    init(state: PropertyState<Value>)
}

extension PropertyWrapper {
    func declarations(for key: PropertyKey) -> [Declaration] {
        guard case .declared(let initial, let declare) = state else { return [] }
        return declare(key, initial)
    }

    /// Takes the property's value from the parsed command line.
    init(reading decoder: any Decoder) throws {
        guard let property = decoder as? PropertyDecoder else { throw ParserError.invalidState }
        guard let value = property.stored?.value as? Value else { throw ParserError.missing(property.key) }
        self.init(state: .read(value))
    }

    init(initial: Value? = nil, declare: @escaping @Sendable (PropertyKey, Value?) -> [Declaration]) {
        self.init(state: .declared(initial: initial, declare: declare))
    }

    /// The parsed value.
    var value: Value {
        guard case .read(let value) = state else {
            preconditionFailure(
                """
                \(Self.self) has no value yet. Make its command by `parse`, `parseAsRoot` or `main`, \
                or set every property in an initializer of its own.
                """)
        }
        return value
    }
}
