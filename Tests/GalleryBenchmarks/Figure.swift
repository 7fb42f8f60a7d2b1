import Foundation

/// One run of one program.
struct Run {
    /// From its start to its end.
    let seconds: Double
    /// The most memory it held at once, in bytes.
    let peakMemory: Int64
    /// The same of the process that sent its requests; 0 where there was none.
    let workerPeak: Int64
}

/// What the runs of one program come to: a row of the table.
struct Figure {
    static let header =
        "workload,files,bytes_each,program,runs,median_s,best_s,worst_s,mb_per_s,ratio_to_first,ratio_to_floor,peak_mib,worker_mib"

    let workload: String
    /// What the workload is about, for the plot; empty for none there.
    let title: String
    let program: String
    /// In seconds.
    let median: Double
    /// The row, in the header's columns.
    let row: String

    /// - Parameters:
    ///   - bytes: The length of each file; 0 where nothing is transferred.
    ///   - first: The median of the workload's first program in the same rounds, in seconds.
    ///   - floor: That of ``SmallestProgram``.
    init(
        workload: String, title: String, files: Int, bytes: Int, program: String, _ runs: [Run],
        first: Double?, floor: Double?
    ) {
        let seconds = runs.map(\.seconds)
        let median = Self.median(seconds)
        (self.workload, self.title, self.program, self.median) = (workload, title, program, median)
        let columns: [String] = [
            workload, "\(files)", bytes > 0 ? "\(bytes)" : "", program.replacing(",", with: ";"),
            "\(runs.count)",
            Self.text(median, digits: 4), Self.text(seconds.min() ?? 0, digits: 4),
            Self.text(seconds.max() ?? 0, digits: 4),
            bytes > 0 ? Self.text(Double(files * bytes) / 1e6 / median, digits: 1) : "",
            first.map { Self.text(median / $0, digits: 2) } ?? "",
            floor.map { Self.text(median / $0, digits: 2) } ?? "",
            Self.mebibytes(runs.map(\.peakMemory)), Self.mebibytes(runs.map(\.workerPeak)),
        ]
        row = columns.joined(separator: ",")
    }

    /// The median as the plot says it.
    var shownTime: String {
        median < 0.1 ? Self.text(median * 1000, digits: 1) + " ms" : Self.text(median, digits: 2) + " s"
    }

    static func median(_ values: [Double]) -> Double {
        let sorted = values.sorted()
        guard !sorted.isEmpty else { return 0 }
        return (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
    }

    private static func mebibytes(_ values: [Int64]) -> String {
        text(Double(values.max() ?? 0) / 1_048_576, digits: 1)
    }

    private static func text(_ value: Double, digits: Int) -> String {
        value.formatted(
            .number.precision(.fractionLength(digits)).grouping(.never).locale(
                Locale(identifier: "en_US_POSIX")))
    }
}
