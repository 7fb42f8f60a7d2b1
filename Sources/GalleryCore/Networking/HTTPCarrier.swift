import Foundation
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Receives one line for each request sent and each reply, with secrets blanked.
public typealias RequestLog = @Sendable (String) -> Void

/// A GET request as it goes on the wire, with its secrets in place: never to be logged.
struct CarriedRequest: Hashable, Sendable {
    let address: String
    let headers: [String: String]
    /// In seconds, from 1.
    let idleTimeout: Int
}

/// The reason why a request on the wire ended without its whole reply.
enum CarrierFailure: Hashable, Sendable {
    /// An error of URLSession's. Untrusted text.
    case session(code: Int, text: String)
    /// The reply ended a worker that had no other request.
    case unreadable
    /// The worker that carried the request ended, possibly because of another one.
    case interrupted
    /// No process could be started for the request.
    case noWorker
}

/// Receives what happens to one request on the wire, from one thread at a time.
protocol ReplyReceiver: AnyObject, Sendable {
    /// A head arrived. Returns `false` where the request is to be cancelled.
    ///
    /// - Parameter isFinal: `false` for a redirect's head, which arrives once more at its end.
    func receive(status: Int, headers: [String: String], isFinal: Bool) -> Bool
    /// Bytes of the body arrived. Returns `false` where the request is to be cancelled.
    func receive(_ bytes: UnsafeRawBufferPointer) -> Bool
    /// No body will follow: a challenge to log in is not answered.
    func endAtHead()
    /// The request ended; this is the last call.
    func finish(_ failure: CarrierFailure?)
}

/// Carries single requests, without redirects, retries, or a limit to their number.
protocol HTTPCarrier: Sendable {
    /// Whether ``start(_:for:)`` may wait for something, so that it is kept off the threads that tasks share.
    var mayBlock: Bool { get }
    /// Sends a request.
    func start(_ request: CarriedRequest, for receiver: any ReplyReceiver)
    /// Asks for an early end of the receiver's request, which is still reported to the receiver.
    func cancel(_ receiver: any ReplyReceiver)
}

/// Sends transfers by a carrier, in order, with a limit to how many are on it.
final class TransferQueue: Sendable {
    private struct Line {
        var waiting: [Transfer] = []
        var next = 0
        var running: [ObjectIdentifier: TransferReceiver] = [:]
        var count = 0
    }

    private let connections: Int
    private let log: RequestLog?
    private let carrier: any HTTPCarrier
    private let line = Mutex(Line())
    private let control = DispatchQueue(label: "gallery.transport.control")
    private let endings = DispatchQueue(label: "gallery.transport.endings")

    /// Creates a queue with at most `connections` transfers on `carrier`, from 1.
    init(_ carrier: any HTTPCarrier, connections: Int, log: RequestLog?) {
        self.carrier = carrier
        self.connections = max(1, connections)
        self.log = log
    }

    /// Does what ``HTTPTransport/send(_:idleTimeout:to:)`` promises.
    func send(
        _ request: HTTPRequest, idleTimeout: Int, to sink: some BodySink
    ) async throws(TransportError) -> HTTPHead {
        let scheme = request.url.scheme?.lowercased()
        guard scheme == "http" || scheme == "https", request.url.host?.isEmpty == false else {
            throw .malformed(host: Redaction.host(of: request), reason: "the address is not a web address")
        }
        let transfer = Transfer(request, idleTimeout: idleTimeout, sink: sink)
        let outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                transfer.await(waiter)
                line.withLock { $0.waiting.append(transfer) }
                perform { self.startWaiting() }
            }
        } onCancel: {
            // Not here: a transfer's lock is held while its sink writes.
            endings.async {
                transfer.end(.failure(.cancelled))
                let receiver = self.line.withLock { $0.running[ObjectIdentifier(transfer)] }
                if let receiver { self.carrier.cancel(receiver) }
            }
        }
        return try outcome.get()
    }

    /// Does `work` at once if the carrier allows that: another thread would take as long as a small reply does.
    private func perform(_ work: @escaping @Sendable () -> Void) {
        if carrier.mayBlock { control.async(execute: work) } else { work() }
    }

    /// Fills the connections from the queue, in order.
    private func startWaiting() {
        while let transfer = takeWaiting() { start(transfer) }
    }

    private func takeWaiting() -> Transfer? {
        line.withLock { line in
            guard line.count < connections, line.next < line.waiting.count else { return nil }
            let transfer = line.waiting[line.next]
            line.next += 1
            line.count += 1
            if line.next > 64, line.next * 2 > line.waiting.count {
                line.waiting.removeFirst(line.next)
                line.next = 0
            }
            return transfer
        }
    }

    private func start(_ transfer: Transfer) {
        guard let request = transfer.request else { return leave(transfer) }
        log?("GET \(Redaction.address(of: request))")
        let receiver = TransferReceiver(transfer, log: log) { isToSendAgain in
            self.perform {
                if isToSendAgain { self.start(transfer) } else { self.leave(transfer) }
            }
        }
        line.withLock { $0.running[ObjectIdentifier(transfer)] = receiver }
        carrier.start(request.carriedRequest(idleTimeout: transfer.idleTimeout), for: receiver)
        // The caller may have left since the request was read.
        if transfer.request == nil { carrier.cancel(receiver) }
    }

    private func leave(_ transfer: Transfer) {
        line.withLock { line in
            line.running[ObjectIdentifier(transfer)] = nil
            line.count -= 1
        }
        startWaiting()
    }
}

/// Passes what happens on the wire to a transfer, and to the log.
private final class TransferReceiver: ReplyReceiver {
    private let transfer: Transfer
    private let log: RequestLog?
    /// Called once, with whether the transfer wants another request sent.
    private let completion: @Sendable (Bool) -> Void

    init(_ transfer: Transfer, log: RequestLog?, completion: @escaping @Sendable (Bool) -> Void) {
        self.transfer = transfer
        self.log = log
        self.completion = completion
    }

    func receive(status: Int, headers: [String: String], isFinal: Bool) -> Bool {
        if isFinal, let log, let request = transfer.request {
            log("\(status) \(Redaction.address(of: request))")
        }
        return transfer.receive(status: status, headers: headers)
    }

    func receive(_ bytes: UnsafeRawBufferPointer) -> Bool { transfer.receive(bytes) }

    func endAtHead() { transfer.endAtHead() }

    func finish(_ failure: CarrierFailure?) { completion(transfer.finish(error: failure)) }
}

extension HTTPRequest {
    fileprivate func carriedRequest(idleTimeout: Int) -> CarriedRequest {
        CarriedRequest(
            address: addressWithSecrets.absoluteString, headers: fieldsWithSecrets,
            idleTimeout: max(1, idleTimeout))
    }
}

extension CarriedRequest {
    /// The request for URLSession; `nil` where the address is not one.
    var urlRequest: URLRequest? {
        guard let url = URL(string: address) else { return nil }
        var request = URLRequest(url: url)
        // Not through the initializer, whose value URLSession on Linux ignores.
        request.timeoutInterval = Double(max(1, idleTimeout))
        for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
        return request
    }
}
