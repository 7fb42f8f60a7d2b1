/// Help for an option, flag, or argument.
///
/// A string literal sets only the abstract:
///
///     @Option(help: "Stop after this many photos.") var limit = 20
public struct ArgumentHelp: Sendable, ExpressibleByStringInterpolation {
    /// One sentence, shown next to the name.
    public var abstract: String
    /// Paragraphs shown below the abstract; `nil` for none.
    public var discussion: String?
    /// The name shown between `<` and `>`; `nil` for the property's own name.
    public var valueName: String?
    /// The help pages that list the argument.
    public var visibility: ArgumentVisibility

    /// Creates help; most arguments need only an abstract.
    public init(
        _ abstract: String = "", discussion: String? = nil, valueName: String? = nil,
        visibility: ArgumentVisibility = .default
    ) {
        self.abstract = abstract
        self.discussion = discussion
        self.valueName = valueName
        self.visibility = visibility
    }

    /// Uses the literal as the abstract.
    public init(stringLiteral value: String) {
        self.init(value)
    }

    /// Listed only by `--help-hidden`, without a description.
    public static var hidden: ArgumentHelp { ArgumentHelp(visibility: .hidden) }
    /// Not listed.
    public static var `private`: ArgumentHelp { ArgumentHelp(visibility: .private) }
}

/// The help pages that list an argument, from least to most visible.
public enum ArgumentVisibility: Int, Sendable {
    /// Not listed.
    case `private`
    /// Listed only by `--help-hidden`.
    case hidden
    /// Listed by `--help`.
    case `default`

    /// Whether an argument with this visibility is listed on a page with the other.
    func isListed(on page: ArgumentVisibility) -> Bool { rawValue >= page.rawValue }

    /// The less visible of the two.
    func limited(to other: ArgumentVisibility) -> ArgumentVisibility { isListed(on: other) ? other : self }
}
