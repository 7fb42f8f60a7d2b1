import Foundation

/// Converts the HTML in titles and descriptions to plain text. This is not a sanitizer: the result still has to be
/// escaped for its context, or pass through ``PlainText``.
package enum Markup {
    /// `text` without tags and comments, with entities decoded once and line breaks preserved.
    package static func plain(_ text: String) -> String {
        guard text.utf8.contains(where: { $0 == UInt8(ascii: "<") || $0 == UInt8(ascii: "&") }) else {
            return text
        }
        return decodingEntities(removingTags(text))
    }

    // MARK: - Tags

    private static func removingTags(_ text: String) -> Substring {
        var result = Substring()
        var rest = Substring(text)
        while let open = rest.firstIndex(of: "<") {
            result += rest[..<open]
            rest = rest[open...]
            guard let tag = Tag(at: rest) else {
                // A lone `<`, as in `I <3 you`, is text.
                result.append("<")
                rest = rest.dropFirst()
                continue
            }
            rest = rest[tag.end...]
            if tag.breaksLine, let last = result.last, !last.isNewline { result.append("\n") }
            if tag.hidesContent {
                let end = rest.range(of: "</" + tag.name, options: .caseInsensitive)
                rest = rest[(end?.lowerBound ?? rest.endIndex)...]
            }
        }
        return result + rest
    }

    private struct Tag {
        let name: Substring
        let isClosing: Bool
        let end: Substring.Index

        init?(at text: Substring) {
            if text.hasPrefix("<!--") {
                name = ""
                isClosing = false
                end = text.firstRange(of: "-->")?.upperBound ?? text.endIndex
                return
            }
            let inner = text.dropFirst()
            isClosing = inner.first == "/"
            let body = isClosing ? inner.dropFirst() : inner
            guard let first = body.first, first.isASCII, first.isLetter,
                let close = body.firstIndex(where: { $0 == ">" || $0 == "<" }), body[close] == ">"
            else { return nil }
            name = body.prefix { $0.isLetter || $0.isNumber }
            end = body.index(after: close)
        }

        var breaksLine: Bool {
            ["br", "p", "div", "li", "tr", "h1", "h2", "h3", "h4", "blockquote"].contains(name.lowercased())
        }

        var hidesContent: Bool { !isClosing && ["script", "style"].contains(name.lowercased()) }
    }

    // MARK: - Entities

    private static func decodingEntities(_ text: Substring) -> String {
        var result = Substring()
        var rest = text
        while let ampersand = rest.firstIndex(of: "&") {
            result += rest[..<ampersand]
            rest = rest[rest.index(after: ampersand)...]
            // No entity is longer than 32 characters.
            if let semicolon = rest.prefix(32).firstIndex(of: ";"), let scalar = scalar(rest[..<semicolon]) {
                result.unicodeScalars.append(scalar)
                rest = rest[rest.index(after: semicolon)...]
            } else {
                result.append("&")
            }
        }
        return String(result + rest)
    }

    private static func scalar(_ name: Substring) -> Unicode.Scalar? {
        guard name.first == "#" else { return named[String(name)] }
        let digits = name.dropFirst()
        let number =
            digits.first == "x" || digits.first == "X"
            ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits, radix: 10)
        return number.flatMap(Unicode.Scalar.init)
    }

    /// HTML's basic five, typography, and all of Latin-1.
    private static let named: [String: Unicode.Scalar] = {
        var table: [String: Unicode.Scalar] = [
            "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "hellip": "…", "mdash": "—",
            "ndash": "–", "lsquo": "‘", "rsquo": "’", "ldquo": "“", "rdquo": "”", "bull": "•",
            "trade": "™", "euro": "€", "sbquo": "‚", "bdquo": "„", "larr": "←", "rarr": "→",
        ]
        let latin1 = """
            nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 \
            sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc \
            Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve \
            Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute \
            acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde \
            ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml
            """
        for (offset, name) in latin1.split(separator: " ").enumerated() {
            table[String(name)] = Unicode.Scalar(0xA0 + UInt32(offset))
        }
        return table
    }()
}
