import Basics

/// IPTC's records, as Photoshop keeps them in a JPEG or TIFF.
///
/// Source: IPTC-NAA Information Interchange Model 4.2, 1.5 and 6; Adobe Photoshop File Formats, image resource
/// blocks.
enum IPTC {
    /// The records among Photoshop's resources.
    static func range(inPhotoshop range: Range<Int>, _ bytes: PictureBytes) -> Range<Int>? {
        var offset = range.lowerBound
        for _ in 0..<1000 {
            guard bytes.matches("8BIM", at: offset), let kind = bytes.bigEndian(at: offset + 4, bytes: 2),
                let name = bytes.byte(at: offset + 6)
            else { return nil }
            // A name with its length, filled up to an even number of bytes, then the content's length.
            let start = offset + 6 + (Int(name) + 2) / 2 * 2
            guard let length = bytes.bigEndian(at: start, bytes: 4), length <= range.upperBound - start - 4
            else { return nil }
            if kind == 0x0404 { return start + 4..<start + 4 + length }
            offset = start + 4 + (length + 1) / 2 * 2
        }
        return nil
    }

    static func metadata(_ bytes: [UInt8]) -> PictureMetadata {
        var metadata = PictureMetadata()
        var (day, time): (String?, String?)
        var offset = 0
        while offset + 5 <= bytes.count, bytes[offset] == 0x1C {
            let length = Int(bytes[offset + 3]) << 8 | Int(bytes[offset + 4])
            let start = offset + 5
            // Lengths beyond 32,767 are spelled in another form, which no text needs.
            guard length < 0x8000, start + length <= bytes.count else { break }
            offset = start + length
            guard bytes[start - 4] == 2, let text = PictureMetadata.text(bytes[start..<offset]) else {
                continue
            }
            switch bytes[start - 3] {
            case 5: metadata.title = text
            case 25:
                if metadata.keywords.count < PictureMetadata.mostKeywords { metadata.keywords.append(text) }
            case 55: day = text
            case 60: time = text
            case 80: metadata.artist = metadata.artist ?? text
            case 110: metadata.credit = text
            case 116: metadata.copyright = text
            case 120: metadata.description = text
            default: continue
            }
        }
        metadata.taken = day.flatMap { taken($0, time) }
        return metadata
    }

    /// `20111105` and `155437+0200`.
    private static func taken(_ day: String, _ time: String?) -> WrittenDate? {
        guard let date = day.wholeMatch(of: #/(\d{4})(\d\d)(\d\d)/#) else { return nil }
        let clock = time?.wholeMatch(of: #/(\d\d)(\d\d)(\d\d)([+-]\d{4})?/#)
        let moment = clock.map { "T\($0.1):\($0.2):\($0.3)\($0.4 ?? "")" } ?? ""
        return WrittenDate("\(date.1)-\(date.2)-\(date.3)\(moment)")
    }
}
