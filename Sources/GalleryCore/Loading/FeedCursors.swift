import Foundation

/// The positions at which a forward-only feed can be entered, each with its cursor.
struct FeedCursors: Hashable, Sendable, Codable {
    private struct Cursor: Hashable, Sendable, Codable {
        let text: String
        let seen: Date
    }

    /// The most cursors kept for a feed; the oldest are dropped first.
    static let limit = 500
    private static let longest = 4096

    private var known: [Int: Cursor] = [:]

    /// The numbers of photos after which the feed can be entered.
    var offsets: Set<Int> { Set(known.keys) }

    /// The last cursor after at most `offset` photos.
    func nearest(to offset: Int) -> PageCursor? {
        known.filter { $0.key <= offset }.max { $0.key < $1.key }
            .map { PageCursor(offset: $0.key, text: $0.value.text) }
    }

    /// The cursors received less than `lifetime` ago; all where that is `nil`.
    func fresh(at date: Date, lifetime: Duration?) -> FeedCursors {
        guard let lifetime else { return self }
        var fresh = self
        fresh.known = known.filter { offset, cursor in
            let age = date.timeIntervalSince(cursor.seen)
            // The disk may hold nonsense: a position before the first, a time in the future.
            return offset > 0 && age >= 0 && age < lifetime / .seconds(1)
        }
        return fresh
    }

    /// Adds a cursor. One that is known came from a cache, and keeps its age.
    mutating func remember(_ cursor: PageCursor, at date: Date) {
        guard cursor.offset > 0, cursor.text.utf8.count <= Self.longest,
            known[cursor.offset]?.text != cursor.text
        else { return }
        known[cursor.offset] = Cursor(text: cursor.text, seen: date)
        if known.count > Self.limit, let oldest = known.min(by: { $0.value.seen < $1.value.seen })?.key {
            known[oldest] = nil
        }
    }

    mutating func forget(_ cursor: PageCursor) {
        if known[cursor.offset]?.text == cursor.text { known[cursor.offset] = nil }
    }
}

/// Cursors of forward-only feeds, so that the page after one already loaded costs one request.
///
/// Memory and cache keep them, under the feed's first request and for as long as a list: like replies they are whole
/// or absent, bounded, and cleared. Two processes that write at once may lose one, which costs a few requests.
extension APIClient {
    /// The usable cursors of a feed: those of this process, which began with those in the cache unless it is bypassed.
    func cursors(of feed: Feed, _ service: any PhotoService) async -> FeedCursors {
        guard let key = Self.key(of: feed, service) else { return FeedCursors() }
        return await cursors(key)
    }

    private func cursors(_ key: HTTPRequest) async -> FeedCursors {
        var cursors = await shared.cursors[key]
        if cursors == nil, !configuration.refreshes, let entry = await shared.cache?.entry(for: key) {
            cursors = try? JSONDecoder().decode(FeedCursors.self, from: entry.body)
        }
        return (cursors ?? FeedCursors()).fresh(
            at: shared.timekeeper.date(), lifetime: policy.lifetime(for: .list))
    }

    func changeCursors(
        of feed: Feed, _ service: any PhotoService, _ body: (inout FeedCursors) -> Void
    ) async {
        guard let key = Self.key(of: feed, service) else { return }
        let known = await cursors(key)
        var cursors = known
        body(&cursors)
        await shared.keep(cursors, of: key)
        guard cursors != known, let cache = shared.cache, let lifetime = policy.lifetime(for: .list),
            let text = try? JSONEncoder().encode(cursors)
        else { return }
        await cache.store(
            HTTPReply(head: HTTPHead(status: 200, url: key.url), body: text), to: key, lifetime: lifetime)
    }

    /// The key of a feed: its first page's request and the feed, since two feeds may begin with the same lookup.
    private static func key(of feed: Feed, _ service: any PhotoService) -> HTTPRequest? {
        let slice = PageSlice(number: 1, size: service.pageSizes(of: feed).size(near: 1))
        let encoder = JSONEncoder()
        // The same text in every process.
        encoder.outputFormatting = .sortedKeys
        guard case .send(let requests, _)? = try? service.page(slice, of: feed, cursor: nil),
            var key = requests.first, let name = try? encoder.encode(feed)
        else { return nil }
        key.headers["Cursors-Of"] = String(decoding: name, as: UTF8.self)
        return key
    }
}
