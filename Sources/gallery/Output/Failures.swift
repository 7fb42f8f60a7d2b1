import Arguments
import GalleryCore

/// Photos that could not be had: how many, and what the command's status is for it.
struct Failures: Sendable {
    private(set) var count = 0
    private var statuses: Set<ExitStatus> = []

    mutating func add(_ failure: ResolvedPhotos.Failure) {
        count += 1
        statuses.insert(ExitStatus(of: failure.error))
    }

    /// One line about one of them, which names it once.
    static func line(_ failure: ResolvedPhotos.Failure) -> String {
        let description = PlainText.line(failure.error.description)
        let isNamed = description.lowercased().contains(failure.name.lowercased())
        return isNamed ? "Error: \(description)" : "Error: \(failure.name): \(description)"
    }

    /// Reports each, and ends with 1 where others succeeded, else with the status all of them share.
    static func end(_ failures: [ResolvedPhotos.Failure], _ context: Context, succeeded: Int) throws {
        var all = Failures()
        failures.forEach { all.add($0) }
        if failures.count == 1, succeeded == 0 {
            context.terminal.report(failures[0].error)
        } else {
            for failure in failures { context.terminal.message(line(failure)) }
            var said: Set<String> = []
            for hint in failures.compactMap(\.error.hint) where said.insert(hint).inserted {
                context.terminal.message("Help: \(PlainText.line(hint))")
            }
        }
        try all.throwStatus(succeeded: succeeded)
    }

    /// The same without the lines, for commands that have already said them.
    func throwStatus(succeeded: Int) throws {
        guard count > 0 else { return }
        let status = succeeded == 0 && statuses.count == 1 ? statuses.first ?? .someFailed : .someFailed
        throw ExitCode(status.rawValue)
    }
}
