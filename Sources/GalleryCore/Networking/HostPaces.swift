import Synchronization

/// The hosts that asked to be left alone, and how fast each takes requests; shared by everything that sends.
package final class HostPaces: Sendable {
    /// A wait that a host asked for.
    package struct Pause: Hashable, Sendable {
        /// How long the wait still lasts.
        package let remaining: Duration
        /// The status that asked for it, 429 or 503.
        package let status: Int
        /// Whether the host has not refused anything yet, but would.
        var isForeseen = false

        /// The rest of the wait in whole seconds.
        var seconds: Int { Int((remaining / .seconds(1)).rounded(.up)) }
    }

    private struct Host {
        var pace = HostPace()
        var pauseEnd = Duration.zero
        var pauseStatus = 0
        var isForeseen = false
        /// Until when the wait lasts that was announced last.
        var announced = Duration.zero
        /// Who waits for another visit's end.
        var waiters: [AsyncSemaphore] = []
    }

    /// Whether anything answers at an origin: another port of the same host may.
    private struct Reach {
        /// Silent answers since the last other one.
        var silences = 0
        /// Set where nothing answers.
        var failure: TransportError?
        /// When a single request may try whether something does again, and the wait before the one after it.
        var nextProbe = Duration.zero
        var probeWait = HostPaces.firstProbe

        /// - Throws: Where nothing answers, and it is not time to try again.
        mutating func probe(at now: Duration) throws(Refusal) {
            guard let failure else { return }
            guard now >= nextProbe else { throw .down(failure) }
            probeWait = min(probeWait * 2, HostPaces.longestProbe)
            nextProbe = now + probeWait
        }
    }

    private static let firstProbe = Duration.seconds(5)
    private static let longestProbe = Duration.seconds(30)
    /// Silent answers in a row before an origin is taken to be down.
    private static let silencesOfDeadOrigin = 3

    private let timekeeper: Timekeeper
    private let hosts = Mutex<[String: Host]>([:])
    private let reach = Mutex<[WebOrigin: Reach]>([:])

    /// Creates an instance that knows nothing of any host.
    package init(timekeeper: Timekeeper = .system) {
        self.timekeeper = timekeeper
    }

    // MARK: - Pauses

    /// Leaves `host` alone for `duration`, unless a longer pause is already in effect.
    package func pause(_ host: String, for duration: Duration, status: Int, isForeseen: Bool = false) {
        let end = timekeeper.now() + duration
        change(host) { host in
            guard end > host.pauseEnd else { return }
            host.pauseEnd = end
            host.pauseStatus = status
            host.isForeseen = isForeseen
        }
    }

    /// The rest of the pause of `host`; `nil` where requests may be sent.
    package func pause(of host: String) -> Pause? {
        let now = timekeeper.now()
        return change(host) { host in
            host.pauseEnd > now
                ? Pause(
                    remaining: host.pauseEnd - now, status: host.pauseStatus, isForeseen: host.isForeseen)
                : nil
        }
    }

    /// Returns once `host` may be asked. It is neither asked nor waited for where that takes too long.
    ///
    /// - Parameter willWait: Called before each wait.
    func waitOutPause(of host: String, willWait: (Pause) -> Void) async throws(Refusal) {
        while let pause = pause(of: host) {
            guard pause.remaining <= RetryPolicy.longestAsked else { throw .closed(pause) }
            willWait(pause)
            do { try await timekeeper.sleep(pause.remaining) } catch { throw .cancelled }
        }
    }

    /// The rest of the pause of `request`'s host, for the first caller only, which announces it; the others
    /// just wait.
    package func news(of request: HTTPRequest) -> Pause? {
        let host = WebOrigin(request.url).host
        guard let pause = pause(of: host), isNews(pause.remaining, of: host) else { return nil }
        return pause
    }

    /// Whether a wait for `host` is to be announced; that of a request which failed with another one, or was under
    /// way when the host asked to wait, is as good as announced, for it is nearly as long.
    func isNews(_ wait: Duration, of host: String) -> Bool {
        let end = timekeeper.now() + wait
        return change(host) { host in
            guard end > host.announced + wait / 2 else { return false }
            host.announced = end
            return true
        }
    }

    // MARK: - Pace

    /// Why a request was not sent.
    enum Refusal: Error {
        /// The host asked for a pause meanwhile.
        case paused
        /// The host asked for a pause that is longer than anybody waits.
        case closed(Pause)
        /// Nothing answers at the origin; what the last request to it met with.
        case down(TransportError)
        /// The task was cancelled.
        case cancelled
    }

    /// Sends `request` once its host takes another one, unless the host has asked for a pause meanwhile, and learns
    /// from what comes of it.
    ///
    /// - Parameters:
    ///   - slots: What it needs a slot of as well, once the host takes it: a slow host must not hold up others.
    ///   - head: The head that `sink` has received, for a reply that was not received whole.
    ///   - willWait: Called before each wait for the host.
    func send(
        _ request: HTTPRequest, idleTimeout: Int, over transport: any HTTPTransport, to sink: some BodySink,
        in slots: AsyncSemaphore? = nil, head: () -> HTTPHead?, willWait: () -> Void = {}
    ) async throws(Refusal) -> Result<HTTPHead, TransportError> {
        let origin = WebOrigin(request.url)
        let start = try await begin(origin, willWait: willWait)
        if let slots, await !slots.enter() {
            end(origin, start, .unsent)
            throw .cancelled
        }
        defer { slots?.leave() }
        guard pause(of: origin.host) == nil else {
            end(origin, start, .unsent)
            throw .paused
        }
        let result: Result<HTTPHead, TransportError>
        do throws(TransportError) {
            result = .success(try await transport.send(request, idleTimeout: idleTimeout, to: sink))
        } catch {
            result = .failure(error)
        }
        end(origin, start, answer(result, head: head(), host: origin.host))
        return result
    }

    /// Waits until a host takes another request. Returns when it began to be sent.
    private func begin(_ origin: WebOrigin, willWait: () -> Void) async throws(Refusal) -> Duration {
        while true {
            let now = timekeeper.now()
            try reach.withLock { reach throws(Refusal) in try reach[origin, default: Reach()].probe(at: now) }
            let bell = AsyncSemaphore(0)
            let hasBegun = change(origin.host) { host in
                let hasBegun = host.pace.begin()
                if !hasBegun { host.waiters.append(bell) }
                return hasBegun
            }
            if hasBegun { break }
            willWait()
            guard await bell.enter() else { throw .cancelled }
        }
        while true {
            let now = timekeeper.now()
            let wait = change(origin.host) { $0.pace.send(at: now) }
            guard wait > .zero else { return now }
            willWait()
            do { try await timekeeper.sleep(wait) } catch {
                end(origin, now, .unsent)
                throw .cancelled
            }
        }
    }

    /// What a request met with; where the host asked to wait, it is left alone before others are let in.
    private func answer(
        _ result: Result<HTTPHead, TransportError>, head: HTTPHead?, host: String
    ) -> HostPace.Answer {
        let reply: HTTPHead
        switch (result, head) {
        case (.success(let whole), _): reply = whole
        // The status is enough, whatever became of the body.
        case (.failure, let head?) where head.status >= 400: reply = head
        case (.failure(let error), _): return HostPace.Answer(error, hasHead: head != nil)
        }
        let answer = HostPace.Answer(status: reply.status)
        if answer == .refused, let seconds = reply.secondsAsked(now: timekeeper.date()) {
            pause(host, for: .seconds(seconds), status: reply.status)
        }
        return answer
    }

    private func end(_ origin: WebOrigin, _ start: Duration, _ answer: HostPace.Answer) {
        let now = timekeeper.now()
        reach.withLock { reach in
            switch answer {
            case .good, .refused, .faulty: reach[origin] = nil
            case .silent: reach[origin, default: Reach()].silences += 1
            case .unsent: break
            }
        }
        let waiters = change(origin.host) { host in
            host.pace.end(answer, startedAt: start, at: now)
            guard host.pace.hasRoom else { return [AsyncSemaphore]() }
            defer { host.waiters = [] }
            return host.waiters
        }
        for waiter in waiters { waiter.leave() }
    }

    /// A request is given up after all its tries with `error`, which says that nothing answers at `origin`. Where
    /// nobody else had an answer either, all requests fail from now on, but for one now and then.
    func giveUp(_ origin: WebOrigin, with error: TransportError) {
        let now = timekeeper.now()
        reach.withLock { reach in
            guard HostPace.Answer(error, hasHead: false) == .silent, var state = reach[origin],
                state.failure == nil, state.silences >= Self.silencesOfDeadOrigin
            else { return }
            state.failure = error
            state.nextProbe = now + Self.firstProbe
            reach[origin] = state
        }
    }

    /// How many good answers `host` has given.
    func answers(of host: String) -> Int { change(host) { $0.pace.answers } }

    private func change<Value>(_ host: String, _ body: (inout Host) -> Value) -> Value {
        hosts.withLock { body(&$0[host, default: Host()]) }
    }
}
