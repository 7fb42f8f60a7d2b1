import Arguments
import GalleryCore

/// Photos that could not be had, and what the command's status is for it.
struct Failures {
    private var failures: [Chosen.Failure]

    init(_ failures: [Chosen.Failure] = []) {
        self.failures = failures
    }

    var count: Int { failures.count }

    mutating func add(_ failure: Chosen.Failure) { failures.append(failure) }

    /// One line about one of them.
    static func line(_ failure: Chosen.Failure) -> String {
        "Error: \(failure.name): \(PlainText.line(failure.error.description))"
    }

    /// Reports each, and ends with 1 where others succeeded, else with the status all of them share.
    func end(_ context: Context, succeeded: Int) throws {
        if failures.count == 1, succeeded == 0 {
            context.terminal.report(failures[0].error)
        } else {
            for failure in failures { context.terminal.message(Self.line(failure)) }
        }
        try throwStatus(succeeded: succeeded)
    }

    /// The same without the lines, for commands that have already said them.
    func throwStatus(succeeded: Int) throws {
        guard !failures.isEmpty else { return }
        let statuses = Set(failures.map { ExitStatus(of: $0.error) })
        let status = succeeded == 0 && statuses.count == 1 ? statuses.first ?? .someFailed : .someFailed
        throw ExitCode(status.rawValue)
    }
}
