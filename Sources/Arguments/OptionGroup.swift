/// Options shared by several commands.
///
///     struct ServiceOptions: ParsableArguments { @Option var timeout = 30.0 }
///     struct Search: ParsableCommand { @OptionGroup(title: "Service") var service: ServiceOptions }
@propertyWrapper
public struct OptionGroup<Value: ParsableArguments & Sendable>: PropertyWrapper, Sendable {
    var state: PropertyState<Value>

    init(state: PropertyState<Value>) { self.state = state }

    /// A group; one with a title has its own section in help.
    public init(title: String = "") {
        state = PropertyState { key in
            Declaration.all(of: Value.self, in: key).map { declaration in
                var declaration = declaration
                if !title.isEmpty { declaration.section = title }
                return declaration
            }
        } read: { values, key in
            var group = try Value(values, in: key)
            do {
                try group.validate()
            } catch {
                throw ParserError.refused(error)
            }
            return group
        }
    }

    /// The parsed group.
    public var wrappedValue: Value {
        get { value }
        set { state = PropertyState(newValue) }
    }
}
