/// A type that a word of the command line can be read as.
///
/// Enumerations with raw values need only declare the conformance; with
/// `CaseIterable`, help, errors and completions list their spellings.
public protocol ExpressibleByArgument: SendableMetatype {
    /// Reads the word, or returns `nil` where it is no such value.
    init?(argument: String)
    /// How help spells this value where it is the default.
    var defaultValueDescription: String { get }
    /// Every accepted spelling, in order; empty where they cannot be listed.
    static var allValueStrings: [String] { get }
    /// What each spelling means; help lists those that have an entry.
    static var allValueDescriptions: [String: String] { get }
    /// What the shell offers for such a value.
    static var defaultCompletionKind: CompletionKind { get }
}

extension ExpressibleByArgument {
    /// The value as string interpolation prints it.
    public var defaultValueDescription: String { "\(self)" }
    /// None: any word may be accepted.
    public static var allValueStrings: [String] { [] }
    /// None.
    public static var allValueDescriptions: [String: String] { [:] }
    /// Nothing: the value is the user's own.
    public static var defaultCompletionKind: CompletionKind { .default }
}

extension ExpressibleByArgument where Self: CaseIterable {
    /// The names of all cases.
    public static var allValueStrings: [String] { allCases.map { String(describing: $0) } }
    /// The accepted spellings.
    public static var defaultCompletionKind: CompletionKind { .list(allValueStrings) }
}

extension ExpressibleByArgument where Self: RawRepresentable, RawValue: ExpressibleByArgument {
    /// The raw value.
    public var defaultValueDescription: String { rawValue.defaultValueDescription }
}

extension ExpressibleByArgument
where Self: CaseIterable, Self: RawRepresentable, RawValue: ExpressibleByArgument {
    /// The raw values of all cases.
    public static var allValueStrings: [String] { allCases.map(\.rawValue.defaultValueDescription) }
    /// The cases that describe themselves other than by their raw value.
    public static var allValueDescriptions: [String: String] {
        let described = allCases.map { ($0.rawValue.defaultValueDescription, $0.defaultValueDescription) }
        return Dictionary(described.filter { $0.0 != $0.1 }) { first, _ in first }
    }
}

extension RawRepresentable where Self: ExpressibleByArgument, RawValue: ExpressibleByArgument {
    /// Reads the word as a raw value.
    public init?(argument: String) {
        guard let value = RawValue(argument: argument) else { return nil }
        self.init(rawValue: value)
    }
}

extension LosslessStringConvertible where Self: ExpressibleByArgument {
    /// Reads the word as the type's own description.
    public init?(argument: String) { self.init(argument) }
}

extension LosslessStringConvertible
where Self: ExpressibleByArgument & RawRepresentable, RawValue: ExpressibleByArgument {
    /// Reads the word as the type's own description, which outranks the raw value.
    public init?(argument: String) { self.init(argument) }
}

extension String: ExpressibleByArgument {
    /// Takes every word as it stands.
    public init?(argument: String) { self = argument }
}

extension Int: ExpressibleByArgument {}
extension Int64: ExpressibleByArgument {}
extension UInt: ExpressibleByArgument {}
extension Double: ExpressibleByArgument {}
extension Bool: ExpressibleByArgument {}
