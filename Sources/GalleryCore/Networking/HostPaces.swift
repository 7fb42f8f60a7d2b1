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
        /// Who waits for another visit's end.
        var waiters: [AsyncSemaphore] = []

        /// - Throws: Where the host is down, and it is not time to try again.
        mutating func probe(at now: Duration) throws(Refusal) {
            guard let failure else { return }
            guard now >= nextProbe else { throw .down(failure) }
            probeWait = min(probeWait * 2, HostPaces.longestProbe)
            nextProbe = now + probeWait
        }
    }

    private static let firstProbe = Duration.seconds(5)
    private static let longestProbe = Duration.seconds(30)
    /// Silent answers in a row before a host is taken to be down.
    private static let silencesOfDeadHost = 3

    private let timekeeper: Timekeeper
    private let hosts = Mutex<[String: Host]>([:])

    /// Creates an instance that knows nothing of any host.
    package init(timekeeper: Timekeeper = .system) {
        self.timekeeper = timekeeper
    }

    // MARK: - Pauses

    /// Leaves `host` alone for `duration`, unless a longer pause is already in effect, or nobody waits for so long.
    package func pause(_ host: String, for duration: Duration, status: Int) {
        guard duration <= RetryPolicy.longestAsked else { return }
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

    /// Returns once `host` may be asked.
    ///
    /// - Parameter willWait: Called before each wait.
    func waitOutPause(of host: String, willWait: (Pause) -> Void) async throws(Refusal) {
        while let pause = pause(of: host) {
            willWait(pause)
            do { try await timekeeper.sleep(pause.remaining) } catch { throw .cancelled }
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

    /// A request's stay at a host.
    struct Visit: Sendable {
        fileprivate let host: String
        fileprivate let start: Duration
    }

    /// Why a request was not sent.
    enum Refusal: Error {
        /// The host asked for a pause meanwhile.
        case paused
        /// The host answers nothing; what the last request to it met with.
        case down(TransportError)
        /// The task was cancelled.
        case cancelled
    }

    /// Waits until the host of `request` takes another one. A visit must be ended, by sending the request or by
    /// ``end(_:)``.
    ///
    /// - Parameter willWait: Called before each wait.
    func begin(_ request: HTTPRequest, willWait: () -> Void = {}) async throws(Refusal) -> Visit {
        let name = WebOrigin(request.url).host
        while true {
            let now = timekeeper.now()
            let bell = AsyncSemaphore(0)
            let turn = try change(name) { host throws(Refusal) in
                try host.probe(at: now)
                let turn = host.pace.begin(at: now)
                if turn == .full { host.waiters.append(bell) }
                return turn
            }
            switch turn {
            case .after(var wait):
                let visit = Visit(host: name, start: now + wait)
                if wait > .zero { willWait() }
                do {
                    repeat {
                        if wait > .zero { try await timekeeper.sleep(wait) }
                        let now = timekeeper.now()
                        wait = change(name) { $0.pace.send(at: now) }
                    } while wait > .zero
                    return visit
                } catch {
                    end(visit)
                    throw .cancelled
                }
            case .full:
                willWait()
                guard await bell.enter() else { throw .cancelled }
            }
        }
    }

    /// Ends a visit in which nothing is sent.
    func end(_ visit: Visit) { end(visit, .unsent) }

    /// Sends `request` in a visit that has begun, unless its host has asked for a pause meanwhile, and learns from
    /// what comes of it.
    ///
    /// - Parameter head: The head that `sink` has received, for a reply that was not received whole.
    func send(
        _ request: HTTPRequest, in visit: Visit, idleTimeout: Int, over transport: any HTTPTransport,
        to sink: some BodySink, head: () -> HTTPHead?
    ) async throws(Refusal) -> Result<HTTPHead, TransportError> {
        guard pause(of: visit.host) == nil else {
            end(visit)
            throw .paused
        }
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
        if answer == .refused, let seconds = head.secondsAsked(now: timekeeper.date()) {
            pause(visit.host, for: .seconds(seconds), status: head.status)
        }
        end(visit, answer)
    }

    private func end(_ visit: Visit, _ answer: HostPace.Answer) {
        let now = timekeeper.now()
        let waiters = change(visit.host) { host in
            host.pace.end(answer, startedAt: visit.start, at: now)
            if [.good, .refused, .faulty].contains(answer) { host.failure = nil }
            guard host.pace.hasRoom else { return [AsyncSemaphore]() }
            defer { host.waiters = [] }
            return host.waiters
        }
        for waiter in waiters { waiter.leave() }
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

    @discardableResult
    private func change<Value, Failure: Error>(
        _ host: String, _ body: (inout Host) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        try hosts.withLock { hosts throws(Failure) in try body(&hosts[host, default: Host()]) }
    }
}
