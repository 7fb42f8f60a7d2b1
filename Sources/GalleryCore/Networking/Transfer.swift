import Synchronization

/// One transfer between its waiting task and the transport's threads.
///
/// The lock is held while the sink works: whoever ends the transfer knows that the sink
/// is not running and will not run again, so its file may be closed.
final class Transfer: Sendable {
    typealias Outcome = Result<HTTPHead, TransportError>

    private struct Shared {
        var state: TransferState
        var waiter: CheckedContinuation<Outcome, Never>?
        var outcome: Outcome?
        /// Let go at the end, which may come long before URLSession lets go of the transfer.
        var sink: (any BodySink)?

        /// Decides the outcome where that is still open; gives the one that counts.
        mutating func settle(_ outcome: Outcome) -> Outcome {
            if let decided = self.outcome { return decided }
            self.outcome = outcome
            sink = nil
            return outcome
        }
    }

    private let shared: Mutex<Shared>
    /// Seconds, from 1.
    let idleTimeout: Int

    init(_ request: HTTPRequest, idleTimeout: Int, sink: any BodySink) {
        self.idleTimeout = max(1, idleTimeout)
        let state = TransferState(request: request, idleTimeout: idleTimeout)
        shared = Mutex(Shared(state: state, sink: sink))
    }

    /// What to send now; `nil` once the transfer is over.
    var request: HTTPRequest? { shared.withLock { $0.outcome == nil ? $0.state.request : nil } }

    /// Hands the outcome to `waiter`, at once where it is known.
    func await(_ waiter: CheckedContinuation<Outcome, Never>) {
        let outcome = shared.withLock { shared in
            if shared.outcome == nil { shared.waiter = waiter }
            return shared.outcome
        }
        if let outcome { waiter.resume(returning: outcome) }
    }

    /// Ends the transfer and lets its waiter go; only the first outcome counts.
    func end(_ outcome: Outcome) {
        let (waiter, outcome) = shared.withLock { shared in
            defer { shared.waiter = nil }
            return (shared.waiter, shared.settle(outcome))
        }
        waiter?.resume(returning: outcome)
    }

    /// A head came. False where the request on the wire is to be cancelled.
    func receive(status: Int, headers: [String: String]) -> Bool {
        pass { shared, sink in
            if let head = shared.state.receive(status: status, headers: headers) { try sink.begin(head) }
        }
    }

    /// Bytes came. False where the request on the wire is to be cancelled.
    func receive(_ bytes: UnsafeRawBufferPointer) -> Bool {
        pass { shared, sink in
            if shared.state.receive(count: bytes.count) { try sink.receive(bytes) }
        }
    }

    /// No body will come: a challenge to log in is not taken up.
    func endAtHead() {
        if let head = shared.withLock({ $0.state.head }) { end(.success(head)) }
    }

    /// The request on the wire ended. Whether another is to be sent, for a redirect.
    func finish(error: (code: Int, text: String)?) -> Bool {
        let next = shared.withLock { shared in
            shared.outcome.map(TransferState.Next.end) ?? shared.state.finish(error: error)
        }
        guard case .end(let outcome) = next else { return true }
        end(outcome)
        return false
    }

    private func pass(_ body: (inout Shared, any BodySink) throws -> Void) -> Bool {
        shared.withLock { shared in
            // It is over, and whoever ended it has seen to the request.
            guard let sink = shared.sink else { return true }
            do {
                try body(&shared, sink)
                return true
            } catch {
                // The waiter goes once the request has ended: the next one has the wire to itself then.
                _ = shared.settle(.failure(.rejected(error)))
                return false
            }
        }
    }
}
