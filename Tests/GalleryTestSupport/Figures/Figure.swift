import Foundation

/// What the runs of one program come to: a row of the benchmarks' table.
package struct Figure: Hashable, Sendable {
    /// The columns of ``row``.
    package static let header = [
        "workload", "title", "photos", "bytes_each", "program", "runs", "median_s", "best_s", "worst_s",
        "spread", "ratio_to_first", "ratio_to_floor", "peak_mib", "worker_mib",
    ].joined(separator: ",")

    /// The name by which it is run.
    package let workload: String
    /// What it is about, for readers; empty for what no table or plot shows.
    package let title: String
    package let photos: Int
    /// The length of each file; 0 where nothing is transferred.
    package let bytes: Int
    package let program: String
    package let runs: Int
    /// In seconds.
    package let median, best, worst: Double
    /// The median by that of the workload's first program, and by that of the smallest program that transfers files;
    /// `nil` where there is none.
    package let ratioToFirst, ratioToFloor: Double?
    /// The most memory that it held at once, and that the process which sends its requests held, in MiB.
    package let peakMemory, workerPeak: Double

    /// A row of these runs.
    ///
    /// - Parameters:
    ///   - seconds: Each run, from its start to its end.
    ///   - first: The median of the workload's first program in the same rounds, in seconds.
    ///   - floor: That of the smallest program that transfers files.
    ///   - memory: The most that any run held, in bytes.
    package init(
        workload: String, title: String, photos: Int, bytes: Int, program: String, seconds: [Double],
        first: Double?, floor: Double?, memory: (own: Int64, worker: Int64)
    ) {
        let median = Self.median(seconds)
        (self.workload, self.title, self.photos, self.bytes) = (workload, title, photos, bytes)
        (self.program, runs, self.median) = (program, seconds.count, median)
        (best, worst) = (seconds.min() ?? 0, seconds.max() ?? 0)
        (ratioToFirst, ratioToFloor) = (first.map { median / $0 }, floor.map { median / $0 })
        (peakMemory, workerPeak) = (Double(memory.own) / 1_048_576, Double(memory.worker) / 1_048_576)
    }

    /// The middle one, or between the two in the middle; 0 of none.
    package static func median(_ values: [Double]) -> Double {
        let sorted = values.sorted()
        guard !sorted.isEmpty else { return 0 }
        return (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
    }

    /// How far the runs are apart, by the median.
    package var spread: Double { median > 0 ? (worst - best) / median : 0 }

    var isOurs: Bool { program == "gallery" || program.hasPrefix("gallery ") }

    /// A time as readers see it.
    static func shown(_ seconds: Double) -> String {
        seconds < 0.1 ? text(seconds * 1000, digits: 1) + " ms" : text(seconds, digits: 2) + " s"
    }
}

// MARK: - Rows

extension Figure {
    /// The row, in the header's columns.
    package var row: String {
        let columns: [String] = [
            workload, title, "\(photos)", bytes > 0 ? "\(bytes)" : "", program, "\(runs)",
            Self.text(median, digits: 4), Self.text(best, digits: 4), Self.text(worst, digits: 4),
            Self.text(spread, digits: 3), ratioToFirst.map { Self.text($0, digits: 2) } ?? "",
            ratioToFloor.map { Self.text($0, digits: 2) } ?? "", Self.text(peakMemory, digits: 1),
            Self.text(workerPeak, digits: 1),
        ]
        return columns.map { $0.replacing(",", with: ";") }.joined(separator: ",")
    }

    /// A row that was printed; `nil` for the header, and for any other line.
    package init?(row: Substring) {
        let columns = row.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        guard columns.count == 14, let photos = Int(columns[2]), let runs = Int(columns[5]),
            let median = Double(columns[6]), let best = Double(columns[7]), let worst = Double(columns[8])
        else { return nil }
        (workload, title, self.photos, bytes) = (columns[0], columns[1], photos, Int(columns[3]) ?? 0)
        (program, self.runs, self.median, self.best, self.worst) = (
            columns[4], runs, median, best, worst
        )
        (ratioToFirst, ratioToFloor) = (Double(columns[10]), Double(columns[11]))
        (peakMemory, workerPeak) = (Double(columns[12]) ?? 0, Double(columns[13]) ?? 0)
    }

    private static func text(_ value: Double, digits: Int) -> String {
        value.formatted(
            .number.precision(.fractionLength(digits)).grouping(.never).locale(
                Locale(identifier: "en_US_POSIX")))
    }
}

extension [Figure] {
    /// Those that are shown, a group for each workload.
    var groups: [[Figure]] {
        var groups: [[Figure]] = []
        for figure in self where !figure.title.isEmpty {
            if groups.last?.first?.workload != figure.workload { groups.append([]) }
            groups[groups.count - 1].append(figure)
        }
        return groups
    }

    /// A table in Markdown: a line for each workload, with our time and spread, and the other programs, the fastest
    /// first.
    package var table: String {
        let lines = groups.map { group in
            let ours = group.first(where: \.isOurs).map { figure in
                "\(Figure.shown(figure.median)) ± \(Int((figure.spread * 50).rounded())) %"
            }
            let others = group.filter { !$0.isOurs }.sorted { $0.median < $1.median }.map { figure in
                "\(figure.program) \(Figure.shown(figure.median))"
            }
            return "| \(group[0].title) | \(ours ?? "–") | \(others.joined(separator: ", ")) |\n"
        }
        return "| what | `gallery` | others |\n|---|---|---|\n" + lines.joined()
    }
}
