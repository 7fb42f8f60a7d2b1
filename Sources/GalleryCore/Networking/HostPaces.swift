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

        var seconds: Int { Int((remaining / .seconds(1)).rounded(.up)) }
    }

    private struct Host {
        var pace = HostPace()
        var reach = HostReach()
        var pauseEnd = Duration.zero
        var pauseStatus = 0
        var isForeseen = false
        /// Until when the wait lasts that was announced last.
        var announced = Duration.zero
        /// Who waits for another request's end.
        var waiters: [AsyncSemaphore] = []
        var ends = 0
        /// Why it is not asked again by this process.
        var closure: TransportError?
    }

    private let timekeeper: Timekeeper
    private let patience: Duration
    /// By scheme, host, and port: what listens at another port is another program.
    private let hosts = Mutex<[WebOrigin: Host]>([:])

    /// Creates an instance that knows nothing of any host. A request waits for others to the same host, of which none
    /// ends, no longer than `patience` by the system's clock; then it is sent all the same, so that no wait is endless.
    package init(timekeeper: Timekeeper = .system, patience: Duration = .seconds(60)) {
        (self.timekeeper, self.patience) = (timekeeper, patience)
    }

    // MARK: - Pauses

    /// Leaves `host` alone for `duration`, unless a longer pause is already in effect.
    func pause(_ host: WebOrigin, for duration: Duration, status: Int, isForeseen: Bool = false) {
        let end = timekeeper.now() + duration
        change(host) { host in
            guard end > host.pauseEnd else { return }
            (host.pauseEnd, host.pauseStatus, host.isForeseen) = (end, status, isForeseen)
        }
    }

    /// The rest of the pause of `host`; `nil` where requests may be sent.
    func pause(of host: WebOrigin) -> Pause? {
        let now = timekeeper.now()
        return change(host) { host in
            host.pauseEnd > now
                ? Pause(remaining: host.pauseEnd - now, status: host.pauseStatus, isForeseen: host.isForeseen)
                : nil
        }
    }

    /// Returns once `host` may be asked, after `willWait` before each wait; throws at once where that takes too long.
    func waitOutPause(of host: WebOrigin, willWait: (Pause) -> Void) async throws(Refusal) {
        while let pause = pause(of: host) {
            guard pause.remaining <= RetryPolicy.longestAsked else { throw .closed(pause) }
            willWait(pause)
            do { try await timekeeper.sleep(pause.remaining) } catch { throw .cancelled }
        }
    }

    /// The rest of the pause of `request`'s host, or the `wait` that it asked for where that was no pause for all; for
    /// the first caller only, which announces it: others just wait.
    package func news(of request: HTTPRequest, or wait: (Duration, status: Int)? = nil) -> Pause? {
        let host = WebOrigin(request.url)
        let pause = pause(of: host) ?? wait.map { Pause(remaining: $0.0, status: $0.status) }
        guard let pause, isNews(pause.remaining, of: host) else { return nil }
        return pause
    }

    /// Whether a wait for `host` is to be announced; that of a request which failed with another one, or was under
    /// way when the host asked to wait, is as good as announced, for it is nearly as long.
    func isNews(_ wait: Duration, of host: WebOrigin) -> Bool {
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
        /// Nothing answers there; what the last request met with.
        case down(TransportError)
        case cancelled
    }

    /// Sends `request` once its host takes another, unless it asked to pause meanwhile, and learns from the outcome.
    /// The host's place is held until the reply has ended: nothing that `transport` does for it may ask for another.
    /// One of `slots` is taken after it: a slow host must not hold up others. `willWait` comes before each wait for it.
    func send(
        _ request: HTTPRequest, idleTimeout: Int, over transport: any HTTPTransport, to sink: some BodySink,
        in slots: AsyncSemaphore? = nil, willWait: () -> Void = {}
    ) async throws(Refusal) -> Result<HTTPHead, TransportError> {
        let host = WebOrigin(request.url)
        let start = try await begin(host, willWait: willWait)
        if let slots, await !slots.enter() {
            end(host, start, .unsent)
            throw .cancelled
        }
        defer { slots?.leave() }
        guard pause(of: host) == nil else {
            end(host, start, .unsent)
            throw .paused
        }
        let heads = HeadSink(sink) { [weak self] in self?.noteAnswer(of: host) }
        let result: Result<HTTPHead, TransportError>
        do throws(TransportError) {
            result = .success(try await transport.send(request, idleTimeout: idleTimeout, to: heads))
        } catch {
            if case .browsersOnly(Redaction.host(of: request)) = error { change(host) { $0.closure = error } }
            result = .failure(error)
        }
        end(host, start, answer(result, head: heads.head, request))
        return result
    }

    private enum Step {
        case begun
        case wait(Duration)
        /// Until another one has ended, of which so many had.
        case waitForEnd(after: Int)
        case down(TransportError)
    }

    /// Waits until a host takes another request. Returns when it began to be sent.
    private func begin(_ host: WebOrigin, willWait: () -> Void) async throws(Refusal) -> Duration {
        var isOverdue = false
        while true {
            let bell = AsyncSemaphore(0)
            switch step(at: host, bell, isOverdue: isOverdue) {
            case .down(let error): throw .down(error)
            case .wait(let wait):
                willWait()
                do { try await timekeeper.sleep(wait) } catch { throw .cancelled }
            case .waitForEnd(let ends):
                willWait()
                let hasRung = try await hasRung(bell)
                isOverdue = !hasRung && change(host) { $0.ends } == ends
            case .begun: return try await takeTurn(at: host, willWait: willWait)
            }
        }
    }

    private func step(at host: WebOrigin, _ bell: AsyncSemaphore, isOverdue: Bool) -> Step {
        let now = timekeeper.now()
        return change(host) { host in
            var mayBegin = true
            if let error = host.closure { return .down(error) }
            switch host.reach.verdict(at: now) {
            case .down(let error): return .down(error)
            case .wait(let wait): return .wait(wait)
            case .waitForAnother: mayBegin = isOverdue
            case .send: break
            }
            guard mayBegin, host.pace.begin(anyway: isOverdue) else {
                host.waiters.append(bell)
                return .waitForEnd(after: host.ends)
            }
            host.reach.begin(at: now)
            return .begun
        }
    }

    private func hasRung(_ bell: AsyncSemaphore) async throws(Refusal) -> Bool {
        let hasRung = await withTaskGroup(of: Bool.self) { [patience] group in
            group.addTask { await bell.enter() }
            group.addTask {
                try? await Task.sleep(for: patience)
                return false
            }
            defer { group.cancelAll() }
            return await group.next() ?? false
        }
        if Task.isCancelled { throw .cancelled }
        return hasRung
    }

    /// Waits until a request that has begun may be sent. Returns when that is.
    private func takeTurn(at host: WebOrigin, willWait: () -> Void) async throws(Refusal) -> Duration {
        while true {
            let now = timekeeper.now()
            let wait = change(host) { $0.pace.send(at: now) }
            guard wait > .zero else { return now }
            willWait()
            do { try await timekeeper.sleep(wait) } catch {
                end(host, now, .unsent)
                throw .cancelled
            }
        }
    }

    /// What a request met with; where the host asked to wait, it is left alone before others are let in.
    private func answer(
        _ result: Result<HTTPHead, TransportError>, head: HTTPHead?, _ request: HTTPRequest
    ) -> HostPace.Answer {
        let reply: HTTPHead
        switch (result, head) {
        case (.success(let whole), _): reply = whole
        // The status is enough, whatever became of the body.
        case (.failure, let head?) where head.status >= 400: reply = head
        case (.failure(.rejected(let reason)), _) where reason is ExpiredAddress: return .good
        // It answered with a redirect to a host that did not.
        case (.failure(.unreachable(let host, _)), nil) where host != Redaction.host(of: request),
            (.failure(.timedOut(let host, _)), nil) where host != Redaction.host(of: request):
            return .faulty
        case (.failure(let error), _): return HostPace.Answer(error, hasHead: head != nil)
        }
        let answer = HostPace.Answer(status: reply.status)
        if answer == .refused, let seconds = reply.secondsAsked(now: timekeeper.date()) {
            pause(WebOrigin(request.url), for: .seconds(seconds), status: reply.status)
        }
        return answer
    }

    private func end(_ host: WebOrigin, _ start: Duration, _ answer: HostPace.Answer) {
        let (now, chance) = (timekeeper.now(), timekeeper.chance())
        release(host) { host in
            host.ends += 1
            host.pace.end(answer, startedAt: start, at: now)
            host.reach.end(answer, startedAt: start, at: now, chance: chance)
        }
    }

    /// A head has arrived: those who wait whether `host` answers need not wait for its body.
    private func noteAnswer(of host: WebOrigin) {
        release(host) { if !$0.reach.hasAnswered { $0.reach.noteAnswer() } }
    }

    /// A request is given up after all its tries with `error`, which says that nothing answers at `host`.
    func giveUp(_ host: WebOrigin, with error: TransportError) {
        let now = timekeeper.now()
        release(host) { $0.reach.giveUp(error, at: now) }
    }

    /// Changes what is known of a host, and lets those look again who wait for that.
    private func release(_ host: WebOrigin, _ body: (inout Host) -> Void) {
        let waiters = change(host) { host in
            body(&host)
            guard host.pace.hasRoom else { return [AsyncSemaphore]() }
            defer { host.waiters = [] }
            return host.waiters
        }
        for waiter in waiters { waiter.leave() }
    }

    func answers(of host: WebOrigin) -> Int { change(host) { $0.pace.answers } }

    /// The faults in a row that all requests to `host` share; `nil` where each has its own.
    func sharedFailures(at host: WebOrigin) -> Int? { change(host) { $0.reach.failures } }

    private func change<Value>(_ host: WebOrigin, _ body: (inout Host) -> Value) -> Value {
        hosts.withLock { body(&$0[host, default: Host()]) }
    }
}

private final class HeadSink<Sink: BodySink>: BodySink {
    private let sink: Sink
    private let received = Mutex<HTTPHead?>(nil)
    private let noteHead: @Sendable () -> Void

    init(_ sink: Sink, noteHead: @escaping @Sendable () -> Void) {
        (self.sink, self.noteHead) = (sink, noteHead)
    }

    var head: HTTPHead? { received.withLock(\.self) }

    func begin(_ head: HTTPHead) throws {
        received.withLock { $0 = head }
        noteHead()
        try sink.begin(head)
    }

    func receive(_ bytes: UnsafeRawBufferPointer) throws { try sink.receive(bytes) }
}
