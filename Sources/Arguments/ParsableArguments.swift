/// Properties parsed from command-line arguments.
///
/// Conforming types declare them with `@Option`, `@Flag`, `@Argument`, and
/// `@OptionGroup`; commands share them as option groups.
package protocol ParsableArguments: SendableMetatype {
    /// Creates a value that only holds declarations; reading its properties is an error.
    init()
    /// Checks the combination of arguments after all of them have been parsed.
    ///
    /// - Throws: `ValidationError` with a message for the user.
    mutating func validate() throws
}

extension ParsableArguments {
    package mutating func validate() throws {}
}
