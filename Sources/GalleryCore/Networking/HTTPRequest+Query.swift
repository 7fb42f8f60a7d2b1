import Foundation

extension HTTPRequest {
    /// A GET of `path` below `base` with these query items, in this order.
    ///
    /// Escaped by hand: `URLComponents` leaves `+` as it is, which servers read as a space.
    init(_ base: URL, _ path: String = "", query: KeyValuePairs<String, String?> = [:]) {
        self.init(base, path, query: query.map { ($0.key, $0.value) })
    }

    /// The same with items that were gathered elsewhere; those without a value are left out.
    init(_ base: URL, _ path: String, query: [(String, String?)]) {
        var address = base.absoluteString
        while !path.isEmpty, address.hasSuffix("/") { address.removeLast() }
        if !path.isEmpty { address += "/" + path }
        let items = query.compactMap { name, value in
            value.map { "\(Self.escaped(name))=\(Self.escaped($0))" }
        }
        if !items.isEmpty {
            address += (address.contains("?") ? "&" : "?") + items.joined(separator: "&")
        }
        self.init(url: URL(string: address) ?? base)
    }

    /// Everything but RFC 3986's unreserved characters and the comma, which 500px and
    /// Flickr document as it is, is escaped.
    static func escaped(_ text: String) -> String {
        var escaped = ""
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
                UInt8(ascii: "_"), UInt8(ascii: "~"), UInt8(ascii: ","):
                escaped.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                let digits = String(byte, radix: 16, uppercase: true)
                escaped += digits.count < 2 ? "%0" + digits : "%" + digits
            }
        }
        return escaped
    }
}
