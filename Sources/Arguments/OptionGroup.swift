/// Options shared by several commands.
///
///     struct ServiceOptions: ParsableArguments { @Option var timeout = 30.0 }
///     struct Search: ParsableCommand { @OptionGroup(title: "Service") var service: ServiceOptions }
@propertyWrapper
public struct OptionGroup<Value: ParsableArguments>: PropertyWrapper {
    var state: PropertyState<Value>

    init(state: PropertyState<Value>) { self.state = state }

    /// A group; one with a title has its own section in help.
    public init(title: String = "") {
        self.init { key, _ in
            Declaration.all(of: Value.self, in: key).map { declaration in
                var declaration = declaration
                if !title.isEmpty { declaration.section = title }
                return declaration
            }
        }
    }

    /// Decodes the group from a parsed command line and validates it. Called only by the parser.
    public init(from decoder: any Decoder) throws {
        var group = try Value(from: decoder)
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
