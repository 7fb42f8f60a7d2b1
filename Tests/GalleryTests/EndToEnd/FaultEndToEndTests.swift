import Foundation
import GalleryTestSupport
import Testing

/// The built program on bad days: killed, without room, among hosts that fail.
@Suite(.fewAtOnce, .timeLimit(.minutes(5))) struct FaultEndToEndTests {
    @Test func `fifty kills leave no torn file, and one more run completes`() async throws {
        let count = Thorough.size(100, small: 15)
        // Slow enough that a run is in the middle of several files whenever it is killed.
        let pixels = PixelServer(
            count: count,
            fault: { request in
                guard let id = request.pictureID else { return nil }
                return .file(PixelServer.picture(id), tag: "\"v1\"").dripping(
                    bytes: 16_000, every: .milliseconds(1))
            })
        var random = SeededGenerator(seed: 42)
        try await withGallery(pixels) { gallery, server, source in
            let line = ["fetch", "1-\(count)"] + source
            for _ in 0..<Thorough.rounds(50, few: 3) {
                let run = try gallery.start(line)
                let seen = server.requests.count
                try await killAfter(seen + Int.random(in: 1...6, using: &random), server, run)
                try expectWholeFiles(in: gallery.folder)
            }
            let last = try await gallery.runWell(line)
            #expect(last.lines.count == count)
            try expectWholeFiles(in: gallery.folder)
            let names = try gallery.names()
            #expect(names.filter { $0.hasSuffix(".jpg") }.count == count)
            #expect(!names.contains { $0.contains(".part") }, "\(names.filter { $0.contains(".part") })")
        }
    }

    @Test func `a photo that its archive has no room for fails, and is had once there is room`() async throws
    {
        try await withGallery(PixelServer()) { gallery, _, source in
            let archive = gallery.folder.appending(path: "had.jsonl")
            // All but the last bytes of 40 KiB more than the picture: a line of an archive that nobody else has.
            // As long as files may be then; the picture is shorter.
            let blocks = 100
            let (head, tail) = (#"{"had":"full 0 other:"#, "\"}\n")
            let rest = blocks * 512 - head.utf8.count - tail.utf8.count
            let line = head + String(repeating: "7", count: rest) + tail
            try Data(line.utf8).write(to: archive)
            let command = ["fetch", "1", "--archive", archive.path, "-d", gallery.folder.path] + source
            try await withProgram(at: URL(filePath: "/bin/sh")) { shell in
                let full = try await shell.run(
                    ["-c", #"ulimit -f \#(blocks); exec "$0" "$@""#, gallery.executable.path] + command,
                    expecting: 74)
                #expect(full.errors.contains("had.jsonl' could not be written"), "\(full.errors)")
            }
            #expect(try String(contentsOf: archive, encoding: .utf8) == line)
            try await gallery.runWell(command)
            #expect(try String(contentsOf: archive, encoding: .utf8).contains("500px:1"))
        }
    }

    /// The retries of one photo take some 7 s, and those of forty one after the other five minutes: more than a run may.
    @Test(.thorough, arguments: ["127.0.0.1", "localhost"])
    func `photos of a port that refuses take the tries of one, though the service answers beside it`(
        host: String
    ) async throws {
        let port = try refusingPort()
        let photos = (1...40).map {
            #"{"id":\#($0),"width":4,"height":3,"images":[{"size":2048,"url":"http://\#(host):\#(port)/\#($0)"}]}"#
        }
        let list = """
            {"current_page":1,"total_pages":1,"total_items":40,"photos":[\(photos.joined(separator: ","))]}
            """
        try await withGallery(of: "500px", at: "v1", { _ in .json(list) }) { gallery, server, source in
            let outcome = try await gallery.run(["fetch", "1-40"] + source, expecting: 69)
            let lines = outcome.errors.split(separator: "\n")
            #expect(lines.count { $0.hasPrefix("Error: photo ") } == 3, "\(outcome.errors)")
            #expect(lines.contains { $0.hasPrefix("Error: and 37 more, photos ") }, "\(outcome.errors)")
            #expect(server.requests.count { $0.path == "/v1/photos" } == 1)
        }
    }

    @Test(arguments: [false, true])
    func `a key is found in no output, no cache and no record, though the service repeats it`(
        isRepeated: Bool
    ) async throws {
        let key = "k3y-that-must-not-leak"
        try await withLocalServer({ PixelServer(count: 3).reply(to: $0) }) { other in
            let moved = other.url("full/1").absoluteString
            let pixels = PixelServer(
                listsFullSizes: false, title: { "Photo \($0)" + (isRepeated ? " for \(key)" : "") },
                fault: { request in
                    switch request.path {
                    case "/full/1": .redirect(to: moved)
                    case "/v1/photos/77" where isRepeated:
                        .json(#"{"status":401,"error":"The key \#(key) is not valid."}"#, status: 401)
                    default: nil
                    }
                })
            try await withGallery(pixels) { gallery, server, source in
                let environment = ["GALLERY_500PX_KEY": key]
                var said = Data()
                for line in [
                    ["popular"], ["show", "1-2"], ["fetch", "1-3", "--metadata"], ["services"],
                    ["fetch", "99"], ["show", "https://500px.com/photo/77/x"], ["mark", "1"],
                ] {
                    let needsSource = line != ["services"]
                    let outcome = try await gallery.run(
                        line + (needsSource ? source + ["-v"] : []), environment: environment)
                    said += outcome.outputData + outcome.errorData
                }
                #expect(server.requests.contains { $0.query("consumer_key") == key })
                #expect(!other.requests.contains { $0.target.contains(key) || "\($0.headers)".contains(key) })
                #expect(said.range(of: Data(key.utf8)) == nil)
                for folder in [gallery.home, gallery.folder] {
                    for file in try FileManager.default.subpathsOfDirectory(atPath: folder.path) {
                        #expect(!file.contains(key))
                        let bytes =
                            FileManager.default.contents(atPath: folder.appending(path: file).path) ?? Data()
                        #expect(bytes.range(of: Data(key.utf8)) == nil, "\(file)")
                    }
                }
            }
        }
    }

    // MARK: - Parts

    private func expectWholeFiles(in folder: URL) throws {
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path)
        where name.hasSuffix(".jpg") {
            let id = try #require(Int(name.prefix { $0 != "_" }))
            let bytes = try Data(contentsOf: folder.appending(path: name))
            #expect(bytes == PixelServer.picture(id), "\(name) has \(bytes.count) bytes")
        }
    }
}

extension LocalRequest {
    /// The photo whose full size is asked for.
    fileprivate var pictureID: Int? { path.hasPrefix("/full/") ? Int(path.dropFirst(6)) : nil }
}
