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
        "workload,files,bytes_each,program,runs,median_s,best_s,mb_per_s,ratio_to_curl,ratio_to_floor,peak_mib,worker_mib"

    /// The row, in the header's columns.
    let row: String

    /// - Parameters:
    ///   - curl: curl's median in the same rounds, in seconds.
    ///   - floor: that of ``SmallestProgram``.
    init(_ workload: Workload, _ peer: Peer, _ runs: [Run], curl: Double?, floor: Double?) {
        let seconds = runs.map(\.seconds)
        let median = Self.median(seconds)
        let columns: [String] = [
            workload.name, "\(workload.files)", "\(workload.bytes)", peer.rawValue, "\(runs.count)",
            Self.text(median, digits: 3), Self.text(seconds.min() ?? 0, digits: 3),
            Self.text(Double(workload.files * workload.bytes) / 1e6 / median, digits: 1),
            curl.map { Self.text(median / $0, digits: 2) } ?? "",
            floor.map { Self.text(median / $0, digits: 2) } ?? "",
            Self.mebibytes(runs.map(\.peakMemory)), Self.mebibytes(runs.map(\.workerPeak)),
        ]
        row = columns.joined(separator: ",")
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
