import Foundation

/// A helper program's run: its words, how long it may take, how much it may say.
///
/// No shell is involved: `arguments` reach the program as they are. It runs in a session of its
/// own, without a terminal, so that it can neither ask ours anything nor be stopped by its keys.
///
///     guard let opener = ProcessRun.find("xdg-open", in: environment) else { … }
///     var run = ProcessRun(opener, [address], environment)
///     run.isLeftRunning = true
///     let outcome = try await run.outcome()
struct ProcessRun: Sendable {
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
        let child = ChildProcess()
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
