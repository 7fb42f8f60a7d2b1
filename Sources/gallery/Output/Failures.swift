import Arguments
import GalleryCore

/// Counts photos, or services, that failed, and decides the command's exit status for them.
struct Failures: Sendable {
    private(set) var count = 0
    private var statuses: Set<ExitStatus> = []

    mutating func add(_ failure: ResolvedPhotos.Failure) { add(failure.error) }

    mutating func add(_ error: any Error) {
        count += 1
        statuses.insert(ExitStatus(of: error))
    }

    /// The message about one failure, which names the photo once: also by what stays when its index changes.
    static func line(_ failure: ResolvedPhotos.Failure) -> String {
        let description = PlainText.line(failure.error.description)
        let isNamed = description.lowercased().contains(failure.name.lowercased())
        var line = isNamed ? "Error: \(description)" : "Error: \(failure.name): \(description)"
        if let photo = failure.photo, failure.index != nil {
            line += " (\(PlainText.excerpt(photo.id.description))"
            line += photo.title.isEmpty ? ")" : ", '\(PlainText.excerpt(photo.title))')"
        }
        return line
    }

    /// Reports each failure, and ends the command: with status 1 if other photos succeeded, else with the
    /// status that all failures share.
    static func end(_ failures: [ResolvedPhotos.Failure], _ terminal: Terminal, succeeded: Int) throws {
        var all = Failures()
        failures.forEach { all.add($0) }
        if failures.count == 1, succeeded == 0 {
            terminal.report(failures[0].error)
        } else {
            for failure in failures { terminal.message(line(failure)) }
            var said: Set<String> = []
            for hint in failures.compactMap(\.error.commandHint) where said.insert(hint).inserted {
                terminal.message("Help: \(PlainText.line(hint))")
            }
        }
        try all.throwStatus(succeeded: succeeded)
    }

    /// Ends the command without messages, for callers that have already reported the failures.
    func throwStatus(succeeded: Int) throws {
        guard count > 0 else { return }
        let status = succeeded == 0 && statuses.count == 1 ? statuses.first ?? .someFailed : .someFailed
        throw ExitCode(status.rawValue)
    }
}
