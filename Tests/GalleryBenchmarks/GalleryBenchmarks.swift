import Foundation
import GalleryTestSupport

/// Times `gallery` beside the programs it wants to stand beside, and prints CSV. `.ci/bench` builds both and runs it.
///
///     GalleryBenchmarks [<workload> ...]
///     GalleryBenchmarks --plot FILE      # such a CSV as SVG
///     GalleryBenchmarks --table FILE     # such a CSV as Markdown
///
/// Programs run in turns, so that what else the machine does falls on all of them alike. Those that fetch get the
/// addresses of the same photos, from the same loopback server, and an empty folder.
@main
enum GalleryBenchmarks {
    static func main() async throws {
        let names = CommandLine.arguments.dropFirst()
        if let option = names.first, let file = names.dropFirst().first {
            switch option {
            case SmallestProgram.argument: exit(try SmallestProgram.run(list: file) == 0 ? 0 : 1)
            case "--plot": return print(Plot(try figures(in: file)).svg, terminator: "")
            case "--table": return print(try figures(in: file).table, terminator: "")
            default: break
            }
        }
        let contests = try Contest.all()
        let all = contests.map(\.name) + Workload.all.map(\.name)
        let unknown = names.filter { !all.contains($0) }
        guard unknown.isEmpty else {
            note(
                "No workload '\(unknown.joined(separator: "', '"))'. There are: \(all.joined(separator: ", "))."
            )
            exit(64)
        }
        print(Figure.header)
        func show(_ figures: [Figure]) {
            for figure in figures { print(figure.row) }
            fflush(nil)
        }
        var hasFailed = false
        for contest in contests where names.isEmpty || names.contains(contest.name) {
            do { show(try await contest.figures()) } catch let failure as ContestFailed {
                note("\(contest.name): \(failure)")
                hasFailed = true
            }
        }
        for workload in Workload.all where names.isEmpty || names.contains(workload.name) {
            show(try await workload.withServer { try await figures(of: workload, $0) })
        }
        if hasFailed { exit(1) }
    }

    private static func figures(in file: String) throws -> [Figure] {
        try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n").compactMap(Figure.init)
    }

    /// All programs in turns, round after round.
    private static func figures(of workload: Workload, _ server: URL) async throws -> [Figure] {
        let peers = try (workload.isForAll ? Peer.allCases : [.gallery]).compactMap { peer in
            try peer.executable.map { (peer, $0) }
        }
        var runs: [Peer: [Run]] = [:]
        for round in 1...workload.rounds {
            for (peer, executable) in peers {
                note("\(workload.name): \(peer.rawValue), round \(round) of \(workload.rounds)")
                runs[peer, default: []].append(try await peer.run(executable, workload, server))
            }
        }
        let medians = runs.mapValues { Figure.median($0.map(\.seconds)) }
        return peers.map { peer, _ in
            Figure(
                workload: workload.name, title: workload.isForAll ? workload.title : "",
                photos: workload.files, bytes: workload.bytes, program: peer.rawValue,
                runs: runs[peer] ?? [], first: medians[.curl], floor: medians[.smallest])
        }
    }

    /// Standard output is the table alone.
    static func note(_ text: String) {
        FileHandle.standardError.write(Data((text + "\n").utf8))
    }
}

struct Run {
    /// From its start to its end.
    let seconds: Double
    /// The most memory it held at once, in bytes.
    let peakMemory: Int64
    /// The same of the process that sent its requests; 0 where there was none.
    let workerPeak: Int64
}

extension Figure {
    init(
        workload: String, title: String, photos: Int, bytes: Int, program: String, runs: [Run],
        first: Double?, floor: Double?
    ) {
        self.init(
            workload: workload, title: title, photos: photos, bytes: bytes, program: program,
            seconds: runs.map(\.seconds), first: first, floor: floor,
            memory: (runs.map(\.peakMemory).max() ?? 0, runs.map(\.workerPeak).max() ?? 0))
    }
}
