import Foundation
import GalleryTestSupport
import Testing

/// The built program beside a server that nobody here wrote.
@Suite(.alone, .needs("nginx", Nginx.executable != nil), .timeLimit(.minutes(2)))
struct NginxEndToEndTests {
    @Test(.thorough, arguments: [503, 429])
    func `a host that limits its rate is asked little more than once a photo`(
        status: Int
    ) async throws {
        let count = 90
        let zone = "limit_req_zone $server_port zone=photos:1m rate=30r/s; limit_req_status \(status);"
        try await withNginx(http: zone, location: "limit_req zone=photos;") { nginx in
            let lines = try photos(count, on: nginx)
            try await withBuiltProduct { gallery in
                let outcome = try await gallery.run(["fetch", "-"], environment: key, input: lines)
                #expect(outcome.status == 0 && outcome.lines.count == count, "\(outcome.errors)")
                #expect(nginx.statuses.count <= count * 6 / 5)
                #expect(nginx.statuses.contains(status), "nothing was limited")
            }
        }
    }

    @Test func `a reply with a trailer fails alone`() async throws {
        let trailer = "location = /7.jpg { ssi on; ssi_types *; add_trailer X-Sum 1; }"
        try await withNginx(location: trailer) { nginx in
            let lines = try photos(20, on: nginx)
            try await withBuiltProduct { gallery in
                let outcome = try await gallery.run(["fetch", "-"], environment: key, input: lines)
                #expect(outcome.status == 1 && outcome.lines.count == 19, "\(outcome.all)")
                #expect(outcome.errors.contains("Error: photo 7: '127.0.0.1' sent an answer that"))
            }
        }
    }

    @Test(
        .needs("unshare", { await canTrust }), .needs("openssl", openssl != nil),
        arguments: ["see", "same", "found"])
    func `a redirect over HTTP/2 to another name costs no photo`(way: String) async throws {
        let openssl = try #require(Self.openssl)
        try await withProgram(at: openssl) { program in
            let folder = program.folder
            let (certificate, key) = (folder.appending(path: "crt").path, folder.appending(path: "key").path)
            let made = try await program.run(
                [
                    "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
                    "-days", "2",
                ]
                    + ["-keyout", key, "-out", certificate, "-subj", "/CN=localhost"]
                    + ["-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"])
            #expect(made.status == 0, "\(made.errors)")
            let (port, log) = (try freePort(), folder.appending(path: "log"))
            let server = """
                log_format whole '$server_protocol $status';
                server {
                    listen 127.0.0.1:\(port) ssl http2; ssl_certificate \(certificate); ssl_certificate_key \(key);
                    root \(folder.path); access_log \(log.path) whole;
                    location ~ ^/see/(.*)$ { return 303 https://127.0.0.1:\(port)/$1; }
                    location ~ ^/same/(.*)$ { return 303 /$1; }
                    location ~ ^/found/(.*)$ { return 302 https://127.0.0.1:\(port)/$1; }
                }
                """
            var lines = ""
            for number in 1...6 {
                try PixelServer.picture(number).write(to: folder.appending(path: "\(number).jpg"))
                lines +=
                    #"{"service":"500px","id":"\#(number)","full":{"url":"https://localhost:\#(port)/\#(way)/\#(number).jpg"}}"#
                    + "\n"
            }
            try await withNginx(http: server) { _ in
                let gallery = try ProductLocation.executable("gallery").path
                // Nothing but the system's own store of certificates is believed.
                let line = #"mount --bind "$0" /etc/ssl/certs/ca-certificates.crt && exec "$@""#
                let outcome = try await withProgram(at: URL(filePath: "/usr/bin/unshare")) { unshare in
                    try await unshare.run(
                        ["-rm", "/bin/sh", "-c", line, certificate, gallery, "fetch", "-"],
                        environment: self.key, input: Data(lines.utf8))
                }
                #expect(outcome.status == 0 && outcome.lines.count == 6, "\(outcome.all)")
                let redirects = try String(contentsOf: log, encoding: .utf8).split(separator: "\n")
                #expect(redirects.count { $0 == "HTTP/2.0 \(way == "found" ? 302 : 303)" } == 6)
            }
        }
    }

    private static let openssl = ["/usr/bin/openssl"].first {
        FileManager.default.isExecutableFile(atPath: $0)
    }.map { URL(filePath: $0) }

    /// Whether a process may have certificates of its own.
    private static var canTrust: Bool {
        get async {
            let path = "/usr/bin/unshare"
            guard FileManager.default.isExecutableFile(atPath: path) else { return false }
            return (try? await withProgram(at: URL(filePath: path)) { try await $0.run(["-rm", "true"]) })?
                .status == 0
        }
    }

    private let key = ["GALLERY_500PX_KEY": "none"]

    /// Puts photos there and returns them as `fetch -` takes them.
    private func photos(_ count: Int, on nginx: Nginx) throws -> Data {
        var lines = ""
        for number in 1...count {
            let name = "\(number).jpg"
            try PixelServer.picture(number).write(to: nginx.root.appending(path: name))
            let file = #"{"url":"\#(nginx.url.absoluteString)/\#(name)"}"#
            lines += #"{"service":"500px","id":"\#(number)","title":"Photo","full":\#(file)}"# + "\n"
        }
        return Data(lines.utf8)
    }
}
