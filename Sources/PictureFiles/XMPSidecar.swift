import Foundation

/// A file of XMP beside a picture, as darktable, digiKam, and others write it.
package enum XMPSidecar {
    /// How its name ends.
    package static let ending = ".xmp"
    /// The most bytes that are read of one.
    package static let longest: Int64 = 1 << 20

    /// The names that it may have: `a.jpg.xmp` next to `a.jpg`, or else `a.xmp`.
    package static func names(of picture: String) -> [String] {
        [picture, picture.lastIndex(of: ".").map { String(picture[..<$0]) } ?? picture].map { $0 + ending }
    }

    /// One that says nothing but a rating, from 0 to 5.
    package static func packet(rating: Int) -> [UInt8] {
        Array(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <x:xmpmeta xmlns:x="adobe:ns:meta/">
             <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
              <rdf:Description rdf:about="" xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmp:Rating="\(rating)"/>
             </rdf:RDF>
            </x:xmpmeta>

            """.utf8)
    }

    /// `packet` with another rating, and nothing else changed: `nil` where it has none yet, or several.
    package static func replacingRating(in packet: [UInt8], by rating: Int) -> [UInt8]? {
        guard let text = String(validating: packet, as: UTF8.self) else { return nil }
        let places = text.matches(
            of:
                #/\sxmp:Rating\s*=\s*["'](?<attribute>[^"'<>]*)["']|<xmp:Rating>(?<element>[^<>]*)</xmp:Rating>/#
        )
        guard places.count == 1, let place = places[0].output.attribute ?? places[0].output.element else {
            return nil
        }
        let edited = text.replacingCharacters(in: place.startIndex..<place.endIndex, with: "\(rating)")
        // One in a comment, or in a value, is not the rating.
        guard self.rating(in: Array(edited.utf8)) == rating else { return nil }
        return Array(edited.utf8)
    }

    /// The rating that a packet says, from 0 to 5; `nil` if it says none.
    package static func rating(in packet: [UInt8]) -> Int? { XMP(packet).metadata.rating }

    /// Whether `edited`, which another program made, has the rating and still says all that `packet` does.
    package static func isEdited(_ edited: [UInt8], from packet: [UInt8], rating: Int) -> Bool {
        guard self.rating(in: edited) == rating else { return false }
        return words(of: packet).isSubset(of: words(of: edited))
    }

    /// The values in a packet, whether attributes or elements hold them, without its rating and who wrote it.
    private static func words(of packet: [UInt8]) -> Set<Substring> {
        let text = String(decoding: packet, as: UTF8.self)
            .replacing(#/x:xmptk\s*=\s*("[^"]*"|'[^']*')|<\?.*?\?>|<!--(.|\n)*?-->/#, with: "")
        let attributes = text.matches(
            of: #/\s(?!xmp:Rating|rdf:about)[\w:.-]+\s*=\s*(?:"([^"]*)"|'([^']*)')/#
        )
        .compactMap { $0.output.1 ?? $0.output.2 }
        let elements = text.matches(of: #/>([^<>]+)</#).map(\.output.1)
        return Set((attributes + elements).map { $0.trimmed }.filter { !$0.isEmpty })
    }
}

extension Substring {
    fileprivate var trimmed: Substring {
        let start = drop(while: \.isWhitespace)
        return start[
            ..<(start.lastIndex { !$0.isWhitespace }.map { start.index(after: $0) } ?? start.startIndex)]
    }
}
