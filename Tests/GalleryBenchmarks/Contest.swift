import Foundation
import GalleryTestSupport

/// Commands that do the same on this machine, each run in its turn.
struct Contest: Sendable {
    struct Entry: Sendable {
        /// As the table names it.
        let program: String
        /// The program's name or path, and its arguments.
        let command: [String]
        /// How often it runs at a time, for what is too short to be timed once.
        var times = 1
        /// Whether its output is a terminal, of 80 columns and 24 lines.
        var onTerminal = false
        /// What is removed before each run, below the working folder.
        var made: String?
        /// The file below it that standard input is.
        var input: String?
        /// The file below it that its output goes to.
        var output = "/dev/null"
    }

    let name: String
    /// What it is about, for the plot.
    let title: String
    let photos: Int
    let rounds: Int
    /// Puts what the entries need into the folder, and says what they are. The first one is what others are measured
    /// by.
    let entries: @Sendable (_ folder: URL, _ server: URL) async throws -> [Entry]

    /// Runs all of them, round after round, each at first once untimed.
    func figures() async throws -> [Figure] {
        let list = Self.list(of: photos)
        return try await withLocalServer(list) { server in
            try await withProgram(at: URL(filePath: "/bin/sh")) { shell in
                let entries = try await entries(shell.folder, server.url("v1")).filter { entry in
                    let isThere = Peer.isInstalled(entry.command[0])
                    if !isThere { GalleryBenchmarks.note("skipped: \(entry.program) is not installed") }
                    return isThere
                }
                var runs = entries.map { _ in [Run]() }
                for round in 0...rounds {
                    for (number, entry) in entries.enumerated() {
                        GalleryBenchmarks.note("\(name): \(entry.program), round \(round) of \(rounds)")
                        let run = try await entry.run(in: shell)
                        if round > 0 { runs[number].append(run) }
                    }
                }
                let base = Figure.median(runs.first?.map(\.seconds) ?? [])
                return zip(entries, runs).map { entry, runs in
                    Figure(
                        workload: name, title: title, photos: photos, bytes: 0, program: entry.program,
                        runs: runs, first: base, floor: nil)
                }
            }
        }
    }

    /// A server of the 500px API with one page of photos.
    private static func list(of count: Int) -> @Sendable (LocalRequest) -> LocalReply {
        { request in
            let photos = (1...max(1, count)).map { id in
                let file = "\(request.serverURL.absoluteString)/full/\(id).jpg"
                return
                    #"{"id":\#(id),"name":"Photo \#(id)","width":4000,"height":3000,"votes_count":\#(id),"#
                    + #""user":{"id":7,"username":"ada","fullname":"Ada"},"created_at":"2012-02-09T02:27:16-05:00","#
                    + #""images":[{"size":3,"url":"\#(file)"},{"size":2048,"url":"\#(file)"}]}"#
            }
            let list = photos.joined(separator: ",")
            return .json(
                #"{"current_page":1,"total_pages":1,"total_items":\#(count),"photos":[\#(list)]}"#)
        }
    }
}

extension Contest.Entry {
    fileprivate func run(in shell: BuiltProduct) async throws -> Run {
        if let made { try? FileManager.default.removeItem(at: shell.folder.appending(path: made)) }
        let script =
            times > 1
            ? "for run in $(seq \(times)); do \"$@\" >/dev/null || exit; done"
            : "exec \"$@\"" + (input.map { " <'\($0)'" } ?? "") + (onTerminal ? "" : " >'\(output)'")
        let clock = ContinuousClock()
        let start = clock.now
        let run = try shell.start(
            ["-c", script, "sh"] + command, environment: ["GALLERY_500PX_KEY": "none"],
            terminal: onTerminal ? TerminalSize(columns: 80, rows: 24) : nil, timeLimit: .seconds(600))
        // A terminal answers at once that it has no graphics.
        if onTerminal { run.type("\u{1B}[?62;22c") }
        let memory = Task {
            await ProcessMemory.peaks(of: run.process, every: .milliseconds(times > 1 ? 50 : 5))
        }
        let outcome = try await run.outcome()
        let seconds = (clock.now - start) / .seconds(1) / Double(times)
        guard outcome.status == 0 else { throw ContestFailed(program: program, outcome: outcome) }
        let peaks = await memory.value
        return Run(seconds: seconds, peakMemory: peaks?.own ?? 0, workerPeak: peaks?.worker ?? 0)
    }
}

struct ContestFailed: Error, CustomStringConvertible {
    let program: String
    let outcome: ProductOutcome

    var description: String { "\(program) ended with \(outcome.exit): \(outcome.errors)" }
}

// MARK: - All of them

extension Contest {
    static func all() throws -> [Contest] {
        let gallery = try ProductLocation.executable("gallery").path
        // Starts take turns ten at a time, so that what else the machine does for a second meets all programs alike.
        return [
            Contest(name: "start", title: "Start: --version", photos: 0, rounds: 35) { _, _ in
                [
                    Entry(program: "curl", command: ["curl", "--version"], times: 10),
                    Entry(program: "gallery", command: [gallery, "--version"], times: 10),
                    Entry(program: "gallery-dl", command: ["gallery-dl", "--version"]),
                ]
            },
            Contest(name: "table", title: "A list of 20 photos out of the cache", photos: 20, rounds: 35) {
                _, server in
                [
                    Entry(program: "curl --version", command: ["curl", "--version"], times: 10),
                    Entry(
                        program: "gallery",
                        command: [gallery, "popular", "-s", "500px", "--base-url", server.absoluteString],
                        times: 10),
                ]
            },
            Contest(name: "sheet", title: "12 photographs as 80 × 24 characters", photos: 12, rounds: 5) {
                folder, _ in
                let photos = try photographs(12, in: folder.appending(path: "album"))
                return [
                    Entry(
                        program: "chafa", command: ["chafa", "-f", "symbols", "-s", "20x8"] + photos,
                        onTerminal: true),
                    Entry(
                        program: "timg", command: ["timg", "-ph", "-b", "none", "--grid=4x3"] + photos,
                        onTerminal: true),
                    Entry(
                        program: "gallery",
                        command: [
                            gallery, "popular", "--folder", "album", "--per-page", "12", "--format", "grid",
                        ], onTerminal: true),
                ]
            },
            Contest(name: "page", title: "A web page of 96 photographs", photos: 96, rounds: 3) {
                folder, _ in
                _ = try photographs(96, in: folder.appending(path: "album"))
                // sigal wants a file of settings, and its defaults do.
                try Data().write(to: folder.appending(path: "sigal.conf.py"))
                return [
                    Entry(program: "sigal", command: ["sigal", "build", "album", "sigal"], made: "sigal"),
                    Entry(
                        program: "gallery",
                        command: [
                            gallery, "web", "1-96", "--feed", "popular", "--folder", "album", "-o", "site",
                            "--limit", "96", "-q",
                        ], made: "site"),
                ]
            },
        ] + [1_000, 10_000, 100_000].map { folder(of: $0, gallery) }
    }

    /// What one does with a long list: the same commands for each length, so that the time a photo takes can be
    /// compared. At first, untimed, all photos are fetched; then all are kept.
    private static func folder(of count: Int, _ gallery: String) -> Contest {
        Contest(name: "list", title: "", photos: count, rounds: 3) { folder, _ in
            let album = folder.appending(path: "album")
            try FileManager.default.createDirectory(at: album, withIntermediateDirectories: true)
            for number in 1...count {
                try Pictures.jpeg(bytes: 600, seed: UInt64(number)).write(
                    to: album.appending(path: "\(number).jpg"))
            }
            let source = ["--folder", "album"]
            let all = ["1-", "--feed", "popular"] + source
            func entry(_ name: String, _ words: [String]) -> Entry {
                Entry(program: "gallery \(name)", command: [gallery] + words)
            }
            var listed = entry(
                "popular --format jsonl", ["popular", "--range", "1-", "--format", "jsonl"] + source)
            listed.output = "list"
            var given = entry("fetch -", ["fetch", "-", "-d", "copy", "-q"] + source)
            given.input = "list"
            var page = entry(
                "web --size none",
                ["web", "-o", "site", "--size", "none", "--limit", "\(count)", "-q"] + all)
            page.made = "site"
            return [
                entry("popular", ["popular"] + source),
                listed,
                entry("fetch", ["fetch", "-d", "copy", "-q"] + all),
                entry("fetch --new", ["fetch", "--new", "-d", "copy", "-q"] + all),
                given,
                entry("verify", ["verify", "copy", "-q"]),
                page,
            ]
        }
    }

    /// The bundled photographs, as many times as it takes.
    private static func photographs(_ count: Int, in folder: URL) throws -> [String] {
        let files = try FileManager.default.contentsOfDirectory(
            at: Fixture.url("sample/full"), includingPropertiesForKeys: nil
        ).filter { $0.pathExtension == "jpg" }.sorted { $0.path < $1.path }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return try (0..<count).map { number in
            let copy = folder.appending(path: "photo\(number).jpg")
            try FileManager.default.copyItem(at: files[number % files.count], to: copy)
            return copy.path
        }
    }
}
