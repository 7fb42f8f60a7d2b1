/// Help for an option, flag, or argument.
///
/// A string literal sets only the abstract:
///
///     @Option(help: "Stop after this many photos.") var limit = 20
package struct ArgumentHelp: Sendable, ExpressibleByStringInterpolation {
    /// One sentence, shown next to the name.
    package var abstract: String
    /// The name shown between `<` and `>`; `nil` for the property's own name.
    package var valueName: String?
    /// Whether help and completions list the argument.
    let isListed: Bool

    /// Creates help; most arguments need only an abstract.
    package init(_ abstract: String = "", valueName: String? = nil, isListed: Bool = true) {
        (self.abstract, self.valueName, self.isListed) = (abstract, valueName, isListed)
    }

    package init(stringLiteral value: String) { self.init(value) }

    package static let `private` = ArgumentHelp(isListed: false)
}
