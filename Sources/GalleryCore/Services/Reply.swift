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
            throw .unreadable(importError(error))
        } catch {
            throw .unreadable(notJSON)
        }
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
        let errors = faults.map(importError)
        if errors.count == rows.count { throw .unreadable(errors[0]) }
        return errors
    }

    private func importError(_ error: DecodingError) -> ImportError {
        switch error {
        case .keyNotFound(let key, let context):
            .absent(service: service, field: Self.path(context.codingPath + [key]))
        case .valueNotFound(_, let context): unexpected(at: context.codingPath, expected: nil)
        case .typeMismatch(let type, let context):
            unexpected(at: context.codingPath, expected: Self.name(type) ?? context.debugDescription)
        case .dataCorrupted(let context):
            context.codingPath.isEmpty ? notJSON : unexpected(at: context.codingPath, expected: nil)
        @unknown default: notJSON
        }
    }

    private func unexpected(at path: [any CodingKey], expected: String?) -> ImportError {
        let quotation = try? JSONDecoder().decode(Quotation.self, from: body, configuration: path)
        let sent = quotation?.text ?? "something else"
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

/// The value at a place in any JSON, in the words of an error that quotes it. Only what leads there is decoded.
private struct Quotation: DecodableWithConfiguration {
    let text: String

    init(from decoder: any Decoder, configuration path: [any CodingKey]) throws {
        var decoder = decoder
        for key in path {
            if let object = try? decoder.container(keyedBy: AnyKey.self) {
                let key = AnyKey(stringValue: key.stringValue)
                // Throws where there is none, which would be decoded as null.
                _ = try object.decodeNil(forKey: key)
                decoder = try object.superDecoder(forKey: key)
            } else {
                var list = try decoder.unkeyedContainer()
                for _ in 0..<(key.intValue ?? 0) { _ = try list.superDecoder() }
                decoder = try list.superDecoder()
            }
        }
        text = try Self.text(of: decoder)
    }

    private static func text(of decoder: any Decoder) throws -> String {
        if (try? decoder.container(keyedBy: AnyKey.self)) != nil { return "an object" }
        if (try? decoder.unkeyedContainer()) != nil { return "a list" }
        let value = try decoder.singleValueContainer()
        if value.decodeNil() { return "null" }
        if let flag = try? value.decode(Bool.self) { return String(flag) }
        if let number = try? value.decode(Int.self) { return String(number) }
        if let number = try? value.decode(Double.self) { return String(number) }
        return "\"\(PlainText.excerpt(try value.decode(String.self), limit: 40))\""
    }
}
