import Foundation
import GalleryTestSupport
import ProductTestSupport
import Testing

/// The built program's cache, and the program without the folder that is installed beside it.
@Suite(.fewAtOnce, .inProcess, .timeLimit(.minutes(2))) struct CacheEndToEndTests {
    private func cache(of gallery: BuiltProduct) -> URL { gallery.home.appending(path: ".cache/gallery") }

    @Test func `everything below the cache's folder is counted and cleared`() async throws {
        try await withGallery(PixelServer(count: 3)) { gallery, _, source in
            let empty = try await gallery.run(["cache", "info"])
            #expect(empty.status == 0 && empty.lines.first == cache(of: gallery).path, "\(empty.all)")
            #expect(empty.lines.dropFirst().first?.hasPrefix("0 entries, 0 B of ") == true)
            // A list, and three pictures to compare.
            _ = try await gallery.run(["popular", "--unique"] + source)
            let deep = cache(of: gallery).appending(path: "browse/deep/deeper")
            try FileManager.default.createDirectory(at: deep, withIntermediateDirectories: true)
            try Data(count: 1_000_000).write(to: deep.appending(path: "left.bin"))
            let full = try await gallery.run(["cache", "info"])
            #expect(full.lines.dropFirst().first?.hasPrefix("1 entry, ") == true, "\(full.all)")
            #expect(full.lines.contains("4 other files, 1.1 MB"), "\(full.all)")
            let cleared = try await gallery.run(["cache", "clear"])
            #expect(cleared.status == 0 && cleared.output.isEmpty, "\(cleared.all)")
            #expect(cleared.errors.hasPrefix("5 entries removed, 1.1 MB freed"), "\(cleared.errors)")
            let left = try #require(FileManager.default.enumerator(atPath: cache(of: gallery).path))
                .compactMap { $0 as? String }
                .filter { path in
                    var isFolder: ObjCBool = false
                    let file = cache(of: gallery).appending(path: path).path
                    return FileManager.default.fileExists(atPath: file, isDirectory: &isFolder)
                        && !isFolder.boolValue && !path.hasSuffix("lock")
                }
            #expect(left == [], "\(left)")
            #expect(
                try await gallery.run(["cache", "info"]).lines.dropFirst().first?.hasPrefix("0 entries")
                    == true)
        }
    }

    @Test func `clearing asks every service again, and forgets nothing else`() async throws {
        try await withGallery(PixelServer(count: 3)) { gallery, server, source in
            _ = try await gallery.run(["popular"] + source)
            _ = try await gallery.run(["popular"] + source)
            #expect(server.requests.count == 1)
            _ = try await gallery.run(["cache", "clear"])
            // What an index means is no part of the cache.
            #expect(try await gallery.run(["fetch", "2"]).lines == ["2_Photo 2.jpg"])
            #expect(server.requests.map(\.path) == ["/v1/photos", "/full/2"])
            _ = try await gallery.run(["popular"] + source)
            #expect(server.requests.count == 3)
        }
    }

    @Test func `a record is as readable as the files beside it`() async throws {
        try await withBuiltProduct("gallery") { gallery in
            let fetched = try await gallery.run(["fetch", "1"])
            func mode(_ name: String) throws -> Int? {
                let path = gallery.folder.appending(path: name).path
                return try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
            }
            let file = try #require(fetched.lines.first)
            #expect(try mode(".gallery.jsonl") == mode(file))
        }
    }

    @Test func `without its bundled photos the program runs every other service`() async throws {
        try await withTemporaryDirectory { folder in
            let program = folder.appending(path: "gallery")
            try await withBuiltProduct("gallery") { gallery in
                try await PictureBench.copyProgram(gallery.executable, to: program)
            }
            try await withLocalServer({ PixelServer(count: 3).reply(to: $0) }) { server in
                try await withProgram(at: program) { gallery in
                    let source = ["-s", "500px", "--base-url", server.url("v1").absoluteString]
                    #expect(try await gallery.run(["popular"] + source).lines.count == 4)
                    #expect(try await gallery.run(["fetch", "1"]).lines == ["1_Photo 1.jpg"])
                    #expect(try await gallery.run(["verify"]).status == 0)
                    #expect(try await gallery.run(["services"]).status == 0)
                    let bundled = try await gallery.run(["popular", "-s", "sample"])
                    #expect(bundled.status == 66, "\(bundled.all)")
                    #expect(bundled.errors.hasPrefix("Error: The bundled photos are missing; "))
                }
            }
        }
    }
}
