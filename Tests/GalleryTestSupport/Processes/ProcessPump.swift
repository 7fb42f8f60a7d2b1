import Foundation

/// Feeds a child process and reads its output, on its own threads, until it exits.
struct ProcessPump {
    let process: pid_t
    let state: Watched<RunningProduct.State>
    let ended: Latch
    let deadline: ContinuousClock.Instant
    private(set) var input: (descriptor: Descriptor, rest: Data)?
    private(set) var output: Descriptor?
    private(set) var errors: Descriptor?

    init(
        process: pid_t, state: Watched<RunningProduct.State>, timeLimit: Duration,
        input: (descriptor: Descriptor, rest: Data)?, output: Descriptor, errors: Descriptor?
    ) throws {
        self.process = process
        self.state = state
        self.input = input
        self.output = output
        self.errors = errors
        ended = try Latch()
        deadline = .now + timeLimit
        for stream in [input?.descriptor, output, errors] { stream?.makeNonblocking() }
    }

    func start() {
        let pump = self
        Thread.detachNewThread { pump.awaitExit() }
        Thread.detachNewThread {
            var pump = pump
            pump.run()
        }
    }

    /// Reaps the child, at a moment when no one can be sending it a signal.
    private func awaitExit() {
        var information = siginfo_t()
        while waitid(P_PID, id_t(process), &information, WEXITED | WNOWAIT) != 0, errno == EINTR {}
        state.update { state in
            var status: Int32 = 0
            var usage = rusage()
            wait4(process, &status, 0, &usage)
            state.exit = ProductOutcome.Exit(waitStatus: status)
            state.peakMemory = Int64(usage.ru_maxrss) * ProductOutcome.memoryUnit
        }
        ended.open()
    }

    private mutating func run() {
        blockBrokenPipeSignal()
        var hasEnded = false
        while true {
            let events = ready(
                [
                    (ended.raw, POLLIN), (output?.raw ?? -1, POLLIN), (errors?.raw ?? -1, POLLIN),
                    (input?.descriptor.raw ?? -1, POLLOUT),
                ], timeout: hasEnded ? .zero : limit)
            if events[1] != 0 { receive(from: \.output, into: { $0.output += $1 }) }
            if events[2] != 0 { receive(from: \.errors, into: { $0.errors += $1 }) }
            if events[3] != 0 { feed() }
            // Read while there is output, but do not wait for the end of file: a
            // grandchild may hold the pipe open indefinitely.
            if hasEnded, events[1] == 0, events[2] == 0 { break }
            hasEnded = hasEnded || events[0] != 0
            if !hasEnded, events.allSatisfy({ $0 == 0 }) { expire() }
        }
        state.update { $0.isOver = true }
    }

    /// `nil` (no limit) once the limit has passed: a killed child exits by itself.
    private var limit: Duration? {
        state.value.isTimedOut ? nil : max(.zero, ContinuousClock.now.duration(to: deadline))
    }

    private func expire() {
        state.update { state in
            state.isTimedOut = true
            if state.exit == nil { kill(process, SIGKILL) }
        }
    }

    private mutating func receive(
        from stream: WritableKeyPath<ProcessPump, Descriptor?>,
        into add: (inout RunningProduct.State, ArraySlice<UInt8>) -> Void
    ) {
        var buffer = [UInt8](repeating: 0, count: 65536)
        let count = read(self[keyPath: stream]?.raw ?? -1, &buffer, buffer.count)
        if count > 0 { state.update { add(&$0, buffer[..<count]) } }
        // A terminal that the child has closed returns EIO instead of an end of file.
        if count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR) { self[keyPath: stream] = nil }
    }

    private mutating func feed() {
        guard let (descriptor, rest) = input else { return }
        let count = rest.withUnsafeBytes { write(descriptor.raw, $0.baseAddress, $0.count) }
        if count < 0, errno == EAGAIN || errno == EINTR { return }
        input = (descriptor, rest.dropFirst(max(0, count)))
        // A child that stops reading its input is not an error.
        // Closed, not only released: the other thread has a copy of this value.
        if count < 0 || count == rest.count {
            descriptor.close()
            input = nil
        }
    }

    /// A write to a closed pipe would otherwise kill the whole test run.
    private func blockBrokenPipeSignal() {
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
    }
}
