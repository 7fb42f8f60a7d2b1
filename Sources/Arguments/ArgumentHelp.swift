/// What a help page says about one option, flag or argument.
///
/// A string literal is the abstract alone:
///
///     @Option(help: "Stop after this many photos.") var limit = 20
public struct ArgumentHelp: Sendable, ExpressibleByStringInterpolation {
    /// One sentence, shown beside the name.
    public var abstract: String
    /// Paragraphs shown below the abstract; `nil` where the abstract says it all.
    public var discussion: String?
    /// What stands between `<` and `>`; `nil` takes the property's own name.
    public var valueName: String?
    /// On which help pages it is listed.
    public var visibility: ArgumentVisibility

    /// Describes an argument; everything but the abstract is seldom needed.
    public init(
        _ abstract: String = "", discussion: String? = nil, valueName: String? = nil,
        visibility: ArgumentVisibility = .default
    ) {
        self.abstract = abstract
        self.discussion = discussion
        self.valueName = valueName
        self.visibility = visibility
    }

    /// Takes a literal as the abstract.
    public init(stringLiteral value: String) {
        self.init(value)
    }

    /// Listed by `--help-hidden` only, and without a description.
    public static var hidden: ArgumentHelp { ArgumentHelp(visibility: .hidden) }
    /// Listed nowhere.
    public static var `private`: ArgumentHelp { ArgumentHelp(visibility: .private) }
}

/// On which help pages an argument is listed, the most secret first.
public enum ArgumentVisibility: Int, Sendable {
    /// Listed nowhere.
    case `private`
    /// Listed by `--help-hidden` only.
    case hidden
    /// Listed by `--help`.
    case `default`

    /// Whether an argument of this visibility belongs on a page of the other.
    func isListed(on page: ArgumentVisibility) -> Bool { rawValue >= page.rawValue }

    /// The more secret of the two.
    func limited(to other: ArgumentVisibility) -> ArgumentVisibility { isListed(on: other) ? other : self }
}
