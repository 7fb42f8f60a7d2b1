import Foundation
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// HTTP in a process of its own, as browsers have it: no reply can end this one.
///
/// A worker is the program started again. It gets requests and sends heads, bytes, and ends over a socket
/// pair; redirects, secrets, and errors are decided here, as in ``URLSessionTransport``.
package final class WorkerTransport: HTTPTransport {
    private let queue: TransferQueue

    /// Creates a transport with at most `connections` requests on the wire, from 1; later ones wait in order.
    package init(workers: NetworkWorkers, connections: Int = 6, log: RequestLog? = nil) {
        queue = TransferQueue(workers, connections: connections, log: log)
    }

    /// Sends over a worker; see ``HTTPTransport/send(_:idleTimeout:to:)``.
    package func send(
        _ request: HTTPRequest, idleTimeout: Int, to sink: some BodySink
    ) async throws(TransportError) -> HTTPHead {
        try await queue.send(request, idleTimeout: idleTimeout, to: sink)
    }
}

/// The workers of a process, which all its transports share. The first one is started at the first request.
package final class NetworkWorkers: Sendable {
    /// Starts the program as a worker, with `socket` as its standard input, and returns its process; `nil`
    /// where it cannot be started. The worker calls ``NetworkWorker/run(on:)``.
    package typealias Launch = @Sendable (_ socket: Int32) -> pid_t?

    private struct Request {
        let request: CarriedRequest
        let receiver: any ReplyReceiver
    }

    private struct State {
        var supervisor: WorkerSupervisor
        var requests: [UInt32: Request] = [:]
        var numbers: [ObjectIdentifier: UInt32] = [:]
        var links: [Int: WorkerLink] = [:]
        var last: UInt32 = 0

        mutating func remove(_ id: UInt32) -> Request? {
            guard let request = requests.removeValue(forKey: id) else { return nil }
            numbers[ObjectIdentifier(request.receiver)] = nil
            return request
        }
    }

    private let launch: Launch
    /// How long after its requests must have timed out a worker that says nothing is taken to hang.
    private let grace: Duration
    private let state: Mutex<State>
    /// For requests that no worker can carry.
    private let direct = URLSessionCarrier(connections: NetworkWorker.connections)
    private let control = DispatchQueue(label: "gallery.workers.control")

    /// Creates an instance that starts workers by `launch`.
    ///
    /// - Parameters:
    ///   - lifetime: Requests after which a worker is replaced.
    ///   - width: The most workers that share requests, from 1. Measured on two cores: with a second one, files of
    ///     2 MB take three quarters of the time, and for two small files it costs nothing.
    ///   - grace: How long after its requests must have timed out a worker that says nothing is replaced.
    package init(
        lifetime: Int = 4000, width: Int = min(2, ProcessInfo.processInfo.activeProcessorCount),
        grace: Duration = .seconds(5), launch: @escaping Launch
    ) {
        self.launch = launch
        self.grace = grace
        state = Mutex(State(supervisor: WorkerSupervisor(lifetime: lifetime, width: width)))
    }

    deinit {
        for link in state.withLock({ $0.links.values.map(\.self) }) { link.close() }
    }
}

// MARK: - Requests

extension NetworkWorkers: HTTPCarrier {
    var mayBlock: Bool { false }

    func start(_ request: CarriedRequest, for receiver: any ReplyReceiver) {
        apply { state in
            state.last &+= 1
            let id = state.last
            state.requests[id] = Request(request: request, receiver: receiver)
            state.numbers[ObjectIdentifier(receiver)] = id
            return state.supervisor.begin(id, to: request.address)
        }
    }

    func cancel(_ receiver: any ReplyReceiver) {
        let (isOver, link) = state.withLock { state -> (Bool, WorkerLink?) in
            guard let id = state.numbers[ObjectIdentifier(receiver)] else { return (false, nil) }
            guard !state.supervisor.cancelled(id) else {
                _ = state.remove(id)
                return (true, nil)
            }
            let link = state.supervisor.worker(of: id).flatMap { state.links[$0] }
            link?.enqueue(.cancel(id))
            return (false, link)
        }
        if isOver { return receiver.finish(.session(code: -999, text: "")) }
        link?.flush()
        direct.cancel(receiver)
    }

    /// Carries out the effects of `change`: what takes no time within the lock, in order; the rest after it.
    private func apply(_ change: (inout State) -> [WorkerSupervisor.Effect]) {
        let calls = state.withLock { state in
            change(&state).compactMap { effect in perform(effect, &state) }
        }
        for call in calls { call() }
    }

    private func perform(_ effect: WorkerSupervisor.Effect, _ state: inout State) -> (@Sendable () -> Void)? {
        switch effect {
        case .launch(let worker):
            let link = WorkerLink(
                launch: launch,
                receive: { [weak self] (frame) throws(WorkerFrame.Malformed) in
                    try self?.receive(frame, from: worker)
                },
                tick: grace / 5, isHung: { [weak self] silence in self?.isHung(worker, silence) ?? true },
                end: { [weak self] death in self?.ended(worker, death) })
            state.links[worker] = link
            link.start()
        case .send(let id, let worker):
            guard let request = state.requests[id]?.request, let link = state.links[worker] else { break }
            // With an address of a megabyte there is no frame: the worker ends what it does not know.
            if !link.enqueue(.request(id, request)) { link.enqueue(.cancel(id)) }
            link.restartClock()
            return { link.flush() }
        case .close(let worker):
            state.links.removeValue(forKey: worker)?.close()
        case .fail(let id, let failure):
            guard let receiver = state.remove(id)?.receiver else { break }
            return { receiver.finish(failure) }
        case .sendDirectly(let id):
            guard let sent = state.remove(id) else { break }
            return { [direct, control] in
                control.async { direct.start(sent.request, for: sent.receiver) }
            }
        }
        return nil
    }
}

// MARK: - What workers say

extension NetworkWorkers {
    private func ended(_ worker: Int, _ death: WorkerSupervisor.Death) {
        apply { state in
            state.links[worker] = nil
            return state.supervisor.died(worker, death)
        }
    }

    /// Whether a worker that has said nothing for so long should have: a request that nothing comes of ends after
    /// its idle timeout. A worker may be stopped, as by a debugger.
    ///
    /// - Parameter silence: Asked for while no request can be added, which would end it.
    private func isHung(_ worker: Int, _ silence: () -> Duration) -> Bool {
        state.withLock { state in
            let timeouts = state.supervisor.requests(on: worker).compactMap {
                state.requests[$0]?.request.idleTimeout
            }
            return timeouts.max().map { silence() > .seconds($0) + grace } ?? false
        }
    }

    /// - Throws: Where it cannot be what a worker says.
    private func receive(_ frame: RawFrame, from worker: Int) throws(WorkerFrame.Malformed) {
        guard frame.kind != .body else { return receiveBody(frame, from: worker) }
        switch try WorkerFrame(frame) {
        case .hello: state.withLock { $0.supervisor.started() }
        case .head(let id, let status, let headers, let isFinal):
            guard let receiver = receiver(id, worker, begins: isFinal) else { return }
            if !receiver.receive(status: status, headers: headers, isFinal: isFinal) { cancel(receiver) }
        case .headOnly(let id): receiver(id, worker, begins: true)?.endAtHead()
        case .end(let id, let code, let text): end(id, worker, code: code, text: text)
        case .request, .cancel, .body: throw WorkerFrame.Malformed()
        }
    }

    private func receiveBody(_ frame: RawFrame, from worker: Int) {
        guard let receiver = receiver(frame.id, worker, begins: true) else { return }
        if !receiver.receive(frame.payload) { cancel(receiver) }
    }

    private func receiver(_ id: UInt32, _ worker: Int, begins: Bool) -> (any ReplyReceiver)? {
        state.withLock { state in
            guard state.supervisor.isRunning(id, on: worker) else { return nil }
            if begins { state.supervisor.replyBegan(id) }
            return state.requests[id]?.receiver
        }
    }

    private func end(_ id: UInt32, _ worker: Int, code: Int, text: String) {
        let receiver = state.withLock { state -> (any ReplyReceiver)? in
            guard state.supervisor.isRunning(id, on: worker) else { return nil }
            state.supervisor.answered(id)
            return state.remove(id)?.receiver
        }
        guard let receiver else { return }
        // Before its place is taken by the next: a suspect is alone until all of its reply is dealt with.
        receiver.finish(code == 0 ? nil : .session(code: code, text: text))
        apply { $0.supervisor.ended(id) }
    }
}

// MARK: - One worker

/// The line to one worker: two threads' work, so that neither waits for the other.
///
/// A thread starts the worker, reads what it says, and reaps it: a worker may be tied to the life of the thread
/// that started it. What the socket does not take at once is written by a queue.
private final class WorkerLink: Sendable {
    private struct State {
        var socket: Int32?
        var isClosed = false
        /// Writes that are in the queue, or under way there.
        var queued = 0
    }

    /// Frames to be sent. Apart from the state, so that nobody waits for the system to take others.
    private struct Outbox {
        var bytes: [UInt8] = []
        var isBeingSent = false
    }

    /// In milliseconds, until a worker must be ready.
    private static let patience: Int32 = 10_000
    private static let bufferSize = 1 << 20

    private let launch: NetworkWorkers.Launch
    private let receive: @Sendable (RawFrame) throws(WorkerFrame.Malformed) -> Void
    /// How often to look whether the worker hangs, and whether it does after so long a silence.
    private let tick: Duration
    private let isHung: @Sendable (_ silence: () -> Duration) -> Bool
    private let end: @Sendable (WorkerSupervisor.Death) -> Void
    private let state = Mutex(State())
    private let outbox = Mutex(Outbox())
    /// When the worker last said something, or was asked something.
    private let lastSound = Mutex(ContinuousClock.now)
    /// Begins once there is a socket.
    private let writer = DispatchQueue(label: "gallery.worker.writer", attributes: .initiallyInactive)

    init(
        launch: @escaping NetworkWorkers.Launch,
        receive: @escaping @Sendable (RawFrame) throws(WorkerFrame.Malformed) -> Void,
        tick: Duration, isHung: @escaping @Sendable (_ silence: () -> Duration) -> Bool,
        end: @escaping @Sendable (WorkerSupervisor.Death) -> Void
    ) {
        self.launch = launch
        self.receive = receive
        self.tick = tick
        self.isHung = isHung
        self.end = end
    }

    func start() {
        Thread.detachNewThread { self.run() }
    }

    /// Puts a frame behind all others, for the next ``flush()``. Returns `false` for one that is too long.
    @discardableResult
    func enqueue(_ frame: WorkerFrame) -> Bool {
        guard let bytes = frame.bytes else { return false }
        outbox.withLock { $0.bytes += bytes }
        return true
    }

    /// Sends what has been put there, or leaves that to who is sending already. Never waits for the worker.
    func flush() {
        let isOurs = outbox.withLock { outbox in
            defer { outbox.isBeingSent = true }
            return !outbox.isBeingSent
        }
        guard isOurs else { return }
        while true {
            let bytes = outbox.withLock { outbox in
                defer { outbox.bytes = [] }
                outbox.isBeingSent = !outbox.bytes.isEmpty
                return outbox.bytes
            }
            guard !bytes.isEmpty else { return }
            send(bytes)
        }
    }

    private func send(_ bytes: [UInt8]) {
        let rest = state.withLock { state -> ArraySlice<UInt8> in
            var rest = bytes[...]
            if state.queued == 0, !state.isClosed, let socket = state.socket {
                rest = rest.dropFirst(rest.withUnsafeBytes { WorkerSocket.sendWhatFits($0, to: socket) })
            }
            if !rest.isEmpty { state.queued += 1 }
            return rest
        }
        guard !rest.isEmpty else { return }
        writer.async {
            if let socket = self.state.withLock({ $0.isClosed ? nil : $0.socket }) {
                // Where it fails the worker has gone, which the reader sees as well.
                _ = rest.withUnsafeBytes { WorkerSocket.send($0, to: socket) }
            }
            self.state.withLock { $0.queued -= 1 }
        }
    }

    /// Silence counts from now on.
    func restartClock() {
        lastSound.withLock { $0 = .now }
    }

    /// Ends the worker, whatever it is doing.
    func close() {
        state.withLock { state in
            state.isClosed = true
            if let socket = state.socket { _ = shutdown(socket, Int32(SHUT_RDWR)) }
        }
    }

    private func run() {
        guard let (socket, process) = open() else {
            writer.activate()
            return end(.neverStarted)
        }
        let isOpen = state.withLock { state in
            state.socket = socket
            return !state.isClosed
        }
        writer.activate()
        let isReady = isOpen && read(from: socket)
        state.withLock { $0.isClosed = true }
        _ = shutdown(socket, Int32(SHUT_RDWR))
        // Last in the queue: until then a write may be under way.
        writer.async { _ = systemClose(socket) }
        let death = reap(process)
        end(isReady ? death : .neverStarted)
    }

    private func open() -> (socket: Int32, process: pid_t)? {
        guard let (ours, theirs) = WorkerSocket.pair() else { return nil }
        defer { _ = systemClose(theirs) }
        guard let process = launch(theirs) else {
            _ = systemClose(ours)
            return nil
        }
        return (ours, process)
    }

    /// Reads until the worker has gone, hangs, or says what no worker says. Returns whether it was ever ready.
    private func read(from socket: Int32) -> Bool {
        WorkerSocket.limitWaiting(at: socket, to: tick)
        var answer = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
        SystemCall.retrying { poll(&answer, 1, Self.patience) }
        guard answer.revents != 0 else { return false }
        let buffer = UnsafeMutableRawBufferPointer.allocate(
            byteCount: WorkerFrame.longestPayload + Self.bufferSize, alignment: 16)
        defer { buffer.deallocate() }
        var filled = 0
        var isReady = false
        while true {
            let count = SystemCall.retrying {
                systemRead(socket, buffer.baseAddress.map { $0 + filled }, buffer.count - filled)
            }
            if count < 0, errno == EAGAIN {
                if isHung({ lastSound.withLock { $0.duration(to: .now) } }) { return isReady }
                continue
            }
            guard count > 0 else { return isReady }
            restartClock()
            filled += count
            var rest = UnsafeRawBufferPointer(rebasing: buffer[..<filled])
            do {
                while let frame = try RawFrame(in: rest) {
                    guard isReady || frame.kind == .hello else { return false }
                    isReady = true
                    try receive(frame)
                    rest = UnsafeRawBufferPointer(rebasing: rest[frame.length...])
                }
            } catch {
                return isReady
            }
            filled = rest.count
            buffer.copyMemory(from: rest)
        }
    }

    /// Waits for the end of the process, which is near: it has closed its socket, or is not needed any more.
    private func reap(_ process: pid_t) -> WorkerSupervisor.Death {
        // Does not change how it ended where it has ended already.
        _ = kill(process, SIGKILL)
        var status: Int32 = 0
        SystemCall.retrying { waitpid(process, &status, 0) }
        let signal = status & 0x7F
        return [SIGILL, SIGTRAP, SIGABRT, SIGSEGV, SIGBUS, SIGFPE].contains(signal) ? .crashed : .killed
    }
}

/// The socket between the program and a worker.
enum WorkerSocket {
    /// In bytes; the system may grant less.
    private static let bufferSize: Int32 = 1 << 20

    /// Two connected sockets, which no program started meanwhile inherits.
    static func pair() -> (ours: Int32, theirs: Int32)? {
        var ends: [Int32] = [-1, -1]
        #if canImport(Glibc)
            let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        #else
            let type = SOCK_STREAM
        #endif
        guard socketpair(AF_UNIX, type, 0, &ends) == 0 else { return nil }
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            var size = bufferSize
            setsockopt(end, SOL_SOCKET, SO_SNDBUF, &size, socklen_t(MemoryLayout<Int32>.size))
        }
        return (ends[0], ends[1])
    }

    /// Makes a read fail with `EAGAIN` where nothing comes for `duration`.
    static func limitWaiting(at socket: Int32, to duration: Duration) {
        let (seconds, attoseconds) = duration.components
        var limit = timeval()
        limit.tv_sec = .init(seconds)
        limit.tv_usec = .init(attoseconds / 1_000_000_000_000)
        setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    }

    #if canImport(Glibc)
        private static let flags = Int32(MSG_NOSIGNAL)
        private static let noWait = Int32(MSG_DONTWAIT)
    #else
        private static let flags: Int32 = 0
        private static let noWait = MSG_DONTWAIT
    #endif

    /// Writes as many of `bytes` as there is room for, and returns how many; 0 where the other end has gone.
    static func sendWhatFits(_ bytes: UnsafeRawBufferPointer, to socket: Int32) -> Int {
        max(0, SystemCall.retrying { systemSend(socket, bytes.baseAddress, bytes.count, flags | noWait) })
    }

    /// Writes all of `bytes`; `false` where the other end has gone.
    static func send(_ bytes: UnsafeRawBufferPointer, to socket: Int32) -> Bool {
        var rest = bytes
        while !rest.isEmpty {
            let count = SystemCall.retrying { systemSend(socket, rest.baseAddress, rest.count, flags) }
            guard count > 0 else { return false }
            rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
        }
        return true
    }
}

// Past the methods that have these names.
private func systemClose(_ file: Int32) -> Int32 { close(file) }

private func systemRead(_ file: Int32, _ bytes: UnsafeMutableRawPointer?, _ count: Int) -> Int {
    read(file, bytes, count)
}

private func systemSend(_ socket: Int32, _ bytes: UnsafeRawPointer?, _ count: Int, _ flags: Int32) -> Int {
    send(socket, bytes, count, flags)
}
