import GalleryCore

/// The name of a list of marked photos, such as `best of 2026`: one safe component of a path, which leads nowhere else.
package struct MarkListName: RawRepresentable, Hashable, Sendable, Codable, CustomStringConvertible {
    /// The name, in the normal form of file names.
    package let rawValue: String
    package var description: String { rawValue }

    /// The most bytes in UTF-8.
    package static let longest = 100

    /// What a name is, as a sentence.
    package static let rule =
        "a list's name is a file's: no '/', no '.' at either end, at most \(longest) bytes."

    /// `nil` for what no file could be called as it is.
    package init?(rawValue text: String) {
        let name = FileName.component(text, fallback: "", limit: Self.longest)
        guard name == text, PlainText.line(name) == name else { return nil }
        rawValue = name
    }

    package init?(_ text: String) { self.init(rawValue: text) }
}
