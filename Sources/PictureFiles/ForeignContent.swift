/// What bytes that are no picture look like, described without quoting them.
package struct ForeignContent: Hashable {
    /// How many first bytes are looked at.
    package static let bytesNeeded = 1024

    /// What files are counted by.
    package enum Kind: String, CaseIterable {
        case video, audio, document, archive, drawing, other
    }

    package let kind: Kind
    /// Such as `an HTML page`.
    package let description: String

    package init(firstBytes: some Collection<UInt8>) {
        let bytes = Array(firstBytes.prefix(Self.bytesNeeded))
        (kind, description) = Self.named(bytes) ?? (.other, "unknown bytes")
    }

    private static func named(_ bytes: [UInt8]) -> (Kind, String)? {
        if bytes.isEmpty { return (.other, "nothing") }
        if bytes.allSatisfy({ $0 == 0 }) { return (.other, "nothing but zeros") }
        if let (_, _, kind, name) = signatures.first(where: { bytes.dropFirst($0.1).starts(with: $0.0.utf8) })
        {
            return (kind, name)
        }
        if bytes.starts(with: [0x1A, 0x45, 0xDF, 0xA3]) || bytes.starts(with: [0, 0, 1, 0xBA]) {
            return (.video, "a video")
        }
        if bytes.starts(with: [0x1F, 0x8B]) { return (.archive, "gzip data") }
        if bytes.starts(with: [0x37, 0x7A, 0xBC, 0xAF]) { return (.archive, "an archive") }
        if bytes.starts(with: [0xD0, 0xCF, 0x11, 0xE0]) { return (.document, "an Office document") }
        if bytes.count > 1, bytes[0] == 0xFF, bytes[1] & 0xE6 == 0xE2 { return (.audio, "a sound file") }
        guard let text = lowercasedText(bytes) else { return nil }
        return markup(text) ?? (.document, isJSON(text) ? "JSON" : "text")
    }

    private static let signatures: [(String, Int, Kind, String)] = [
        ("ftypM4A", 4, .audio, "a sound file"), ("ftyp", 4, .video, "a video"),
        ("moov", 4, .video, "a video"), ("mdat", 4, .video, "a video"), ("AVI ", 8, .video, "a video"),
        ("FLV\u{1}", 0, .video, "a video"), ("WAVE", 8, .audio, "a sound file"),
        ("ID3", 0, .audio, "a sound file"), ("OggS", 0, .audio, "a sound file"),
        ("fLaC", 0, .audio, "a sound file"), ("%PDF-", 0, .document, "a PDF document"),
        ("{\\rtf", 0, .document, "a text document"), ("PK\u{3}\u{4}", 0, .archive, "a ZIP archive"),
        ("Rar!", 0, .archive, "an archive"),
        ("8BPS", 0, .drawing, "a Photoshop drawing"), ("gimp xcf", 0, .drawing, "a GIMP drawing"),
    ]

    /// The bytes as lowercase text, without leading space; `nil` where they are none.
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

    private static func markup(_ text: String) -> (Kind, String)? {
        guard text.first == "<" else { return nil }
        let page = (Kind.document, "an HTML page")
        if text.hasPrefix("<!doctype html") || text.hasPrefix("<html") { return page }
        if text.contains("<svg") || text.contains("<!doctype svg") { return (.drawing, "an SVG drawing") }
        let tags = ["<html", "<head", "<body", "<title", "<script", "<h1", "<p>", "<div", "<center"]
        if tags.contains(where: { text.contains($0) }) { return page }
        return text.hasPrefix("<?xml") ? (.document, "XML") : nil
    }

    /// A bracket alone may begin any text; what follows it decides.
    private static func isJSON(_ text: String) -> Bool {
        guard let bracket = text.first, bracket == "{" || bracket == "[" else { return false }
        guard let next = text.dropFirst().first(where: { !$0.isWhitespace }) else { return false }
        return bracket == "{" ? "\"}".contains(next) : "\"{}[]-0123456789tfn".contains(next)
    }
}
