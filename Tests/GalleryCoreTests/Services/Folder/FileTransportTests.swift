import Foundation
import GalleryCore
import GalleryTestSupport
import Testing

@Suite("FileTransport", .fewAtOnce, .timeLimit(.minutes(1)))
struct FileTransportTests {
    @Test func `serves what is below its roots and nothing else`() async throws {
        try await withTemporaryDirectory { folder in
            let root = folder.appending(path: "root")
            let files = FileManager.default
            try files.createDirectory(at: root.appending(path: "sub"), withIntermediateDirectories: true)
            try files.createDirectory(at: folder.appending(path: "rooted"), withIntermediateDirectories: true)
            let body = Pictures.jpeg(bytes: 200_000)
            for path in ["root/sub/a b%.jpg", "outside.jpg", "rooted/x.jpg"] {
                try body.write(to: folder.appending(path: path))
            }
            for (link, target) in [("in", "root/sub/a b%.jpg"), ("out", "outside.jpg"), ("up", "rooted")] {
                try files.createSymbolicLink(
                    at: root.appending(path: link), withDestinationURL: folder.appending(path: target))
            }
            #expect(mkfifo(root.appending(path: "pipe").path, 0o600) == 0)
            let transport = FileTransport(roots: [root, folder.appending(path: "not there")])
            let cases = [
                ("root/sub/a b%.jpg", "200"), ("root/in", "200"), ("root/out", "403"),
                ("root/up/x.jpg", "403"),
                ("outside.jpg", "403"), ("rooted/x.jpg", "403"), ("root/none.jpg", "404"),
                ("root/sub", "403"),
                ("root/sub/../../outside.jpg", "403"), ("root/pipe", "403"),
            ]
            for (path, expected) in cases {
                let sink = RecordingSink()
                let request = HTTPRequest(url: folder.appending(path: path))
                let outcome = await outcome(of: request, over: transport, to: sink)
                #expect(outcome == expected, "\(path)")
                #expect(sink.body == (expected == "200" ? body : Data()))
            }
        }
    }

    @Test func `a receiver that will not go on ends the transfer`() async throws {
        try await withTemporaryDirectory { folder in
            let file = folder.appending(path: "a.jpg")
            try Pictures.jpeg(bytes: 200_000).write(to: file)
            let sink = RecordingSink(limit: 1000)
            #expect(
                await outcome(of: HTTPRequest(url: file), over: FileTransport(roots: [folder]), to: sink)
                    == "rejected")
        }
    }

    @Test func `each scheme has its own way, and others none`() async throws {
        try await withTemporaryDirectory { folder in
            try Data("x".utf8).write(to: folder.appending(path: "x"))
            try await withLocalServer(.status(204)) { server in
                let both = FileTransport(roots: [folder], otherwise: URLSessionTransport())
                let file = HTTPRequest(url: folder.appending(path: "x"))
                #expect(await outcome(of: file, over: both) == "200")
                #expect(await outcome(of: HTTPRequest(url: server.url("/")), over: both) == "204")
                #expect(
                    await outcome(of: file, over: URLSessionTransport())
                        == "malformed: the address is neither http nor https")
                let other = HTTPRequest(url: try #require(URL(string: "ftp://127.0.0.1/x")))
                #expect(
                    await outcome(of: other, over: both) == "malformed: the address is neither http nor https"
                )
            }
        }
    }
}
