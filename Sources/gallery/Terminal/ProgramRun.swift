import Foundation
import Synchronization

/// A helper program's run: its words, how long it may take, how much it may say.
///
/// No shell is involved: `arguments` reach the program as they are. It runs in a session of its
/// own, without a terminal, so that it can neither ask ours anything nor be stopped by its keys.
///
///     guard let opener = ProgramRun.find("xdg-open", in: environment) else { … }
///     var run = ProgramRun(opener, [address], environment)
///     run.isLeftRunning = true
///     let outcome = try await run.outcome()
struct ProgramRun: Sendable {
    /// How it ended.
    enum Ending: Hashable, Sendable {
        case status(Int32)
        case signal(Int32)
        /// Killed, because of ``timeLimit``.
        case timedOut
        /// Killed, because of ``outputLimit``.
        case wroteTooMuch
        /// Alive after ``timeLimit``, as ``isLeftRunning`` asked for.
        case stillRunning
        /// Never begun; the system's error number.
        case notStarted(Int32)
    }

    /// What came of it.
    struct Outcome: Sendable {
        let ending: Ending
        /// Standard output up to the limit.
        let output: [UInt8]
        var succeeded: Bool { ending == .status(0) }
    }

    /// An absolute path.
    let program: String
    let arguments: [String]
    /// All its variables: nothing is inherited besides. Keys of services are never among them.
    let environment: [String: String]
    var timeLimit: Duration = .seconds(20)
    /// Bytes of standard output.
    var outputLimit = 64 << 20
    /// Bytes it may hold, where the system lets us say so (Linux); `nil` for any number.
    var memoryLimit: UInt64?
    /// Whether it may live on after ``timeLimit`` or a cancellation, as a browser does that is opened.
    /// Its output goes nowhere then.
    var isLeftRunning = false

    init(_ program: String, _ arguments: [String], _ environment: [String: String]) {
        self.program = program
        self.arguments = arguments
        self.environment = environment.filter { !$0.key.hasPrefix("GALLERY_") }
    }

    /// Runs it to its end, off the cooperative pool.
    ///
    /// - Throws: `CancellationError` once the program is killed.
    func outcome() async throws(CancellationError) -> Outcome {
        let child = ProgramChild()
        let outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                // A thread of its own: these block for seconds, many at a time.
                Thread.detachNewThread { waiter.resume(returning: child.run(self)) }
            }
        } onCancel: {
            child.cancel()
        }
        if child.isCancelled { throw CancellationError() }
        return outcome
    }

    /// The program `name` on `PATH`, as an absolute path.
    ///
    /// Relative folders in `PATH`, the empty one among them, are passed over: what lies in the
    /// folder one happens to look at must not be run.
    static func find(_ name: String, in environment: [String: String]) -> String? {
        (environment["PATH"] ?? "").split(separator: ":").lazy
            .filter { $0.hasPrefix("/") }
            .map { $0 + "/" + name }
            .first { path in
                var information = stat()
                return stat(path, &information) == 0 && information.st_mode & S_IFMT == S_IFREG
                    && access(path, X_OK) == 0
            }
    }
}

/// The running side of a ``ProgramRun``: from its start to its end.
///
/// Two threads: one waits for the exit, one reads. The end of the output alone would not do,
/// for a grandchild may hold the pipe open for as long as it likes.
final class ProgramChild: Sendable {
    private struct State {
        var process: pid_t?
        var status: Int32?
        var isCancelled = false
    }

    private let state = Mutex(State())
    private let wake: ProgramPipe?
    private let ended: ProgramPipe?

    init() {
        wake = ProgramPipe()
        ended = ProgramPipe()
    }

    var isCancelled: Bool { state.withLock { $0.isCancelled } }

    func cancel() {
        state.withLock { $0.isCancelled = true }
        wake?.signal()
    }

    func run(_ run: ProgramRun) -> ProgramRun.Outcome {
        guard let wake, let ended, let output = ProgramPipe() else { return Self.nothing(errno) }
        // Cancelled before it began: nothing is started.
        guard !isCancelled else { return Self.nothing(ECANCELED) }
        do {
            let process = try ProgramSpawn(run).start(output: run.isLeftRunning ? nil : output.write)
            state.withLock { $0.process = process }
        } catch {
            return Self.nothing(error.code)
        }
        output.closeWrite()
        Thread.detachNewThread { self.awaitExit() }
        return read(run, from: output, wake: wake, ended: ended)
    }

    private static func nothing(_ code: Int32) -> ProgramRun.Outcome {
        .init(ending: .notStarted(code), output: [])
    }

    /// Reaps at a moment when nobody can be sending a signal to the number, which may be another's next.
    private func awaitExit() {
        guard let process = state.withLock({ $0.process }) else { return }
        var information = siginfo_t()
        while waitid(P_PID, id_t(process), &information, WEXITED | WNOWAIT) != 0, errno == EINTR {}
        state.withLock { state in
            var status: Int32 = 0
            waitpid(process, &status, 0)
            state.status = status
        }
        ended?.signal()
    }

    private func read(
        _ run: ProgramRun, from output: ProgramPipe, wake: ProgramPipe, ended: ProgramPipe
    ) -> ProgramRun.Outcome {
        let deadline = ContinuousClock.now + run.timeLimit
        var bytes: [UInt8] = []
        var stop: ProgramRun.Ending?
        var isOpen = true
        while true {
            let left = stop == nil ? max(.zero, ContinuousClock.now.duration(to: deadline)) : nil
            let (data, woken, exited) = ProgramPipe.wait(
                isOpen ? output : nil, stop == nil ? wake : nil, ended, for: left)
            if data {
                isOpen = output.read(into: &bytes)
                if bytes.count > run.outputLimit, stop == nil { stop = .wroteTooMuch }
            }
            if stop == nil, woken { stop = .signal(SIGKILL) }
            if stop == nil, !data, !exited, left == .zero {
                stop = run.isLeftRunning ? .stillRunning : .timedOut
            }
            if let stop {
                if run.isLeftRunning { return .init(ending: stop, output: []) }
                kill()
                isOpen = false
            }
            // What it wrote before its end is in the pipe by now; what a grandchild writes is not waited for.
            if exited, !data || !isOpen { break }
        }
        bytes.removeLast(max(0, bytes.count - run.outputLimit))
        return .init(ending: stop ?? state.withLock { Self.ending($0.status ?? 0) }, output: bytes)
    }

    /// The whole session, so that helpers of the helper do not stay behind.
    private func kill() {
        state.withLock { state in
            guard let process = state.process, state.status == nil else { return }
            _ = Foundation.kill(-process, SIGKILL)
            _ = Foundation.kill(process, SIGKILL)
        }
    }

    /// From what `waitpid` reports; its macros are not in Glibc's module.
    private static func ending(_ status: Int32) -> ProgramRun.Ending {
        let signal = status & 0x7F
        return signal == 0 ? .status(status >> 8 & 0xFF) : .signal(signal)
    }
}
