import Foundation
import GalleryTestSupport

/// Times `gallery fetch` beside the programs it wants to stand beside, and prints CSV.
///
///     swift build -c release
///     .build/release/GalleryBenchmarks > figures.csv      # or: GalleryBenchmarks small large
///
/// Every program fetches the same photos, whose addresses it is given, from the same loopback server into an empty
/// folder, in turns, so that what else the machine does falls on all of them alike.
@main
enum GalleryBenchmarks {
    static func main() async throws {
        let names = CommandLine.arguments.dropFirst()
        if names.first == SmallestProgram.argument, let list = names.dropFirst().first {
            exit(try SmallestProgram.run(list: list) == 0 ? 0 : 1)
        }
        let unknown = names.filter { name in !Workload.all.contains { $0.name == name } }
        guard unknown.isEmpty else {
            let known = Workload.all.map(\.name).joined(separator: ", ")
            note("No workload '\(unknown.joined(separator: "', '"))'. There are: \(known).")
            exit(64)
        }
        print(Figure.header)
        for workload in Workload.all where names.isEmpty || names.contains(workload.name) {
            try await workload.withServer { server in
                for figure in try await figures(of: workload, server) { print(figure.row) }
            }
            fflush(nil)
        }
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
            Figure(workload, peer, runs[peer] ?? [], curl: medians[.curl], floor: medians[.smallest])
        }
    }

    /// Standard output is the table alone.
    static func note(_ text: String) {
        FileHandle.standardError.write(Data((text + "\n").utf8))
    }
}
