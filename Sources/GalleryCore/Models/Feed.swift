import Foundation

/// One ordered list of photos that a service offers.
public enum Feed: Hashable, Sendable, Codable {
    /// Photos that are popular now, or were on `date`; `ranking` is one of the service's own, `nil` for its default.
    case popular(ranking: String? = nil, date: CalendarDay? = nil)
    /// Photos that match a text.
    case search(String)
    /// One author's photos, newest first; by username or the service's identifier.
    case user(String)
    /// A user's favorites; `nil` for the user that the session belongs to.
    case favorites(of: String?)

    /// The feed's name, as users type it.
    public var word: String {
        switch self {
        case .popular: "popular"
        case .search: "search"
        case .user: "user"
        case .favorites: "favorites"
        }
    }
}

/// A calendar day, without a time or time zone.
public struct CalendarDay: Hashable, Sendable, Codable, CustomStringConvertible {
    /// The year, 1900 to 9999.
    public let year: Int
    /// The month, 1 to 12.
    public let month: Int
    /// The day, from 1 to the month's length.
    public let day: Int

    /// The day written as `YYYY-MM-DD`; `nil` if there is no such day.
    public init?(_ text: String) {
        let parts = text.split(separator: "-").compactMap { Int($0) }
        guard parts.count == 3, parts[0] >= 1900,
            WrittenDate(text).map({ ISO8601.text($0.date, .day) }) == text
        else { return nil }
        (year, month, day) = (parts[0], parts[1], parts[2])
    }

    /// `YYYY-MM-DD`.
    public var description: String { String(format: "%04d-%02d-%02d", year, month, day) }
}
