import Foundation

/// What a stored reply answers: the request as far as it may be written down, and a mark of
/// the secrets that it was sent with.
///
/// The whole key stands in the entry and is compared there, so two requests whose file names
/// collide are a miss and never each other's answer.
struct CacheKey: Hashable, Codable {
    /// Method and address without any secret: `GET https://…`.
    let request: String
    /// Header fields without any secret, `name: value`, sorted.
    let headers: [String]
    /// Which secrets the request carries, not what they are; empty for none.
    let credential: String

    /// The key of `request`; `nil` where it carries secrets and there is no salt to mark them with.
    init?(_ request: HTTPRequest, salt: CacheSalt?) {
        var secrets = request.secrets.map { place, secret in "\(place) \(secret.value)" }
        var address = request.url.absoluteString
        if request.url.user != nil || request.url.password != nil {
            // `https://user:password@host/`: a secret that came in by the address.
            guard var parts = URLComponents(url: request.url, resolvingAgainstBaseURL: true) else {
                return nil
            }
            secrets.append("\(parts.percentEncodedUser ?? ""):\(parts.percentEncodedPassword ?? "")")
            (parts.user, parts.password) = (nil, nil)
            guard let bare = parts.string else { return nil }
            address = bare
        }
        var fields: [String] = []
        for (name, value) in request.headers {
            let field = "\(name.lowercased()): \(value)"
            if Self.tellingFields.contains(name.lowercased()) {
                secrets.append(field)
            } else {
                fields.append(field)
            }
        }
        self.request = "GET \(address)"
        headers = fields.sorted()
        if secrets.isEmpty {
            credential = ""
        } else {
            guard let salt else { return nil }
            credential = salt.mark(of: secrets.sorted())
        }
    }

    /// The name of the entry's file: 128 bits of hash, in which no text can be found.
    var fileName: String {
        let text = ([request, credential] + headers).joined(separator: "\n")
        return Hexadecimal.text(SipHash.hash(text.utf8))
            + Hexadecimal.text(SipHash.hash(text.utf8, key: (1, 1))) + Self.suffix
    }

    static let suffix = ".reply"

    /// Fields that services fill through ``HTTPRequest/secrets``; here too, should one not.
    private static let tellingFields: Set<String> = [
        "authorization", "proxy-authorization", "cookie", "x-api-key", "x-auth-token",
    ]
}

/// Chance that each cache folder keeps to itself, so that a mark of a secret means nothing elsewhere.
struct CacheSalt: Sendable {
    static let length = 16
    let bytes: [UInt8]

    /// A salt of exactly ``length`` bytes.
    init?(_ bytes: some Collection<UInt8>) {
        guard bytes.count == Self.length else { return nil }
        self.bytes = Array(bytes)
    }

    /// A new one.
    static func random() -> CacheSalt? {
        CacheSalt((0..<length).map { _ in UInt8.random(in: .min ... .max) })
    }

    /// Eight digits by which sets of secrets differ.
    ///
    /// Only 32 bits, and that is the point: of the 2^128 keys there could be, 2^96 have any one
    /// mark, so none can be told from it, with the salt in hand and however fast one tries. That
    /// two keys of one user share a mark is as unlikely as four billion to one.
    func mark(of secrets: [String]) -> String {
        let text = secrets.map { "\($0.utf8.count) \($0)" }.joined()
        let key = bytes.withUnsafeBytes {
            ($0.loadUnaligned(as: UInt64.self), $0.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
        }
        return Hexadecimal.text(UInt32(truncatingIfNeeded: SipHash.hash(text.utf8, key: key)))
    }
}

/// Numbers as digits and letters of their full length. `String(format:)` would load ICU.
enum Hexadecimal {
    static func text<Number: FixedWidthInteger & UnsignedInteger>(_ number: Number) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: Number.bitWidth / 4 - digits.count) + digits
    }
}
