/// Help for an option, flag, or argument; a string literal sets only the abstract.
package struct ArgumentHelp: Sendable, ExpressibleByStringInterpolation {
    /// One sentence, shown next to the name.
    package var abstract: String
    /// The name shown between `<` and `>`; `nil` for the property's own name.
    package var valueName: String?

    /// Creates help; most arguments need only an abstract.
    package init(_ abstract: String = "", valueName: String? = nil) {
        (self.abstract, self.valueName) = (abstract, valueName)
    }

    package init(stringLiteral value: String) { self.init(value) }
}
