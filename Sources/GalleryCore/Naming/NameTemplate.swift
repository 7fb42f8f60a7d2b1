import Foundation
import PictureFiles

/// A pattern for file names: text with fields in braces, such as `{author}/{id}_{title}`.
///
/// `/` in the template makes folders; in a field's value it does not. A missing value becomes `unknown`, an empty title
/// `untitled`, or the identifier if the template lacks it, and so does the index of a photo named by its address.
///
/// A number can be padded with zeros to a width: `{index:4}` is `0007`. The file's extension follows its
/// format and is always added, so a picture's extension or `.{ext}` at the end of a template means nothing.
package struct NameTemplate: Hashable, Sendable {
    package enum Field: String, CaseIterable, Sendable {
        case index, service, id, title, author, username, name, date, year, month, day, width, height
        case page, ext, size

        /// What is put in its place.
        package var summary: String {
            switch self {
            case .index: "The index in the feed, from 1."
            case .service: "The name of the service."
            case .id: "The photo's identifier."
            case .title: "The title."
            case .author: "The author's name, or else the username or identifier."
            case .username: "The author's username, or else the identifier."
            case .name: "The name of the photo's own file, without its extension."
            case .date: "The date of publication, or else of capture, as YYYY-MM-DD in UTC."
            case .year: "The date's year."
            case .month: "The date's month, from 01."
            case .day: "The date's day, from 01."
            case .width: "The original's width in pixels."
            case .height: "The original's height in pixels."
            case .page: "The page of a work with several, from 0."
            case .ext: "The extension in the file's address, or else jpg."
            case .size: "The size that was asked for: full, thumbnail, or pixels."
            }
        }

        /// Whether a width can be given.
        var isNumber: Bool {
            switch self {
            case .index, .width, .height, .page: true
            default: false
            }
        }
    }

    enum Piece: Hashable, Sendable {
        case text(String)
        /// A field, padded with zeros to at least `width` characters.
        case field(Field, width: Int = 0)

        func isField(_ field: Field) -> Bool { if case .field(field, _) = self { true } else { false } }
    }

    /// The default for full sizes: `{id}_{title}`, and of a folder's pictures `{name}`.
    package static let standard = standard(for: .full)

    /// The default for a size, which stands at the end unless it is the full one.
    package static func standard(for size: PhotoFileSize) -> NameTemplate {
        let end: [Piece] = size == .full ? [] : [.text("_"), .field(.size)]
        var template = NameTemplate(components: [[.field(.id), .text("_"), .field(.title)] + end])
        template.componentsOfOwn = [[.field(.name)] + end]
        return template
    }

    /// Those of a folder's pictures, where they differ.
    private var componentsOfOwn: [[Piece]]?

    /// The extension that tells a folder's picture from its raw file of the same name, where both keep that name.
    func ending(of photo: Photo) -> String {
        guard let ending = photo.ownFile?.pathExtension,
            applied(to: photo).components.joined().contains(where: { $0.isField(.name) })
        else { return "" }
        return "." + (PictureType(fileExtension: ending[...])?.fileExtension ?? ending)
    }

    func applied(to photo: Photo) -> NameTemplate {
        guard let componentsOfOwn, photo.id.service == Folder.word else { return self }
        return NameTemplate(components: componentsOfOwn)
    }

    /// The folders and, last, the file. None is empty.
    let components: [[Piece]]

    /// Whether `{id}` is used, so that a name identifies one photo.
    package let hasID: Bool
    let hasSize: Bool
    /// Whether `{page}` is used; if not, `_p0`, `_p1` … is added to the pages of a work.
    let hasPage: Bool

    package init(_ text: String) throws(NameTemplateError) {
        var components: [[Piece]] = []
        for component in text.split(separator: "/", omittingEmptySubsequences: false) {
            components.append(try Self.pieces(component, of: text))
        }
        if let file = components.popLast() { components.append(Self.withoutExtension(file)) }
        self.init(components: components)
    }

    private init(components: [[Piece]]) {
        self.components = components
        hasID = components.joined().contains { $0.isField(.id) }
        hasSize = components.joined().contains { $0.isField(.size) }
        hasPage = components.joined().contains { $0.isField(.page) }
    }

    /// `pieces` without a picture's extension at the end, which is added anyway.
    private static func withoutExtension(_ pieces: [Piece]) -> [Piece] {
        var rest = pieces
        var text = ""
        if case .field(.ext, _)? = rest.last {
            rest.removeLast()
            text = "."
        }
        guard case .text(let last)? = rest.popLast() else { return pieces }
        let endings = text.isEmpty ? pictureExtensions.map { "." + $0 } : [text]
        guard let ending = endings.first(where: { last.lowercased().hasSuffix($0) }) else { return pieces }
        let kept = String(last.dropLast(ending.count))
        if !kept.isEmpty { rest.append(.text(kept)) }
        return rest.isEmpty ? pieces : rest
    }

    private static func pieces(
        _ component: Substring, of template: String
    ) throws(NameTemplateError) -> [Piece] {
        let quoted = "The name template '\(template)'"
        if template.isEmpty { throw .init("The name template is empty.") }
        if template.hasPrefix("/") {
            throw .init("\(quoted) is an absolute path.", hint: "Begin with text or a field.")
        }
        if component.isEmpty {
            throw .init(
                "\(quoted) has an empty component.", hint: "Put text or a field before and after each '/'.")
        }
        // This includes `..`, and `~`, which no shell would expand here.
        if let first = component.first, ".-~".contains(first) {
            throw .init(
                "\(quoted) has a component '\(component)', which begins with '.', '-' or '~'.",
                hint: "Begin each component with a field, a letter, or a digit.")
        }
        var pieces: [Piece] = []
        var rest = component
        while let opening = rest.firstIndex(where: { $0 == "{" || $0 == "}" }) {
            let inside = rest[rest.index(after: opening)...]
            guard rest[opening] == "{", let closing = inside.firstIndex(where: { $0 == "{" || $0 == "}" }),
                inside[closing] == "}"
            else { throw .init("\(quoted) has an unmatched brace.") }
            if opening > rest.startIndex { pieces.append(.text(String(rest[..<opening]))) }
            pieces.append(try Self.field(String(inside[..<closing])))
            rest = inside[inside.index(after: closing)...]
        }
        if !rest.isEmpty { pieces.append(.text(String(rest))) }
        return pieces
    }
}

extension NameTemplate {
    private static func field(_ text: String) throws(NameTemplateError) -> Piece {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard let field = parts.first.flatMap({ Field(rawValue: String($0)) }) else {
            throw .init("The name template has no field '{\(text)}'.")
        }
        guard parts.count == 2 else { return .field(field) }
        guard field.isNumber, let width = Int(parts[1]), (1...20).contains(width),
            parts[1].allSatisfy(\.isNumber)
        else {
            throw .init(
                "The name template has a width that cannot be used: '{\(text)}'.",
                hint: "Use a width from 1 to 20 with {index}, {width}, {height} or {page}.")
        }
        return .field(field, width: width)
    }
}

// MARK: - Expansion

extension NameTemplate {
    struct Expansion: Hashable {
        /// Folders and file, each a safe ``FileName``, without an extension.
        let path: String
        /// Whether nothing but titles and authors was cut.
        let isComplete: Bool
    }

    /// The path of a page of `photo` below the destination folder, without an extension.
    package func path(
        for photo: Photo, index: Int? = nil, page: Int = 0, size: PhotoFileSize = .full
    ) -> String {
        expansion(for: photo, index: index, page: page, size: size, suffix: "").path
    }

    /// The same with `suffix` after the file's name, before its page.
    func expansion(
        for photo: Photo, index: Int?, page: Int, size: PhotoFileSize, suffix: String
    ) -> Expansion {
        let (hasPage, components) = { ($0.hasPage, $0.components) }(applied(to: photo))
        let pageSuffix = photo.pageCount > 1 || page > 0 ? "_p\(page)" : ""
        let values = components.map {
            $0.map { value(of: $0, for: photo, index: index, page: page, size: size) }
        }
        let id = FileName.identifier(photo.id.value)
        let expansion = Self.joined(values, tail: suffix + (hasPage ? "" : pageSuffix), fallback: id)
        if expansion.isComplete || !hasPage { return expansion }
        // The page may have been cut off, so put it where nothing is cut.
        return Self.joined(values, tail: suffix + pageSuffix, fallback: id)
    }

    private static func joined(_ components: [[Value]], tail: String, fallback: String) -> Expansion {
        var (names, isComplete): ([String], Bool) = ([], true)
        for (number, values) in components.enumerated() {
            let end = number == components.count - 1 ? tail : ""
            let limit = FileName.longest - end.utf8.count
            // One byte less, since a device's name gets one more.
            let text = fitted(values, to: limit - 1).joined()
            isComplete = isComplete && text.utf8.count < limit
            names.append(FileName.component(text, fallback: fallback, limit: limit) + end)
        }
        return Expansion(path: names.joined(separator: "/"), isComplete: isComplete)
    }

    /// A piece's text, and whether it may be cut: a title may, a number may not.
    private struct Value {
        var text: String
        var isElastic = false
    }

    private func value(
        of piece: Piece, for photo: Photo, index: Int?, page: Int, size: PhotoFileSize
    ) -> Value {
        let (field, width): (Field, Int)
        switch piece {
        case .text(let text): return Value(text: FileName.cleaned(text))
        case .field(let named, let wanted): (field, width) = (named, wanted)
        }
        let id = FileName.identifier(photo.id.value)
        func number(_ number: Int?) -> Value {
            guard let digits = number.map({ "\($0)" }) else { return Value(text: Self.unknown) }
            return Value(text: String(repeating: "0", count: max(0, width - digits.count)) + digits)
        }
        switch field {
        case .index: return index == nil ? Value(text: id) : number(index)
        case .page: return number(page)
        case .width: return number(photo.size?.width)
        case .height: return number(photo.size?.height)
        case .title:
            let title = Self.meaningful(photo.title) ?? (hasID ? "untitled" : nil)
            return Value(text: title ?? id, isElastic: title != nil)
        case .author, .username:
            let author = photo.author
            let names = [field == .author ? author?.name : nil, author?.username, author?.id]
            return Value(text: names.lazy.compactMap(Self.meaningful).first ?? Self.unknown, isElastic: true)
        case .name:
            let address = photo.ownFile ?? PhotoDetail(photo: photo).renditions(.full).first?.url
            let name = Self.meaningful(address.map { FolderFile.stem($0.lastPathComponent) })
            return Value(text: name.flatMap { $0 == "/" ? nil : $0 } ?? id, isElastic: name != nil)
        case .id: return Value(text: id)
        case .service: return Value(text: Self.service(of: photo))
        case .date, .year, .month, .day:
            let day = (photo.published ?? photo.taken).flatMap(Self.day)
            let parts: [Field: Range<Int>] = [.year: 0..<4, .month: 5..<7, .day: 8..<10]
            let part = day.map { Array($0)[parts[field] ?? 0..<$0.count] }
            return Value(text: part.map { String($0) } ?? Self.unknown)
        case .size: return Value(text: size.rawValue)
        case .ext:
            let address = PhotoDetail(photo: photo).renditions(size).first?.url
            // Services whose addresses end in no type deliver JPEG.
            return Value(text: address.flatMap(Self.pictureExtension) ?? "jpg")
        }
    }

    private static let unknown = "unknown"
    private static let pictureExtensions = Set(PictureType.allCases.map(\.fileExtension) + ["jpeg"])

    /// The picture extension that a URL ends with; `nil` for any other.
    package static func pictureExtension(of url: URL) -> String? {
        let text = url.pathExtension.lowercased()
        guard pictureExtensions.contains(text) else { return nil }
        return text == "jpeg" ? "jpg" : text
    }

    static func service(of photo: Photo) -> String {
        FileName.component(photo.id.service, fallback: "service", limit: 32)
    }

    private static func meaningful(_ text: String?) -> String? {
        guard let text else { return nil }
        let name = FileName.cleaned(text)
        return FileName.trimmed(name).isEmpty ? nil : name
    }

    /// `YYYY-MM-DD`, or `nil` outside the years 1 to 9999.
    private static func day(_ date: Date) -> String? {
        guard (-62_135_596_800..<253_402_300_800).contains(date.timeIntervalSince1970) else { return nil }
        return date.formatted(Date.ISO8601FormatStyle(timeZone: .gmt).year().month().day())
    }

    /// The texts, of which the elastic ones are cut, longest first, so that all fit `limit` bytes: cutting the result
    /// instead would remove the identifier from `{title}_{id}`.
    private static func fitted(_ values: [Value], to limit: Int) -> [String] {
        var room = values.reduce(limit) { $0 - ($1.isElastic ? 0 : $1.text.utf8.count) }
        var texts = values.map(\.text)
        let elastic = values.indices.filter { values[$0].isElastic }
            .sorted { (texts[$0].utf8.count, $0) < (texts[$1].utf8.count, $1) }
        for (done, index) in elastic.enumerated() {
            // A short text leaves the rest of its share to the longer ones.
            let share = room / (elastic.count - done)
            texts[index] = FileName.shortened(texts[index], to: share)
            room -= texts[index].utf8.count
        }
        return texts
    }
}

package struct NameTemplateError: ActionableError, Hashable {
    /// One sentence that quotes the culprit.
    package let description: String
    package let hint: String?

    fileprivate init(_ description: String, hint: String? = nil) {
        self.description = description
        let fields = NameTemplate.Field.allCases.map { "{\($0.rawValue)}" }
        self.hint = hint ?? "Use text and the fields \(fields.joined(separator: " "))."
    }
}
