import Foundation
import GalleryCore

/// What a definition makes of one reply, for its author.
package struct SourceTrial: Sendable {
    package struct Field: Sendable {
        package let name: String
        /// What it became; `nil` where it is empty.
        package var value: String?
        /// The path that it came from, or why it is empty.
        package let note: String
    }

    /// The note of a field that the definition does not have.
    package static let undefined = "not in the definition"

    /// What the list says: rows, photos, what follows.
    package private(set) var lines: [String] = []
    package private(set) var fields: [Field] = []

    /// Reads a recorded reply to a list request, or to a request for one photo.
    package init(_ definition: SourceDefinition, reply: HTTPReply) throws(ServiceError) {
        let service = DefinedService(definition: definition, api: definition.entry.api())
        let body = try service.accept(reply, "reply")
        (lines, fields) = try Reply(service.name, body).readAny { try Self.trial(service, $0, reply) }
    }

    private static func trial(
        _ service: DefinedService, _ root: JSONNode, _ reply: HTTPReply
    ) throws -> ([String], [Field]) {
        let outside = SourceScope(levels: [root])
        let list = try? list(service, reply, outside)
        // Whichever it tells more as: one photo's reply can have lists in it, or members that pass for rows.
        if let detail = service.definition.detail, let photo = service.photo(nil, of: detail, in: outside) {
            let found = try fields(detail.fields, in: photo, service.name)
            if told(found) > told(list?.fields ?? []) {
                return (["As the reply to 'detail', one photo."], found)
            }
        }
        if let list { return list }
        guard let items = service.definition.items else {
            _ = try service.rows(reply, "reply")
            return (["No rows."], [])
        }
        try service.check(root)
        return (["No rows at 'items': \(items.absence(in: outside))."], [])
    }

    /// What it is as the reply to a list request; `nil` without rows.
    private static func list(
        _ service: DefinedService, _ reply: HTTPReply, _ outside: SourceScope
    ) throws -> (lines: [String], fields: [Field])? {
        let rows = try service.rows(reply, "reply")
        guard rows.count > 0 else { return nil }
        let read = rows.photos.count { (try? $0.get()).flatMap(\.self) != nil }
        let without = rows.photos.count - read
        let gap = without == 0 ? "" : ", \(without) of them without 'id'"
        var lines = ["Rows: \(rows.count). Photos: \(rows.photos.count)\(gap)."]
        if let total = rows.total { lines.append("total: \(total)") }
        if let last = rows.lastPage { lines.append("lastPage: \(last)") }
        if service.definition.next != nil {
            let next = rows.next?.replacing(Secret.place, with: Secret.shown)
            lines.append("next: \(next ?? "none, so that this is the last page")")
        }
        guard let photo = service.firstPhoto(of: outside) else { return (lines, []) }
        return (lines, try fields(service.definition.fields, in: photo, service.name))
    }

    /// How many fields come from the reply, rather than being the same in any.
    private static func told(_ fields: [Field]) -> Int {
        fields.count { $0.value != nil && ($0.note.first != "\"" || $0.note.contains("{")) }
    }

    private static func fields(
        _ fields: SourceFields, in scope: SourceScope, _ service: String
    ) throws -> [Field] {
        let photo = try fields.photo(in: scope, service: service, known: PhotoID(service: service, value: ""))
        var found = SourceFields.names.map { name -> Field in
            guard let expression = fields.values[name] else { return Field(name: name, note: undefined) }
            let values = expression.values(in: scope)
            if values.isEmpty {
                let reasons = expression.absence(in: scope).joined(separator: "; ")
                return Field(name: name, note: reasons.isEmpty ? "the definition makes it empty" : reasons)
            }
            let origin = expression.origin(in: scope)
            guard let read = photo.shown(name, values) else {
                let shown = PlainText.excerpt(values[0])
                return Field(name: name, note: "\(origin): '\(shown)' is not \(Self.kind(of: name))")
            }
            return Field(name: name, value: read, note: origin)
        }
        for (index, file) in fields.files.enumerated() { found += file.trial(index, in: scope, fields) }
        return found
    }

    private static func kind(of name: String) -> String {
        switch name {
        case "page", "licenseURL": "an address on the web"
        case "published", "taken": "a date"
        default: "a number in its range"
        }
    }
}

extension DefinedService {
    fileprivate func firstPhoto(of reply: SourceScope) -> SourceScope? {
        let nodes = definition.items?.nodes(in: reply) ?? reply.levels
        let isList = definition.items?.namesElements != true && nodes.count == 1
        for node in isList ? nodes[0].items(most: 100) ?? [] : nodes {
            if let photo = photos(of: reply.inside(node)).first { return photo }
        }
        return nil
    }
}

extension Photo {
    /// A field's value as the photo has it; `nil` if it is not one.
    fileprivate func shown(_ name: String, _ values: [String]) -> String? {
        switch name {
        case "page": page?.absoluteString
        case "licenseURL": licenseURL?.absoluteString
        case "published": publishedText
        case "taken": takenText.map { $0 + (isTakenInLocalTime ? " (zone unknown)" : "") }
        case "width", "height", "likes", "views": SourceFields.int(values[0]).map { "\($0)" }
        case "rating": rating.map { "\($0)" }
        case "adult": isAdult ? "true" : "false"
        case "tags": tags.joined(separator: ", ")
        case "id": id.value
        default: Markup.plain(values[0])
        }
    }
}

extension SourceFields.File {
    fileprivate func trial(_ index: Int, in scope: SourceScope, _ fields: SourceFields) -> [SourceTrial.Field]
    {
        let name = "files[\(index)]"
        let scopes = scopes(in: scope)
        if scopes.isEmpty, let each {
            return [.init(name: name, note: "'\(each.text)': \(each.absence(in: scope))")]
        }
        let photo = PixelSize(width: fields.int("width", scope), height: fields.int("height", scope))
        return scopes.map { scope in
            let values = url.values(in: scope, isAddress: true)
            guard let first = values.first else {
                return .init(name: name, note: url.absence(in: scope).joined(separator: "; "))
            }
            let origin = (each.map { "\($0.text) → " } ?? "") + url.origin(in: scope)
            guard let address = fields.address(first) else {
                let shown = PlainText.excerpt(first)
                return .init(name: name, note: "\(origin): '\(shown)' is not an address on the web")
            }
            let size = size(in: scope, of: photo).map { " \($0.width)×\($0.height)" } ?? ", size unknown"
            return .init(name: name, value: address.absoluteString + size, note: origin)
        }
    }
}
