import GalleryCore

package struct ServiceCheck: Sendable {
    package let service: String
    /// The host that was asked, as it may be shown; `nil` where nothing was sent.
    package private(set) var host: String?
    /// The status of the reply; `nil` where there was none.
    package private(set) var status: Int?
    /// Requests left, in the host's own words; `nil` where it says nothing about them.
    package private(set) var remaining: String?
    package private(set) var duration = Duration.zero
    /// The number of photos that were listed; `nil` where more requests would tell.
    package private(set) var outcome: Result<Int?, ServiceError>

    init(service: String) {
        self.service = service
        outcome = .failure(.noDetails(service: service))
    }

    /// Asks for one photo of the first feed the service has, for at most `limit`.
    mutating func run(_ loader: PhotoLoader, _ feeds: [String], within limit: Duration) async {
        let timekeeper = loader.client.shared.timekeeper
        let start = timekeeper.now()
        do throws(ServiceError) {
            guard let feed = Feed.trials.first(where: { feeds.contains($0.word) }) else { return }
            let size = loader.service.pageSizes(of: feed).size(near: 1)
            let exchange = try loader.service.page(PageSlice(number: 1, size: size), of: feed, cursor: nil)
            guard case .send(let requests, let read) = exchange, let request = requests.first else { return }
            let host = Redaction.host(of: request)
            self.host = host
            let replies = await timekeeper.value(within: limit) { await loader.client.replies(to: requests) }
            duration = timekeeper.now() - start
            guard let replies else {
                throw ServiceError.transport(.timedOut(host: host, seconds: Int(limit.components.seconds)))
            }
            if case .success(let reply)? = replies.first {
                status = reply.head.status
                remaining = Self.remaining(reply.head)
            }
            let next = try read(replies)
            // What a list takes besides is not asked for.
            let photos: Int? = if case .done(let page) = next { page.photos.count } else { nil }
            outcome = .success(photos)
        } catch { outcome = .failure(error) }
    }

    /// As the IETF's draft has it, as most hosts do, and as Openverse does.
    private static func remaining(_ head: HTTPHead) -> String? {
        let names = ["RateLimit-Remaining", "X-RateLimit-Remaining", "X-RateLimit-Available-Anon_Burst"]
        let text = names.lazy.compactMap { head[$0] }.first.map { PlainText.excerpt($0, limit: 40) }
        return text?.isEmpty == false ? text : nil
    }
}

extension ServiceLoaders {
    /// Asks these services one request each, all at the same time. For loaders without a cache and without retries.
    package func checks(_ services: [ServiceEntry], within limit: Duration) async -> [ServiceCheck] {
        await services.concurrentMap { entry in
            var check = ServiceCheck(service: entry.name)
            if let loader = try? self.loader(entry.name) {
                await check.run(loader, entry.feeds, within: limit)
            }
            return check
        }
    }
}

extension Feed {
    /// Feeds to try a service with, the one that says most first.
    static let trials: [Feed] = [.popular(), .search("flower"), .user("me")]
}

extension Timekeeper {
    /// What `work` returns, or `nil` where that takes longer than `limit`: then it is canceled.
    fileprivate func value<Value: Sendable>(
        within limit: Duration, _ work: @escaping @Sendable () async -> Value
    ) async -> Value? {
        await withTaskGroup(of: Value?.self) { group in
            group.addTask { await work() }
            group.addTask {
                _ = try? await self.sleep(limit)
                return nil
            }
            let first = await group.next()
            group.cancelAll()
            return first.flatMap(\.self)
        }
    }
}
