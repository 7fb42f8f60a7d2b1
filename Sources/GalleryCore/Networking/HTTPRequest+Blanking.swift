import Foundation

extension HTTPRequest {
    /// Bytes: what is shorter is a word of many answers, and no service's key.
    private static let shortestBlanked = 6

    /// `body` with `•••` in place of this request's secrets: a service that repeats the key it was asked
    /// with, in an error, a title or an address, brings it no further.
    ///
    /// Of JSON only the texts are looked at, as they are meant and not as they are escaped, and no key of an
    /// object: so nothing that can be read before cannot be after.
    func blanking(_ body: Data) -> Data {
        let secrets = secrets.values.filter { $0.value.utf8.count >= Self.shortestBlanked }
        guard !secrets.isEmpty else { return body }
        let first = body.first { !" \t\r\n".utf8.contains($0) }
        guard first == UInt8(ascii: "{") || first == UInt8(ascii: "[") else {
            return secrets.reduce(body) { $1.blanked(in: $0) }
        }
        return JSONTexts.replacing(in: body, from: secrets.map(\.value.utf8.count).min() ?? 0) { text in
            let blanked = secrets.reduce(text) { $1.blanked(in: $0) }
            // Escaped as an address may be, in small letters or where there is no need to.
            let plain = PercentEncoding.decoded(blanked)
            return secrets.contains { plain.range(of: Data($0.value.utf8)) != nil }
                ? Data("\(secrets[0])".utf8) : blanked
        }
    }
}

extension Secret {
    /// The bytes with `•••` wherever the secret stands in them.
    fileprivate func blanked(in bytes: Data) -> Data {
        let blank = Data(description.utf8)
        return spellings.reduce(bytes) { bytes, spelling in
            var bytes = bytes
            var start = bytes.startIndex
            while let place = bytes.range(of: Data(spelling.utf8), in: start..<bytes.endIndex) {
                bytes.replaceSubrange(place, with: blank)
                start = place.lowerBound + blank.count
            }
            return bytes
        }
    }
}

private enum PercentEncoding {
    static func decoded(_ bytes: Data) -> Data {
        guard bytes.contains(UInt8(ascii: "%")) else { return bytes }
        var decoded = Data()
        var rest = bytes[...]
        while let byte = rest.popFirst() {
            let digits = String(decoding: rest.prefix(2), as: UTF8.self)
            if byte == UInt8(ascii: "%"), digits.utf8.count == 2, let value = UInt8(digits, radix: 16) {
                decoded.append(value)
                rest = rest.dropFirst(2)
            } else {
                decoded.append(byte)
            }
        }
        return decoded
    }
}

/// The texts of a JSON body, found without reading what they stand in.
enum JSONTexts {
    /// `body` with what `replace` makes of each text, keys of objects aside.
    ///
    /// - Parameter shortest: bytes; shorter texts are not looked at.
    static func replacing(in body: Data, from shortest: Int, _ replace: (Data) -> Data) -> Data {
        var result = Data()
        var rest = body[...]
        while let open = rest.firstIndex(of: quote) {
            result += rest[...open]
            rest = rest[(open + 1)...]
            let end = end(of: rest)
            let content = rest[..<end]
            rest = rest[end...]
            let follower = rest.dropFirst().first { !" \t\r\n".utf8.contains($0) }
            if content.count < shortest || follower == UInt8(ascii: ":") {
                result += content
            } else {
                let text = meant(by: content)
                let replaced = replace(text)
                result += replaced == text ? content : escaped(replaced)
            }
            // Its closing quote, or nothing where the body was cut.
            result += rest.prefix(1)
            rest = rest.dropFirst()
        }
        return result + rest
    }

    private static let quote = UInt8(ascii: "\"")
    private static let backslash = UInt8(ascii: "\\")

    private static func end(of text: Data) -> Data.Index {
        var place = text.startIndex
        while place < text.endIndex, text[place] != quote { place += text[place] == backslash ? 2 : 1 }
        return min(place, text.endIndex)
    }

    /// The text without its escapes; as it is where it cannot be read.
    private static func meant(by content: Data) -> Data {
        guard content.contains(backslash),
            let texts = try? JSONDecoder().decode(
                [String].self, from: Data("[\"".utf8) + content + Data("\"]".utf8))
        else { return Data(content) }
        return Data(texts.joined().utf8)
    }

    private static func escaped(_ text: Data) -> Data {
        Data(JSONValue.string(String(decoding: text, as: UTF8.self)).text.utf8.dropFirst().dropLast())
    }
}
