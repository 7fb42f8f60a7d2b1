import Foundation

/// How files are named: text with fields in braces, such as `{author}/{id}_{title}`.
///
/// `/` in the template makes folders, never one in a field's value. Braces in a
/// value stay text. What a photo lacks becomes `unknown`; an empty title `untitled`,
/// or the identifier where the template does not name it already; the index of a
/// photo named by its address, its identifier.
public struct NameTemplate: Hashable, Sendable {
    /// What may stand between braces.
    public enum Field: String, CaseIterable, Sendable {
        /// The place in the feed, from 1.
        case index
        /// The service's name.
        case service
        /// The photo's identifier at its service.
        case id
        /// The title.
        case title
        /// The author's name, else their username or identifier.
        case author
        /// The day it was published, else taken, as `YYYY-MM-DD` in UTC.
        case date
        /// The original's width in pixels.
        case width
        /// The original's height in pixels.
        case height
        /// The page's place in a work of several, from 0.
        case page
    }

    /// A stretch of the template.
    enum Piece: Hashable, Sendable {
        case text(String)
        case field(Field)
    }

    /// What is used where nothing else is asked for.
    public static let standard = NameTemplate(components: [[.field(.id), .text("_"), .field(.title)]])

    /// The folders and, last, the file. Neither is empty.
    let components: [[Piece]]

    /// Whether `{id}` is used, so that a name can only be one photo's.
    public let hasID: Bool

    /// Whether `{page}` is used; elsewhere pages of a work get `_p0`, `_p1` … added.
    let hasPage: Bool

    /// Reads a template.
    public init(_ text: String) throws(NameTemplateError) {
        var components: [[Piece]] = []
        for component in text.split(separator: "/", omittingEmptySubsequences: false) {
            components.append(try Self.pieces(component, of: text))
        }
        self.init(components: components)
    }

    private init(components: [[Piece]]) {
        self.components = components
        hasID = components.joined().contains(.field(.id))
        hasPage = components.joined().contains(.field(.page))
    }

    private static func pieces(
        _ component: Substring, of template: String
    ) throws(NameTemplateError) -> [Piece] {
        if template.isEmpty { throw .empty }
        if template.hasPrefix("/") { throw .absolute(template) }
        if component.isEmpty { throw .emptyFolder(template) }
        // Also `..`, which leads out, and `~`, which no shell replaces here.
        if let first = component.first, ".-~".contains(first) {
            throw .badStart(String(component), template)
        }
        var pieces: [Piece] = []
        var rest = component
        while let opening = rest.firstIndex(where: { $0 == "{" || $0 == "}" }) {
            let inside = rest[rest.index(after: opening)...]
            guard rest[opening] == "{", let closing = inside.firstIndex(where: { $0 == "{" || $0 == "}" }),
                inside[closing] == "}"
            else { throw .unbalanced(template) }
            let name = String(inside[..<closing])
            guard let field = Field(rawValue: name) else { throw .unknownField(name) }
            if opening > rest.startIndex { pieces.append(.text(String(rest[..<opening]))) }
            pieces.append(.field(field))
            rest = inside[inside.index(after: closing)...]
        }
        if !rest.isEmpty { pieces.append(.text(String(rest))) }
        return pieces
    }
}

/// Why a text is no template for names.
public enum NameTemplateError: ActionableError, Hashable {
    /// There is nothing in it.
    case empty
    /// A field that does not exist; without its braces.
    case unknownField(String)
    /// A brace without its partner, in the whole template.
    case unbalanced(String)
    /// A path from the file system's root, the whole template.
    case absolute(String)
    /// Nothing between two `/`, or behind the last, in the whole template.
    case emptyFolder(String)
    /// A part between two `/` that begins with `.`, `-` or `~`, and the whole template.
    case badStart(String, String)

    /// One sentence that quotes the culprit.
    public var description: String {
        switch self {
        case .empty: "The name template is empty."
        case .unknownField(let name): "The name template has no field '{\(name)}'."
        case .unbalanced(let template): "The name template '\(template)' has a brace without its partner."
        case .absolute(let template): "The name template '\(template)' leads out of the folder."
        case .emptyFolder(let template): "The name template '\(template)' has a part without a name."
        case .badStart(let part, let template):
            "The name template '\(template)' has a part '\(part)', which begins with '.', '-' or '~'."
        }
    }

    /// What to do about it.
    public var hint: String? {
        switch self {
        case .empty, .unknownField, .unbalanced:
            let fields = NameTemplate.Field.allCases.map { "{\($0.rawValue)}" }
            return "Use text and the fields \(fields.joined(separator: " "))."
        case .absolute: return "Begin with text or a field; the folder is named elsewhere."
        case .emptyFolder: return "Put text or a field before and behind each '/'."
        case .badStart: return "Begin each part with a field, a letter or a digit."
        }
    }
}
