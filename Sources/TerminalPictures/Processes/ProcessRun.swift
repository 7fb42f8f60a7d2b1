import Basics
import Foundation
import Synchronization

/// One run of a helper program, without a shell, with limits on its time, output and memory. It runs in its own session
/// without a terminal, so it can neither query ours nor be stopped by its keys.
package struct ProcessRun: Sendable {
    package enum Ending: Hashable, Sendable {
        case status(Int32)
        case signal(Int32)
        /// Killed, because of ``timeLimit``.
        case timedOut
        /// Killed, because of ``outputLimit``.
        case wroteTooMuch
        /// Alive after ``timeLimit``, as ``isLeftRunning`` asked for.
        case stillRunning
        /// It could not be started; the value is `errno`.
        case notStarted(Int32)
    }

    package struct Outcome: Sendable {
        package let ending: Ending
        /// Standard output, up to ``outputLimit``.
        package internal(set) var output: [UInt8] = []
        package var succeeded: Bool { ending == .status(0) }
    }

    /// An absolute path.
    let program: String
    let arguments: [String]
    /// Its whole environment; nothing else is inherited. Service keys are never passed on.
    package var environment: [String: String]
    /// What it reads as standard input; `nil` for nothing.
    package var input: Descriptor?
    /// What it finds open as 3 and the next numbers.
    var files: [Descriptor] = []
    package var timeLimit: Duration = .seconds(20)
    /// The most bytes of standard output to accept.
    package var outputLimit = 64 << 20
    /// The most memory it may use, in bytes (Linux only); `nil` for no limit.
    package var memoryLimit: UInt64?
    /// The longest file it may write, in bytes (Linux only); `nil` for no limit.
    package var fileLimit: UInt64?
    /// Whether it has the terminal and our streams, as an editor does; see ``foreground()``.
    private(set) var isInForeground = false
    /// Whether it keeps running after ``timeLimit`` or a cancellation, as a browser does; its output is discarded.
    package var isLeftRunning = false

    package init(_ program: String, _ arguments: [String], _ environment: [String: String]) {
        (self.program, self.arguments) = (program, arguments)
        self.environment = environment.filter { !$0.key.hasPrefix("GALLERY_") }
    }

    /// Runs the program to its end, off the cooperative pool; throws `CancellationError` after it is killed.
    package func outcome() async throws(CancellationError) -> Outcome {
        let child = ChildProcess()
        let outcome = await withTaskCancellationHandler {
            await onThread { child.run(self) }
        } onCancel: {
            child.cancel()
        }
        if child.isCancelled { throw CancellationError() }
        return outcome
    }

    /// Runs a program that may go on running after us; one that fails does so at once. `nil` if the task was canceled.
    package func launched() async -> Ending? {
        var run = self
        run.isLeftRunning = true
        run.timeLimit = .seconds(3)
        return try? await run.outcome().ending
    }

    /// Runs a program that the user works with: in our session, with our streams, for as long as it takes. What Ctrl-C
    /// means is its own business meanwhile.
    package func foreground() async -> Ending {
        var run = self
        run.isInForeground = true
        return await onThread { [run] in
            let former = [SIGINT, SIGQUIT].map { ($0, signal($0, SIG_IGN)) }
            defer { for (number, action) in former { signal(number, action) } }
            do throws(SystemCall.Failure) {
                let process = try run.start(output: nil)
                var status: Int32 = 0
                SystemCall.retrying { waitpid(process, &status, 0) }
                return ChildProcess.ending(status)
            } catch {
                return .notStarted(error.code)
            }
        }
    }

    /// The absolute path of the program `name` on `PATH`; `nil` if there is none. Relative and empty entries are
    /// skipped, so that nothing in the current folder is run by accident.
    package static func find(_ name: String, in environment: [String: String]) -> String? {
        paths(of: name, in: environment).first(where: isProgram)
    }

    static func paths(of name: String, in environment: [String: String]) -> [String] {
        (environment["PATH"] ?? "").split(separator: ":").filter { $0.hasPrefix("/") }.map { $0 + "/" + name }
    }

    package static func isProgram(_ path: String) -> Bool {
        var information = stat()
        return stat(path, &information) == 0 && information.isRegular && access(path, X_OK) == 0
    }
}

/// A started ``ProcessRun``, until it ends. One thread waits for the exit and one reads the output, whose end alone is
/// not enough: a grandchild may keep the pipe open indefinitely.
package final class ChildProcess: Sendable {
    private struct State {
        var process: pid_t?
        var status: Int32?
        var isCancelled = false
    }

    /// All that are to end with us, and whether we are ending.
    private static let running = Mutex((processes: Set<pid_t>(), isEnding: false))

    private let state = Mutex(State())
    /// Readable once the process has ended, or is not wanted any more.
    private let news = ProcessPipe()
    /// Signaled once the process is reaped. Only the thread of its own that ``run(_:)`` is called on waits for it, and
    /// only after a kill: that is no thread of the cooperative pool, and the wait ends by itself.
    private let exit = DispatchSemaphore(value: 0)

    var isCancelled: Bool { state.withLock { $0.isCancelled } }

    func cancel() {
        state.withLock { $0.isCancelled = true }
        news?.signal()
    }

    func run(_ run: ProcessRun) -> ProcessRun.Outcome {
        guard let news, let output = ProcessPipe() else { return .init(ending: .notStarted(errno)) }
        guard !isCancelled else { return .init(ending: .notStarted(ECANCELED)) }
        do {
            // Under the lock, so that none begins once all are killed.
            let process = try Self.running.withLock { running throws(SystemCall.Failure) in
                guard !running.isEnding else { throw SystemCall.Failure(code: ECANCELED) }
                let process = try run.start(
                    input: run.input?.number, output: run.isLeftRunning ? nil : output.write)
                if !run.isLeftRunning { running.processes.insert(process) }
                return process
            }
            state.withLock { $0.process = process }
        } catch {
            return .init(ending: .notStarted(error.code))
        }
        output.closeWrite()
        Thread.detachNewThread { self.awaitExit() }
        return read(run, from: output, news)
    }

    /// Reaps the process under the lock that guards ``kill()``: once reaped, its number may be reused.
    private func awaitExit() {
        guard let process = state.withLock({ $0.process }) else { return }
        var information = siginfo_t()
        SystemCall.retrying { waitid(P_PID, id_t(process), &information, WEXITED | WNOWAIT) }
        state.withLock { state in
            Self.running.withLock { _ = $0.processes.remove(process) }
            var status: Int32 = 0
            waitpid(process, &status, 0)
            state.status = status
        }
        exit.signal()
        news?.signal()
    }

    private func read(
        _ run: ProcessRun, from output: ProcessPipe, _ news: ProcessPipe
    ) -> ProcessRun.Outcome {
        let deadline = ContinuousClock.now + run.timeLimit
        var bytes: [UInt8] = []
        var stop: ProcessRun.Ending?
        var (isOpen, isOver) = (true, false)
        while stop == nil {
            // All that it wrote is in the pipe once it is over; output of a grandchild is not waited for.
            let left = isOver ? .zero : max(.zero, ContinuousClock.now.duration(to: deadline))
            let (hasOutput, hasNews) = ProcessPipe.wait(isOpen ? output : nil, isOver ? nil : news, for: left)
            if hasOutput { isOpen = output.read(into: &bytes) }
            if bytes.count > run.outputLimit {
                stop = .wroteTooMuch
            } else if isCancelled {
                stop = .signal(SIGKILL)
            } else if !hasOutput, !hasNews, left == .zero {
                if isOver { break }
                stop = run.isLeftRunning ? .stillRunning : .timedOut
            }
            isOver = isOver || hasNews
        }
        if let stop {
            if run.isLeftRunning { return .init(ending: stop) }
            kill()
            exit.wait()
        }
        bytes.removeLast(max(0, bytes.count - run.outputLimit))
        return .init(ending: stop ?? state.withLock { Self.ending($0.status ?? 0) }, output: bytes)
    }

    /// Kills the whole session, so that the helper's own children do not stay behind.
    private func kill() {
        state.withLock { state in
            guard let process = state.process, state.status == nil else { return }
            _ = Foundation.kill(-process, SIGKILL)
            _ = Foundation.kill(process, SIGKILL)
        }
    }

    /// Kills all that are running, but for those that may go on after us, for good: no other is started. What they
    /// leave in their folders is removed.
    package static func killAll() {
        running.withLock { running in
            running.isEnding = true
            for process in running.processes { _ = Foundation.kill(-process, SIGKILL) }
        }
        ScratchFolder.removeAll()
    }

    /// Decodes a status of `waitpid`; the C macros for it are not in Glibc's module.
    static func ending(_ status: Int32) -> ProcessRun.Ending {
        let signal = status & 0x7F
        return signal == 0 ? .status(status >> 8 & 0xFF) : .signal(signal)
    }
}

/// A pipe that closes with its last reference; also used as a signal to a waiting thread.
final class ProcessPipe: Sendable {
    private let reading: Descriptor
    /// `nil` once our copy of the writing end is closed.
    private let writing: Mutex<Descriptor?>

    /// A pipe with both ends close-on-exec; `nil` if the process is out of descriptors.
    init?() {
        var numbers: [Int32] = [-1, -1]
        guard pipe(&numbers) == 0 else { return nil }
        for number in numbers { _ = fcntl(number, F_SETFD, FD_CLOEXEC) }
        // Not the writing end: as the child's standard output it has to block.
        _ = fcntl(numbers[0], F_SETFL, O_NONBLOCK)
        reading = Descriptor(numbers[0])
        writing = Mutex(Descriptor(numbers[1]))
    }

    var write: Int32 { writing.withLock { $0?.number ?? -1 } }

    /// Closes our copy of the writing end, so that the output ends with the child's.
    func closeWrite() { writing.withLock { $0 = nil } }
    func signal() { writing.withLock { if let end = $0 { _ = Foundation.write(end.number, [1], 1) } } }

    /// Appends what is available, up to 64 KiB. Returns false at the end of the output.
    func read(into bytes: inout [UInt8]) -> Bool {
        withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 1) { buffer in
            let count = SystemCall.retrying {
                Foundation.read(reading.number, buffer.baseAddress, buffer.count)
            }
            let isPassing = count < 0 && errno == EAGAIN
            bytes += buffer.prefix(max(0, count))
            return count > 0 || isPassing
        }
    }

    static func wait(_ first: ProcessPipe?, _ second: ProcessPipe?, for time: Duration) -> (Bool, Bool) {
        var entries = [first, second].map {
            pollfd(fd: $0?.reading.number ?? -1, events: Int16(POLLIN), revents: 0)
        }
        let milliseconds = Int32(clamping: Int64((time / .milliseconds(1)).rounded(.up)))
        guard poll(&entries, nfds_t(entries.count), milliseconds) > 0 else { return (false, false) }
        return (entries[0].revents != 0, entries[1].revents != 0)
    }
}

extension [String: String] {
    /// What helpers get of this environment: nothing of the user's terminal, which they could ask otherwise; later
    /// versions of chafa wrap for tmux by themselves.
    package var forHelpers: [String: String] {
        filter { variable in
            ["PATH", "HOME", "LANG", "TMPDIR", "LD_LIBRARY_PATH"].contains(variable.key)
                || ["LC_", "XDG_", "MAGICK_"].contains { variable.key.hasPrefix($0) }
        }
    }
}

/// The result of work that blocks, on a thread of its own: it would hold up the cooperative pool.
package func onThread<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
    await withCheckedContinuation { waiter in Thread.detachNewThread { waiter.resume(returning: work()) } }
}
