extension ImageHeader {
    /// What bytes that are no picture look like, in words of our own: nothing of the
    /// bytes themselves is in it, so it may stand in any message.
    static func description(ofFirstBytes firstBytes: some Collection<UInt8>) -> String {
        let bytes = Array(firstBytes.prefix(1024))
        if bytes.isEmpty { return "nothing" }
        if bytes.allSatisfy({ $0 == 0 }) { return "nothing but zeros" }
        if let name = binary(bytes) { return name }
        guard let text = lowercasedText(bytes) else { return "unknown bytes" }
        return markup(text) ?? (isJSON(text) ? "JSON" : "text")
    }

    /// Files that services do offer among their pictures, by how they begin.
    private static func binary(_ bytes: [UInt8]) -> String? {
        let table: [(start: [UInt8], at: Int, name: String)] = [
            ([0x49, 0x49, 0x2A, 0x00], 0, "a TIFF picture"),
            ([0x4D, 0x4D, 0x00, 0x2A], 0, "a TIFF picture"),
            (Array("ftyphei".utf8), 4, "a HEIC picture"),
            (Array("ftypmif1".utf8), 4, "a HEIC picture"),
            (Array("ftyp".utf8), 4, "a video"),
            ([0x1A, 0x45, 0xDF, 0xA3], 0, "a video"),
            (Array("%PDF-".utf8), 0, "a PDF document"),
            ([0x50, 0x4B, 0x03, 0x04], 0, "a ZIP archive"),
            ([0x1F, 0x8B], 0, "gzip data"),
        ]
        return table.first { bytes.dropFirst($0.at).starts(with: $0.start) }?.name
    }

    /// The bytes as text in small letters, without space before it; `nil` where they are none.
    private static func lowercasedText(_ bytes: [UInt8]) -> String? {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let body = bytes.starts(with: mark) ? bytes.dropFirst(3) : bytes[...]
        let isPlain = body.allSatisfy { $0 >= 0x20 && $0 != 0x7F || [0x09, 0x0A, 0x0C, 0x0D].contains($0) }
        guard isPlain else { return nil }
        // The last letter of several bytes may be cut.
        for cut in 0...min(3, body.count) {
            if let text = String(validating: body.dropLast(cut), as: UTF8.self) {
                return String(text.drop(while: \.isWhitespace)).lowercased()
            }
        }
        return nil
    }

    private static func markup(_ text: String) -> String? {
        guard text.first == "<" else { return nil }
        if text.hasPrefix("<!doctype html") || text.hasPrefix("<html") { return "an HTML page" }
        if text.contains("<svg") || text.contains("<!doctype svg") { return "an SVG drawing" }
        let tags = ["<html", "<head", "<body", "<title", "<script", "<h1", "<p>", "<div", "<center"]
        if tags.contains(where: { text.contains($0) }) { return "an HTML page" }
        return text.hasPrefix("<?xml") ? "XML" : nil
    }

    /// A bracket alone may begin any text; what follows it is what JSON allows there.
    private static func isJSON(_ text: String) -> Bool {
        guard let bracket = text.first, bracket == "{" || bracket == "[" else { return false }
        guard let next = text.dropFirst().first(where: { !$0.isWhitespace }) else { return false }
        return bracket == "{" ? "\"}".contains(next) : "\"{}[]-0123456789tfn".contains(next)
    }
}
