import Foundation
import Synchronization

/// Sends one service's API requests: answers from the cache where possible, once for all who wait for the same
/// answer, at the service's pace, with retries of temporary failures.
package struct APIClient: Sendable {
    package struct Configuration: Sendable {
        /// Seconds without a byte after which a transfer is given up, from 1.
        package var idleTimeout = 30
        /// How many times to retry temporary failures, from 0.
        package var retries = 4
        /// Whether to ask the service even where the cache has an answer.
        package var refreshes = false

        package init() {}
    }

    let transport: any HTTPTransport
    package var policy: ServicePolicy
    package let shared: Shared
    var configuration: Configuration
    let report: @Sendable (APIEvent) -> Void

    /// A client that sends through `transport`, at the pace of `policy`, which also says how long answers are good.
    /// `shared` is what all clients of a process share, by default nothing, and no cache. `report` is called from any
    /// thread with what a user may want to see while waiting.
    package init(
        transport: any HTTPTransport, policy: ServicePolicy = .polite,
        configuration: Configuration = Configuration(), shared: Shared = Shared(),
        report: @escaping @Sendable (APIEvent) -> Void = { _ in }
    ) {
        (self.transport, self.policy, self.configuration) = (transport, policy, configuration)
        (self.shared, self.report) = (shared, report)
    }

    /// The outcomes of `requests`, in order. A status other than 200 is an outcome like any other.
    package func replies(
        to requests: [HTTPRequest], for purpose: ServicePolicy.Purpose = .list
    ) async -> [Result<HTTPReply, ServiceError>] {
        await requests.concurrentMap(atMost: policy.requestsAtOnce) { await reply(to: $0, for: purpose) }
    }

    /// Removes the replies to `requests` from the cache, because they could not be used.
    func forget(_ requests: [HTTPRequest]) async {
        guard let cache = shared.cache else { return }
        for request in requests where request.url.isWeb { await cache.forget(request) }
    }

    private func reply(
        to request: HTTPRequest, for purpose: ServicePolicy.Purpose
    ) async -> Result<HTTPReply, ServiceError> {
        do {
            return try await shared.flights.value(for: request) { await cached(request, for: purpose) }
        } catch {
            // The load itself does not throw: this task was canceled.
            return .failure(.transport(.cancelled))
        }
    }

    // MARK: - Cache

    private func cached(
        _ request: HTTPRequest, for purpose: ServicePolicy.Purpose
    ) async -> Result<HTTPReply, ServiceError> {
        guard let cache = shared.cache, let lifetime = policy.lifetime(for: purpose), request.url.isWeb else {
            return await APICall(client: self, request: request).run()
        }
        // A list without pages is asked for with each of them, in vain from the second on.
        let isRefreshed = purpose == .list && shared.refreshed.withLock { $0.contains(request) }
        let known = configuration.refreshes && !isRefreshed ? nil : await cache.entry(for: request)
        if let known, known.isFresh(at: shared.timekeeper.date(), lifetime: lifetime) {
            shared.hasReused.withLock { $0 = true }
            report(.reused(address: Redaction.address(of: request)))
            return .success(known.reply(from: request.url))
        }
        var asked = request
        asked.headers.merge(known?.conditions ?? [:]) { services, _ in services }
        let outcome = await APICall(client: self, request: asked).run()
        guard case .success(let reply) = outcome else { return outcome }
        // Without a condition in the request, a 304 refers to nothing.
        if reply.head.status == 304, let known, !known.conditions.isEmpty {
            shared.hasReused.withLock { $0 = true }
            await cache.renew(known, lifetime: lifetime)
            return .success(known.reply(from: request.url))
        }
        if case .good = policy.verdict(on: reply) {
            await cache.store(reply, to: request, lifetime: lifetime)
            if configuration.refreshes, purpose == .list {
                shared.refreshed.withLock { _ = $0.insert(request) }
            }
        }
        return outcome
    }
}

/// What happens while a request is under way.
package enum APIEvent: Hashable, Sendable {
    /// The answer came from the cache; `address` has its secrets blanked.
    case reused(address: String)
    /// How many more requests `host` takes, each time that it says so.
    case budget(host: String, [RequestBudget])
    /// A service, one of several whose photos are listed together, has failed or, if not `isFault`, lacks the feed:
    /// the others go on. `reason` is a sentence with untrusted text.
    case passedOver(service: String, reason: String, isFault: Bool)
    /// Photos of a list could not be read; `list` tells one page from another.
    case leftOut(list: String, [ImportError])
    /// Requests to `host` wait this long. `reason` is plain text without a full stop, such as
    /// `'api.flickr.com' asks to wait (status 429)`. Reported once, however many requests it delays.
    case waiting(host: String, duration: Duration, reason: String)

    static func passedOver(service: String, _ error: ServiceError) -> APIEvent {
        let isFault = if case .unsupported = error { false } else { true }
        return .passedOver(service: service, reason: error.description, isFault: isFault)
    }

    package static func waiting(host: String, for pause: HostPaces.Pause) -> APIEvent {
        .waiting(
            host: host, duration: pause.remaining,
            reason: pause.isForeseen
                ? "'\(host)' takes no more requests until then"
                : "'\(host)' asks to wait (status \(pause.status))")
    }
}

extension URL {
    fileprivate var isWeb: Bool { ["http", "https"].contains(scheme?.lowercased()) }
}

extension APIClient {
    /// What all clients of a process share: hosts that asked to wait, the cache, requests under way, services' paces.
    package actor Shared {
        /// Hosts that asked to wait, for a ``Downloader`` to respect as well.
        package nonisolated let paces: HostPaces
        /// Cached replies; `nil` for no cache.
        package nonisolated let cache: DiskCache?

        /// Whether any reply came from the cache, so that addresses in it may have expired.
        nonisolated let hasReused = Mutex(false)
        /// Lists that this process has asked for past the cache.
        nonisolated let refreshed = Mutex<Set<HTTPRequest>>([])
        package nonisolated let timekeeper: Timekeeper
        nonisolated let flights = RequestCoalescer<HTTPRequest, Result<HTTPReply, ServiceError>>()

        /// By host.
        private var limiters: [String: [ServicePolicy: ServiceLimiter]] = [:]
        /// Cursors received by this process, by the first request of their feed.
        private(set) var cursors: [HTTPRequest: FeedCursors] = [:]

        /// State with nothing under way.
        package init(cache: DiskCache? = nil, timekeeper: Timekeeper = .system) {
            (self.cache, self.timekeeper) = (cache, timekeeper)
            paces = HostPaces(timekeeper: timekeeper)
        }

        func limiter(of host: String, _ policy: ServicePolicy) -> ServiceLimiter {
            let limiter = limiters[host]?[policy] ?? ServiceLimiter(policy)
            limiters[host, default: [:]][policy] = limiter
            return limiter
        }

        func keep(_ known: FeedCursors, of feed: HTTPRequest) { cursors[feed] = known }
    }
}

/// Limits a service's requests: how many at once, and how often.
actor ServiceLimiter {
    nonisolated let slots: AsyncSemaphore
    private var rate: RateLimit?

    init(_ policy: ServicePolicy) {
        slots = AsyncSemaphore(policy.requestsAtOnce)
        rate = policy.rate
    }

    /// Takes the next request's place; returns how long it has to wait.
    func wait(at now: Duration) -> Duration { rate?.take(at: now) ?? .zero }
}

/// One request until there is an answer to pass on, with its retries.
struct APICall: Sendable {
    typealias Outcome = Result<HTTPReply, ServiceError>

    let client: APIClient
    let request: HTTPRequest

    private var shared: APIClient.Shared { client.shared }
    private var timekeeper: Timekeeper { client.shared.timekeeper }
    private var host: WebOrigin { WebOrigin(request.url) }
    private var shownHost: String { Redaction.host(of: request) }

    /// The answer; after the last retry the last one, whatever it is.
    func run() async -> Outcome {
        var tries = Tries(of: request, retries: client.configuration.retries, shared.paces, timekeeper)
        do throws(Fault) {
            return try await tries.run(attempt, wait: wait)
        } catch {
            return error.outcome
        }
    }

    // MARK: - One try

    private func attempt() async throws(Fault) -> Outcome? {
        let outcome: Outcome
        do throws(HostPaces.Refusal) {
            outcome = try await answer()
        } catch {
            switch error {
            case .paused: return nil
            case .closed(let pause):
                // As the host would answer again.
                let head = HTTPHead(
                    status: pause.status, url: request.url, headers: ["Retry-After": "\(pause.seconds)"])
                return .success(HTTPReply(head: head, body: Data()))
            case .down(let error): return .failure(.transport(error))
            case .cancelled: return .failure(.transport(.cancelled))
            }
        }
        guard let fault = fault(in: outcome) else {
            if case .failure(.transport(let error)) = outcome { shared.paces.giveUp(host, with: error) }
            return outcome
        }
        // The process that carried it ended, which is nobody's fault here.
        if case .interrupted? = fault.transportError { return nil }
        throw fault
    }

    private func answer() async throws(HostPaces.Refusal) -> Outcome {
        let limiter = await shared.limiter(of: host.host, client.policy)
        guard await limiter.slots.enter() else { throw .cancelled }
        defer { limiter.slots.leave() }
        try await waitForHost()
        let wait = await limiter.wait(at: timekeeper.now())
        if wait > .zero {
            do { try await timekeeper.sleep(wait) } catch { throw .cancelled }
            // The host may have asked to wait in the meantime.
            try await waitForHost()
        }
        let sink = MemorySink()
        let sent = try await shared.paces.send(
            request, idleTimeout: client.configuration.idleTimeout, over: client.transport, to: sink)
        if case .success(let head) = sent, head.status < 400 { keep(to: RequestBudget.all(in: head)) }
        return outcome(of: sent, sink)
    }

    /// Leaves a host alone that has said that it takes no more requests for now.
    private func keep(to budgets: [RequestBudget]) {
        guard !budgets.isEmpty else { return }
        client.report(.budget(host: shownHost, budgets))
        guard let pause = budgets.compactMap(\.pause).max() else { return }
        shared.paces.pause(host, for: pause, status: 429, isForeseen: true)
    }

    private func outcome(of sent: Result<HTTPHead, TransportError>, _ sink: MemorySink) -> Outcome {
        let body = request.blanking(sink.data)
        let sent = sent.map(request.blanking)
        switch (sent, sink.head.map(request.blanking)) {
        case (.success(let head), _):
            let reply = HTTPReply(head: head, body: body)
            guard reply.isCutShort else { return .success(reply) }
            let received = Int64(body.count)
            return .failure(.transport(.cutShort(host: shownHost, received: received, expected: nil)))
        case (.failure(.cancelled), _), (.failure(.proxy), _): break
        // The status is enough, whatever became of the body.
        case (.failure, let head?) where head.status >= 400:
            return .success(HTTPReply(head: head, body: body))
        case (.failure(.rejected(let reason)), _) where reason is MemorySink.TooLarge:
            return .failure(.transport(.malformed(host: shownHost, reason: MemorySink.TooLarge.reason)))
        case (.failure, _): break
        }
        return sent.mapError(ServiceError.transport).map { HTTPReply(head: $0, body: body) }
    }

    /// Waits if the host has asked anyone to; inside the limit, which then holds for the requests after it.
    private func waitForHost() async throws(HostPaces.Refusal) {
        try await shared.paces.waitOutPause(of: host) { _ in
            if let news = shared.paces.news(of: request) {
                client.report(.waiting(host: shownHost, for: news))
            }
        }
    }

    // MARK: - Between two tries

    private struct Fault: FailedTry {
        let outcome: Outcome
        /// Plain text without a full stop.
        var reason = ""
        var transportError: TransportError?
        /// The reply's status; 503 for one that says `busy` with status 200, for it means that.
        var status: Int?
        var secondsAsked: Int?
        var isRefusal = false

        var isPassing: Bool { true }
        var length: Int64 { 0 }
    }

    private func fault(in outcome: Outcome) -> Fault? {
        switch outcome {
        case .success(let reply):
            guard case .passing(let pause) = client.policy.verdict(on: reply) else { return nil }
            let status = reply.head.status
            let asked = reply.head.secondsAsked(now: timekeeper.date())
            return Fault(
                outcome: outcome,
                reason: "'\(shownHost)' \(status == 200 ? "is busy" : "failed with status \(status)")",
                status: status == 200 ? 503 : status, secondsAsked: asked ?? pause,
                isRefusal: asked != nil && [429, 503].contains(status))
        case .failure(.transport(let error)) where error.isPassing:
            return Fault(outcome: outcome, reason: "\(error)".withoutPeriod, transportError: error)
        case .failure: return nil
        }
    }

    private func wait(_ delay: Duration, after fault: Fault) async throws(Fault) {
        if fault.secondsAsked != nil, let status = fault.status, [429, 503].contains(status) {
            // Waited for, and reported, with all other requests to the host.
            return shared.paces.pause(host, for: delay, status: status)
        }
        if shared.paces.isNews(delay, of: host) {
            client.report(.waiting(host: shownHost, duration: delay, reason: fault.reason))
        }
        do { try await timekeeper.sleep(delay) } catch {
            throw Fault(outcome: .failure(.transport(.cancelled)))
        }
    }
}
