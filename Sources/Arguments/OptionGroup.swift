/// Options shared by several commands.
///
///     struct ServiceOptions: ParsableArguments { @Option var timeout = 30.0 }
///     struct Search: ParsableCommand { @OptionGroup(title: "Service") var service: ServiceOptions }
@propertyWrapper
public struct OptionGroup<Value: ParsableArguments>: PropertyWrapper {
    var state: PropertyState<Value>

    init(state: PropertyState<Value>) { self.state = state }

    /// A group; one with a title has its own section in help.
    ///
    /// `visibility` limits the visibility of every member.
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

    /// Decodes the group from a parsed command line and validates it. Called only by the parser.
    public init(from decoder: any Decoder) throws {
        guard let property = decoder as? PropertyDecoder else { throw ParserError.invalidState }
        // A group that a parent command also has was decoded with the parent.
        var group = try property.group(Value.self) ?? Value(from: decoder)
        property.keep(group)
        do {
            try group.validate()
        } catch {
            throw ParserError.refused(error)
        }
        self.init(state: .read(group))
    }

    /// The parsed group.
    public var wrappedValue: Value {
        get { value }
        set { state = .read(newValue) }
    }
}

extension OptionGroup: Sendable where Value: Sendable {}
