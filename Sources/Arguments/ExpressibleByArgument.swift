/// A type that can be parsed from a command-line argument. Enumerations with raw values need only declare the
/// conformance; with `CaseIterable`, help, errors, and completions list their values.
package protocol ExpressibleByArgument: SendableMetatype {
    /// Parses the word, or returns `nil` if it is not a valid value.
    init?(argument: String)
    /// The description of this value as a default in help.
    var defaultValueDescription: String { get }
    /// All accepted values, in order; empty if they cannot be listed.
    static var allValueStrings: [String] { get }
    /// What the shell offers to complete such a value with.
    static var defaultCompletionKind: CompletionKind { get }
}

extension ExpressibleByArgument {
    package var defaultValueDescription: String { "\(self)" }
    /// Empty: any word may be accepted.
    package static var allValueStrings: [String] { [] }
    /// The accepted values, where they can be listed.
    package static var defaultCompletionKind: CompletionKind {
        allValueStrings.isEmpty ? .default : .list(allValueStrings)
    }
}

extension ExpressibleByArgument where Self: CaseIterable {
    package static var allValueStrings: [String] { allCases.map { String(describing: $0) } }
}

extension ExpressibleByArgument where Self: RawRepresentable, RawValue: ExpressibleByArgument {
    package var defaultValueDescription: String { rawValue.defaultValueDescription }
}

extension ExpressibleByArgument
where Self: CaseIterable, Self: RawRepresentable, RawValue: ExpressibleByArgument {
    package static var allValueStrings: [String] { allCases.map(\.rawValue.defaultValueDescription) }
}

extension RawRepresentable where Self: ExpressibleByArgument, RawValue: ExpressibleByArgument {
    package init?(argument: String) {
        guard let value = RawValue(argument: argument) else { return nil }
        self.init(rawValue: value)
    }
}

extension LosslessStringConvertible where Self: ExpressibleByArgument {
    package init?(argument: String) { self.init(argument) }
}

extension String: ExpressibleByArgument {}
extension Int: ExpressibleByArgument {}
extension UInt: ExpressibleByArgument {}
extension Double: ExpressibleByArgument {}
extension Bool: ExpressibleByArgument {}
