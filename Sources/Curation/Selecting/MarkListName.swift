import Foundation
import GalleryCore

/// The name of a list of marked photos, such as `best of 2026`.
///
/// The only way to a list's file: it is one safe component of a path, which never leads elsewhere.
package struct MarkListName: Hashable, Sendable, Codable, CustomStringConvertible {
    /// The name, in the normal form of file names.
    package let description: String

    /// The most bytes in UTF-8.
    package static let longest = 100

    /// What a name is, as a sentence.
    package static let rule =
        "a list's name is a file's: no '/', no '.' at either end, at most \(longest) bytes."

    /// `nil` for what no file could be called as it is.
    package init?(_ text: String) {
        let name = FileName.component(text, fallback: "", limit: Self.longest)
        guard name == text, PlainText.line(name) == name else { return nil }
        description = name
    }

    /// Reads a name.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let name = Self(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a list's name")
        }
        self = name
    }

    /// Writes the name as a text.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
