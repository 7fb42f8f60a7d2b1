import Foundation

extension NameTemplate {
    /// A name that the template gives.
    struct Expansion: Hashable {
        /// Folders and file, each safe as ``FileName`` has it, without an extension.
        let path: String
        /// Whether everything but titles and authors found room.
        let isComplete: Bool
    }

    /// The path of one page of `photo` below the target folder, without an extension.
    public func path(for photo: Photo, index: Int? = nil, page: Int = 0) -> String {
        expansion(for: photo, index: index, page: page, suffix: "").path
    }

    /// The same with `suffix` behind the file's name, before its page.
    func expansion(for photo: Photo, index: Int?, page: Int, suffix: String) -> Expansion {
        let pageSuffix = photo.pageCount > 1 || page > 0 ? "_p\(page)" : ""
        let values = components.map { $0.map { value(of: $0, for: photo, index: index, page: page) } }
        let id = FileName.identifier(photo.id.value)
        let expansion = Self.joined(values, tail: suffix + (hasPage ? "" : pageSuffix), fallback: id)
        if expansion.isComplete || !hasPage { return expansion }
        // A page that may have found no room is put where nothing is cut.
        return Self.joined(values, tail: suffix + pageSuffix, fallback: id)
    }

    private static func joined(_ components: [[Value]], tail: String, fallback: String) -> Expansion {
        var (names, isComplete): ([String], Bool) = ([], true)
        for (number, values) in components.enumerated() {
            let end = number == components.count - 1 ? tail : ""
            let limit = FileName.longest - end.utf8.count
            // One byte less, for a device's name gets one more.
            let text = fitted(values, to: limit - 1).joined()
            isComplete = isComplete && text.utf8.count < limit
            names.append(FileName.component(text, fallback: fallback, limit: limit) + end)
        }
        return Expansion(path: names.joined(separator: "/"), isComplete: isComplete)
    }

    /// What a piece becomes, and whether it may be cut: a title may, a number must not.
    private struct Value {
        var text: String
        var isElastic = false
    }

    private func value(of piece: Piece, for photo: Photo, index: Int?, page: Int) -> Value {
        let unknown = "unknown"
        switch piece {
        case .text(let text): return Value(text: FileName.cleaned(text))
        case .field(.title):
            let title = Self.meaningful(photo.title) ?? (hasID ? "untitled" : nil)
            return Value(text: title ?? FileName.identifier(photo.id.value), isElastic: title != nil)
        case .field(.author):
            let names = [photo.author?.name, photo.author?.username, photo.author?.id]
            return Value(text: names.lazy.compactMap(Self.meaningful).first ?? unknown, isElastic: true)
        case .field(.index): return Value(text: index.map(String.init) ?? FileName.identifier(photo.id.value))
        case .field(.id): return Value(text: FileName.identifier(photo.id.value))
        case .field(.service): return Value(text: Self.service(of: photo))
        case .field(.date): return Value(text: (photo.published ?? photo.taken).flatMap(Self.day) ?? unknown)
        case .field(.width): return Value(text: photo.size.map { "\($0.width)" } ?? unknown)
        case .field(.height): return Value(text: photo.size.map { "\($0.height)" } ?? unknown)
        case .field(.page): return Value(text: "\(page)")
        }
    }

    /// The service's name as part of a file's.
    static func service(of photo: Photo) -> String {
        FileName.component(photo.id.service, fallback: "service", limit: 32)
    }

    /// The text as part of a name, or `nil` where nothing of it is left.
    private static func meaningful(_ text: String?) -> String? {
        guard let text else { return nil }
        let name = FileName.cleaned(text)
        return FileName.trimmed(name).isEmpty ? nil : name
    }

    /// `YYYY-MM-DD`, or `nil` for a time outside the years 1 to 9999, such as a service's mistake.
    private static func day(_ date: Date) -> String? {
        guard (-62_135_596_800..<253_402_300_800).contains(date.timeIntervalSince1970) else { return nil }
        return date.formatted(Date.ISO8601FormatStyle(timeZone: .gmt).year().month().day())
    }

    /// The texts with the elastic ones cut, the longest first, so that all have `limit` bytes.
    ///
    /// Cutting the whole at its end would take the identifier from `{title}_{id}`.
    private static func fitted(_ values: [Value], to limit: Int) -> [String] {
        var room = values.reduce(limit) { $0 - ($1.isElastic ? 0 : $1.text.utf8.count) }
        var texts = values.map(\.text)
        let elastic = values.indices.filter { values[$0].isElastic }
            .sorted { (texts[$0].utf8.count, $0) < (texts[$1].utf8.count, $1) }
        for (done, index) in elastic.enumerated() {
            // What a short one leaves of its share is the longer ones'.
            let share = room / (elastic.count - done)
            texts[index] = FileName.shortened(texts[index], to: share)
            room -= texts[index].utf8.count
        }
        return texts
    }
}
