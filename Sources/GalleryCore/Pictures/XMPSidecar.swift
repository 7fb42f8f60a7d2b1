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
        guard String(validating: packet, as: UTF8.self) != nil else { return nil }
        let tags = XMP.tags(of: packet)
        var places: [Range<Int>] = []
        for (index, (_, tag)) in tags.enumerated() where !isAside(tag) {
            places += XMP.attributes(of: tag).filter { $0.name == "xmp:Rating" }.map(\.value.indices)
            let isElement = tag.elementsEqual("xmp:Rating".utf8) && index + 1 < tags.count
            if isElement, tags[index + 1].tag.elementsEqual("/xmp:Rating".utf8) {
                places.append(tags[index + 1].text.indices)
            }
        }
        guard places.count == 1 else { return nil }
        var edited = packet
        edited.replaceSubrange(places[0], with: "\(rating)".utf8)
        // One in a comment, or in a value, is not the rating.
        return self.rating(in: edited) == rating ? edited : nil
    }

    /// The rating that a packet says, from 0 to 5; `nil` if it says none.
    package static func rating(in packet: [UInt8]) -> Int? { XMP(packet).metadata.rating }

    /// Whether `edited`, which another program made, has the rating and still says all that `packet` does.
    package static func isEdited(_ edited: [UInt8], from packet: [UInt8], rating: Int) -> Bool {
        guard self.rating(in: edited) == rating else { return false }
        return words(of: packet).isSubset(of: words(of: edited))
    }

    /// The values in a packet, whether attributes or elements hold them, without its rating and who wrote it.
    private static func words(of packet: [UInt8]) -> Set<ArraySlice<UInt8>> {
        var words: Set<ArraySlice<UInt8>> = []
        var text: ArraySlice<UInt8> = []
        for (more, tag) in XMP.tags(of: packet) {
            text += more
            // An element's text goes on after a comment.
            guard !isAside(tag) else { continue }
            if !tag.elementsEqual("/xmp:Rating".utf8) { words.insert(text.trimmed) }
            text = []
            for (name, value) in XMP.attributes(of: tag)
            where !["xmp:Rating", "rdf:about", "x:xmptk"].contains(name) {
                words.insert(value.trimmed)
            }
        }
        return words.subtracting([[]])
    }

    /// Whether a tag is a comment, an instruction, or a section of plain text.
    private static func isAside(_ tag: ArraySlice<UInt8>) -> Bool {
        tag.first == UInt8(ascii: "!") || tag.first == UInt8(ascii: "?")
    }
}

extension ArraySlice<UInt8> {
    fileprivate var trimmed: Self {
        let start = drop(while: XMP.isSpace)
        return start.prefix(upTo: start.lastIndex { !XMP.isSpace($0) }.map { $0 + 1 } ?? start.startIndex)
    }
}
