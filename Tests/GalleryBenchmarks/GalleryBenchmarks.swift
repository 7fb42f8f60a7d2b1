import Foundation
import GalleryTestSupport

/// Times `gallery` beside the programs it wants to stand beside, and prints CSV. `.ci/bench` builds both and runs it.
///
///     GalleryBenchmarks [--plot FILE] [<workload> ...]
///
/// Programs run in turns, so that what else the machine does falls on all of them alike. Those that fetch get the
/// addresses of the same photos, from the same loopback server, and an empty folder.
@main
enum GalleryBenchmarks {
    static func main() async throws {
        var names = CommandLine.arguments.dropFirst()
        if names.first == SmallestProgram.argument, let list = names.dropFirst().first {
            exit(try SmallestProgram.run(list: list) == 0 ? 0 : 1)
        }
        var plot: String?
        if names.first == "--plot" {
            plot = names.dropFirst().first
            names = names.dropFirst(2)
        }
        let contests = try Contest.all()
        let all = contests.map(\.name) + Workload.all.map(\.name)
        let unknown = names.filter { !all.contains($0) }
        guard unknown.isEmpty else {
            let known = all.joined(separator: ", ")
            note("No workload '\(unknown.joined(separator: "', '"))'. There are: \(known).")
            exit(64)
        }
        print(Figure.header)
        var shown: [Figure] = []
        func show(_ figures: [Figure]) {
            for figure in figures { print(figure.row) }
            fflush(nil)
            shown += figures
        }
        for contest in contests where names.isEmpty || names.contains(contest.name) {
            show(try await contest.figures())
        }
        for workload in Workload.all where names.isEmpty || names.contains(workload.name) {
            show(try await workload.withServer { try await figures(of: workload, $0) })
        }
        if let plot { try Plot(figures: shown).svg.write(toFile: plot, atomically: true, encoding: .utf8) }
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
                files: workload.files,
                bytes: workload.bytes, program: peer.rawValue, runs[peer] ?? [], first: medians[.curl],
                floor: medians[.smallest])
        }
    }

    /// Standard output is the table alone.
    static func note(_ text: String) {
        FileHandle.standardError.write(Data((text + "\n").utf8))
    }
}
