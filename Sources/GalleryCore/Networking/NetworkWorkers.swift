import Foundation
import Synchronization

/// The workers of a process, which all its transports share: each sends one request at a time.
///
/// Nothing that a reply does to its worker concerns another request, nor does a slow sink: what it does not take waits
/// in its worker's socket, then at the host. Workers are started when hosts hold up all others, and used again.
package final class NetworkWorkers: Sendable {
    /// Starts the program as a worker, with `socket` as its standard input, and returns its process; `nil`
    /// where it cannot be started. The worker calls ``NetworkWorker/run(on:)``.
    package typealias Launch = @Sendable (_ socket: Int32) -> pid_t?

    private struct State {
        /// Transfers without a worker, in order.
        var waiting: [Delivery] = []
        /// Workers without a transfer, each with the origin of its last one.
        var idle: [(origin: WebOrigin, worker: Worker)] = []
        /// Workers, with those that are starting and those whose process is about to be replaced.
        var count = 0
        /// New workers that are not ready yet.
        var starting = 0
        /// When a worker last was ready for a transfer.
        var lastReady = ContinuousClock.now
        /// Whether ``change(_:)`` is going to be called for those who wait.
        var isAwaited = false
        /// Whether any worker has been a process.
        var hasStarted = false
        /// Hosts of which a reply took a ``PlainRequest``.
        var plain: Set<WebOrigin> = []

        /// The next transfer and an idle worker for it, best with a connection to its origin; `nil` for a new one.
        ///
        /// Another worker is of use where the others have been held up for `patience`: a host that answers at once
        /// needs no more than there are processors, however many the requests, and each costs 20 to 40 ms of one.
        mutating func next(after patience: Duration) -> (Delivery, Worker?)? {
            guard let origin = waiting.first.map({ WebOrigin($0.request.url) }) else { return nil }
            if let index = idle.lastIndex(where: { $0.origin == origin }) ?? idle.indices.last {
                return (waiting.removeFirst(), idle.remove(at: index).worker)
            }
            let areHeldUp = lastReady.duration(to: .now) >= patience
            let processors = NetworkWorkers.processors
            guard count < processors || starting < 2 * processors && areHeldUp else { return nil }
            starting += 1
            count += 1
            return (waiting.removeFirst(), nil)
        }
    }

    static let processors = ProcessInfo.processInfo.activeProcessorCount
    /// After so many deaths of its workers, none of which was its reply's doing, a request is given up.
    private static let mostKills = 3

    private let launch: Launch?
    private let lifetime: Int
    private let grace: Duration
    private let patience: Duration
    private let state = Mutex(State())

    /// Creates an instance that starts workers by `launch`; where that is `nil`, they are threads of this process. One
    /// is replaced after `lifetime` requests, which ends whatever URLSession leaks, and where it says nothing for
    /// `grace` after its request must have timed out. Another is started where hosts hold up as many workers as there
    /// are processors for `patience`.
    package init(
        lifetime: Int = 4000, grace: Duration = .seconds(5), patience: Duration = .milliseconds(25),
        launch: Launch?
    ) {
        (self.launch, self.lifetime, self.grace, self.patience) = (launch, lifetime, grace, patience)
    }

    deinit {
        for (_, worker) in state.withLock(\.idle) { worker.stop() }
    }

    func carry(_ transfer: Transfer, log: RequestLog?) async -> Transfer.Outcome {
        await transfer.outcome { change { $0.waiting.append(Delivery(transfer, log: log)) } }
    }

    private func change(_ body: (inout State) -> Void) {
        state.withLock { body(&$0) }
        while let (delivery, worker) = state.withLock({ $0.next(after: patience) }) {
            // A queue of its own has a thread at once, and may hold it.
            DispatchQueue(label: "gallery.transfer").async { self.carry(delivery, by: worker) }
        }
        let isFirst = state.withLock { state in
            defer { state.isAwaited = state.isAwaited || !state.waiting.isEmpty }
            return !state.isAwaited && !state.waiting.isEmpty
        }
        guard isFirst else { return }
        DispatchQueue.global().asyncAfter(deadline: .now() + patience / .seconds(1)) {
            self.change { $0.isAwaited = false }
        }
    }

    private func carry(_ delivery: Delivery, by idle: Worker?) {
        var (delivery, worker) = (delivery, idle)
        if idle == nil {
            worker = startWorker()
            change { state in
                state.starting -= 1
                state.lastReady = .now
            }
        }
        let origin = WebOrigin(delivery.transfer.request.url)
        delivery.isPlain = state.withLock { $0.plain.contains(origin) }
        let outcome = carry(&delivery, by: &worker)
        // Before the next transfer asks for one.
        change { state in
            state.lastReady = .now
            if delivery.isPlain { state.plain.insert(origin) }
            guard let worker else { return state.count -= 1 }
            state.idle.append((origin, worker))
        }
        delivery.transfer.end(outcome)
    }

    private func carry(_ delivery: inout Delivery, by idle: inout Worker?) -> Transfer.Outcome {
        var kills = 0
        while delivery.transfer.isWanted {
            var failure: RequestFailure? = .noWorker
            if var worker = idle.take() ?? startWorker() {
                do throws(WorkerFrame.Unreadable) {
                    failure = try worker.exchange(&delivery, grace: grace)
                    if worker.count < lifetime { idle = worker } else { worker.stop() }
                } catch {
                    failure = worker.stop() ? .unreadable : .interrupted
                }
            }
            if case .interrupted? = failure, delivery.startOver() {
                kills += 1
                if kills < Self.mostKills { continue }
                failure = .noWorker
            }
            if let outcome = delivery.finish(failure) { return outcome }
        }
        return .failure(.cancelled)
    }

    private func startWorker() -> Worker? {
        if let launch, let worker = Worker(by: launch, tick: grace / 5) {
            state.withLock { $0.hasStarted = true }
            return worker
        }
        // What has ended a worker must not be let into this process.
        return launch == nil || !state.withLock(\.hasStarted) ? Worker(by: nil, tick: grace / 5) : nil
    }
}

struct Worker: Sendable {
    private let socket: Descriptor
    /// `nil` for a thread of this process.
    private let process: pid_t?
    /// Requests so far.
    private(set) var count = 0

    private static let patience = Duration.seconds(10)

    /// A process started by `launch`, or a thread of this one; `nil` where it does not start. A read waits for `tick`.
    init?(by launch: NetworkWorkers.Launch?, tick: Duration) {
        guard let (socket, process) = Self.start(launch) else { return nil }
        (self.socket, self.process) = (socket, process)
        WorkerSocket.limitWaiting(at: socket.number, to: Self.patience)
        guard let hello = try? FrameReader(socket.number).next(), hello.kind == .hello else {
            stop()
            return nil
        }
        WorkerSocket.limitWaiting(at: socket.number, to: tick)
    }

    /// The other end of the socket is closed here, so that its closing there is noticed.
    private static func start(_ launch: NetworkWorkers.Launch?) -> (Descriptor, pid_t?)? {
        guard let (ours, theirs) = WorkerSocket.pair() else { return nil }
        guard let launch else {
            NetworkWorker.start(on: theirs)
            return (ours, nil)
        }
        return launch(theirs.number).map { (ours, $0) }
    }

    /// Sends the next request of a delivery, and passes on what comes of it until its end. Throws where the worker has
    /// gone, hangs, or says what no worker says.
    mutating func exchange(
        _ delivery: inout Delivery, grace: Duration
    ) throws(WorkerFrame.Unreadable) -> RequestFailure? {
        guard let request = delivery.nextRequest() else { return .session(code: -1000, text: "") }
        count += 1
        WorkerSocket.send(request, to: socket.number)
        delivery.transfer.allowCancelling(at: socket.number)
        defer { delivery.transfer.allowCancelling(at: nil) }
        // A request that nothing comes of ends after its idle timeout, and a cancelled one in a moment.
        let patience = Duration.seconds(delivery.transfer.idleTimeout) + grace
        let reader = FrameReader(socket.number)
        var lastSound = ContinuousClock.now
        while true {
            let frame = try reader.next()
            let (isWanted, silence) = (delivery.isWanted, lastSound.duration(to: .now))
            switch frame?.kind {
            case nil: guard isWanted, silence <= patience else { throw WorkerFrame.Unreadable() }
            case .end?: return try frame?.failure
            case .head?, .body?:
                guard isWanted else {
                    if silence > grace { throw WorkerFrame.Unreadable() }
                    continue
                }
                try frame?.pass(to: &delivery)
                // Not before, since a sink may take its time.
                lastSound = .now
            case .hello?, .request?, .plain?, .cancel?: throw WorkerFrame.Unreadable()
            }
        }
    }

    /// Ends the worker. Returns whether it had ended by a fault of its own, such as a trap in the HTTP library.
    @discardableResult
    func stop() -> Bool {
        _ = shutdown(socket.number, Int32(SHUT_RDWR))
        guard let process else { return false }
        // Does not change how it ended where it has ended already.
        _ = kill(process, SIGKILL)
        var status: Int32 = 0
        SystemCall.retrying { waitpid(process, &status, 0) }
        return [SIGILL, SIGTRAP, SIGABRT, SIGSEGV, SIGBUS, SIGFPE].contains(status & 0x7F)
    }
}

extension WorkerFrame {
    fileprivate var failure: RequestFailure? {
        get throws(Unreadable) {
            let texts = texts
            guard texts.count == 2, let code = Int(texts[0]) else { throw Unreadable() }
            return code == 0 ? nil : .session(code: code, text: texts[1])
        }
    }

    fileprivate func pass(to delivery: inout Delivery) throws(Unreadable) {
        guard kind == .head else { return delivery.receive(payload) }
        let texts = texts
        guard let status = Int(texts[0]), (100...999).contains(status),
            let fields = Self.fields(texts.dropFirst())
        else { throw Unreadable() }
        delivery.receive(status: status, headers: fields)
    }
}
