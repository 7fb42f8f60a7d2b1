import Foundation

/// Text for terminals that do not read UTF-8: as many columns, each a letter that stands for what was there, or `?`.
package enum ASCIIText {
    /// `text`, control sequences of ours included.
    package static func of(_ text: String) -> String {
        text.utf8.allSatisfy { $0 < 0x80 }
            ? text : text.map { of(String($0), columns: DisplayWidth.usual.of($0)) }.joined()
    }

    /// One character, in so many columns.
    package static func of(_ character: String, columns: Int) -> String {
        if character.utf8.allSatisfy({ $0 < 0x80 }) { return character }
        if let scalar = character.unicodeScalars.first, let sign = sign(for: scalar) {
            return String(repeating: sign, count: columns)
        }
        // The sounds of ideographs depend on their language.
        let isIdeograph = character.unicodeScalars.contains { $0.properties.isIdeographic }
        let letters = isIdeograph ? nil : latin(character)
        guard let letters, !letters.isEmpty, columns == 1 || letters.count <= columns else {
            return String(repeating: "?", count: columns)
        }
        return letters.prefix(columns) + String(repeating: " ", count: max(0, columns - letters.count))
    }

    private static func latin(_ character: String) -> String? {
        character.applyingTransform(.toLatin, reverse: false).map { text in
            let plain = text.decomposedStringWithCompatibilityMapping.utf8
            return String(decoding: plain.filter { (0x21..<0x7F).contains($0) }, as: UTF8.self)
        }
    }

    private static func sign(for scalar: Unicode.Scalar) -> Character? {
        switch scalar.value {
        // Lines: across, down, corners and crossings.
        case 0x2500, 0x2501, 0x2504, 0x2505, 0x2550, 0x2574, 0x2576, 0x2578, 0x257A: "-"
        case 0x2502, 0x2503, 0x2551: "|"
        case 0x2504...0x257F: "+"
        case 0x2580...0x258F, 0x2593...0x259F: "#"
        case 0x2591, 0x2592: ":"
        case 0x2800...0x28FF: "*"
        default: signs[Character(scalar)]
        }
    }

    private static let signs: [Character: Character] = [
        "…": "~", "·": "-", "•": "*", "×": "x", "–": "-", "—": "-", "‐": "-", "−": "-", "‘": "'", "’": "'",
        "“": "\"", "”": "\"", "„": "\"", "«": "\"", "»": "\"", "‹": "<", "›": ">", "←": "<", "→": ">",
        "↑": "^",
        "↓": "v", "★": "*", "☆": "-", "✓": "v", "✗": "x", "©": "c", "®": "r", "°": "o", "ß": "s", "ƒ": "f",
        "\u{A0}": " ",
    ]
}
