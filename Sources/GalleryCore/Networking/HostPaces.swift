import Synchronization

/// The hosts that asked to be left alone, and how fast each takes requests; shared by everything that sends.
package final class HostPaces: Sendable {
    /// A wait that a host asked for.
    package struct Pause: Hashable, Sendable {
        /// How long the wait still lasts.
        package let remaining: Duration
        /// The status that asked for it, 429 or 503.
        package let status: Int
    }

    /// The last wait that was announced.
    private struct Announced {
        private var end = Duration.zero

        /// Whether a wait until `end` lasts longer by more than `leeway`. It is then the last one itself.
        mutating func isNews(_ end: Duration, leeway: Duration) -> Bool {
            guard end > self.end + leeway else { return false }
            self.end = end
            return true
        }
    }

    private struct Host {
        var pace = HostPace()
        var pauseEnd = Duration.zero
        var pauseStatus = 0
        var announcedPause = Announced()
        var announcedWait = Announced()
        /// Set where a host answers nothing.
        var failure: TransportError?
        /// When a single request may try whether it does again, and the wait before the one after it.
        var nextProbe = Duration.zero
        var probeWait = HostPaces.firstProbe
        var waiters: [Int: CheckedContinuation<Void, Never>] = [:]

        /// - Throws: Where the host is down, and it is not time to try again.
        mutating func probe(at now: Duration) throws(Refusal) {
            guard let failure else { return }
            guard now >= nextProbe else { throw .down(failure) }
            probeWait = min(probeWait * 2, HostPaces.longestProbe)
            nextProbe = now + probeWait
        }
    }

    private struct State {
        var hosts: [String: Host] = [:]
        var lastWaiter = 0
        /// Waiters cancelled before they began to wait.
        var cancelled: Set<Int> = []
    }

    private static let firstProbe = Duration.seconds(5)
    private static let longestProbe = Duration.seconds(30)
    /// Silent answers in a row before a host is taken to be down.
    private static let silencesOfDeadHost = 3

    private let timekeeper: Timekeeper
    private let state = Mutex(State())

    /// Creates an instance that knows nothing of any host.
    package init(timekeeper: Timekeeper = .system) {
        self.timekeeper = timekeeper
    }

    // MARK: - Pauses

    /// Leaves `host` alone for `duration`, unless a longer pause is already in effect.
    package func pause(_ host: String, for duration: Duration, status: Int) {
        let end = timekeeper.now() + duration
        change(host) { host in
            guard end > host.pauseEnd else { return }
            host.pauseEnd = end
            host.pauseStatus = status
        }
    }

    /// The rest of the pause of `host`; `nil` where requests may be sent.
    package func pause(of host: String) -> Pause? {
        let now = timekeeper.now()
        return change(host) { host in
            host.pauseEnd > now ? Pause(remaining: host.pauseEnd - now, status: host.pauseStatus) : nil
        }
    }

    /// The rest of the pause of `request`'s host, for the first caller only, which announces it; the others
    /// just wait.
    package func news(of request: HTTPRequest) -> Pause? {
        let name = WebOrigin(request.url).host
        guard let pause = pause(of: name) else { return nil }
        let end = timekeeper.now() + pause.remaining
        // Requests in flight when it began ask for the same again, a little later.
        return change(name) { $0.announcedPause.isNews(end, leeway: .milliseconds(200)) } ? pause : nil
    }

    /// Whether a wait of one request to `host` is to be announced; that of another one which failed at the same
    /// time is as good as announced, for it is nearly as long.
    func isNews(_ wait: Duration, of host: String) -> Bool {
        let end = timekeeper.now() + wait
        return change(host) { $0.announcedWait.isNews(end, leeway: wait / 2) }
    }

    // MARK: - Pace

    /// What became of a request.
    enum Delivery: Sendable {
        /// It was sent.
        case sent(Result<HTTPHead, TransportError>)
        /// It was not sent, since the host asked for a pause meanwhile.
        case paused
        /// It was not sent, since the host answers nothing; what the last request to it met with.
        case down(TransportError)
        /// It was not sent, since the task was cancelled.
        case cancelled
    }

    /// Sends `request` once its host takes another one, and learns from what comes of it.
    ///
    /// - Parameter head: The head that `sink` has received, for a reply that was not received whole.
    func deliver(
        _ request: HTTPRequest, idleTimeout: Int, over transport: any HTTPTransport, to sink: some BodySink,
        head: () -> HTTPHead?
    ) async -> Delivery {
        switch await begin(request) {
        case .success(let visit):
            await deliver(request, visit, idleTimeout: idleTimeout, over: transport, to: sink, head: head)
        case .failure(let refusal): refusal.delivery
        }
    }

    /// Waits until the host of `request` takes another one. A visit that is returned must be ended, by delivering
    /// the request or by ``end(_:)``.
    ///
    /// - Parameter willWait: Called before each wait.
    func begin(_ request: HTTPRequest, willWait: () -> Void = {}) async -> Result<Visit, Refusal> {
        do throws(Refusal) {
            return .success(try await visit(WebOrigin(request.url).host, willWait))
        } catch {
            return .failure(error)
        }
    }

    /// Ends a visit in which nothing is sent.
    func end(_ visit: Visit) { end(visit, .unsent) }

    /// Sends `request` in a visit that has begun, unless its host has asked for a pause meanwhile.
    func deliver(
        _ request: HTTPRequest, _ visit: Visit, idleTimeout: Int, over transport: any HTTPTransport,
        to sink: some BodySink, head: () -> HTTPHead?
    ) async -> Delivery {
        guard pause(of: visit.host) == nil else {
            end(visit)
            return .paused
        }
        return await .sent(deliver(request, visit, idleTimeout, transport, sink, head))
    }

    private func deliver(
        _ request: HTTPRequest, _ visit: Visit, _ idleTimeout: Int, _ transport: any HTTPTransport,
        _ sink: some BodySink, _ head: () -> HTTPHead?
    ) async -> Result<HTTPHead, TransportError> {
        do throws(TransportError) {
            let reply = try await transport.send(request, idleTimeout: idleTimeout, to: sink)
            learn(from: reply, visit)
            return .success(reply)
        } catch {
            if let reply = head(), reply.status >= 400 {
                learn(from: reply, visit)
            } else {
                end(visit, HostPace.Answer(error, hasHead: head() != nil))
            }
            return .failure(error)
        }
    }

    private func learn(from head: HTTPHead, _ visit: Visit) {
        let answer = HostPace.Answer(status: head.status)
        // Before others are let in.
        if answer == .refused, let seconds = head.secondsAsked(now: timekeeper.date()),
            .seconds(seconds) <= RetryPolicy.longestAsked
        {
            pause(visit.host, for: .seconds(seconds), status: head.status)
        }
        end(visit, answer)
    }

    /// A request's stay at a host.
    struct Visit: Sendable {
        fileprivate let host: String
        fileprivate let start: Duration
    }

    /// Why a request is not to be sent.
    enum Refusal: Error {
        /// The host answers nothing; what the last request to it met with.
        case down(TransportError)
        case cancelled

        /// The same as what became of the request.
        var delivery: Delivery {
            switch self {
            case .down(let error): .down(error)
            case .cancelled: .cancelled
            }
        }
    }

    private func visit(_ host: String, _ willWait: () -> Void) async throws(Refusal) -> Visit {
        while true {
            let now = timekeeper.now()
            let turn = try change(host) { host throws(Refusal) in
                try host.probe(at: now)
                return host.pace.begin(at: now)
            }
            switch turn {
            case .after(var wait):
                let visit = Visit(host: host, start: now + wait)
                if wait > .zero { willWait() }
                do {
                    repeat {
                        if wait > .zero { try await timekeeper.sleep(wait) }
                        let now = timekeeper.now()
                        wait = change(host) { $0.pace.send(at: now) }
                    } while wait > .zero
                    return visit
                } catch {
                    end(visit, .unsent)
                    throw .cancelled
                }
            case .full:
                willWait()
                await room(at: host)
                if Task.isCancelled { throw .cancelled }
            }
        }
    }

    private func end(_ visit: Visit, _ answer: HostPace.Answer) {
        let now = timekeeper.now()
        let waiters = change(visit.host) { host in
            host.pace.end(answer, startedAt: visit.start, at: now)
            if [.good, .refused, .faulty].contains(answer) { host.failure = nil }
            defer { if host.pace.hasRoom { host.waiters = [:] } }
            return host.pace.hasRoom ? host.waiters.sorted { $0.key < $1.key }.map(\.value) : []
        }
        for waiter in waiters { waiter.resume() }
    }

    /// A request is given up after all its tries with `error`, which says that `host` answers nothing. Where
    /// nobody else had an answer either, all requests fail from now on, but for one now and then.
    func giveUp(_ host: String, with error: TransportError) {
        let now = timekeeper.now()
        change(host) { host in
            guard HostPace.Answer(error, hasHead: false) == .silent, host.failure == nil,
                host.pace.silences >= Self.silencesOfDeadHost
            else { return }
            host.failure = error
            host.probeWait = Self.firstProbe
            host.nextProbe = now + Self.firstProbe
        }
    }

    /// How many good answers `host` has given.
    func answers(of host: String) -> Int { change(host) { $0.pace.answers } }

    /// Returns once a visit to `host` has ended, or the task is cancelled.
    private func room(at host: String) async {
        let id = state.withLock { state in
            state.lastWaiter += 1
            return state.lastWaiter
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                let mustWait = state.withLock { state in
                    guard state.cancelled.remove(id) == nil, let known = state.hosts[host],
                        !known.pace.hasRoom
                    else { return false }
                    state.hosts[host]?.waiters[id] = waiter
                    return true
                }
                if !mustWait { waiter.resume() }
            }
        } onCancel: {
            let waiter = state.withLock { state in
                let waiter = state.hosts[host]?.waiters.removeValue(forKey: id)
                if waiter == nil { state.cancelled.insert(id) }
                return waiter
            }
            waiter?.resume()
        }
        _ = state.withLock { $0.cancelled.remove(id) }
    }

    @discardableResult
    private func change<Value, Failure: Error>(
        _ host: String, _ body: (inout Host) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        try state.withLock { state throws(Failure) in try body(&state.hosts[host, default: Host()]) }
    }
}
