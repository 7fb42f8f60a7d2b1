import Foundation
import GalleryTestSupport
import Testing

/// The built program, whose requests are sent by a process of its own.
@Suite(.fewAtOnce, .timeLimit(.minutes(3))) struct WorkerEndToEndTests {
    #if os(Linux)
        @Test func `of twelve photos all arrive but those whose replies the library cannot read`()
            async throws
        {
            let pixels = PixelServer(
                count: 12,
                fault: { request in
                    switch request.path {
                    case "/full/7":
                        .raw(
                            "HTTP/1.1 200 OK\r\nContent-Type: image/jpeg\r\nTransfer-Encoding: chunked\r\n\r\n"
                                + "2\r\nok\r\n0\r\nX-Sum: 1\r\n\r\n")
                    case "/full/9": .raw("HTTP/1.1 200 OK\r\nContent-Ty")
                    default: nil
                    }
                })
            try await withGallery(pixels) { gallery, server, source in
                let reason =
                    "'127.0.0.1' sent an answer that Swift's HTTP library cannot read (a trailer, or a broken head)."
                for run in 1...2 {
                    let outcome = try await gallery.run(
                        ["fetch", "1-12", "--retries", "1"] + source, expecting: 1)
                    #expect(outcome.lines.count == 10)
                    let errors = outcome.errors.split(separator: "\n").filter { $0.hasPrefix("Error: ") }
                    #expect(
                        errors.sorted()
                            == [7, 9].map { "Error: photo \($0): \(reason) (500px:\($0), 'Photo \($0)')" },
                        "\(outcome.errors)")
                    #expect(errors.count == 2)
                    #expect(
                        outcome.errors.contains(run == 1 ? "10 fetched, 0 kept" : "0 fetched, 10 kept"),
                        "\(outcome.errors)")
                }
                for id in 1...12 where ![7, 9].contains(id) {
                    let file = gallery.folder.appending(path: "\(id)_Photo \(id).jpg")
                    #expect(try Data(contentsOf: file) == PixelServer.picture(id))
                }
            }
        }

        @Test(arguments: [SIGINT, SIGTERM, SIGKILL])
        func `no worker stays behind a program that ends`(signal: Int32) async throws {
            let pixels = PixelServer(fault: {
                $0.path.hasPrefix("/full/") ? .file(PixelServer.picture(1)).stalled(at: .half) : nil
            })
            try await withGallery(pixels) { gallery, server, source in
                let run = try gallery.start(["fetch", "1-6", "-q"] + source)
                try await server.waitForRequestsInFlight(6)
                let workers = Self.children(of: run.process)
                #expect(workers.count == 6)
                run.send(signal)
                let status = try await run.outcome().status
                #expect(status == (signal == SIGKILL ? nil : 130))
                for worker in workers {
                    while Self.isAlive(worker) {
                        try Task.checkCancellation()
                        await Task.yield()
                    }
                }
            }
        }

        @Test func `no key is on the command line or in the environment of a worker`() async throws {
            let pixels = PixelServer(fault: { $0.path.hasPrefix("/full/") ? .silence() : nil })
            try await withGallery(pixels) { gallery, server, source in
                let key = "0123456789abcdef-key"
                let run = try gallery.start(
                    ["fetch", "1", "-q"] + source, environment: ["GALLERY_500PX_KEY": key])
                try await server.waitForRequests(1, to: "/full/1")
                let worker = try #require(Self.children(of: run.process).first)
                for name in ["cmdline", "environ"] {
                    // Where it may not be read there is nothing to be told either.
                    let bytes = FileManager.default.contents(atPath: "/proc/\(worker)/\(name)") ?? Data()
                    #expect(bytes.range(of: Data(key.utf8)) == nil)
                    #expect(bytes.range(of: Data("GALLERY_".utf8)) == nil)
                }
                run.send(SIGKILL)
                _ = try await run.outcome()
            }
        }

        @Test func `a worker that crashes leaves no core, which would hold keys`() async throws {
            // Whether a program that crashes leaves a core here is for the machine to say.
            func leavesCore(
                _ shell: BuiltProduct, _ arguments: [String], crash: (RunningProduct) async throws -> Void
            ) async throws -> Bool {
                let run = try shell.start(["-c", #"ulimit -c unlimited; exec "$0" "$@""#] + arguments)
                try await crash(run)
                _ = try await run.outcome()
                let names = try shell.names()
                return names.contains { $0.hasPrefix("core") }
            }
            let leavesCores = try await withProgram(at: URL(filePath: "/bin/sh")) { shell in
                try await leavesCore(shell, ["/bin/sh", "-c", "kill -ABRT $$"]) { _ in }
            }
            guard leavesCores else { return }
            let pixels = PixelServer(fault: { $0.path == "/full/1" ? .silence() : nil })
            try await withGallery(pixels) { gallery, server, source in
                try await withProgram(at: URL(filePath: "/bin/sh")) { shell in
                    let line = ["fetch", "1", "-q", "-d", gallery.folder.path] + source
                    let hasCore = try await leavesCore(shell, [gallery.executable.path] + line) { run in
                        try await server.waitForRequests(1, to: "/full/1")
                        let workers = Self.children(of: run.process)
                        #expect(!workers.isEmpty)
                        for worker in workers { kill(worker, SIGABRT) }
                        try await until { workers.allSatisfy { !Self.isAlive($0) } }
                        run.send(SIGKILL)
                    }
                    #expect(!hasCore)
                }
            }
        }

        @Test func `few open files are enough`() async throws {
            try await withGallery(PixelServer(count: 40)) { gallery, server, source in
                try await withProgram(at: URL(filePath: "/bin/sh")) { shell in
                    let line = ["fetch", "1-40", "-d", gallery.folder.path] + source
                    let outcome = try await shell.runWell(
                        ["-c", #"ulimit -n 24; exec "$0" "$@""#, gallery.executable.path] + line)
                    #expect(outcome.lines.count == 40)
                }
            }
        }

        /// The processes that `process` has started and that are alive.
        private static func children(of process: pid_t) -> [pid_t] {
            let folders = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
            return folders.compactMap { pid_t($0) }.filter { fields(of: $0)?.parent == process }
        }

        private static func isAlive(_ process: pid_t) -> Bool {
            fields(of: process).map { !$0.isZombie } ?? false
        }

        private static func fields(of process: pid_t) -> (parent: pid_t, isZombie: Bool)? {
            guard let bytes = FileManager.default.contents(atPath: "/proc/\(process)/stat") else {
                return nil
            }
            // The name before them may hold anything, but no bracket after its own.
            let fields = String(decoding: bytes, as: UTF8.self).split(separator: ")").last?.split(
                separator: " ")
            guard let fields, fields.count > 1, let parent = pid_t(fields[1]) else { return nil }
            return (parent, fields[0] == "Z")
        }
    #endif

    @Test func `a full disk is told once, and counted, and leaves no file`() async throws {
        try await withGallery(PixelServer(count: 40)) { gallery, server, source in
            try await withProgram(at: URL(filePath: "/bin/sh")) { shell in
                let line = ["fetch", "1-40", "-d", gallery.folder.path] + source
                let full = try await shell.run(
                    ["-c", #"ulimit -f 30; exec "$0" "$@""#, gallery.executable.path] + line, expecting: 74)
                let lines = full.errors.split(separator: "\n").filter { $0.contains("could not be written") }
                #expect(lines.count == 1, "\(full.errors)")
                #expect(full.errors.contains("0 fetched, 0 kept, 40 failed"), "\(full.errors)")
                #expect(try !gallery.names().contains { $0.hasSuffix(".jpg") })
                // Once there is room it goes on.
                try await gallery.runWell(["fetch", "1"] + source)
                #expect(try gallery.data("1_Photo 1.jpg") == PixelServer.picture(1))
            }
        }
    }

    @Test func `a proxy that is down is blamed, and not the photo's host`() async throws {
        let port = try refusingPort()
        try await withGallery(PixelServer()) { gallery, server, source in
            let outcome = try await gallery.run(
                ["popular", "--retries", "0"] + source,
                environment: ["http_proxy": "http://user:secret@127.0.0.1:\(port)", "no_proxy": ""])
            #expect(outcome.status == 69, "\(outcome.all)")
            #expect(
                outcome.errors.contains(
                    "The proxy '127.0.0.1:\(port)' could not be reached: the connection was refused."),
                "\(outcome.errors)")
            #expect(!outcome.all.contains("secret"))
        }
    }

    @Test(arguments: [
        (403, "refused to connect to 'photos.example' (status 403)."),
        (407, "asks for a name and a password (status 407)."),
    ])
    func `a proxy that refuses to connect is blamed, and not the photo's host`(
        status: Int, reason: String
    ) async throws {
        try await withLocalServer({ _ in .status(status, headers: ["Proxy-Authenticate": "Basic"]) }) {
            proxy in
            try await withBuiltProduct { gallery in
                let port = try #require(proxy.url.port)
                let outcome = try await gallery.run(
                    ["fetch", "-", "--retries", "0"],
                    environment: ["https_proxy": "http://127.0.0.1:\(port)", "no_proxy": ""],
                    input: Data(
                        (#"{"service":"500px","id":"7","full":{"url":"https://photos.example/7.jpg"}}"# + "\n")
                            .utf8))
                #expect(outcome.status == 69, "\(outcome.all)")
                #expect(
                    outcome.errors.contains("The proxy '127.0.0.1:\(port)' \(reason)"), "\(outcome.errors)")
                #expect(proxy.requests.map(\.method) == ["CONNECT"])
                #expect(proxy.requests.map(\.target) == ["photos.example:443"])
            }
        }
    }
}
