import Foundation
import GalleryCore
import GalleryTestSupport
import Testing

@Suite(.fewAtOnce, .timeLimit(.minutes(1))) struct PictureFolderTests {
    /// Keeps files of 100 bytes, the first the oldest, within `limit` bytes.
    private func kept(_ names: [String], limit: Int) async throws -> [String] {
        try await withTemporaryDirectory { folder in
            let manager = FileManager.default
            for (age, name) in names.enumerated() {
                let file = folder.appending(path: name)
                try Data(count: 100).write(to: file)
                try manager.setAttributes(
                    [.modificationDate: Date(timeIntervalSince1970: 1_000_000 + Double(age))],
                    ofItemAtPath: file.path)
            }
            let downloader = Downloader(transport: FileTransport(roots: []))
            await PictureFolder(folder, downloader: downloader, limit: limit).prepare()
            return try manager.contentsOfDirectory(atPath: folder.path).sorted()
        }
    }

    @Test(arguments: [
        (["old", "mid", "new"], 300, ["mid", "new", "old"]), (["old", "mid", "new"], 250, ["mid", "new"]),
        (["c", "b", "a"], 250, ["a", "b"]), (["old", "mid", "new"], 120, ["new"]),
        (["old", "mid", "new"], 0, []), ([], 100, []),
        // What a killed process has left unfinished goes anyway.
        (["a.jpg", "b.1.new"], 300, ["a.jpg"]),
    ])
    func `above its limit the pictures looked at longest ago go first`(
        names: [String], limit: Int, kept: [String]
    ) async throws {
        #expect(try await self.kept(names, limit: limit) == kept)
    }

    /// A picture folder in `parent` that asks a server, which gives a photo of 20,000 bytes.
    private func withPictures(
        changes: @escaping @Sendable (LocalRequest, LocalReply) -> LocalReply = { $1 },
        _ body: (PictureFolder, HTTPRequest, LocalServer) async throws -> Void
    ) async throws {
        try await withTemporaryDirectory { parent in
            try await withLocalServer { request in
                changes(request, .file(Self.picture, tag: "\"a\""))
            } run: { server in
                let folder = PictureFolder(
                    parent.appending(path: "new/pictures"), downloader: downloader(retries: 1))
                try await body(folder, HTTPRequest(url: server.url("1.jpg")), server)
            }
        }
    }

    private static let picture = Pictures.jpeg(bytes: 20_000, seed: 1)
    private static let photo = PhotoID(service: "s", value: "1")

    private func names(_ folder: PictureFolder) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.folder.path)
    }

    @Test func `a picture is whole, asked for once, and nobody else's business`() async throws {
        try await withPictures { pictures, request, server in
            async let first = pictures.file(of: Self.photo, request)
            async let second = pictures.file(of: Self.photo, request)
            let files = try await [first, second, pictures.file(of: Self.photo, request)]
            #expect(Set(files.map(\.url)).count == 1)
            #expect(try Data(contentsOf: files[0].url) == Self.picture)
            #expect(server.requests.count == 1)
            #expect(try names(pictures) == [files[0].url.lastPathComponent])
            for (path, mode) in [(pictures.folder.path, 0o700), (files[0].url.path, 0o600)] {
                let attributes = try FileManager.default.attributesOfItem(atPath: path)
                #expect(attributes[.posixPermissions] as? Int == mode, "\(path)")
            }
        }
        try await withTemporaryDirectory { parent in
            let folder = parent.appending(path: "pictures")
            await PictureFolder(folder, downloader: Downloader(transport: FileTransport(roots: []))).prepare()
            let attributes = try FileManager.default.attributesOfItem(atPath: folder.path)
            #expect(attributes[.posixPermissions] as? Int == 0o700)
        }
    }

    @Test func `the limit holds while pictures come, of which each is small beside it`() async throws {
        try await withPictures { pictures, _, server in
            let limit = 400_000
            try FileManager.default.createDirectory(at: pictures.folder, withIntermediateDirectories: true)
            try Data(count: 390_000).write(to: pictures.folder.appending(path: "old"))
            let folder = PictureFolder(pictures.folder, downloader: downloader(), limit: limit)
            await folder.prepare()
            _ = try await folder.file(of: Self.photo, HTTPRequest(url: server.url("1.jpg")))
            try await until { try names(pictures).count == 1 }
        }
    }

    @Test func `a picture that is looked at again stays longer`() async throws {
        try await withPictures { pictures, request, server in
            let other = HTTPRequest(url: server.url("2.jpg"))
            let first = try await pictures.file(of: Self.photo, request).url
            let second = try await pictures.file(of: Self.photo, other).url
            for (age, file) in [(2000.0, first), (1000, second)] {
                try FileManager.default.setAttributes(
                    [.modificationDate: Date() - age], ofItemAtPath: file.path)
            }
            // Another process, which has room for one.
            let later = PictureFolder(pictures.folder, downloader: downloader(), limit: 30_000)
            #expect(try await later.file(of: Self.photo, request).url == first)
            await later.prepare()
            #expect(try names(pictures) == [first.lastPathComponent])
            #expect(server.requests.count == 2)
        }
    }

    @Test(arguments: ["written", "replaced", "with its old time"])
    func `a file of this machine that has changed is looked at as it is now`(how: String) async throws {
        try await withTemporaryDirectory { parent in
            let source = parent.appending(path: "a.jpg")
            try Self.picture.write(to: source)
            let past = Date(timeIntervalSince1970: 1_000_000)
            try FileManager.default.setAttributes([.modificationDate: past], ofItemAtPath: source.path)
            let transport = FileTransport(roots: [parent])
            func folder() -> PictureFolder {
                PictureFolder(
                    parent.appending(path: "pictures"), downloader: Downloader(transport: transport))
            }
            let request = HTTPRequest(url: source)
            let pictures = folder()
            let first = try await pictures.file(of: Self.photo, request).url
            let new = Pictures.jpeg(bytes: 20_000, seed: 2)
            if how == "replaced" {
                try new.write(to: source, options: .atomic)
            } else {
                let file = try FileHandle(forWritingTo: source)
                try file.write(contentsOf: new)
                try file.close()
            }
            if how == "with its old time" {
                try FileManager.default.setAttributes([.modificationDate: past], ofItemAtPath: source.path)
            }
            // Who fetches it gets no old copy either, in this process or in another one.
            for pictures in [pictures, folder()] {
                let sink = RecordingSink()
                let kept = KeptPictureTransport(pictures, otherwise: transport)
                _ = await outcome(of: request, over: kept, to: sink)
                #expect(sink.body == new)
            }
            for pictures in [pictures, folder()] {
                let file = try await pictures.file(of: Self.photo, request).url
                #expect(file == first)
                #expect(try Data(contentsOf: file) == new)
            }
        }
    }

    @Test func `a part is gone on with from its server, whatever was looked at`() async throws {
        try await withPictures { pictures, request, server in
            _ = try await pictures.file(of: Self.photo, request)
            let transport = KeptPictureTransport(pictures, otherwise: URLSessionTransport())
            let whole = RecordingSink()
            #expect(await outcome(of: request, over: transport, to: whole) == "200")
            #expect(whole.body == Self.picture && server.requests.count == 1)
            var rest = request
            rest.headers = ["Range": "bytes=15000-", "If-Range": "\"a\""]
            let sink = RecordingSink()
            #expect(await outcome(of: rest, over: transport, to: sink) == "206")
            #expect(sink.body == Self.picture.dropFirst(15_000) && server.requests.count == 2)
        }
    }

    @Test(arguments: [
        (LocalReply.status(404), "'127.0.0.1' answered with status 404."),
        (.file(picture.prefix(10_000), tag: "\"a\""), "'127.0.0.1' sent a broken picture:"),
        (
            .file(
                Data(String(repeating: "<html><body>Please sign in</body></html>", count: 99).utf8),
                tag: "\"a\""),
            "'127.0.0.1' sent an HTML page instead of a picture."
        ),
    ])
    func `what is no whole picture leaves nothing`(reply: LocalReply, message: String) async throws {
        try await withPictures(changes: { _, _ in reply }) { pictures, request, server in
            let found: String
            do throws(DownloadError) {
                found = try await pictures.file(of: Self.photo, request).url.path
            } catch {
                found = error.description
            }
            #expect(found.hasPrefix(message), "\(found)")
            #expect(server.requests.count == 1)
            #expect((try? names(pictures)) == [])
        }
    }

    @Test func `a passing fault is tried again, and a cut reply is none`() async throws {
        let changes = { @Sendable (request: LocalRequest, reply: LocalReply) in
            request.attempt == 1 ? reply.cut(at: .half) : reply
        }
        try await withPictures(changes: changes) { pictures, request, server in
            let file = try await pictures.file(of: Self.photo, request)
            #expect(try Data(contentsOf: file.url) == Self.picture)
            #expect(server.requests.count == 2)
        }
    }

    @Test func `a canceled download leaves nothing`() async throws {
        let gate = Gate()
        try await withPictures(changes: { $1.stalled(at: .half, until: gate) }) { pictures, request, server in
            let seen = Watched<Int64>(0)
            let loading = Task {
                try await pictures.file(of: Self.photo, request) { received, _ in
                    seen.update { $0 = received }
                }
            }
            try await seen.first { $0 > 0 }
            loading.cancel()
            await #expect(throws: DownloadError.self) { try await loading.value }
            gate.open()
            // The last reference to the draft goes a moment after.
            try await until { (try? names(pictures)) == [] }
        }
    }
}
