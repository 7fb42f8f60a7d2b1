import Foundation

/// Reads what the Flickr API answers, 2009 to 2024: here what all replies share, the rest in
/// `FlickrList.swift` and `FlickrDetail.swift`.
struct FlickrImporter: Sendable {
    let service = "flickr"

    /// The identifier (NSID) of the user in a look-up's reply.
    func user(_ body: Data) throws(ServiceError) -> String {
        try Reply(service, body).decode(WireLookup.self).user.id.value
    }

    /// The failure that `body` tells of; `nil` where it tells of none.
    func failure(_ body: Data) -> FlickrFailure? {
        let wire = Reply(service, body).decodeIfPossible(WireFailure.self)
        guard let wire, wire.stat == "fail" || wire.code?.value != nil else { return nil }
        let reason = PlainText.excerpt(wire.message ?? "", limit: 120)
        return FlickrFailure(
            code: wire.code?.value ?? 0,
            reason: reason.isEmpty
                ? "no reason given" : reason.hasSuffix(".") ? String(reason.dropLast()) : reason)
    }

    /// The JSON in `jsonFlickrApi({…});`, which some servers send although asked not to.
    static func withoutCallback(_ body: Data) -> Data {
        let text = body.drop { $0 <= UInt8(ascii: " ") }
        // No JSON value starts with a letter and goes on to a parenthesis.
        let name = text.prefix { byte in
            byte == UInt8(ascii: "_") || byte == UInt8(ascii: ".") || (48...57).contains(byte)
                || (65...90).contains(byte) || (97...122).contains(byte)
        }
        guard !name.isEmpty, text.dropFirst(name.count).first == UInt8(ascii: "("),
            let end = text.lastIndex(of: UInt8(ascii: ")")), end > name.endIndex
        else { return body }
        return Data(text[(name.endIndex + 1)..<end])
    }

    // MARK: - Wire to model

    func author(id: String?, name: WireScalar?, alias: String?) -> Author? {
        let alias = alias.flatMap { $0.isEmpty ? nil : PlainText.line($0) }
        let shown = PlainText.line(Markup.plain(name?.text ?? ""))
        guard let fallback = alias ?? id else { return shown.isEmpty ? nil : Author(name: shown) }
        return Author(id: id, name: shown.isEmpty ? fallback : shown, username: alias)
    }

    func page(of id: String, by alias: String?, or owner: String?) -> URL? {
        guard let owner = alias.flatMap({ $0.isEmpty ? nil : $0 }) ?? owner,
            owner.wholeMatch(of: /[A-Za-z0-9_@\-]+/) != nil
        else { return nil }
        return URL(string: "https://www.flickr.com/photos/\(owner)/\(HTTPRequest.escaped(id))/")
    }

    func text(_ content: FlickrText?) -> String? {
        let text = Markup.plain(content?.text ?? "").trimmingCharacters(in: .whitespacesAndNewlines)
        return text.isEmpty ? nil : text
    }

    /// Seconds since 1970, where that is a year of four digits.
    func date(_ wire: WireInt?) -> Date? {
        wire?.value.flatMap { seconds in
            (0..<253_402_300_800).contains(seconds) ? Date(timeIntervalSince1970: TimeInterval(seconds)) : nil
        }
    }

    /// Granularities above 0 mean the month, the year or "about then": the rest of the text is made up.
    func taken(_ text: String?, _ granularity: WireInt?, _ unknown: WireInt?) -> Date? {
        guard (granularity?.value ?? 0) == 0, (unknown?.value ?? 0) == 0 else { return nil }
        return text.flatMap { WireDate.withoutZone($0) }
    }

    /// Source: `photos.licenses.getInfo`; 9 and 10 by Openverse's list. Those of 2025 have no number we know.
    func license(_ wire: WireInt?) -> String? {
        let names = [
            "All rights reserved", "CC BY-NC-SA 2.0", "CC BY-NC 2.0", "CC BY-NC-ND 2.0", "CC BY 2.0",
            "CC BY-SA 2.0", "CC BY-ND 2.0", "No known copyright restrictions",
            "United States government work", "CC0 1.0", "Public Domain Mark 1.0",
        ]
        return wire?.value.map { names.indices.contains($0) ? names[$0] : "Flickr license \($0)" }
    }
}

/// Why Flickr gave nothing: its code and its words, without a full stop.
struct FlickrFailure {
    let code: Int
    let reason: String
}

/// Which of a photo's files is the thumbnail, which the full size, and what the original measures.
struct FlickrFiles {
    let thumbnail: Rendition?
    let full: Rendition?
    let original: PixelSize?
}

// MARK: - Wire format
// Spelled as on the wire, so a field can be found in the vendor's page by name.

private struct WireFailure: Decodable {
    let stat: String?
    let code: WireInt?
    let message: String?
}

private struct WireLookup: Decodable {
    let user: WireUser

    struct WireUser: Decodable {
        let id: WireID
    }
}

/// A text, bare as in a list's titles, or in an object as `_content`.
struct FlickrText: Decodable {
    let text: String

    init(from decoder: any Decoder) throws {
        if let bare = try? WireScalar(from: decoder) {
            text = bare.text
        } else {
            let fields = try decoder.container(keyedBy: AnyKey.self)
            let key = AnyKey(stringValue: "_content")
            text = try fields.decodeIfPresent(WireScalar.self, forKey: key)?.text ?? ""
        }
    }
}
