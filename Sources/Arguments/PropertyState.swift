import Synchronization

/// A property wrapper's state: what it declares and, once a command line was parsed, its value. A class, because
/// reflection gives copies of the wrappers: only a reference in them can be written through.
final class PropertyState<Value: Sendable>: Sendable {
    fileprivate let declare: @Sendable (PropertyKey) -> [Declaration]
    fileprivate let read: @Sendable (ParsedValues, PropertyKey) throws -> Value
    fileprivate let value: Mutex<Value?>

    init(
        declare: @escaping @Sendable (PropertyKey) -> [Declaration],
        read: @escaping @Sendable (ParsedValues, PropertyKey) throws -> Value
    ) {
        (self.declare, self.read) = (declare, read)
        value = Mutex(nil)
    }

    init(_ value: Value) {
        declare = { _ in [] }
        read = { _, _ in value }
        self.value = Mutex(value)
    }
}

/// The common part of `Option`, `Flag`, `Argument`, and `OptionGroup`.
protocol PropertyWrapper: Sendable {
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

    func read(_ values: ParsedValues, for key: PropertyKey) throws {
        let value = try state.read(values, key)
        state.value.withLock { $0 = value }
    }

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
    var properties: ArgumentProperties {
        ArgumentProperties(
            labeled: Mirror(reflecting: self).children.compactMap { label, value in
                (value as? any PropertyWrapper).map { (label ?? "", $0) }
            })
    }
}

/// The argument properties of a command or a group, found once: reflection takes longer than all else in a parser.
struct ArgumentProperties {
    let labeled: [(label: String, property: any PropertyWrapper)]

    func declarations(in parent: PropertyKey? = nil) -> [Declaration] {
        labeled.flatMap { $0.property.declarations(for: PropertyKey($0.label, in: parent)) }
    }

    func read(_ values: ParsedValues, in parent: PropertyKey? = nil) throws {
        for (label, property) in labeled { try property.read(values, for: PropertyKey(label, in: parent)) }
    }
}
