import Foundation

/// A file of XMP beside a picture, as darktable, digiKam, and others write it.
package enum XMPSidecar {
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
             \(description(rating: rating))
             </rdf:RDF>
            </x:xmpmeta>

            """.utf8)
    }

    private static func description(rating: Int) -> String {
        #" <rdf:Description rdf:about="" xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmp:Rating="\#(rating)"/>"#
    }

    /// `packet` with another rating, and nothing else changed; `nil` where its own cannot be told.
    package static func setting(_ rating: Int, in packet: [UInt8]) -> [UInt8]? {
        guard let text = String(validating: packet, as: UTF8.self) else { return nil }
        let places = ratings(in: packet)
        guard places.count < 2 else { return nil }
        var edited = packet
        if let place = places.first {
            edited.replaceSubrange(place, with: "\(rating)".utf8)
        } else {
            // Another prefix may stand for the same, and a description of another subject is not the picture's.
            guard !text.contains(":Rating"), let end = packet.firstRange(of: Array("</rdf:RDF>".utf8)),
                !text.contains("rdf:about=") || text.contains("rdf:about=\"\"")
                    || text.contains("rdf:about=''")
            else { return nil }
            edited.insert(contentsOf: (description(rating: rating) + "\n ").utf8, at: end.lowerBound)
        }
        // One in a comment, or in a value, is not the rating.
        return self.rating(in: edited) == rating ? edited : nil
    }

    /// Where the packet says a rating, as an attribute or as an element.
    private static func ratings(in packet: [UInt8]) -> [Range<Int>] {
        let tags = XMP.tags(of: packet)
        var places: [Range<Int>] = []
        for (index, (_, tag)) in tags.enumerated()
        where tag.first != UInt8(ascii: "!") && tag.first != UInt8(ascii: "?") {
            places += XMP.attributes(of: tag).filter { $0.name == "xmp:Rating" }.map(\.value.indices)
            let isElement = tag.elementsEqual("xmp:Rating".utf8) && index + 1 < tags.count
            if isElement, tags[index + 1].tag.elementsEqual("/xmp:Rating".utf8) {
                places.append(tags[index + 1].text.indices)
            }
        }
        return places
    }

    /// The rating that a packet says, from 0 to 5; `nil` if it says none.
    static func rating(in packet: [UInt8]) -> Int? { XMP(packet).metadata.rating }
}
