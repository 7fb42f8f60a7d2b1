/// A property wrapper's declaration: a line on the help page and a rule for the parser.
struct Declaration {
    enum Action {
        /// Takes no value, but sets this one.
        case flag(Bool)
        /// Reads a value; returns `false` if the word is not a valid value.
        case value((String, inout ParsedValue) throws -> Bool)
    }

    let key: PropertyKey
    /// Empty for a positional argument.
    let names: [Name]
    let action: Action
    var help: ArgumentHelp
    var isOptional: Bool
    var repeats = false
    var parsing = SingleValueParsingStrategy.next
    // Called for help, errors, and completion scripts alone: finding them takes time that no command that runs has.
    var defaultText: () -> String? = { nil }
    var allValues: () -> [String] = { [] }
    var completion: () -> CompletionKind = { .default }
    /// The title of its section in help; empty for the standard sections.
    var section = ""
    var initial: Any?

    var isPositional: Bool { names.isEmpty }
    var takesValue: Bool { if case .value = action { true } else { false } }

    var valueName: String {
        if let name = help.valueName, !name.isEmpty { return name }
        return names.preferred?.bare ?? key.name.hyphenated
    }
}

// MARK: - From properties

extension Declaration {
    static func all(of type: any ParsableArguments.Type) -> [Declaration] {
        type.init().properties.declarations()
    }

    /// An option that keeps its last value, or an argument if it has no name.
    static func single<Value>(
        _ key: PropertyKey, _ name: NameSpecification?, _ help: ArgumentHelp?, _ reader: ValueReader<Value>,
        initial: Value? = nil, isOptional: Bool = false
    ) -> Declaration {
        let store = Action.value { word, stored in
            guard let value = try reader.read(word) else { return false }
            stored.value = value
            return true
        }
        return Declaration(
            key: key, names: name?.names(for: key) ?? [], action: store, help: help ?? "",
            isOptional: isOptional || initial != nil, defaultText: { initial.flatMap(reader.describe) },
            allValues: reader.allValues, completion: reader.completion, initial: initial)
    }

    /// An option or argument that collects values; the first one given replaces the defaults.
    static func list<Value>(
        _ key: PropertyKey, _ name: NameSpecification?, _ help: ArgumentHelp?, _ reader: ValueReader<Value>,
        initial: [Value]?
    ) -> Declaration {
        let append = Action.value { word, stored in
            guard let value = try reader.read(word) else { return false }
            stored.append(value)
            return true
        }
        return Declaration(
            key: key, names: name?.names(for: key) ?? [], action: append, help: help ?? "",
            isOptional: initial != nil, repeats: true,
            defaultText: { initial?.compactMap(reader.describe).joined(separator: ", ") },
            allValues: reader.allValues, completion: reader.completion, initial: initial)
    }
}

/// Converts words to values of a type, and describes those values.
struct ValueReader<Value>: Sendable {
    let read: @Sendable (String) throws -> Value?
    var describe: @Sendable (Value) -> String? = { _ in nil }
    var allValues: @Sendable () -> [String] = { [] }
    let completion: @Sendable () -> CompletionKind

    init(_ completion: @escaping Completion, _ transform: @Sendable @escaping (String) throws -> Value) {
        read = transform
        self.completion = { completion() ?? .default }
    }
}

extension ValueReader where Value: ExpressibleByArgument {
    init(_ completion: @escaping Completion) {
        read = { Value(argument: $0) }
        allValues = { Value.allValueStrings }
        describe = { value in
            // Shows an enumeration case as it is typed, even if it has another description.
            guard !Value.allValueStrings.isEmpty, let value = value as? any CaseIterable & RawRepresentable
            else {
                return value.defaultValueDescription
            }
            return String(describing: value.rawValue)
        }
        self.completion = { completion() ?? Value.defaultCompletionKind }
    }
}
