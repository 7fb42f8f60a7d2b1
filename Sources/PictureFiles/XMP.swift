import Basics
import Foundation

/// A packet of XMP, read for the few properties that are shown.
///
/// No XML parser: a scanner that goes through the packet once, knows no entities but the five of XML and
/// numbers, and so cannot be made to expand anything. Prefixes are taken to be the customary ones.
///
/// Source: ISO 16684-1, 7 and 8.
package struct XMP {
    /// The values of each property, such as `dc:subject`; a list's one by one, and those of several languages.
    private var values: [String: [(text: String, language: String)]] = [:]
    private let languages: [String]

    private static let wanted: Set = [
        "dc:title", "dc:subject", "dc:creator", "dc:rights", "dc:description", "exif:DateTimeOriginal",
        "photoshop:DateCreated", "photoshop:Credit", "xmp:CreateDate", "xmpRights:UsageTerms",
        "xmpRights:WebStatement", "tiff:Make", "tiff:Model", "aux:Lens", "exifEX:LensModel",
        "xmp:Rating", "photoshop:Headline", "Iptc4xmpCore:AltTextAccessibility",
        "Iptc4xmpCore:ExtDescrAccessibility",
    ]

    /// The property whose element is open, and the text within it so far.
    private typealias Open = (name: String, text: [UInt8], language: String)

    /// Reads a packet in UTF-8; anything else has no properties.
    ///
    /// - Parameter languages: Those that are wanted, in lowercase, the most wanted first.
    package init(_ packet: [UInt8], _ languages: [String] = Self.ownLanguages) {
        self.languages = languages
        var open: Open?
        for (text, tag) in Self.tags(of: packet) {
            open?.text += text.prefix(PictureMetadata.longestText)
            switch tag.first {
            case UInt8(ascii: "?"), UInt8(ascii: "!"): continue
            case UInt8(ascii: "/"):
                let name = String(decoding: tag.dropFirst(), as: UTF8.self)
                if let current = open, name == "rdf:li" || name == current.name {
                    add(current.text, to: current.name, in: current.language)
                    open = name == current.name ? nil : (current.name, [], "")
                }
            default: read(tag, &open)
            }
        }
    }

    /// The tags of a packet, comments among them, each without its brackets and with the text before it.
    static func tags(of packet: [UInt8]) -> [(text: ArraySlice<UInt8>, tag: ArraySlice<UInt8>)] {
        var tags: [(text: ArraySlice<UInt8>, tag: ArraySlice<UInt8>)] = []
        var rest = packet[...]
        while let start = rest.firstIndex(of: UInt8(ascii: "<")), let end = end(of: rest[start...]) {
            tags.append((rest[..<start], rest[start + 1..<end]))
            rest = rest[(end + 1)...]
        }
        return tags
    }

    static func attributes(of tag: ArraySlice<UInt8>) -> [(name: String, value: ArraySlice<UInt8>)] {
        var attributes: [(name: String, value: ArraySlice<UInt8>)] = []
        var rest = tag.drop { !isSpace($0) }
        while let equals = rest.firstIndex(of: UInt8(ascii: "=")) {
            let name = String(
                decoding: rest[..<equals].drop(while: isSpace).prefix { !isSpace($0) }, as: UTF8.self)
            let value = rest[(equals + 1)...].drop(while: isSpace)
            guard let quote = value.first, let end = value.dropFirst().firstIndex(of: quote) else { break }
            attributes.append((name, value[..<end].dropFirst()))
            rest = value[(end + 1)...]
        }
        return attributes
    }

    /// A packet of one description.
    static func packet(_ attributes: String, _ elements: String) -> [UInt8] {
        Array(
            """
            <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">\
            <rdf:Description rdf:about=""\(attributes)>\(elements)</rdf:Description></rdf:RDF></x:xmpmeta>
            """.utf8)
    }

    static func isSpace(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0A, 0x0D].contains(byte) }

    /// The `>` that ends a tag, not one within quotes; a comment ends with `-->`.
    private static func end(of rest: ArraySlice<UInt8>) -> Int? {
        if rest.starts(with: "<!--".utf8) {
            var index = rest.startIndex + 4
            while let found = rest[index...].firstIndex(of: UInt8(ascii: ">")) {
                if rest[..<found].suffix(2).elementsEqual("--".utf8) { return found }
                index = found + 1
            }
            return nil
        }
        var quote: UInt8?
        for index in rest.indices {
            let byte = rest[index]
            if let open = quote {
                if byte == open { quote = nil }
            } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                quote = byte
            } else if byte == UInt8(ascii: ">") {
                return index
            }
        }
        return nil
    }

    /// An opening tag: a wanted property, or a description whose attributes are properties.
    private mutating func read(_ tag: ArraySlice<UInt8>, _ open: inout Open?) {
        var name = String(decoding: tag.prefix { !Self.isSpace($0) }, as: UTF8.self)
        let isEmpty = tag.last == UInt8(ascii: "/")
        if name.last == "/" { name.removeLast() }
        if Self.wanted.contains(name), !isEmpty {
            open = (name, [], "")
        } else if open != nil {
            open?.text = []
            let language = Self.attributes(of: tag).first { $0.name == "xml:lang" }?.value ?? []
            open?.language = String(decoding: language.prefix(40), as: UTF8.self).lowercased()
        }
        guard name == "rdf:Description" else { return }
        for (key, value) in Self.attributes(of: tag) where Self.wanted.contains(key) {
            add(Array(value), to: key)
        }
    }

    private mutating func add(_ text: [UInt8], to name: String, in language: String = "") {
        guard values[name, default: []].count < PictureMetadata.mostKeywords,
            let plain = String(validating: text.prefix(PictureMetadata.longestText), as: UTF8.self)
                .flatMap({ PictureMetadata.text(Self.decoded($0).utf8) })
        else { return }
        values[name, default: []].append((plain, language))
    }

    /// `text` with XML's own entities and numbers decoded, once.
    private static func decoded(_ text: String) -> String {
        guard text.contains("&") else { return text }
        return text.replacing(#/&(amp|lt|gt|quot|apos|#\d{1,7}|#x[0-9A-Fa-f]{1,6});/#) { match in
            let names = ["amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'"]
            if let character = names[String(match.1)] { return character }
            let digits = match.1.dropFirst()
            let code = digits.first == "x" ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
            return code.flatMap(Unicode.Scalar.init).map { String($0) } ?? ""
        }
    }

    package var metadata: PictureMetadata {
        func first(_ names: String...) -> String? { names.lazy.compactMap { text($0) }.first }
        func all(_ name: String) -> [String] { values[name]?.map(\.text) ?? [] }
        var metadata = PictureMetadata()
        metadata.title = first("dc:title", "photoshop:Headline")
        metadata.description = first("dc:description")
        metadata.alt = first("Iptc4xmpCore:AltTextAccessibility", "Iptc4xmpCore:ExtDescrAccessibility")
        metadata.artist = values["dc:creator"] == nil ? nil : all("dc:creator").joined(separator: ", ")
        metadata.copyright = first("dc:rights")
        metadata.credit = first("photoshop:Credit")
        metadata.usageTerms = first("xmpRights:UsageTerms")
        metadata.rightsPage = first("xmpRights:WebStatement")
        metadata.keywords = all("dc:subject")
        metadata.taken = first("exif:DateTimeOriginal", "photoshop:DateCreated").flatMap { WrittenDate($0) }
        metadata.made = first("xmp:CreateDate").flatMap { WrittenDate($0) }
        metadata.camera = EXIF.camera(make: first("tiff:Make"), model: first("tiff:Model"))
        metadata.lens = first("exifEX:LensModel", "aux:Lens")
        metadata.rating = first("xmp:Rating").flatMap { Double($0) }.map(Self.stars)
        return metadata
    }

    /// A property in the language that is wanted, or else the default one, or else the first.
    private func text(_ name: String) -> String? {
        guard let values = values[name] else { return nil }
        let wanted = languages.lazy.compactMap { language in values.first { $0.language == language } }.first
        return (wanted ?? values.first)?.text
    }

    package static let ownLanguages = languages(ProcessInfo.processInfo.environment["LANG"] ?? "")

    /// Of `de_AT.UTF-8`, `de-at` and `de`, and then XMP's word for the default; of `C`, that alone.
    static func languages(_ variable: String) -> [String] {
        let name = variable.lowercased().prefix { $0 != "." && $0 != "@" }.replacing("_", with: "-")
        let language = String(name.prefix { $0 != "-" })
        return (language.count > 1 && language != "posix" ? [String(name), language] : []) + ["x-default"]
    }

    /// From 0, for none, to 5. Some programs write fractions, and -1 for what is rejected.
    private static func stars(_ rating: Double) -> Int {
        rating.isNaN ? 0 : Int(min(5, max(0, rating)).rounded())
    }
}
