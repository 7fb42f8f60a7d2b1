/// Options that several commands share, declared once.
///
///     struct ServiceOptions: ParsableArguments { @Option var timeout = 30.0 }
///     struct Search: ParsableCommand { @OptionGroup(title: "Service") var service: ServiceOptions }
@propertyWrapper
public struct OptionGroup<Value: ParsableArguments>: PropertyWrapper {
    var state: PropertyState<Value>

    init(state: PropertyState<Value>) { self.state = state }

    /// A group; with a title it is a section of its own in help.
    ///
    /// `visibility` is the most any member can have.
    public init(title: String = "", visibility: ArgumentVisibility = .default) {
        self.init { key, _ in
            Declaration.all(of: Value.self, in: key).map { declaration in
                var declaration = declaration
                if !title.isEmpty { declaration.section = title }
                declaration.help.visibility = declaration.help.visibility.limited(to: visibility)
                return declaration
            }
        }
    }

    /// Takes the group from a parsed line and validates it; called by the parser alone.
    public init(from decoder: any Decoder) throws {
        guard let property = decoder as? PropertyDecoder else { throw ParserError.invalidState }
        // A group that a parent command has too was read with the parent.
        var group = try property.group(Value.self) ?? Value(from: decoder)
        property.keep(group)
        do {
            try group.validate()
        } catch {
            throw ParserError.refused(error)
        }
        self.init(state: .read(group))
    }

    /// The group, with all its options read.
    public var wrappedValue: Value {
        get { value }
        set { state = .read(newValue) }
    }
}

extension OptionGroup: Sendable where Value: Sendable {}
