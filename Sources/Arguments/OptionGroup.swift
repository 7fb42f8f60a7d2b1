/// Options shared by several commands.
///
///     struct ServiceOptions: ParsableArguments { @Option var timeout = 30.0 }
///     struct Search: ParsableCommand { @OptionGroup(title: "Service") var service: ServiceOptions }
@propertyWrapper
package struct OptionGroup<Value: ParsableArguments & Sendable>: PropertyWrapper, Sendable {
    var state: PropertyState<Value>

    init(state: PropertyState<Value>) { self.state = state }

    /// A group; one with a title has its own section in help.
    package init(title: String = "") {
        let value = Value()
        let properties = value.properties
        state = PropertyState { key in
            properties.declarations(in: key).map { declaration in
                var declaration = declaration
                if !title.isEmpty { declaration.section = title }
                return declaration
            }
        } read: { values, key in
            try properties.read(values, in: key)
            var group = value
            do {
                try group.validate()
            } catch {
                throw ParserError.refused(error)
            }
            return group
        }
    }

    package var wrappedValue: Value {
        get { value }
        set { state = PropertyState(newValue) }
    }
}
