import Foundation

/// A service's reply, to be read field by field.
struct Reply {
    let service: String
    let body: Data

    /// The body of `reply`.
    init(_ service: String, _ body: Data) {
        self.service = service
        self.body = body
    }

    /// What `read` makes of the body, which is an object.
    ///
    /// - Throws: ``ServiceError/unreadable(_:)``, naming the service, the field, and the value; and the service's
    ///   errors that `read` throws.
    func read<Value>(_ read: @escaping (WireObject) throws -> Value) throws(ServiceError) -> Value {
        try decode(WireObject.self, read)
    }

    /// The same for a body that is a list of objects.
    func readList<Value>(
        _ read: @escaping (WireList<WireObject>) throws -> Value
    ) throws(ServiceError) -> Value {
        try decode(WireList<WireObject>.self, read)
    }

    private func decode<Wire: Decodable, Value>(
        _ type: Wire.Type, _ read: @escaping (Wire) throws -> Value
    ) throws(ServiceError) -> Value {
        do {
            return try JSONDecoder().decode(Reading<Wire, Value>.self, from: body, configuration: read).value
        } catch let error as ServiceError {
            throw error
        } catch let error as DecodingError {
            throw .unreadable(importError(error, in: decodeIfPossible(JSONValue.self)))
        } catch {
            throw .unreadable(notJSON)
        }
    }

    /// The body as `Wire`, or `nil` if it is something else.
    func decodeIfPossible<Wire: Decodable>(_ type: Wire.Type) -> Wire? {
        try? JSONDecoder().decode(type, from: body)
    }

    /// The page `slice` with these rows, each a photo in its place, or `nil` for one that is withheld.
    ///
    /// - Parameter hasMore: Whether more follow; `nil` where only a page that is not full says that none do.
    /// - Throws: ``ServiceError/unreadable(_:)`` where there are rows and none can be read.
    func page(
        _ slice: PageSlice, of rows: [Result<Photo?, DecodingError>], total: Int? = nil, hasMore: Bool? = nil
    ) throws(ServiceError) -> Page {
        // A server that ignores the page's size must not shift the indexes of later pages.
        let rows = rows.prefix(slice.size)
        return Page(
            photos: rows.enumerated().compactMap { offset, row in
                (try? row.get()).flatMap(\.self).map {
                    IndexedPhoto(index: slice.firstIndex + offset, photo: $0)
                }
            },
            total: total, hasMore: hasMore ?? (rows.count == slice.size) && !rows.isEmpty,
            leftOut: try leftOut(of: rows))
    }

    // MARK: - Errors

    private var notJSON: ImportError {
        .notJSON(
            service: service, beginning: PlainText.excerpt(String(decoding: body.prefix(240), as: UTF8.self)))
    }

    /// Why each of `rows` in a list that could not be read could not.
    ///
    /// - Throws: ``ServiceError/unreadable(_:)`` where none could.
    func leftOut<Element>(
        of rows: some Collection<Result<Element, DecodingError>>
    ) throws(ServiceError) -> [ImportError] {
        let faults = rows.compactMap { row in
            if case .failure(let error) = row { error } else { nil }
        }
        guard !faults.isEmpty else { return [] }
        let sent = decodeIfPossible(JSONValue.self)
        let errors = faults.map { importError($0, in: sent) }
        if errors.count == rows.count { throw .unreadable(errors[0]) }
        return errors
    }

    /// - Parameter sent: The whole body, to quote from.
    private func importError(_ error: DecodingError, in sent: JSONValue?) -> ImportError {
        switch error {
        case .keyNotFound(let key, let context):
            .absent(service: service, field: Self.path(context.codingPath + [key]))
        case .valueNotFound(_, let context): unexpected(at: context.codingPath, in: sent, expected: nil)
        case .typeMismatch(let type, let context):
            unexpected(
                at: context.codingPath, in: sent, expected: Self.name(type) ?? context.debugDescription)
        case .dataCorrupted(let context):
            context.codingPath.isEmpty ? notJSON : unexpected(at: context.codingPath, in: sent, expected: nil)
        @unknown default: notJSON
        }
    }

    private func unexpected(
        at path: [any CodingKey], in sent: JSONValue?, expected: String?
    ) -> ImportError {
        let sent = sent?.value(at: path[...])?.excerpt ?? "something else"
        let field = path.isEmpty ? "the answer" : Self.path(path)
        return .unexpected(
            service: service, field: field, value: sent, expected: sent == "null" ? nil : expected)
    }

    /// `photos[0].name`.
    private static func path(_ keys: [any CodingKey]) -> String {
        keys.reduce(into: "") { path, key in
            if let index = key.intValue {
                path += "[\(index)]"
            } else {
                path += (path.isEmpty ? "" : ".") + PlainText.excerpt(key.stringValue)
            }
        }
    }

    private static func name(_ type: Any.Type) -> String? {
        switch type {
        case is String.Type: "a text"
        case is Int.Type: "a whole number"
        case is Double.Type: "a number"
        case is Bool.Type: "true or false"
        case is [String: Any].Type: "an object"
        case is [Any].Type: "a list"
        case is any Collection.Type: "a list"
        default: nil
        }
    }
}

/// What a closure reads while the body is being decoded: its containers need not outlive that.
private struct Reading<Wire: Decodable, Value>: DecodableWithConfiguration {
    let value: Value

    init(from decoder: any Decoder, configuration read: (Wire) throws -> Value) throws {
        value = try read(Wire(from: decoder))
    }
}

/// Decoded only when an error quotes it.
extension JSONValue: Decodable {
    package init(from decoder: any Decoder) throws {
        if let object = try? [String: JSONValue](from: decoder) {
            self = .object(object.map { Member(key: $0.key, value: $0.value) })
        } else if let list = try? [JSONValue](from: decoder) {
            self = .array(list)
        } else {
            let container = try decoder.singleValueContainer()
            if container.decodeNil() {
                self = .null
            } else if let flag = try? container.decode(Bool.self) {
                self = .bool(flag)
            } else if let number = try? container.decode(Int.self) {
                self = .int(number)
            } else if let number = try? container.decode(Double.self) {
                self = .double(number)
            } else {
                self = .string(try container.decode(String.self))
            }
        }
    }

    fileprivate func value(at path: ArraySlice<any CodingKey>) -> JSONValue? {
        guard let key = path.first else { return self }
        let next: JSONValue? =
            switch self {
            case .array(let elements):
                key.intValue.flatMap { elements.indices.contains($0) ? elements[$0] : nil }
            case .object(let members): members.first { $0.key == key.stringValue }?.value
            default: nil
            }
        return next?.value(at: path.dropFirst())
    }

    fileprivate var excerpt: String {
        switch self {
        case .array: "a list"
        case .object: "an object"
        case .string(let text): "\"\(PlainText.excerpt(text, limit: 40))\""
        case .double(let number): String(number)
        case .null, .bool, .int: text
        }
    }
}
