import Foundation

package struct SourceRows: Sendable {
    package var photos: [Result<Photo?, ImportError>] = []
    /// Rows in the reply, of which each may be several photos or none.
    package var count = 0
    package var total: Int?
    package var lastPage: Int?
    package var next: String?
}

extension DefinedService {
    /// Reads a list's reply, of its rows at most so many.
    package func rows(
        _ reply: HTTPReply, _ what: String, from first: Int = 0, most: Int = JSONNode.mostElements
    ) throws(ServiceError) -> SourceRows {
        var rows = try Reply(name, accept(reply, what)).readAny { root in
            try check(root)
            return try read(root, from: first, most: most)
        }
        if case .linkHeader = definition.next { rows.next = reply.head["Link"].flatMap(Self.nextLink) }
        return rows
    }

    /// The body of a reply that is no error.
    package func accept(_ reply: HTTPReply, _ what: String) throws(ServiceError) -> Data {
        do throws(ServiceError) { return try api.accept(reply, what) } catch {
            guard definition.error != nil,
                let reason = try? Reply(name, reply.body).readAny(errorText)
            else { throw error }
            switch error {
            case .failed(let service, let status, _):
                throw .failed(service: service, status: status, reason: reason)
            case .refused(let service, _, let variable):
                throw .refused(service: service, reason: reason, variable: variable)
            default: throw error
            }
        }
    }

    /// - Throws: ``ServiceError/unreadable(_:)`` where the reply says that it is an error.
    package func check(_ root: JSONNode) throws {
        if let text = errorText(root) {
            throw ServiceError.unreadable(.message(service: name, text: text + "."))
        }
    }

    private func errorText(_ root: JSONNode) -> String? {
        definition.error?.values(in: SourceScope(levels: [root])).first.flatMap(ServiceError.reason)
    }

    private func read(_ root: JSONNode, from first: Int, most: Int) throws -> SourceRows {
        let reply = SourceScope(levels: [root])
        var rows = SourceRows()
        let elements = try items(of: reply, from: first, most: most, count: &rows.count)
        for element in elements { rows.photos += photos(of: reply.inside(element)).map { photo($0) } }
        rows.total = definition.total?.values(in: reply).first.flatMap(SourceFields.int).flatMap {
            $0 < 0 ? nil : $0
        }
        rows.total = rows.total.map { min($0, definition.limit) }
        // Hosts may name any number, and it is counted with.
        rows.lastPage = definition.lastPage?.values(in: reply).first.flatMap(SourceFields.int).map {
            min(max(0, $0), 1 << 40)
        }
        if case .value(let next)? = definition.next {
            // Some say `false` instead of nothing.
            rows.next = next.values(in: reply, isAddress: true).first.flatMap { $0 == "false" ? nil : $0 }
        }
        return rows
    }

    package func photos(of row: SourceScope) -> [SourceScope] {
        guard let photos = definition.photos else { return [row] }
        let nodes = photos.nodes(in: row)
        let found = photos.namesElements ? nodes : nodes.flatMap { $0.items() ?? [$0] }
        return found.map(row.inside)
    }

    private func items(
        of reply: SourceScope, from first: Int, most: Int, count: inout Int
    ) throws -> [JSONNode] {
        guard let path = definition.items else {
            return try elements(of: reply.levels[0], from: first, most: most, count: &count)
        }
        let nodes = path.nodes(in: reply)
        if !path.namesElements, nodes.count == 1 {
            return try elements(of: nodes[0], from: first, most: most, count: &count)
        }
        if nodes.isEmpty, !path.namesElements, !path.isNull(in: reply) {
            throw ImportError.absent(service: name, field: path.text)
        }
        count = nodes.count
        return Array(nodes.dropFirst(first).prefix(most))
    }

    private func elements(of list: JSONNode, from first: Int, most: Int, count: inout Int) throws
        -> [JSONNode]
    {
        guard let elements = list.items(from: first, most: most) else {
            throw ImportError(list, expected: "a list")
        }
        count = list.elements?.count ?? 0
        return elements
    }

    private func photo(_ row: SourceScope) -> Result<Photo?, ImportError> {
        Result { () throws(ImportError) in try definition.fields.photo(in: row, service: name) }
    }

    /// The address after which `rel="next"` stands: RFC 8288, 3. Addresses may hold commas and semicolons.
    static func nextLink(_ header: String) -> String? {
        var rest = header[...]
        while let open = rest.firstIndex(of: "<"), let close = rest[open...].firstIndex(of: ">") {
            let parameters = rest[close...].dropFirst().prefix { $0 != "<" }
            let isNext = parameters.split { ";,".contains($0) }.contains { parameter in
                let text = parameter.trimmingCharacters(in: .whitespaces).lowercased()
                return text.hasPrefix("rel=")
                    && text.dropFirst(4).split { "\" ".contains($0) }.contains("next")
            }
            if isNext { return String(rest[open..<close].dropFirst()) }
            rest = rest[parameters.endIndex...]
        }
        return nil
    }
}
