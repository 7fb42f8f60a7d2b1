import Basics

/// The picture behind a JPEG's own that says how much brighter each place is on a screen that has room for it.
///
/// Source: Adobe, Gain map specification 1.0; ISO 21496-1, annex C; CIPA DC-007, 5.2; Ultra HDR Image Format 1.1.
package struct GainMap {
    /// The JPEG, which says nothing but how it is applied.
    let jpeg: [UInt8]
    /// Whether the main picture has to lead to it in XMP.
    let isInXMP: Bool
    /// What the main picture has to say of it in the form of ISO 21496-1; `nil` where that is not used.
    let iso: [UInt8]?

    /// The gain map of a JPEG; `nil` where none of the pictures behind it is one.
    init?(of whole: [UInt8]) {
        let companions = JPEG.companions(PictureBytes(whole)).whole.map { Array(whole[$0]) }
        let (main, own) = (Instructions(of: whole), companions.map(Instructions.init))
        guard let place = own.firstIndex(where: \.areThere) ?? (main.areThere ? own.indices.first : nil)
        else { return nil }
        let instructions = own[place]
        jpeg = JPEG.cleaned(companions[place], adding: nil, instructions.xmp, instructions.iso)
        isInXMP = instructions.xmp != nil || !main.values.isEmpty
        // Of the main picture it says nothing but the version.
        iso = main.iso?.prefix(4).map(\.self) ?? instructions.iso.map { _ in [0, 0, 0, 0] }
    }

    /// The mark of ISO 21496-1 in a segment of its own.
    static let mark: StaticString = "urn:iso:std:iso:ts:21496:-1\0"

    /// The cleaned main picture and then this one, of which a segment says where it is.
    func following(_ main: [UInt8]) -> [UInt8] {
        var (walk, place) = (JPEG.HeaderWalk(), 2)
        while let segment = walk.next(PictureBytes(main)), segment.marker == 0xE1 {
            place = segment.content.upperBound
        }
        let length = main.count + 90
        // Three tags: the version, the count of pictures, and of each its kind, its length, and where it begins.
        var index: [UInt8] = Array("MM\0*".utf8) + [0, 0, 0, 8, 0, 3]
        index += [0xB0, 0, 0, 7, 0, 0, 0, 4] + Array("0100".utf8)
        index += [0xB0, 1, 0, 4, 0, 0, 0, 1, 0, 0, 0, 2, 0xB0, 2, 0, 7, 0, 0, 0, 32, 0, 0, 0, 50, 0, 0, 0, 0]
        // Places count from behind the segment's mark.
        for (kind, length, start) in [(0x03_0000, length, 0), (0, jpeg.count, length - place - 8)] {
            index += [UInt8](big: kind, 4) + [UInt8](big: length, 4) + [UInt8](big: start, 4) + [0, 0, 0, 0]
        }
        return main[..<place] + JPEG.segment(0xE2, Array("MPF\0".utf8) + index) + main[place...] + jpeg
    }

    /// How a picture says that a gain map is applied.
    private struct Instructions {
        /// The properties of its XMP; those of several color channels have three values.
        private(set) var values: [String: [String]] = [:]
        /// ISO 21496-1's numbers, as long as they go.
        private(set) var iso: [UInt8]?

        var areThere: Bool { !values.isEmpty || iso != nil }

        private static let names = [
            "Version", "BaseRenditionIsHDR", "GainMapMin", "GainMapMax", "Gamma", "OffsetSDR", "OffsetHDR",
            "HDRCapacityMin", "HDRCapacityMax",
        ].map { "hdrgm:" + $0 }

        init(of jpeg: [UInt8]) {
            let bytes = PictureBytes(jpeg)
            var walk = JPEG.HeaderWalk()
            while let segment = walk.next(bytes), !segment.isScan {
                let content = segment.content.clamped(to: 0..<bytes.count)
                guard segment.marker == 0xE2, bytes.matches(GainMap.mark, at: content.lowerBound)
                else { continue }
                iso = iso ?? Self.numbers(Array(jpeg[content.dropFirst(GainMap.mark.utf8CodeUnitCount)]))
            }
            JPEG.metadata(bytes).xmp.map { read(Array(jpeg[$0])) }
        }

        /// Two versions alone; or with them, flags, the room on a screen, and for each channel five fractions.
        private static func numbers(_ content: [UInt8]) -> [UInt8]? {
            guard content.count > 4 else { return content.count == 4 ? content : nil }
            let channels = content[4] & 0x80 == 0 ? 1 : 3
            let length = content[4] & 0x08 == 0 ? 21 + 40 * channels : 17 + 20 * channels
            return content.count < length ? nil : Array(content.prefix(length))
        }

        private mutating func read(_ packet: [UInt8]) {
            var open: String?
            for (text, tag) in XMP.tags(of: packet) {
                let name = String(decoding: tag.prefix { !XMP.isSpace($0) }, as: UTF8.self)
                if let own = open, name == "/rdf:li" || name == "/" + own { add(text, to: own) }
                if Self.names.contains(name) { open = name } else if name == "/\(open ?? "")" { open = nil }
                for (key, value) in XMP.attributes(of: tag) where Self.names.contains(key) {
                    add(value, to: key)
                }
            }
        }

        /// Numbers and truth values alone: whatever else stands there says something else.
        private mutating func add(_ text: ArraySlice<UInt8>, to name: String) {
            let value = String(decoding: text.filter { !XMP.isSpace($0) }, as: UTF8.self)
            guard ["True", "False"].contains(value) || Double(value)?.isFinite == true, value.utf8.count < 40,
                values[name, default: []].count < 3
            else { return }
            values[name, default: []].append(value)
        }

        /// The properties as a packet; `nil` where there are none.
        var xmp: [UInt8]? {
            var (attributes, elements) = ("", "")
            for name in Self.names {
                guard let list = values[name] else { continue }
                if list.count == 1 {
                    attributes += " \(name)=\"\(list[0])\""
                } else {
                    let items = list.map { "<rdf:li>\($0)</rdf:li>" }.joined()
                    elements += "<\(name)><rdf:Seq>\(items)</rdf:Seq></\(name)>"
                }
            }
            return values.isEmpty ? nil : XMP.packet("\(GainMap.namespace)\(attributes)", elements)
        }
    }

    static let namespace = #" xmlns:hdrgm="http://ns.adobe.com/hdr-gain-map/1.0/""#

    /// What the XMP of the main picture says of the one behind it: attributes and elements.
    var directory: (attributes: String, elements: String) {
        let place = "http://ns.google.com/photos/1.0/container/"
        func item(_ words: String) -> String {
            "<rdf:li rdf:parseType=\"Resource\"><Container:Item \(words) Item:Mime=\"image/jpeg\"/></rdf:li>"
        }
        let items =
            item("Item:Semantic=\"Primary\"")
            + item("Item:Semantic=\"GainMap\" Item:Length=\"\(jpeg.count)\"")
        return (
            "\(Self.namespace) xmlns:Container=\"\(place)\" xmlns:Item=\"\(place)item/\" hdrgm:Version=\"1.0\"",
            "<Container:Directory><rdf:Seq>\(items)</rdf:Seq></Container:Directory>"
        )
    }
}
