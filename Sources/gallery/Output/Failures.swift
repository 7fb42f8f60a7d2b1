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

    /// Reports each failure, and ends with status 1 if other photos succeeded, else with the one that all share.
    static func end(_ failures: [ResolvedPhotos.Failure], _ terminal: Terminal, succeeded: Int) throws {
        var all = Failures()
        failures.forEach { all.add($0) }
        if failures.count == 1, succeeded == 0 {
            terminal.report(failures[0].error)
        } else {
            var lines = FailureLines()
            let first = failures.compactMap { lines.line(of: $0) }
            for line in first + lines.rest { terminal.message(line) }
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

/// The lines about failures: the first three of the same words one by one, and the others in one line at the end.
struct FailureLines: Sendable {
    private static let most = 3
    private static let mostRanges = 8

    private struct Kind {
        let reason: String
        var count = 0
        /// The indexes, as far as there are any, of those without a line of their own.
        var indexes: [Int] = []
    }

    private var kinds: [Kind] = []
    private var places: [String: Int] = [:]

    /// The line about `failure`; `nil` where it is among those of ``rest``.
    mutating func line(of failure: ResolvedPhotos.Failure) -> String? {
        let reason = PlainText.line(failure.error.description)
        let place = places[reason] ?? kinds.count
        if place == kinds.count {
            places[reason] = place
            kinds.append(Kind(reason: reason))
        }
        kinds[place].count += 1
        guard kinds[place].count > Self.most else { return Failures.line(failure) }
        if let index = failure.index { kinds[place].indexes.append(index) }
        return nil
    }

    var rest: [String] {
        kinds.filter { $0.count > Self.most }.map { kind in
            let more = Self.grouped(kind.count - Self.most)
            return "Error: and \(more) more\(Self.places(kind.indexes)): \(kind.reason)"
        }
    }

    /// `1,997`.
    private static func grouped(_ number: Int) -> String {
        number < 1000 ? "\(number)" : "\(grouped(number / 1000)),\(String(number % 1000 + 1000).dropFirst())"
    }

    /// `, photos 4–2000`; nothing without indexes.
    private static func places(_ indexes: [Int]) -> String {
        var ranges: [ClosedRange<Int>] = []
        for index in indexes.sorted() {
            if let last = ranges.last, index <= last.upperBound + 1 {
                ranges[ranges.count - 1] = last.lowerBound...index
            } else {
                ranges.append(index...index)
            }
        }
        guard !ranges.isEmpty else { return "" }
        let words = ranges.prefix(mostRanges).map { range in
            range.count == 1 ? "\(range.lowerBound)" : "\(range.lowerBound)–\(range.upperBound)"
        }
        return (indexes.count == 1 ? ", photo " : ", photos ") + words.joined(separator: ", ")
            + (ranges.count > mostRanges ? " …" : "")
    }
}
