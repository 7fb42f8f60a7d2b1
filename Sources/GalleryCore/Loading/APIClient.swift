import Foundation

/// Asks one service: from the cache where it may, once where several wish for the same, no faster
/// and no more at once than the service wants, again where a fault may pass.
package struct APIClient: Sendable {
    /// How a client works.
    package struct Configuration: Sendable {
        /// Seconds without a byte after which a transfer is given up, from 1.
        package var idleTimeout = 30
        /// Further tries after a passing fault, from 0.
        package var retries = 4
        /// Whether the service is asked whatever the cache holds.
        package var refreshes = false

        /// The defaults.
        package init() {}
    }

    let transport: any HTTPTransport
    let policy: ServicePolicy
    let shared: Shared
    private(set) var configuration: Configuration
    let report: @Sendable (APIEvent) -> Void

    /// A client that sends through `transport`.
    ///
    /// - Parameters:
    ///   - policy: how the service wants to be asked.
    ///   - shared: what all clients of a process have in common; without it this one stands alone, uncached.
    ///   - report: told, from any thread, what a user may want to see while it waits.
    package init(
        transport: any HTTPTransport, policy: ServicePolicy = .polite,
        configuration: Configuration = Configuration(), shared: Shared = Shared(),
        report: @escaping @Sendable (APIEvent) -> Void = { _ in }
    ) {
        self.transport = transport
        self.policy = policy
        self.configuration = configuration
        self.shared = shared
        self.report = report
    }

    /// The same client, past the cache.
    var refreshing: APIClient {
        var client = self
        client.configuration.refreshes = true
        return client
    }

    /// The outcomes of `requests`, in their order; a status other than 200 is an outcome like any.
    func replies(
        to requests: [HTTPRequest], for purpose: ServicePolicy.Purpose = .list
    ) async -> [Result<HTTPReply, ServiceError>] {
        await withTaskGroup(of: (Int, Result<HTTPReply, ServiceError>).self) { group in
            var outcomes: [Int: Result<HTTPReply, ServiceError>] = [:]
            for (number, request) in requests.enumerated() {
                if number >= policy.requestsAtOnce, let (done, outcome) = await group.next() {
                    outcomes[done] = outcome
                }
                group.addTask { (number, await reply(to: request, for: purpose)) }
            }
            for await (number, outcome) in group { outcomes[number] = outcome }
            return requests.indices.map { outcomes[$0] ?? .failure(.transport(.cancelled)) }
        }
    }

    /// Takes the replies to `requests` out of the cache: they turned out to be no good answers.
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
            // The load throws nothing: it was our own task that was cancelled.
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
        let known = configuration.refreshes ? nil : await cache.entry(for: request)
        if let known, known.isFresh(at: shared.timekeeper.date(), lifetime: lifetime) {
            shared.noteReuse()
            report(.reused(address: Redaction.address(of: request)))
            return .success(known.reply(from: request.url))
        }
        var asked = request
        asked.headers.merge(known?.conditions ?? [:]) { services, _ in services }
        let outcome = await APICall(client: self, request: asked).run()
        guard case .success(let reply) = outcome else { return outcome }
        // A host that says so unasked cannot know which answer it means.
        if reply.head.status == 304, let known, !known.conditions.isEmpty {
            shared.noteReuse()
            await cache.renew(known, lifetime: lifetime)
            return .success(known.reply(from: request.url))
        }
        if case .good = policy.verdict(on: reply) {
            await cache.store(reply, to: request, lifetime: lifetime)
        }
        return outcome
    }
}

/// What happens while a service is asked.
package enum APIEvent: Hashable, Sendable {
    /// The answer was on disk; the address is fit to be shown, secrets blanked.
    case reused(address: String)
    /// Nothing is asked of `host` for this long. `reason` is plain text without a full stop, such as
    /// `'api.flickr.com' asks to wait (status 429)`. One wait of a host is told once, however many
    /// requests it holds up.
    case waiting(host: String, duration: Duration, reason: String)

    /// A host, as it may be shown, has asked to be left alone.
    package static func waiting(host: String, for pause: HostPauses.Pause) -> APIEvent {
        .waiting(
            host: host, duration: pause.remaining,
            reason: "'\(host)' asks to wait (status \(pause.status))")
    }
}

extension URL {
    fileprivate var isWeb: Bool { ["http", "https"].contains(scheme?.lowercased()) }
}
