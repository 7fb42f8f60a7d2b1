import Foundation

/// The way to a page of a feed that only goes forward, or whose rows are several photos each. A cursor is the number of
/// photos to pass over, and what the page that has them is asked for with.
struct SourceWalk: Sendable {
    private static let mostReplies = 500

    private let service: DefinedService
    private let slice: PageSlice
    private let feed: Feed
    /// Photos before the one that is looked at.
    private var position: Int
    private var token: String?
    /// Photos of the next reply that are before ``position``.
    private var skipped: Int
    private var found: [Int: Result<Photo?, ImportError>] = [:]
    private var seen: Set<String> = []
    /// Replies one after the other that had no photo.
    private var empty = 0
    private var leftOut: [ImportError] = []

    init(_ service: DefinedService, _ slice: PageSlice, _ feed: Feed, _ cursor: PageCursor?) {
        (self.service, self.slice, self.feed) = (service, slice, feed)
        position = cursor?.offset ?? 0
        let parts = cursor?.text.split(separator: " ", maxSplits: 1).map { String($0) } ?? []
        skipped = parts.first.flatMap { Int($0) }.map { max(0, $0) } ?? 0
        token = parts.count > 1 ? parts[1] : nil
    }

    func exchange() throws(ServiceError) -> Exchange<Page> {
        .ask(try request()) { (reply) throws(ServiceError) in
            var walk = self
            return try walk.read(reply)
        }
    }

    private mutating func read(_ reply: HTTPReply) throws(ServiceError) -> Exchange<Page> {
        let rows = try service.rows(reply, "page")
        // One that came before says no more than that the list ends.
        let next = try next(after: rows).flatMap { $0 == token || seen.contains($0) ? nil : $0 }
        var passed = 0
        for photo in rows.photos {
            passed += 1
            if passed <= skipped { continue }
            position += 1
            if slice.indexes.contains(position) { found[position] = photo }
            guard position == slice.indexes.upperBound else { continue }
            let isDone = position >= service.definition.limit
            if passed < rows.photos.count {
                return .done(try page(total: rows.total, next: isDone ? nil : "\(passed) \(token ?? "")"))
            }
            return .done(try page(total: rows.total, next: isDone ? nil : next.map { "0 \($0)" }))
        }
        seen.insert(token ?? "")
        empty = rows.photos.isEmpty ? empty + 1 : 0
        if next == nil {
            // At its end.
        } else if empty > (rows.count == 0 ? Page.patience : 9) {
            end("\(empty) of its pages, one after the other, have no photos")
        } else if seen.count >= Self.mostReplies {
            end("the photos are more than \(Self.mostReplies) replies away")
        }
        if let error = leftOut.first, position == 0 { throw .unreadable(error) }
        guard let next, leftOut.isEmpty, position < service.definition.limit else {
            return .done(try page(total: rows.total, next: nil))
        }
        (token, skipped) = (next, 0)
        return try exchange()
    }

    private mutating func end(_ reason: String) {
        leftOut.append(.endsEarly(service: service.name, reason: reason, isFault: true))
    }

    private func page(total: Int?, next: String?) throws(ServiceError) -> Page {
        let photos = found.sorted { $0.key < $1.key }
        return Page(
            photos: photos.compactMap { index, photo in
                (try? photo.get()).flatMap(\.self).map { IndexedPhoto(index: index, photo: $0) }
            },
            // Of rows, which are not photos.
            total: service.definition.photos == nil ? total : nil, hasMore: next != nil, next: next,
            leftOut: try Reply.leftOut(of: photos.map(\.value)) + leftOut)
    }

    // MARK: - From page to page

    private var template: RequestTemplate? { service.definition.feeds[feed.word] }

    /// The page or the offset that is asked for. Hosts may name any number, and it is counted on from there.
    private var number: Int? { token.flatMap { Int($0) }.map { min(max(0, $0), 1 << 40) } }

    private func request() throws(ServiceError) -> HTTPRequest {
        let definition = service.definition
        var values = ["size": "\(definition.pageSize)", "page": "\(definition.firstPage)", "offset": "0"]
        guard let token else { return try service.request(feed, values) }
        guard let name = ["page", "offset", "cursor"].first(where: { template?.has($0) ?? false }) else {
            guard let url = WebAddress.url(token), url.isSameOrigin(as: service.api.base) else {
                throw .missing(service: service.name, what: "page at that address")
            }
            var request = service.sealed(HTTPRequest(url: url))
            request.secrets[.address] = service.api.key
            return request
        }
        values[name] = token
        return try service.request(feed, values)
    }

    /// What the page after `rows` is asked for with; `nil` at the end.
    private mutating func next(after rows: SourceRows) throws(ServiceError) -> String? {
        guard rows.count > 0 || rows.next != nil, let template else { return nil }
        let definition = service.definition
        let isFull = rows.count >= definition.pageSize
        var isMore: Bool?
        if definition.next != nil {
            guard let next = rows.next else { return nil }
            let isNumbered = template.has("page") || template.has("offset")
            if template.has("cursor") || isNumbered && Int(next) != nil { return next }
            guard isNumbered else { return try link(next) }
            // An address, of a page that has a number as well.
            isMore = true
        }
        if template.has("page") {
            let page = number ?? definition.firstPage
            let passed = (page - definition.firstPage + 1) * definition.pageSize
            isMore = isMore ?? rows.lastPage.map { page < $0 } ?? rows.total.map { passed < $0 }
            return isMore ?? isFull ? "\(page + 1)" : nil
        }
        let offset = (number ?? 0) + min(rows.count, JSONNode.mostElements)
        return isMore ?? rows.total.map { offset < $0 } ?? isFull ? "\(offset)" : nil
    }

    /// A link in full; `nil` for one to another host. Hosts behind https name themselves with http.
    private mutating func link(_ next: String) throws(ServiceError) -> String? {
        let from: URL
        if let known = token.flatMap({ WebAddress.url($0) }) {
            from = known
        } else {
            from = try request().url
        }
        let next = next.replacing(Secret.shown, with: Secret.place)
        let address = WebAddress.parsed(next, relativeTo: from).map(WebOrigin(service.api.base).securing)
        var text = address?.absoluteString ?? next
        // Some repeat the key, which is sent anew.
        if case .query(let name)? = service.definition.key, let mark = text.firstIndex(of: "?") {
            let items = text[mark...].dropFirst().split(separator: "&").filter { !$0.hasPrefix(name + "=") }
            text = String(text[..<mark]) + (items.isEmpty ? "" : "?" + items.joined(separator: "&"))
        }
        guard WebAddress.url(text)?.isSameOrigin(as: service.api.base) == true else {
            let shown = PlainText.excerpt(text.replacing(Secret.place, with: Secret.shown))
            end("its next page is on another host, '\(shown)'")
            return nil
        }
        return text == from.absoluteString ? nil : text
    }
}
