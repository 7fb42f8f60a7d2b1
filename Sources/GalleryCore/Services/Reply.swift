import Foundation

/// A service's reply, to be read field by field.
package struct Reply {
    let service: String
    let body: Data

    package init(_ service: String, _ body: Data) { (self.service, self.body) = (service, body) }

    /// What `read` makes of the body, which is an object. Throws ``ServiceError/unreadable(_:)``, naming service,
    /// field, and value; and service errors of `read`.
    func read<Value>(_ read: (JSONNode) throws -> Value) throws(ServiceError) -> Value {
        try readAny { try read($0.asObject()) }
    }

    /// The same for a body of another type, such as a list of objects.
    package func readAny<Value>(_ read: (JSONNode) throws -> Value) throws(ServiceError) -> Value {
        do {
            let document = JSONDocument(body, from: service, isMending: true)
            if let root = document.root { return try read(root) }
        } catch let error as ServiceError {
            throw error
        } catch let error as ImportError {
            throw .unreadable(error)
        } catch {}
        let beginning = PlainText.excerpt(String(decoding: body.prefix(240), as: UTF8.self))
        throw .unreadable(.notJSON(service: service, beginning: beginning))
    }

    /// The page `slice` with these rows, each a photo in its place, or `nil` for one that is withheld; throws where
    /// there are rows and none can be read. With `hasMore` as `nil`, more follow unless the page is not full.
    static func page(
        _ slice: PageSlice, of rows: [Result<Photo?, ImportError>], total: Int? = nil, hasMore: Bool? = nil
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

    /// Why each of `rows` in a list that could not be read could not; throws where none could.
    static func leftOut<Element>(
        of rows: some Collection<Result<Element, ImportError>>
    ) throws(ServiceError) -> [ImportError] {
        let errors = rows.compactMap { if case .failure(let error) = $0 { error } else { nil } }
        if let error = errors.first, errors.count == rows.count { throw .unreadable(error) }
        return errors
    }
}
