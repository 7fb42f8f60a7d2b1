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
