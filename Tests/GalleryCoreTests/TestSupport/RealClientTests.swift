import Foundation
import GalleryTestSupport
import Testing

private let curlPath = "/usr/bin/curl"

/// The server against a client that somebody else wrote.
@Suite(
    .fewAtOnce, .needs("curl", FileManager.default.isExecutableFile(atPath: curlPath)),
    .timeLimit(.minutes(1)))
struct RealClientTests {
    private let photo = Pictures.jpeg(bytes: 300_000)

    private func fetch(_ target: String, from server: LocalServer) async throws -> ProductOutcome {
        try await withProgram(at: URL(filePath: curlPath)) { curl in
            try await curl.run(["-sL", "--compressed", server.url(target).absoluteString])
        }
    }

    @Test func `curl gets whole bodies however they are framed`() async throws {
        let routes: [String: LocalReply] = [
            "/file": .file(photo), "/chunked": .file(photo).chunked(), "/gzip": .gzip(photo),
            "/endless": .file(photo).withoutLength(), "/moved": .redirect(to: "/file"),
        ]
        try await withLocalServer(routes) { server in
            for target in routes.keys {
                let outcome = try await fetch(target, from: server)
                #expect(outcome.status == 0, "\(target)")
                #expect(outcome.outputData == photo, "\(target)")
            }
        }
    }

    /// The statuses are curl's own: 18 partial file, 52 empty reply, 56 receive failure, 47 too many redirects.
    @Test(arguments: [
        ("/cut", 18), ("/cut-chunks", 18), ("/nothing", 52), ("/reset", 56), ("/loop", 47),
    ])
    func `curl sees the fault that was meant`(target: String, status: Int32) async throws {
        let routes: [String: LocalReply] = [
            "/cut": .file(photo).cut(at: .last), "/cut-chunks": .file(photo).chunked().cut(at: .end),
            "/nothing": .noAnswer(), "/reset": .file(photo).cut(at: .half, by: .reset),
            "/loop": .redirect(to: "/loop"),
        ]
        try await withLocalServer(routes) { server in
            let outcome = try await fetch(target, from: server)
            #expect(outcome.status == status)
        }
    }
}
