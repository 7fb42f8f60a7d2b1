enum ByteText {
    /// `0 B`, `999 B`, `4.2 KB`, `41 MB`: decimal units, two figures below ten.
    static func amount(_ bytes: Int64) -> String {
        var value = Double(bytes)
        for unit in ["B", "KB", "MB", "GB"] {
            // 999.5 would round to 1000 of this unit.
            if value < 999.5 { return number(value, isWhole: unit == "B") + " " + unit }
            value /= 1000
        }
        return number(value, isWhole: false) + " TB"
    }

    /// `0.4 s`, `41 s`, `1:50`, `2:05:09`.
    static func time(_ duration: Duration) -> String {
        let exact = duration / .seconds(1)
        guard exact >= 9.95 else { return number(max(0, exact), isWhole: false) + " s" }
        let seconds = Int(exact.rounded())
        guard seconds >= 60 else { return "\(seconds) s" }
        let (hours, minutes, rest) = (seconds / 3600, seconds / 60 % 60, seconds % 60)
        guard hours > 0 else { return "\(minutes):\(twoDigits(rest))" }
        return "\(hours):\(twoDigits(minutes)):\(twoDigits(rest))"
    }

    private static func number(_ value: Double, isWhole: Bool) -> String {
        if isWhole || value >= 9.95 { return String(Int(value.rounded())) }
        let tenths = Int((value * 10).rounded())
        return tenths % 10 == 0 ? String(tenths / 10) : "\(tenths / 10).\(tenths % 10)"
    }

    private static func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : String(number) }
}
