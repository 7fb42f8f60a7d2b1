import Foundation
import Synchronization

/// The running side of a ``ProcessRun``: from its start to its end.
///
/// Two threads: one waits for the exit, one reads. The end of the output alone would not do,
/// for a grandchild may hold the pipe open for as long as it likes.
final class ChildProcess: Sendable {
    private struct State {
        var process: pid_t?
        var status: Int32?
        var isCancelled = false
    }

    private let state = Mutex(State())
    private let wake: ProcessPipe?
    private let ended: ProcessPipe?

    init() {
        wake = ProcessPipe()
        ended = ProcessPipe()
    }

    var isCancelled: Bool { state.withLock { $0.isCancelled } }

    func cancel() {
        state.withLock { $0.isCancelled = true }
        wake?.signal()
    }

    func run(_ run: ProcessRun) -> ProcessRun.Outcome {
        guard let wake, let ended, let output = ProcessPipe() else { return Self.nothing(errno) }
        // Cancelled before it began: nothing is started.
        guard !isCancelled else { return Self.nothing(ECANCELED) }
        do {
            let process = try ProcessSpawn(run).start(output: run.isLeftRunning ? nil : output.write)
            state.withLock { $0.process = process }
        } catch {
            return Self.nothing(error.code)
        }
        output.closeWrite()
        Thread.detachNewThread { self.awaitExit() }
        return read(run, from: output, wake: wake, ended: ended)
    }

    private static func nothing(_ code: Int32) -> ProcessRun.Outcome {
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
        _ run: ProcessRun, from output: ProcessPipe, wake: ProcessPipe, ended: ProcessPipe
    ) -> ProcessRun.Outcome {
        let deadline = ContinuousClock.now + run.timeLimit
        var bytes: [UInt8] = []
        var stop: ProcessRun.Ending?
        var isOpen = true
        while true {
            let left = stop == nil ? max(.zero, ContinuousClock.now.duration(to: deadline)) : nil
            let (data, woken, exited) = ProcessPipe.wait(
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
    private static func ending(_ status: Int32) -> ProcessRun.Ending {
        let signal = status & 0x7F
        return signal == 0 ? .status(status >> 8 & 0xFF) : .signal(signal)
    }
}
