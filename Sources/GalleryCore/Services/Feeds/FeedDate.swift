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
        let time = words[3].split(separator: ":").count == 2 ? words[3] + ":00" : words[3]
        let full = year < 70 ? year + 2000 : year < 100 ? year + 1900 : year
        let zone = words.count > 4 ? words[4] : "z"
        let offset = zones[zone] ?? (zone.count == 5 && "+-".contains(zone.prefix(1)) ? zone : "z")
        let hours = offset.count == 5 ? "\(offset.prefix(3)):\(offset.suffix(2))" : offset.uppercased()
        return WrittenDate("\(digits(full, 4))-\(digits(month + 1, 2))-\(digits(day, 2))T\(time)\(hours)")
    }

    private static func digits(_ number: Int, _ width: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, width - text.count)) + text
    }
}
