import Basics

/// HTML, SVG, or Atom in which text from outside can only be text.
///
/// Literals are markup, interpolated values are not: every string that is interpolated passes
/// ``escaped(_:)``, so that no template can forget to. Attribute values stand in double quotes.
struct SafeMarkup: ExpressibleByStringInterpolation, Sendable {
    private(set) var text: String

    init(stringLiteral literal: String) { text = literal }

    init(stringInterpolation: StringInterpolation) { text = stringInterpolation.text }

    static func += (left: inout SafeMarkup, right: SafeMarkup) { left.text += right.text }

    struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var text = ""

        init(literalCapacity: Int, interpolationCount: Int) { text.reserveCapacity(literalCapacity * 2) }

        mutating func appendLiteral(_ literal: String) { text += literal }

        mutating func appendInterpolation(_ text: String) { self.text += SafeMarkup.escaped(text) }

        mutating func appendInterpolation(_ number: Int) { text += String(number) }

        /// Nothing for `nil`: an attribute or element that is left out.
        mutating func appendInterpolation(_ markup: SafeMarkup?) { text += markup?.text ?? "" }

        mutating func appendInterpolation(_ parts: [SafeMarkup]) { parts.forEach { text += $0.text } }
    }

    /// `text` on one line, as character data or as a quoted attribute value.
    ///
    /// Control and bidi characters go as ``PlainText`` has it, as do the two noncharacters that XML forbids.
    static func escaped(_ text: String) -> String {
        var result = String.UnicodeScalarView()
        for scalar in PlainText.line(text).unicodeScalars {
            switch scalar {
            case "&": result.append(contentsOf: "&amp;".unicodeScalars)
            case "<": result.append(contentsOf: "&lt;".unicodeScalars)
            case ">": result.append(contentsOf: "&gt;".unicodeScalars)
            case "\"": result.append(contentsOf: "&quot;".unicodeScalars)
            case "'": result.append(contentsOf: "&#39;".unicodeScalars)
            case "\u{FFFE}", "\u{FFFF}": continue
            default: result.append(scalar)
            }
        }
        return String(result)
    }
}
