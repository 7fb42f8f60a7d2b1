import Foundation
import GalleryTestSupport
import ProductTestSupport
import Testing

/// Several processes that fill one folder, each with its part of a list, as GNU parallel starts them on this machine
/// and on others.
@Suite(.fewAtOnce, .timeLimit(.minutes(3))) struct SharedFolderEndToEndTests {
    private static let count = 40

    @Test(
        .needs("GNU parallel", Workers.areInstalled), arguments: Workers.Way.allCases)
    func `each photo is downloaded once, whole, by one of many workers`(way: Workers.Way) async throws {
        if let program = way.lacks { _ = try needed(program, nil as Void?) }
        try await withWorkers { workers, server, lines in
            let run = try await workers.fetch(lines, way)
            #expect(run.status == 0, "\(run.all)")
            try await workers.expectWhole(Self.count)
            #expect(server.fullRequests == Self.requests(once: 1...Self.count))
        }
    }

    @Test(
        .needs("GNU parallel", Workers.areInstalled), arguments: Workers.Way.allCases)
    func `what a killed worker leaves is done by the next run`(way: Workers.Way) async throws {
        if let program = way.lacks { _ = try needed(program, nil as Void?) }
        // The last photo of each worker waits until one of them is killed.
        let gate = Gate()
        try await withWorkers { request in
            request.path.hasSuffix("0") || request.path.hasSuffix("5")
                ? .file(PixelServer.picture(Self.id(request)), tag: "\"v1\"").delayed(until: gate) : nil
        } run: { workers, server, lines in
            async let first = workers.fetch(lines, way, killsOne: true)
            try await until { [killed = workers.killed] in FileManager.default.fileExists(atPath: killed.path)
            }
            gate.open()
            let run = try await first
            #expect(run.status == 1, "one job failed: \(run.all)")
            // Not those of the manifest: it may have been killed when it had noted one, and not yet named it.
            let whole = try Set(workers.pictureIDs)
            #expect(whole.count < Self.count)
            let next = try await workers.fetch(lines, way)
            #expect(next.status == 0, "\(next.all)")
            try await workers.expectWhole(Self.count)
            for (id, requests) in server.fullRequests where whole.contains(id) {
                #expect(requests == 1, "photo \(id) was whole, and downloaded again")
            }
        }
    }

    @Test(.needs("GNU parallel", Workers.areInstalled))
    func `workers that have the same photos download each once`() async throws {
        try await withWorkers { workers, server, lines in
            let few = lines.split(separator: "\n").prefix(5).map { $0 + "\n" }.joined()
            let run = try await workers.fetch(String(repeating: few, count: 4), .here)
            #expect(run.status == 0, "\(run.all)")
            try await workers.expectWhole(5)
            #expect(server.fullRequests == Self.requests(once: 1...5))
        }
    }

    private static func requests(once ids: ClosedRange<Int>) -> [Int: Int] {
        Dictionary(uniqueKeysWithValues: ids.map { ($0, 1) })
    }

    private static func id(_ request: LocalRequest) -> Int {
        Int(request.path.split(separator: "/").last ?? "") ?? 0
    }

    /// Runs the body with a server, and the list of its photos as lines of JSON.
    private func withWorkers(
        fault: @escaping @Sendable (LocalRequest) -> LocalReply? = { _ in nil },
        run body: (_ workers: Workers, _ server: LocalServer, _ lines: String) async throws -> Void
    ) async throws {
        let pixels = PixelServer(
            count: Self.count, fault: { $0.path.hasPrefix("/full/") ? fault($0) : nil })
        try await withGallery(pixels) { gallery, server, source in
            let list = try await gallery.run(
                ["popular", "--range", "1-\(Self.count)", "--format", "jsonl"] + source)
            #expect(list.lines.count == Self.count, "\(list.all)")
            try await body(Workers(gallery, source), server, list.output)
        }
    }
}

/// GNU parallel, and the workers that it starts: each `gallery fetch -` with five lines, into one folder.
struct Workers: Sendable {
    /// How they are reached.
    enum Way: CaseIterable {
        case here, ssh

        /// What is not installed for it; `nil` where nothing is missing.
        var lacks: String? {
            guard self == .ssh else { return nil }
            if sshd == nil { return "sshd" }
            let shell = getpwuid(geteuid()).flatMap { $0.pointee.pw_shell }.map { String(cString: $0) } ?? ""
            let isNone = shell.hasSuffix("/nologin") || shell.hasSuffix("/false")
            return isNone ? "a login shell of this account" : nil
        }
    }

    static let parallel = program("parallel")
    static let sshd = program("sshd")
    static var areInstalled: Bool { parallel != nil }

    private static func program(_ name: String) -> URL? {
        let folders = ["/usr/bin", "/usr/sbin", "/usr/local/bin", "/opt/homebrew/bin"]
        return folders.map { URL(filePath: $0).appending(path: name) }
            .first { FileManager.default.isExecutableFile(atPath: $0.path) }
    }

    private let gallery: BuiltProduct
    /// There once a worker has been killed.
    let killed: URL
    private let shared: URL
    private let source: [String]

    init(_ gallery: BuiltProduct, _ source: [String]) async throws {
        (self.gallery, self.source) = (gallery, source)
        shared = gallery.folder.appending(path: "shared")
        killed = gallery.folder.appending(path: "killed")
        // What ssh starts has none of these variables.
        let variables = gallery.environment.map { "export \($0)='\($1)'" }.joined(separator: "\n")
        let line = "exec '\(gallery.executable.path)' fetch - -d '\(shared.path)' \"$@\""
        try await script("worker", "\(variables)\n\(line)")
        try await script("mortal", "exec '\(path("worker"))' \"$@\" --exec '\(path("kill"))'")
        // Of all workers, and of all files of one, only the first gets this far.
        try await script(
            "kill",
            "mkdir '\(killed.path).first' 2>/dev/null && kill -9 $PPID && mkdir '\(killed.path)'; exit 0")
    }

    private func path(_ name: String) -> String { gallery.folder.appending(path: name).path }

    private func script(_ name: String, _ text: String) async throws {
        try await PictureBench.program(name, "#!/bin/sh\n\(text)\n", in: gallery.folder)
    }

    /// The lines divided among workers, until all of them have ended.
    func fetch(_ lines: String, _ way: Way, killsOne: Bool = false) async throws -> ProductOutcome {
        let command = [path(killsOne ? "mortal" : "worker")] + source
        let words = ["--will-cite", "--pipe", "-N5"]
        switch way {
        case .here: return try await parallel(words + ["-j4", "-S", ":"] + command, lines)
        case .ssh:
            return try await withSSHD { ssh in
                try await parallel(words + ["-S", "2/one,2/two", "--ssh", ssh] + command, lines)
            }
        }
    }

    private func parallel(_ words: [String], _ lines: String) async throws -> ProductOutcome {
        guard let parallel = Self.parallel else { throw CocoaError(.executableNotLoadable) }
        return try await withProgram(at: parallel) { try await $0.run(words, input: Data(lines.utf8)) }
    }

    /// Runs the body with a server of its own, and the command that reaches it as `one` and as `two`.
    private func withSSHD(_ body: (String) async throws -> ProductOutcome) async throws -> ProductOutcome {
        guard let sshd = Self.sshd else { throw CocoaError(.executableNotLoadable) }
        // As Debian's service does: its parent is empty after each start of the system.
        if geteuid() == 0 { mkdir("/run/sshd", 0o755) }
        return try await withProgram(at: sshd) { server in
            let folder = server.folder.path
            try await withProgram(at: URL(filePath: "/usr/bin/ssh-keygen")) { keys in
                for key in ["host", "user"] {
                    let made = try await keys.run(["-q", "-t", "ed25519", "-N", "", "-f", "\(folder)/\(key)"])
                    #expect(made.status == 0, "\(made.all)")
                }
            }
            let port = try freePort()
            try Data(
                """
                Port \(port)
                ListenAddress 127.0.0.1
                HostKey \(folder)/host
                AuthorizedKeysFile \(folder)/user.pub
                StrictModes no
                UsePAM no
                PidFile none
                MaxStartups 100
                """.utf8
            ).write(to: server.folder.appending(path: "sshd_config"))
            try Data(
                """
                Host one two
                    HostName 127.0.0.1
                    Port \(port)
                    IdentityFile \(folder)/user
                    IdentitiesOnly yes
                    UserKnownHostsFile \(folder)/known
                    StrictHostKeyChecking accept-new
                    LogLevel ERROR
                """.utf8
            ).write(to: server.folder.appending(path: "ssh_config"))
            let process = try server.start(
                ["-D", "-e", "-f", "\(folder)/sshd_config"], timeLimit: .seconds(170))
            #expect(try await process.waitForErrors("Server listening"), "\(process.errors)")
            return try await body("ssh -F \(folder)/ssh_config")
        }
    }

    // MARK: - The folder

    var pictureIDs: [Int] {
        get throws {
            try FileManager.default.contentsOfDirectory(atPath: shared.path)
                .filter { $0.hasSuffix(".jpg") }.compactMap { Int($0.prefix { $0 != "_" }) }
        }
    }

    /// The photos that the manifest has a file of, in its order.
    var manifestIDs: [Int] {
        get throws {
            try String(contentsOf: shared.appending(path: ".gallery.jsonl"), encoding: .utf8)
                .split(separator: "\n").compactMap { line in
                    let entry = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
                    guard entry?["file"] != nil else { return nil }
                    return (entry?["id"] as? String).flatMap { Int($0) } ?? 0
                }
        }
    }

    /// Expects the photos up to `count`, each once, byte for byte, and nothing else but the manifest, which has a line
    /// of each.
    func expectWhole(_ count: Int) async throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: shared.path).sorted()
        #expect(names == ([".gallery.jsonl"] + (1...count).map { "\($0)_Photo \($0).jpg" }).sorted())
        for id in 1...count {
            let file = try Data(contentsOf: shared.appending(path: "\(id)_Photo \(id).jpg"))
            #expect(file == PixelServer.picture(id), "photo \(id)")
        }
        #expect(try Set(manifestIDs) == Set(1...count))
        let check = try await gallery.run(["verify", shared.path])
        #expect(check.status == 0, "\(check.all)")
    }
}
