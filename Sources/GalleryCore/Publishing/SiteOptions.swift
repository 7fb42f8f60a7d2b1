import Foundation

/// How a site of photos looks and what it holds.
public struct SiteOptions: Sendable {
    /// The colors a page begins with.
    public enum Theme: String, Sendable, CaseIterable {
        /// Those of the reader's system.
        case auto
        case light
        case dark
    }

    /// The heading of the first page.
    public var title = "Gallery"
    /// The colors a page begins with; the reader may choose others.
    public var theme = Theme.auto
    /// Pictures side by side where there is room, from 1; `nil` for rows that keep a height.
    public var columns: Int?
    /// Where the site will be served, with a slash at its end; `nil` where nobody knows.
    public var base: URL?
    /// Whether the site has the photos' descriptions as `photos.json`.
    public var hasMetadata = false
    /// Photos on a page of the grid, from 1.
    public var photosPerPage = 500

    /// The defaults.
    public init() {}
}
