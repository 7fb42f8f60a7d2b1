import Foundation

/// Cursors of feeds that only go forward, so that the page after one that was seen costs one request.
///
/// They are kept for the process and, beside the replies, for the next one: under the feed's first
/// request, for as long as a list holds. So they are whole or absent, bounded, cleared and marked by
/// key as replies are. Of two processes that write at once one may lose a cursor: that is a walk more.
extension APIClient {
    /// The cursors of a feed that may still be used.
    func cursors(of feed: Feed, _ service: any PhotoService) async -> FeedCursors {
        guard let key = Self.key(of: feed, service) else { return FeedCursors() }
        return await own(key, and: keptCursors(key))
    }

    /// Keeps a cursor that the service gave.
    func remember(_ cursor: PageCursor, of feed: Feed, _ service: any PhotoService) async {
        let date = shared.timekeeper.date()
        await change(feed, service) { $0.remember(cursor, at: date) }
    }

    /// Drops a cursor that the service did not take.
    func forget(_ cursor: PageCursor, of feed: Feed, _ service: any PhotoService) async {
        await change(feed, service) { $0.forget(cursor) }
    }

    private func change(
        _ feed: Feed, _ service: any PhotoService, _ body: (inout FeedCursors) -> Void
    ) async {
        guard let key = Self.key(of: feed, service) else { return }
        let kept = await keptCursors(key)
        var own = await own(key, and: kept)
        body(&own)
        await shared.keep(own, of: key)
        var all = kept
        body(&all)
        all = all.merging(own)
        guard all != kept, let cache = shared.cache, let lifetime = policy.lifetime(for: .list),
            let text = try? JSONEncoder().encode(all)
        else { return }
        await cache.store(
            HTTPReply(head: HTTPHead(status: 200, url: key.url), body: text), to: key, lifetime: lifetime)
    }

    /// What this process knows; the others' too, unless everything is to be asked anew.
    private func own(_ key: HTTPRequest, and kept: FeedCursors) async -> FeedCursors {
        let own = fresh(await shared.cursors(of: key))
        return configuration.refreshes ? own : own.merging(kept)
    }

    private func fresh(_ cursors: FeedCursors) -> FeedCursors {
        cursors.fresh(at: shared.timekeeper.date(), lifetime: policy.lifetime(for: .list))
    }

    private func keptCursors(_ key: HTTPRequest) async -> FeedCursors {
        guard let cache = shared.cache, policy.lifetime(for: .list) != nil,
            let entry = await cache.entry(for: key)
        else { return FeedCursors() }
        return fresh((try? JSONDecoder().decode(FeedCursors.self, from: entry.body)) ?? FeedCursors())
    }

    /// What the feed is known by: what is asked for its first page, and, since two feeds may begin
    /// with the same look-up, the feed.
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
