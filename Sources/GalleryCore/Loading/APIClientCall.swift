import Foundation

/// One request to a service until there is an answer to hand on: tries, waits, tries again.
struct APICall: Sendable {
    typealias Outcome = Result<HTTPReply, ServiceError>

    let client: APIClient
    let request: HTTPRequest

    private var shared: APIClient.Shared { client.shared }
    private var timekeeper: Timekeeper { client.shared.timekeeper }
    private var host: String { WebOrigin(request.url).host }
    private var shownHost: String { Redaction.host(of: request) }

    /// The answer; after the last try the last one, whatever it is, for the service to name.
    func run() async -> Outcome {
        let retries = RetryPolicy(retries: client.configuration.retries)
        var failed = FailedTries(answers: shared.pauses.answers(of: host))
        while true {
            let outcome: Outcome
            do {
                outcome = try await answer()
            } catch let down as HostDown {
                return .failure(.transport(down.error))
            } catch {
                return .failure(.transport(.cancelled))
            }
            guard let fault = fault(in: outcome) else { return outcome }
            let failures = failed.add(isAsked: fault.isRefusal, answers: shared.pauses.answers(of: host))
            guard
                let delay = retries.delay(
                    failures: failures, asked: fault.asked, chance: timekeeper.chance())
            else {
                if case .failure(.transport(let error)) = outcome { shared.pauses.giveUp(host, with: error) }
                return outcome
            }
            do { try await wait(delay, after: fault) } catch { return .failure(.transport(.cancelled)) }
        }
    }

    // MARK: - One try

    /// The host answers nothing, so that nothing was sent.
    private struct HostDown: Error {
        let error: TransportError
    }

    /// - Throws: `CancellationError` or ``HostDown``, before anything was sent.
    private func answer() async throws -> Outcome {
        let door = await shared.door(to: host, client.policy)
        guard await door.slots.enter() else { throw CancellationError() }
        defer { door.slots.leave() }
        try await waitForHost()
        let turn = await door.turn(at: timekeeper.now())
        if turn > .zero {
            try await timekeeper.sleep(turn)
            // Somebody may have been asked to wait meanwhile.
            try await waitForHost()
        }
        while true {
            let sink = MemorySink()
            let delivery = await shared.pauses.deliver(
                request, idleTimeout: client.configuration.idleTimeout, over: client.transport, to: sink,
                head: { sink.head })
            switch delivery {
            // The process that carried it ended, which is nobody's fault here.
            case .sent(.failure(.interrupted)): continue
            case .sent(let sent): return outcome(of: sent, sink)
            case .paused: try await waitForHost()
            case .down(let error): throw HostDown(error: error)
            case .cancelled: throw CancellationError()
            }
        }
    }

    private func outcome(of sent: Result<HTTPHead, TransportError>, _ sink: MemorySink) -> Outcome {
        do throws(TransportError) {
            let head = try sent.get()
            let reply = HTTPReply(head: head, body: request.blanking(sink.data))
            guard reply.isCutShort else { return .success(reply) }
            let received = Int64(reply.body.count)
            return .failure(.transport(.cutShort(host: shownHost, received: received, expected: nil)))
        } catch .cancelled {
            return .failure(.transport(.cancelled))
        } catch .proxy(let host, let reason, let isPassing) {
            return .failure(.transport(.proxy(host: host, reason: reason, isPassing: isPassing)))
        } catch  where sink.refusal != nil {
            // The status says enough, whatever became of its page.
            return sink.refusal.map { .success(HTTPReply(head: $0, body: request.blanking(sink.data))) }
                ?? .failure(.transport(error))
        } catch .rejected(let error) where error is MemorySink.TooLarge {
            return .failure(.transport(.malformed(host: shownHost, reason: MemorySink.TooLarge.reason)))
        } catch {
            return .failure(.transport(error))
        }
    }

    /// A host that asked anybody to wait is left alone by all; the wait ends inside the door, so
    /// that no more than a service's share go off when it is over.
    private func waitForHost() async throws {
        while let pause = shared.pauses.pause(of: host) {
            if let news = shared.pauses.news(of: request) {
                client.report(.waiting(host: shownHost, for: news))
            }
            try await timekeeper.sleep(pause.remaining)
        }
    }

    // MARK: - Between two tries

    /// What may be another the next time.
    private struct Fault {
        /// Plain text without a full stop.
        let reason: String
        /// The reply's status; 503 for one that says `busy` with status 200, for it means that.
        var status: Int?
        /// Seconds the host asks to wait; `nil` where it does not say.
        var asked: Int?
        /// Whether the status itself asks to wait, so that the reply was none of the host's good answers.
        var isRefusal = false
    }

    private func fault(in outcome: Outcome) -> Fault? {
        switch outcome {
        case .success(let reply):
            guard case .passing(let pause) = client.policy.verdict(on: reply) else { return nil }
            let status = reply.head.status
            let asked = reply.head.secondsAsked(now: timekeeper.date())
            return Fault(
                reason: "'\(shownHost)' \(status == 200 ? "is busy" : "failed with status \(status)")",
                status: status == 200 ? 503 : status, asked: asked ?? pause,
                isRefusal: asked != nil && [429, 503].contains(status))
        case .failure(.transport(let error)) where error.isPassing:
            return Fault(reason: String("\(error)".trimmingSuffix(".")))
        case .failure: return nil
        }
    }

    private func wait(_ delay: Duration, after fault: Fault) async throws {
        if fault.asked != nil, let status = fault.status, [429, 503].contains(status) {
            // Waited for with everybody else, and told, before the next try.
            shared.pauses.pause(host, for: delay, status: status)
        } else {
            tell(delay, fault.reason)
            try await timekeeper.sleep(delay)
        }
    }

    private func tell(_ duration: Duration, _ reason: String) {
        client.report(.waiting(host: shownHost, duration: duration, reason: reason))
    }
}

extension String {
    fileprivate func trimmingSuffix(_ end: Character) -> Substring { last == end ? dropLast() : self[...] }
}
