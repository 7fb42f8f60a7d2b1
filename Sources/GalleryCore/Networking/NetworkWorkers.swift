import Foundation
import Synchronization

/// The workers of a process, which all its transports share: each sends one request at a time.
///
/// Nothing that a reply does to its worker concerns another request, and neither does a sink that takes its time:
/// what it does not take waits in the socket of its own worker, and then at the host. Workers are started when
/// all others are busy, and used again.
package final class NetworkWorkers: Sendable {
    /// Starts the program as a worker, with `socket` as its standard input, and returns its process; `nil`
    /// where it cannot be started. The worker calls ``NetworkWorker/run(on:)``.
    package typealias Launch = @Sendable (_ socket: Int32) -> pid_t?

    private struct State {
        /// Transfers without a line, in order.
        var waiting: [Delivery] = []
        var idle: [WorkerLine] = []
        /// New lines whose worker is not ready yet.
        var starting = 0
        /// Whether any worker has been a process.
        var hasStarted = false

        /// The next transfer, and an idle line for it, best one with a connection to its origin; `nil` for a new
        /// one.
        mutating func next() -> (Delivery, WorkerLine?)? {
            guard let origin = waiting.first.map({ WorkerLine.origin(of: $0) }) else { return nil }
            if let index = idle.lastIndex(where: { $0.origin == origin }) ?? idle.indices.last {
                return (waiting.removeFirst(), idle.remove(at: index))
            }
            guard starting < NetworkWorkers.mostStarting else { return nil }
            starting += 1
            return (waiting.removeFirst(), nil)
        }
    }

    /// By the time so many are ready, others may be idle again: a host that answers at once needs few workers,
    /// whatever the number of requests. Each takes 20 to 40 ms of a processor to start.
    private static let mostStarting = 2 * ProcessInfo.processInfo.activeProcessorCount

    private let launch: Launch?
    private let lifetime: Int
    private let grace: Duration
    private let state = Mutex(State())

    /// Creates an instance that starts workers by `launch`; where that is `nil`, they are threads of this process.
    ///
    /// - Parameters:
    ///   - lifetime: Requests after which a worker is replaced, which ends whatever URLSession leaks.
    ///   - grace: How long after its request must have timed out a worker that says nothing is replaced.
    package init(lifetime: Int = 4000, grace: Duration = .seconds(5), launch: Launch?) {
        self.launch = launch
        self.lifetime = lifetime
        self.grace = grace
    }

    deinit {
        for line in state.withLock({ $0.idle }) { line.close() }
    }

    /// What comes of `transfer`.
    func carry(_ transfer: Transfer, log: RequestLog?) async -> Transfer.Outcome {
        await transfer.outcome {
            state.withLock { $0.waiting.append(Delivery(transfer, log: log)) }
            handOut()
        }
    }

    /// Gives transfers to lines, as far as there are any.
    private func handOut() {
        while let (delivery, line) = state.withLock({ $0.next() }) {
            (line ?? makeLine()).carry(delivery)
        }
    }

    private func makeLine() -> WorkerLine {
        WorkerLine(
            lifetime: lifetime, grace: grace,
            start: { [weak self] in self?.startWorker() },
            ready: { [weak self] in self?.change { $0.starting -= 1 } },
            release: { [weak self] line in self?.change { $0.idle.append(line) } ?? line.close() })
    }

    private func change(_ body: (inout State) -> Void) {
        state.withLock { body(&$0) }
        handOut()
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

/// The program's side of a worker: a thread that starts it, talks with it, and reaps it, since a worker may be
/// tied to the life of the thread that started it.
final class WorkerLine: Sendable {
    private struct State {
        var delivery: Delivery?
        var origin: WebOrigin?
    }

    /// After so many deaths of its workers, none of which was its reply's doing, a request is given up.
    private static let mostKills = 3

    private let lifetime: Int
    private let grace: Duration
    private let start: @Sendable () -> Worker?
    private let ready: @Sendable () -> Void
    private let release: @Sendable (WorkerLine) -> Void
    private let state = Mutex(State())
    /// On purpose: what waits for it is the line's own thread, never one of the cooperative pool.
    private let wake = DispatchSemaphore(value: 0)

    /// - Parameters:
    ///   - ready: Called once the first worker has been started, or cannot be.
    ///   - release: Called when the line is idle again.
    init(
        lifetime: Int, grace: Duration, start: @escaping @Sendable () -> Worker?,
        ready: @escaping @Sendable () -> Void, release: @escaping @Sendable (WorkerLine) -> Void
    ) {
        self.lifetime = max(1, lifetime)
        self.grace = grace
        self.start = start
        self.ready = ready
        self.release = release
        Thread.detachNewThread { self.run() }
    }

    /// The origin of the last transfer.
    var origin: WebOrigin? { state.withLock { $0.origin } }

    static func origin(of delivery: Delivery) -> WebOrigin { WebOrigin(delivery.transfer.request.url) }

    /// Begins a transfer. The line must be idle.
    func carry(_ delivery: Delivery) {
        state.withLock { state in
            state.delivery = delivery
            state.origin = Self.origin(of: delivery)
        }
        wake.signal()
    }

    /// Ends the line, which must be idle, and its worker.
    func close() { wake.signal() }

    private func run() {
        var worker = start()
        ready()
        while true {
            wake.wait()
            guard var delivery = state.withLock({ $0.delivery.take() }) else { break }
            let outcome = carry(&delivery, by: &worker)
            // Before the next transfer asks for one.
            release(self)
            delivery.transfer.end(outcome)
        }
        worker?.stop()
    }

    /// Sends the requests of a transfer, redirects included.
    private func carry(_ delivery: inout Delivery, by worker: inout Worker?) -> Transfer.Outcome {
        var kills = 0
        while delivery.transfer.isWanted {
            worker = worker ?? start()
            var failure = worker.map { exchange(&delivery, by: $0) } ?? .noWorker
            if let old = worker, old.isStopped || old.count >= lifetime {
                old.stop()
                worker = nil
            }
            if case .interrupted? = failure, delivery.state.startOver() {
                kills += 1
                if kills < Self.mostKills { continue }
                failure = .noWorker
            }
            switch delivery.finish(failure) {
            case .sendAgain: continue
            case .end(let outcome): return outcome
            }
        }
        return .failure(.cancelled)
    }

    /// Sends one request, and passes on what comes of it until its end.
    private func exchange(_ delivery: inout Delivery, by worker: Worker) -> RequestFailure? {
        guard let request = delivery.nextRequest() else { return .session(code: -1000, text: "") }
        worker.send(request)
        delivery.transfer.allowCancelling(at: worker.socket.number)
        defer { delivery.transfer.allowCancelling(at: nil) }
        do throws(WorkerFrame.Unreadable) {
            return try passOn(&delivery, from: worker)
        } catch {
            return worker.stop() ? .unreadable : .interrupted
        }
    }

    /// - Throws: Where the worker has gone, hangs, or says what no worker says.
    private func passOn(
        _ delivery: inout Delivery, from worker: Worker
    ) throws(WorkerFrame.Unreadable) -> RequestFailure? {
        // A request that nothing comes of ends after its idle timeout, and a cancelled one in a moment.
        let patience = Duration.seconds(delivery.transfer.idleTimeout) + grace
        var lastSound = ContinuousClock.now
        while true {
            let frame = try worker.next()
            let isWanted = delivery.isWanted
            guard let frame else {
                if !isWanted || lastSound.duration(to: .now) > patience { throw WorkerFrame.Unreadable() }
                continue
            }
            if frame.kind == .end { return try RequestFailure(frame) }
            if isWanted {
                try delivery.receive(frame)
                // Not before, since a sink may take its time.
                lastSound = .now
            } else if lastSound.duration(to: .now) > grace {
                throw WorkerFrame.Unreadable()
            }
        }
    }
}

/// What has come of a transfer so far, passed on to its sink.
struct Delivery: Sendable {
    let transfer: Transfer
    private let log: RequestLog?
    fileprivate var state: TransferState
    /// Why there is no more to pass on: the sink's own error, or that nobody waits any more.
    private var refusal: TransportError?
    private var isLogged = false

    init(_ transfer: Transfer, log: RequestLog?) {
        self.transfer = transfer
        self.log = log
        state = TransferState(request: transfer.request, idleTimeout: transfer.idleTimeout)
    }

    fileprivate var isWanted: Bool { refusal == nil && transfer.isWanted }

    /// The frame of the request to send now; `nil` where it is too long.
    fileprivate mutating func nextRequest() -> [UInt8]? {
        isLogged = false
        let request = state.request
        log?("GET \(Redaction.address(of: request))")
        return WorkerFrame.bytes(
            .request,
            ["\(transfer.idleTimeout)", request.addressWithSecrets.absoluteString]
                + request.fieldsWithSecrets.flatMap { [$0, $1] })
    }

    fileprivate mutating func receive(_ frame: WorkerFrame) throws(WorkerFrame.Unreadable) {
        switch frame.kind {
        case .head:
            let texts = frame.texts
            guard let status = Int(texts[0]), (100...999).contains(status),
                let fields = WorkerFrame.fields(texts.dropFirst())
            else { throw WorkerFrame.Unreadable() }
            logHead(status)
            begin(state.receive(status: status, headers: fields))
        case .body:
            begin(state.release())
            if state.receive(count: frame.payload.count) { pass { try $0.receive(frame.payload) } }
        case .hello, .request, .cancel, .end: throw WorkerFrame.Unreadable()
        }
    }

    /// The request ended.
    fileprivate mutating func finish(_ failure: RequestFailure?) -> TransferState.Next {
        begin(state.release(before: failure))
        if let refusal { return .end(.failure(refusal)) }
        return state.finish(error: failure)
    }

    private mutating func begin(_ head: HTTPHead?) {
        if let head { pass { try $0.begin(head) } }
    }

    private mutating func pass(_ body: (any BodySink) throws -> Void) {
        guard refusal == nil else { return }
        do {
            try transfer.pass(body)
        } catch {
            refusal = error
            transfer.cancelRequest()
        }
    }

    /// Once: a redirect's head may come twice, and hints come before a head.
    private mutating func logHead(_ status: Int) {
        guard !isLogged, status >= 200 else { return }
        isLogged = true
        log?("\(status) \(Redaction.address(of: state.request))")
    }
}

extension RequestFailure {
    /// The failure that the end of a request tells of; `nil` where it tells of none.
    fileprivate init?(_ frame: WorkerFrame) throws(WorkerFrame.Unreadable) {
        let texts = frame.texts
        guard texts.count == 2, let code = Int(texts[0]) else { throw WorkerFrame.Unreadable() }
        guard code != 0 else { return nil }
        self = .session(code: code, text: texts[1])
    }
}

/// A worker that is ready, for the thread that started it.
final class Worker {
    let socket: Descriptor
    /// `nil` for a thread of this process.
    private let process: pid_t?
    private let reader: FrameReader
    /// Requests so far.
    private(set) var count = 0
    private(set) var isStopped = false

    /// In milliseconds, until it must be ready.
    private static let patience: Int32 = 10_000

    /// A process started by `launch`, or a thread of this one; `nil` where it does not start.
    ///
    /// - Parameter tick: How long to wait for a frame before ``next()`` returns without any.
    init?(by launch: NetworkWorkers.Launch?, tick: Duration) {
        guard let (socket, process) = Self.start(launch) else { return nil }
        self.socket = socket
        self.process = process
        reader = FrameReader(socket.number)
        WorkerSocket.limitWaiting(at: socket.number, to: tick)
        var answer = pollfd(fd: socket.number, events: Int16(POLLIN), revents: 0)
        SystemCall.retrying { poll(&answer, 1, Self.patience) }
        guard answer.revents != 0, let frame = try? reader.next(), frame.kind == .hello else {
            stop()
            return nil
        }
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

    func send(_ request: [UInt8]) {
        count += 1
        request.withUnsafeBytes { WorkerSocket.send($0, to: socket.number) }
    }

    /// The next frame; `nil` where none came for a tick.
    func next() throws(WorkerFrame.Unreadable) -> WorkerFrame? { try reader.next() }

    /// Ends the worker, whatever it is doing. Returns whether it had ended by a fault of its own, such as a trap in
    /// the HTTP library.
    @discardableResult
    func stop() -> Bool {
        guard !isStopped else { return false }
        isStopped = true
        _ = shutdown(socket.number, Int32(SHUT_RDWR))
        guard let process else { return false }
        // Does not change how it ended where it has ended already.
        _ = kill(process, SIGKILL)
        var status: Int32 = 0
        SystemCall.retrying { waitpid(process, &status, 0) }
        return [SIGILL, SIGTRAP, SIGABRT, SIGSEGV, SIGBUS, SIGFPE].contains(status & 0x7F)
    }
}
