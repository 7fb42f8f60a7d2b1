/// The name of a color profile: what an ICC profile calls itself.
///
/// Source: ICC.1:2022, 7.2, 7.3, 10.15; `desc` of version 2 by ICC.1:2001, 6.5.17.
enum ColorProfile {
    /// The name in the profile that fills `range`, or that begins there: a JPEG cuts long ones into pieces, and names
    /// come first. `nil` where it has none, or is no profile.
    static func name(_ bytes: PictureBytes, in range: Range<Int>) -> String? {
        let start = range.lowerBound
        guard range.count > 132, bytes.matches("acsp", at: start + 36),
            let tags = bytes.bigEndian(at: start + 128, bytes: 4)
        else { return nil }
        for entry in (0..<min(tags, mostTags)).map({ start + 132 + 12 * $0 })
        where bytes.matches("desc", at: entry) {
            guard let offset = bytes.bigEndian(at: entry + 4, bytes: 4),
                let length = bytes.bigEndian(at: entry + 8, bytes: 4),
                offset <= range.count, length <= range.count - offset
            else { return nil }
            return text(bytes, in: start + offset..<start + offset + length)
        }
        return nil
    }

    private static let mostTags = 100

    /// A description: ASCII with its length before it, or texts in UTF-16 by language, of which the first counts.
    private static func text(_ bytes: PictureBytes, in range: Range<Int>) -> String? {
        let start = range.lowerBound
        if bytes.matches("desc", at: start) {
            let length = bytes.bigEndian(at: start + 8, bytes: 4) ?? 0
            return PictureMetadata.text(content(bytes, range, 12, length))
        }
        guard bytes.matches("mluc", at: start), let length = bytes.bigEndian(at: start + 20, bytes: 4),
            let offset = bytes.bigEndian(at: start + 24, bytes: 4)
        else { return nil }
        let units = content(bytes, range, offset, length)
        let text = stride(from: 0, to: units.count - 1, by: 2).map {
            UInt16(units[$0]) << 8 | UInt16(units[$0 + 1])
        }
        return PictureMetadata.text(String(decoding: text, as: UTF16.self).utf8)
    }

    private static func content(
        _ bytes: PictureBytes, _ range: Range<Int>, _ offset: Int, _ length: Int
    ) -> [UInt8] {
        let rest = range.dropFirst(offset)
        return bytes.array(rest.prefix(length), limit: PictureMetadata.longestText)
    }
}

extension ColorProfile {
    /// What a profile may still be called, the longer ones first: a name that others have too.
    private static let names = [
        "sRGB IEC61966-2.1", "sRGB", "Display P3", "Adobe RGB (1998)", "ProPhoto RGB", "Dot Gain 20%",
        "Gray Gamma 2.2",
    ]

    /// A whole profile with nothing but what is needed to show its colors: neither a device nor a maker is named.
    ///
    /// - Returns: `nil` for what is no profile.
    static func cleaned(_ profile: [UInt8]) -> [UInt8]? {
        let bytes = PictureBytes(profile)
        guard profile.count > 132, bytes.matches("acsp", at: 36),
            let count = bytes.bigEndian(at: 128, bytes: 4)
        else { return nil }
        let own = name(bytes, in: 0..<profile.count) ?? ""
        var tags = [
            (Array("desc".utf8), text(names.first(where: own.hasPrefix) ?? "Colors")),
            (Array("cprt".utf8), text("CC0")),
        ]
        for entry in (0..<min(count, mostTags)).map({ 132 + 12 * $0 })
        where bytes.matches(
            "wtpt", "bkpt", "chad", "rXYZ", "gXYZ", "bXYZ", "rTRC", "gTRC", "bTRC", "kTRC", "A2B0", "A2B1",
            "A2B2", "cicp", at: entry)
        {
            guard let offset = bytes.bigEndian(at: entry + 4, bytes: 4),
                let length = bytes.bigEndian(at: entry + 8, bytes: 4), offset <= profile.count, length >= 8,
                length <= profile.count - offset,
                case let needed = neededLength(bytes, at: offset, of: length), needed <= length
            else { continue }
            let value = profile[offset..<offset + 4] + [0, 0, 0, 0] + profile[offset + 8..<offset + needed]
            tags.append((Array(profile[entry..<entry + 4]), Array(value)))
        }
        var (table, values, places) = ([UInt8](), [UInt8](), [[UInt8]: Int]())
        for (tag, value) in tags {
            // Three colors often share a curve.
            let place = places[value] ?? 132 + 12 * tags.count + values.count
            if places.updateValue(place, forKey: value) == nil {
                values += value + [UInt8](repeating: 0, count: -value.count & 3)
            }
            table += tag + [UInt8](big: place, 4) + [UInt8](big: value.count, 4)
        }
        var head = [UInt8](big: 132 + table.count + values.count, 4) + [UInt8](repeating: 0, count: 124)
        // Version, kind, and spaces; a day that is nobody's; how it is meant; the white of all profiles.
        for place in [8..<10, 12..<24, 36..<40].joined() { head[place] = profile[place] }
        head.replaceSubrange(24..<30, with: [0x07, 0xE4, 0, 1, 0, 1])
        head[67] = profile[67] & 3
        head.replaceSubrange(68..<80, with: [0, 0, 0xF6, 0xD6, 0, 1, 0, 0, 0, 0, 0xD3, 0x2D])
        return head + [UInt8](big: tags.count, 4) + table + values
    }

    /// How many bytes of the value at `start`, of `length` bytes, say colors; 8 for one of an unknown kind.
    private static func neededLength(_ bytes: PictureBytes, at start: Int, of length: Int) -> Int {
        func number(_ place: Int, _ count: Int) -> Int {
            bytes.bigEndian(at: start + place, bytes: count) ?? 0
        }
        let (inputs, outputs) = (number(8, 1), number(9, 1))
        // The exponent may be anything.
        let grid = (0..<inputs).reduce(outputs) { size, _ in min(size * number(10, 1), 1 << 30) }
        let kinds: [(StaticString, Int)] = [
            ("XYZ ", 20), ("curv", 12 + 2 * number(8, 4)), ("sf32", 44), ("cicp", 12), ("mAB ", length),
            ("para", 12 + 4 * [1, 3, 4, 5, 7, 1 << 30][min(number(8, 2), 5)]),
            ("mft1", 48 + 256 * (inputs + outputs) + grid),
            ("mft2", 52 + 2 * (number(48, 2) * inputs + number(50, 2) * outputs + grid)),
        ]
        return kinds.first { bytes.matches($0.0, at: start) }?.1 ?? 8
    }

    /// A text in one language.
    private static func text(_ text: String) -> [UInt8] {
        let units = text.utf16.flatMap { [UInt8](big: Int($0), 2) }
        return Array("mluc".utf8) + [0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 12] + "enUS".utf8
            + [UInt8](big: units.count, 4) + [0, 0, 0, 28] + units
    }
}
