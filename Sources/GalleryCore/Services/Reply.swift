import Foundation

/// A service's reply, to be read field by field.
package struct Reply {
    let service: String
    let body: Data

    package init(_ service: String, _ body: Data) {
        (self.service, self.body) = (service, body)
    }

    /// What `read` makes of the body, which is an object.
    ///
    /// - Throws: ``ServiceError/unreadable(_:)``, naming the service, the field, and the value; and the service's
    ///   errors that `read` throws.
    func read<Value>(_ read: @escaping (WireObject) throws -> Value) throws(ServiceError) -> Value {
        try self.read(as: WireObject.self, read)
    }

    /// The same for a body of another type, such as a list of objects.
    package func read<Wire: Decodable, Value>(
        as type: Wire.Type, _ read: @escaping (Wire) throws -> Value
    ) throws(ServiceError) -> Value {
        do {
            return try JSONDecoder()
                .decode(Reading<Wire, Value>.self, from: MendedJSON(body).data, configuration: read).value
        } catch let error as ServiceError {
            throw error
        } catch let error as WireError {
            throw .unreadable(importError(error))
        } catch {
            let beginning = PlainText.excerpt(String(decoding: body.prefix(240), as: UTF8.self))
            throw .unreadable(.notJSON(service: service, beginning: beginning))
        }
    }

    /// The page `slice` with these rows, each a photo in its place, or `nil` for one that is withheld.
    ///
    /// - Parameter hasMore: Whether more follow; `nil` where only a page that is not full says that none do.
    /// - Throws: ``ServiceError/unreadable(_:)`` where there are rows and none can be read.
    func page(
        _ slice: PageSlice, of rows: [Result<Photo?, WireError>], total: Int? = nil, hasMore: Bool? = nil
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

    /// Why each of `rows` in a list that could not be read could not.
    ///
    /// - Throws: ``ServiceError/unreadable(_:)`` where none could.
    func leftOut<Element>(
        of rows: some Collection<Result<Element, WireError>>
    ) throws(ServiceError) -> [ImportError] {
        let faults = rows.compactMap { row in
            if case .failure(let error) = row { error } else { nil }
        }
        guard !faults.isEmpty else { return [] }
        let errors = faults.map(importError)
        if errors.count == rows.count { throw .unreadable(errors[0]) }
        return errors
    }

    private func importError(_ error: WireError) -> ImportError {
        guard let sent = error.sent else { return .absent(service: service, field: error.field) }
        return .unexpected(service: service, field: error.field, value: sent, expected: error.expected)
    }
}

/// What a closure reads while the body is being decoded: its containers need not outlive that.
private struct Reading<Wire: Decodable, Value>: DecodableWithConfiguration {
    let value: Value

    init(from decoder: any Decoder, configuration read: (Wire) throws -> Value) throws {
        value = try read(Wire(from: decoder))
    }
}
