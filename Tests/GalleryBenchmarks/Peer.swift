import Foundation
import GalleryTestSupport

/// A program that fetches the photos of a workload, six at once where it can.
enum Peer: String, CaseIterable {
    case curl
    case aria2c
    case wget2
    case galleryDL = "gallery-dl"
    case smallest = "URLSession"
    case gallery

    /// Its file; `nil`, and a line about it, where it is not installed.
    var executable: URL? {
        get throws {
            if self == .gallery { return try ProductLocation.executable("gallery") }
            if self == .smallest { return URL(filePath: CommandLine.arguments[0]).absoluteURL }
            let file = Self.file(of: rawValue)
            if file == nil { GalleryBenchmarks.note("skipped: \(rawValue) is not installed") }
            return file
        }
    }

    /// Whether there is a program of this name or path.
    static func isInstalled(_ program: String) -> Bool { file(of: program) != nil }

    private static func file(of program: String) -> URL? {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        let files = program.hasPrefix("/") ? [program] : folders.map { "\($0)/\(program)" }
        return files.first { FileManager.default.isExecutableFile(atPath: $0) }.map {
            URL(filePath: $0)
        }
    }

    /// One run into an empty folder, timed, and its result checked.
    func run(_ executable: URL, _ workload: Workload, _ server: URL) async throws -> Run {
        try await withProgram(at: executable) { program in
            let list = program.home.appending(path: "addresses")
            try addresses(of: workload, server).write(to: list, atomically: true, encoding: .utf8)
            let lines = self == .gallery ? Data(workload.lines(on: server).utf8) : nil
            let clock = ContinuousClock()
            let start = clock.now
            let run = try program.start(
                arguments(list: list.path), environment: ["GALLERY_500PX_KEY": "none"], input: lines,
                timeLimit: .seconds(1800))
            let memory = Task { await ProcessMemory.peaks(of: run.process) }
            let outcome = try await run.outcome()
            let time = clock.now - start
            let found = try Self.pictures(below: program.folder)
            guard outcome.status == 0, found.count == workload.files,
                found.bytes == workload.files * workload.bytes
            else { throw RunFailed(program: rawValue, found: found, outcome: outcome) }
            let peaks = await memory.value
            return Run(
                seconds: time / .seconds(1), peakMemory: peaks?.own ?? outcome.peakMemory,
                workerPeak: peaks?.worker ?? 0)
        }
    }

    private func arguments(list: String) -> [String] {
        switch self {
        case .curl:
            [
                "--silent", "--fail", "--parallel", "--parallel-max", "6", "--remote-name-all", "--config",
                list,
            ]
        case .aria2c:
            [
                "--quiet", "--max-concurrent-downloads=6", "--split=1", "--file-allocation=none", "-i",
                list,
            ]
        case .wget2: ["--quiet", "--no-robots", "--max-threads=6", "-i", list]
        case .galleryDL:
            ["--quiet", "--config-ignore", "--directory", ".", "-i", list]
        case .smallest: [SmallestProgram.argument, list]
        case .gallery: ["fetch", "-", "--quiet", "--jobs", "6"]
        }
    }

    private func addresses(of workload: Workload, _ server: URL) -> String {
        guard self != .gallery else { return "" }
        return (1...workload.files).map { number in
            let address = workload.address(number, on: server)
            return self == .curl ? "url = \"\(address)\"\n" : address + "\n"
        }.joined()
    }

    private static func pictures(below folder: URL) throws -> (count: Int, bytes: Int) {
        let files = FileManager.default.enumerator(
            at: folder, includingPropertiesForKeys: [.fileSizeKey])
        var found = (count: 0, bytes: 0)
        while let file = files?.nextObject() as? URL {
            guard file.pathExtension == "jpg" else { continue }
            found.count += 1
            found.bytes += try file.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0
        }
        return found
    }
}

/// What the system tells of the memory of processes; nothing on other systems than Linux.
enum ProcessMemory {
    /// The most memory that `process`, and any process that it started, held at once, in bytes, as seen until it
    /// ends; `nil` where that cannot be seen.
    ///
    /// Not by `wait4`, which takes a process's memory for at least that of its parent when it was started.
    ///
    /// - Parameter least: The least time between two looks, each of which takes some from a process that starts.
    static func peaks(
        of process: Int32, every least: Duration = .milliseconds(5)
    ) async -> (own: Int64, worker: Int64)? {
        var (own, worker): (Int64, Int64) = (0, 0)
        let start = ContinuousClock.now
        while FileManager.default.fileExists(atPath: "/proc/\(process)/stat") {
            own = max(own, highWater(of: "\(process)"))
            for child in children(of: process) { worker = max(worker, highWater(of: child)) }
            // Sampling, not waiting for something: the mark stays as long as the process does, so that of its end at
            // most a tenth is missed, and looking more often would take time from what is measured.
            let pause = min(max((ContinuousClock.now - start) / 10, least), .milliseconds(200))
            guard (try? await Task.sleep(for: pause)) != nil else { break }
        }
        return own > 0 ? (own, worker) : nil
    }

    private static func children(of process: Int32) -> [String] {
        let folder = "/proc/\(process)/task"
        let threads = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return threads.flatMap {
            text(at: "\(folder)/\($0)/children").split(separator: " ").map(String.init)
        }
    }

    private static func highWater(of process: String) -> Int64 {
        let line = text(at: "/proc/\(process)/status").split(separator: "\n").first {
            $0.hasPrefix("VmHWM:")
        }
        let kibibytes = line?.split(whereSeparator: { " \t".contains($0) }).dropFirst().first.flatMap {
            Int64($0)
        }
        return (kibibytes ?? 0) * 1024
    }

    private static func text(at path: String) -> String {
        FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }
}

/// A program that did not fetch what it was told to: its time would mean nothing.
private struct RunFailed: Error, CustomStringConvertible {
    let program: String
    let found: (count: Int, bytes: Int)
    let outcome: ProductOutcome

    var description: String {
        "\(program) left \(found.count) pictures of \(found.bytes) bytes, \(outcome.exit): \(outcome.errors)"
    }
}
