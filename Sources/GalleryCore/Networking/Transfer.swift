import Foundation
import Synchronization

/// One transfer, between the task that waits for it and the thread that works for it.
///
/// No lock is held while the sink works: a task that is cancelled meanwhile leaves when the sink is done, else at
/// once. Whoever waited knows that the sink is not running and will not run again, so its file may be closed.
final class Transfer: Sendable {
    typealias Outcome = Result<HTTPHead, TransportError>

    private struct State {
        var waiter: CheckedContinuation<Outcome, Never>?
        var isWanted = true
        var isInSink = false
        /// Where a request on the wire can be cancelled.
        var socket: Int32?

        /// Who is to be resumed now that the sink is not needed any more.
        mutating func takeWaiter() -> CheckedContinuation<Outcome, Never>? {
            isWanted = false
            defer { if !isInSink { waiter = nil } }
            return isInSink ? nil : waiter
        }

        /// Takes no time. If so few bytes do not fit, the worker is no longer one.
        func cancelRequest() {
            if let socket { WorkerSocket.send(WorkerFrame.cancel, to: socket, atOnce: true) }
        }
    }

    let request: HTTPRequest
    /// In seconds, from 1.
    let idleTimeout: Int
    private let sink: any BodySink
    private let state = Mutex(State())

    init(_ request: HTTPRequest, idleTimeout: Int, sink: any BodySink) {
        (self.request, self.idleTimeout, self.sink) = (request, max(1, idleTimeout), sink)
    }

    var isWanted: Bool { state.withLock(\.isWanted) }

    /// What comes of the transfer, which `start` begins in another thread.
    func outcome(_ start: () -> Void) async -> Outcome {
        await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                let isWanted = state.withLock { state in
                    if state.isWanted { state.waiter = waiter }
                    return state.isWanted
                }
                if isWanted { start() } else { waiter.resume(returning: .failure(.cancelled)) }
            }
        } onCancel: {
            let waiter = state.withLock { state in
                state.cancelRequest()
                return state.takeWaiter()
            }
            waiter?.resume(returning: .failure(.cancelled))
        }
    }

    /// Lets the sink do something, unless nothing waits for it anymore.
    func pass(_ body: (any BodySink) throws -> Void) throws(TransportError) {
        let mayWork = state.withLock { state in
            state.isInSink = state.isWanted
            return state.isWanted
        }
        guard mayWork else { throw .cancelled }
        let result = Result { try body(sink) }
        let waiter = state.withLock { state in
            state.isInSink = false
            return state.isWanted ? nil : state.takeWaiter()
        }
        waiter?.resume(returning: .failure(.cancelled))
        do { try result.get() } catch { throw .rejected(error) }
    }

    /// Passes on the head of a reply that is made here.
    func begin(_ status: Int, _ fields: [String: String] = [:]) throws(TransportError) -> HTTPHead {
        let head = HTTPHead(status: status, url: request.url, headers: fields)
        try pass { try $0.begin(head) }
        return head
    }

    /// Ends the transfer; only the first outcome counts.
    func end(_ outcome: Outcome) { state.withLock { $0.takeWaiter() }?.resume(returning: outcome) }

    /// Makes the request on the wire one that can be cancelled, by a frame to `socket`, until it is called with `nil`.
    func allowCancelling(at socket: Int32?) {
        state.withLock { state in
            state.socket = socket
            // It may have been cancelled when there was nothing to cancel yet.
            if !state.isWanted { state.cancelRequest() }
        }
    }

    /// Cancels the request on the wire, because the sink does not want the rest.
    func cancelRequest() { state.withLock { $0.cancelRequest() } }
}
