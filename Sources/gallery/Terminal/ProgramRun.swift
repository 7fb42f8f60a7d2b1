import Foundation

/// A helper program's run: its words, how long it may take, how much it may say.
///
/// No shell is involved: `arguments` reach the program as they are.
///
///     let xdgOpen = ProgramRun.find("xdg-open", in: environment)   // an absolute path, or nil
///     let outcome = try await ProgramRun(xdgOpen, [address], environment).outcome()
struct ProgramRun: Sendable {
    /// How it ended.
    enum Ending: Hashable, Sendable {
        case status(Int32)
        case signal(Int32)
        /// Killed, because of ``timeLimit``.
        case timedOut
        /// Killed, because of ``outputLimit``.
        case wroteTooMuch
        /// Never begun; the system's error number.
        case notStarted(Int32)
    }

    struct Outcome: Sendable {
        let ending: Ending
        /// Standard output up to the limit.
        let output: [UInt8]
        var succeeded: Bool { ending == .status(0) }
    }

    /// An absolute path.
    let program: String
    let arguments: [String]
    /// All its variables: nothing is inherited besides.
    let environment: [String: String]
    var timeLimit: Duration = .seconds(20)
    /// Bytes of standard output.
    var outputLimit = 64 << 20

    init(_ program: String, _ arguments: [String], _ environment: [String: String]) {
        self.program = program
        self.arguments = arguments
        self.environment = environment
    }

    /// Runs it to its end, without a terminal, off the cooperative pool.
    ///
    /// - Throws: `CancellationError` once the program is killed.
    func outcome() async throws(CancellationError) -> Outcome {
        Outcome(ending: .notStarted(ENOSYS), output: [])
    }

    /// The program `name` on `PATH`, as an absolute path; relative folders in `PATH` are passed over.
    static func find(_ name: String, in environment: [String: String]) -> String? { nil }
}
