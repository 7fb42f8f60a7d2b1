/// Properties parsed from command-line arguments: declared with `@Option`, `@Flag`, `@Argument`, and `@OptionGroup`.
package protocol ParsableArguments: SendableMetatype {
    /// Creates a value that only holds declarations; reading its properties is an error.
    init()
    /// Checks the arguments together once all are parsed; throws `ValidationError` with a message for the user.
    mutating func validate() throws
}

extension ParsableArguments { package mutating func validate() throws {} }
