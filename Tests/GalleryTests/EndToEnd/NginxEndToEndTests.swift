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
