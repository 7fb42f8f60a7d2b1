import Foundation
import GalleryTestSupport
import Testing

/// The built program against replies that are odd and common.
@Suite(.fewAtOnce, .timeLimit(.minutes(2))) struct OddReplyEndToEndTests {
    @Test(arguments: ["/removed.png", "/img/nothing", "/gone/for/good.jpg"])
    func `photos that end at one picture fail, leave no file, and are asked for again`(
        target: String
    ) async throws {
        let pixels = PixelServer(
            count: 6,
            fault: { request in
                switch request.path {
                case "/full/2", "/full/5": .redirect(to: target)
                case target: .file(PixelServer.picture(99))
                default: nil
                }
            })
        try await withGallery(pixels) { gallery, server, source in
            for (run, states) in [
                ["fetched", "failed", "fetched", "fetched", "failed", "fetched"], ["failed", "failed"],
            ].enumerated() {
                let outcome = try await gallery.run(["fetch", "1-6", "--new", "--format", "jsonl"] + source)
                #expect(outcome.status == (run == 0 ? 1 : 65), "\(outcome.all)")
                for (line, state) in zip(outcome.lines.sorted(), states) {
                    #expect(line.contains(#""status":"\#(state)""#))
                }
                #expect(outcome.lines.count == states.count)
                let errors = outcome.errors.split(separator: "\n").filter { $0.hasPrefix("Error: ") }
                let reason = "'127.0.0.1' sent a placeholder for what is gone instead of a picture."
                let starts = errors.map { $0.prefix(14) }.sorted()
                #expect(starts == ["Error: photo 2", "Error: photo 5"], "\(outcome.errors)")
                #expect(errors.allSatisfy { $0.contains(reason) }, "\(outcome.errors)")
                #expect(server.requests(to: "/full/2").count == run + 1)
                let names = try FileManager.default.contentsOfDirectory(atPath: gallery.folder.path)
                #expect(
                    names.filter { !$0.hasPrefix(".") }.sorted()
                        == [1, 3, 4, 6].map { "\($0)_Photo \($0).jpg" })
            }
        }
    }

    @Test(arguments: [
        ["--jobs", "1"], ["--unique"], ["--unique", "--jobs", "1", "--archive", "all.jsonl"],
        ["--metadata", "--archive", "all.jsonl"],
    ])
    func `a file that proves to be nobody's photo once it has its name is taken back`(options: [String])
        async throws
    {
        let pixels = PixelServer(
            count: 24,
            fault: { request in
                let number = Int(request.path.filter(\.isNumber)) ?? 0
                return switch request.path {
                case "/full/3", "/full/24": .redirect(to: "/cdn/of-nobody")
                case "/cdn/of-nobody": .file(PixelServer.picture(99))
                case "/full/\(number)": .redirect(to: "/cdn/x\(number * 3571)y")
                case "/cdn/x\(number)y": .file(PixelServer.picture(number / 3571))
                default: nil
                }
            })
        try await withGallery(pixels) { gallery, server, source in
            let line = ["fetch", "1-24", "--new", "--format", "jsonl"] + options + source
            for run in 1...2 {
                let outcome = try await gallery.run(line, in: gallery.folder)
                #expect(outcome.status == (run == 1 ? 1 : 65), "\(outcome.all)")
                #expect(
                    outcome.errors.contains(
                        run == 1 ? "22 fetched, 0 kept, 2 failed" : "0 fetched, 0 kept, 2"))
                var last: [String: String] = [:]
                for line in outcome.lines {
                    let fields = line.split(separator: "\"").map(String.init)
                    let id = try #require(fields.firstIndex(of: "id")),
                        state = fields.firstIndex(of: "status")
                    last[fields[id + 2]] = try fields[#require(state) + 2]
                }
                #expect(last.filter { $0.value == "failed" }.keys.sorted() == ["24", "3"])
                #expect(server.requests(to: "/full/3").count == run)
                let names = try FileManager.default.contentsOfDirectory(atPath: gallery.folder.path)
                let own = names.filter { !$0.hasPrefix(".") && $0 != "all.jsonl" }
                #expect(own.count == (options[0] == "--metadata" ? 44 : 22))
                #expect(!own.contains { $0.hasPrefix("3_") || $0.hasPrefix("24_") }, "\(own)")
            }
            let check = try await gallery.run(["verify", "."], in: gallery.folder)
            #expect(check.status == 0, "\(check.all)")
        }
    }

    @Test func `silence is noticed without URLSession too, and what came is not lost`() async throws {
        let photo = LocalReply.file(PixelServer.picture(1), tag: "\"v1\"").header("Content-Encoding", "utf-8")
        let pixels = PixelServer(
            count: 1,
            fault: { request in
                request.path != "/full/1" ? nil : request.attempt == 2 ? photo.stalled(at: .half) : photo
            })
        try await withGallery(pixels) { gallery, server, source in
            let outcome = try await gallery.run(["fetch", "1", "--timeout", "1"] + source)
            #expect(outcome.status == 0, "\(outcome.all)")
            let ranges = server.requests(to: "/full/1").map { $0.headers["Range"] }
            #expect(ranges == [nil, nil, "bytes=\(PixelServer.picture(1).count / 2)-"])
        }
    }

    @Test func `a redirect whose address is no UTF-8 leads to its bytes`() async throws {
        let pixels = PixelServer(
            count: 3,
            fault: { request in
                switch request.target.prefix(7) {
                case "/full/1": .status(302).header("Location", bytes: Array("/caf".utf8) + [0xE9])
                case "/full/2": .status(302).header("Location", bytes: [0x2F, 0xFC, 0x20, 0x3F, 0x61])
                case "/full/3": .status(302).header("Location", bytes: [0x2F, 0x83, 0x65, 0x5F])
                case "/caf%E9", "/%FC%20", "/%83e_": .file(PixelServer.picture(1))
                default: nil
                }
            })
        try await withGallery(pixels) { gallery, server, source in
            let outcome = try await gallery.run(["fetch", "1-3"] + source)
            #expect(outcome.status == 0 && outcome.lines.count == 3, "\(outcome.all)")
            let others = server.requests.map(\.target).filter {
                !$0.hasPrefix("/full") && !$0.hasPrefix("/v1")
            }
            #expect(others.sorted() == ["/%83e_", "/%FC%20?a", "/caf%E9"])
        }
    }

    @Test(arguments: ["cf-mitigated", "x-other"])
    func `a host for browsers only is asked for few of its files, and told with help`(
        field: String
    ) async throws {
        let pixels = PixelServer(
            count: 100,
            fault: {
                $0.path.hasPrefix("/full/")
                    ? .html("<title>Just a moment...</title>", status: 403).header(
                        field, "challenge") : nil
            })
        try await withGallery(pixels) { gallery, server, source in
            let outcome = try await gallery.run(["fetch", "1-100"] + source)
            #expect(outcome.status == 69, "\(outcome.all)")
            #expect(outcome.errors.contains("'127.0.0.1' lets only browsers in."))
            #expect(outcome.errors.contains("\nHelp: Open its pages in a browser"))
            #expect(outcome.errors.contains("0 fetched, 0 kept, 100 failed"))
            // Those that were under way when the first was refused.
            #expect(server.requests.count { $0.path.hasPrefix("/full/") } <= 8)
        }
    }

    #if os(Linux)
        @Test func `a folder that cannot be made ends the run before its first file`() async throws {
            try await withGallery(PixelServer(count: 40)) { gallery, server, source in
                let outcome = try await gallery.run(["fetch", "1-40", "-d", "/proc/gallery"] + source)
                #expect(outcome.status == 73, "\(outcome.all)")
                #expect(outcome.errors.split(separator: "\n").count { $0.hasPrefix("Error: ") } == 1)
                #expect(!server.requests.contains { $0.path.hasPrefix("/full/") })
            }
        }

        @Test(
            .needs("strace", strace != nil),
            arguments: Thorough.cases(
                [
                    ("EINVAL", 0), ("EIO", 74), ("EOPNOTSUPP", 0), ("ENOSYS", 0), ("ENOSPC", 74),
                    ("EDQUOT", 74),
                ], few: 2))
        func `a file system without fsync takes files, and one that fails in it does not`(
            code: String, status: Int32
        ) async throws {
            try await withGallery(PixelServer(count: 2)) { gallery, _, source in
                try await withProgram(at: try #require(Self.strace)) { strace in
                    let line =
                        ["fetch", "1-2", "--name", "{author}/{id}", "-d", gallery.folder.path] + source
                    let inject = "inject=fsync:error=\(code)"
                    for run in 1...2 {
                        let outcome = try await strace.run(
                            [
                                "-f", "-qq", "-o", "/dev/null", "-e", "trace=fsync", "-e", inject,
                                gallery.executable.path,
                            ]
                                + line)
                        #expect(outcome.status == status, "\(outcome.all)")
                        let counts = run == 1 ? "2 fetched, 0 kept" : "0 fetched, 2 kept"
                        #expect(outcome.errors.contains(status == 0 ? counts : "0 fetched, 0 kept, 2 failed"))
                    }
                }
            }
        }

        private static let strace = ["/usr/bin/strace", "/bin/strace"].first {
            FileManager.default.isExecutableFile(atPath: $0)
        }.map { URL(filePath: $0) }
    #endif
}
