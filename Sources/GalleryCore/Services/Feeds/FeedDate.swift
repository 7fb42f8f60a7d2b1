import Foundation

/// Dates of feeds: ISO 8601, or as in mail (RFC 822).
enum FeedDate {
    static func date(_ text: String) -> WrittenDate? {
        let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
        return WrittenDate(text) ?? mail(text)
    }

    /// Offsets of the zones that mail knows by name.
    private static let zones = [
        "est": "-05:00", "edt": "-04:00", "cst": "-06:00", "cdt": "-05:00", "mst": "-07:00", "mdt": "-06:00",
        "pst": "-08:00", "pdt": "-07:00",
    ]

    private static func mail(_ text: String) -> WrittenDate? {
        var words = text.lowercased().split(whereSeparator: { $0 == " " || $0 == "," }).map(String.init)
        if words.first?.first?.isLetter == true { words.removeFirst() }
        guard words.count >= 4, let day = Int(words[0]),
            let month = HTTPDate.months.firstIndex(of: words[1].prefix(3).capitalized),
            let year = Int(words[2]), (0..<10_000).contains(year), (1...31).contains(day)
        else { return nil }
        let full = year < 70 ? year + 2000 : year < 100 ? year + 1900 : year
        let zone = words.count > 4 ? words[4] : "z"
        let offset = zones[zone] ?? (zone.count == 5 && "+-".contains(zone.prefix(1)) ? zone : "z")
        return WrittenDate(String(format: "%04d-%02d-%02dT", full, month + 1, day) + words[3] + offset)
    }
}
