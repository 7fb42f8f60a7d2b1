/// Which photos of a feed are wanted; a photo passes when every rule does.
public struct PhotoFilter: Hashable, Sendable {
    /// One rule, named for the line that says what it left out.
    public enum Rule: String, Hashable, Sendable, CaseIterable {
        /// Its file is not byte for byte one already taken. Shows only once the file is there, so that no
        /// ``PhotoFilter`` ever names it.
        case unique
        /// Only landscape, portrait, or square photos.
        case orientation
        /// Pixels of the original from left to right.
        case minWidth = "min-width"
        /// Pixels of the original from top to bottom.
        case minHeight = "min-height"
        /// One of the author's keywords.
        case tag
        /// The author's name or username.
        case author
        /// Not for everyone.
        case adult
    }

    /// The orientation wanted; `nil` for any. A photo of unknown size does not pass.
    public var orientation: Orientation?
    /// The least width of the original in pixels; `nil` for any. A photo of unknown size does not pass.
    public var minWidth: Int?
    /// The least height of the original in pixels; `nil` for any. A photo of unknown size does not pass.
    public var minHeight: Int?
    /// Keywords that must all be there, compared without case; a service's category counts as one.
    public var tags: [String] = []
    /// The author's name or username, compared without case; `nil` for any.
    public var author: String?
    /// Whether photos marked adult pass.
    public var includesAdult = false

    /// A filter that leaves out adult photos alone.
    public init() {}

    /// The first rule that leaves `photo` out, or `nil` where it passes.
    public func rule(against photo: Photo) -> Rule? {
        if !includesAdult, photo.isAdult { return .adult }
        if let orientation, photo.size?.orientation != orientation { return .orientation }
        if let minWidth, (photo.size?.width ?? 0) < minWidth { return .minWidth }
        if let minHeight, (photo.size?.height ?? 0) < minHeight { return .minHeight }
        let owned = Set((photo.tags + [photo.category].compactMap(\.self)).map { $0.lowercased() })
        if !tags.allSatisfy({ owned.contains($0.lowercased()) }) { return .tag }
        if let author = author?.lowercased(), photo.author?.name.lowercased() != author,
            photo.author?.username?.lowercased() != author
        {
            return .author
        }
        return nil
    }
}
