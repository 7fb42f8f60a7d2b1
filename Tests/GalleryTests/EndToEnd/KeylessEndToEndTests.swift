import Foundation
import GalleryTestSupport
import Testing

/// What Wikimedia and Openverse ask of programs without a key, kept by the built program.
@Suite(.fewAtOnce, .inProcess, .timeLimit(.minutes(2))) struct KeylessEndToEndTests {
    private static let advice = "Help: Wikimedia allows more requests to those who name themselves: "

    // MARK: - The operator

    @Test func `the configured contact is told with every request, none by default`() async throws {
        try await withGallery(WikiServer(count: 50)) { gallery, server, source in
            _ = try await gallery.run(["popular"] + source)
            try gallery.configure(#"{"contact":"me@example.org"}"#)
            let outcome = try await gallery.run(["fetch", "1-2", "--refresh"] + source)
            #expect(outcome.lines.count == 2, "\(outcome.all)")
            let agents = server.requests.map { $0.headers["User-Agent"] ?? "" }
            #expect(agents.count == 4)
            #expect(agents[0].hasSuffix("(https://github.com/gallery-swift/gallery)"))
            #expect(agents.dropFirst().allSatisfy { $0.hasSuffix("/gallery; me@example.org)") }, "\(agents)")
        }
    }

    @Test(arguments: ["7", #""me@example.org\r\nX: 1""#])
    func `a contact that is none is told of`(value: String) async throws {
        try await withBuiltProduct("gallery") { gallery in
            try gallery.configure("{\n  \"contact\": \(value)}")
            let outcome = try await gallery.run(["popular"], expecting: 78)
            #expect(outcome.errors.contains("'contact' is n"), "\(outcome.errors)")
            #expect(outcome.errors.contains("(line 2, column 3)"), "\(outcome.errors)")
        }
    }

    @Test(arguments: [([], "{}", 1), (["-q"], "{}", 0), ([], #"{"contact":"https://a.example/"}"#, 0)])
    func `the first refusal says how to name the operator, where nobody is named`(
        flags: [String], settings: String, times: Int
    ) async throws {
        var wiki = WikiServer(count: 50)
        // Each refusal makes the host's pace slower.
        let most = Thorough.size(2, small: 1)
        wiki.fault = { $0.attempt <= most ? .status(429, headers: ["Retry-After": "0"]) : nil }
        try await withGallery(wiki) { [wiki] gallery, _, source in
            try gallery.configure(settings)
            let outcome = try await gallery.runWell(["fetch", "1"] + flags + source)
            #expect(
                outcome.errors.components(separatedBy: Self.advice).count - 1 == times, "\(outcome.errors)")
            let wrong = try await withLocalServer({ wiki.reply(to: $0) }) { server in
                try await gallery.run([
                    "popular", "-s", "500px", "--base-url", server.url("v1").absoluteString, "--retries", "0",
                ])
            }
            #expect(wrong.status == 75 && !wrong.errors.contains(Self.advice), "\(wrong.all)")
        }
    }

    // MARK: - Pictures of the day, categories

    private var wiki: WikiServer {
        var wiki = WikiServer(count: 50)
        wiki.fault = { request in
            if request.query("titles") == "Template:Potd/2024-05-01" {
                let file = #"{"url":"https://a.example/7.jpg","mime":"image/jpeg"}"#
                return .json(
                    #"{"batchcomplete":true,"query":{"pages":[{"pageid":7,"title":"File:Seven.jpg","imageinfo":[\#(file)]}]}}"#
                )
            }
            let isEmpty =
                request.query("generator") == "images" || request.query("gcmtitle") == "Category:Nothing"
            return isEmpty ? .json(#"{"batchcomplete":true}"#) : nil
        }
        return wiki
    }

    @Test func `the picture of a day is listed`() async throws {
        try await withGallery(wiki) { gallery, server, source in
            for line in [["--ranking", "day"], []] {
                let outcome = try await gallery.run(
                    ["popular", "--date", "2024-05-01", "--format", "jsonl", "--refresh"] + line + source)
                #expect(outcome.status == 0 && outcome.lines.count == 1, "\(outcome.all)")
                #expect(outcome.output.contains(#""id":"7","title":"Seven""#))
            }
            #expect(server.requests.count == 2)
        }
    }

    @Test(arguments: [
        (
            ["--ranking", "day", "--date", "2999-12-31"], 66,
            "commons has no picture of the day for 2999-12-31."
        ),
        (
            ["--ranking", "featured", "--date", "2024-05-01"], 64,
            "commons has no past rankings of 'featured'."
        ),
        (["--ranking", "day", "--date", "2024-02-30"], 64, "2024-02-30"),
    ])
    func `a day without a picture, or a ranking without days, is an error`(
        line: [String], status: Int32, message: String
    ) async throws {
        try await withGallery(wiki) { gallery, server, source in
            let outcome = try await gallery.run(["popular"] + line + source, expecting: status)
            #expect(outcome.output.isEmpty && outcome.errors.contains(message), "\(outcome.errors)")
            #expect(server.requests.count == (status == 66 ? 1 : 0))
        }
    }

    @Test func `a category is listed page by page, and one that is none is missing`() async throws {
        try await withGallery(wiki) { gallery, server, source in
            for page in 1...2 {
                let outcome = try await gallery.run(
                    ["search", "Category:Red", "Sea", "--page", "\(page)", "--format", "jsonl"] + source)
                #expect(outcome.lines.count == 20, "\(outcome.all)")
                #expect(outcome.lines[0].hasPrefix(#"{"index":\#(20 * page - 19),"#))
            }
            #expect(server.requests.map { $0.query("gcmtitle") } == ["Category:Red Sea", "Category:Red Sea"])
            let none = try await gallery.run(["search", "Category:Nothing"] + source, expecting: 66)
            #expect(none.errors == "Error: commons has no category 'Nothing' with files.\n")
        }
    }

    // MARK: - Requests that are left

    /// Forty photos in two pages, with these headers.
    private func openverse(_ headers: [String: String]) -> LocalServer.Handler {
        { request in
            let first = ((request.query("page").flatMap { Int($0) } ?? 1) - 1) * 20
            let rows = (1...20).map { #"{"id":"\#(first + $0)","title":"Photo"}"# }.joined(separator: ",")
            let reply = LocalReply.json(#"{"result_count":240,"page_count":12,"results":[\#(rows)]}"#)
            return headers.reduce(reply) { $0.header($1.key, $1.value) }
        }
    }

    @Test func `what Openverse says is left is shown with -v, and kept to`() async throws {
        let answer = openverse([
            "X-RateLimit-Limit-anon_burst": "100/min", "X-RateLimit-Available-anon_burst": "0",
            "X-RateLimit-Limit-anon_sustained": "200/day", "X-RateLimit-Available-anon_sustained": "199",
        ])
        try await withGallery(of: "openverse", at: "v1", answer) { gallery, server, source in
            let outcome = try await gallery.run(
                ["search", "sea", "--range", "1-40", "--format", "jsonl", "-v"] + source)
            #expect(outcome.status == 0 && outcome.lines.count == 40, "\(outcome.all)")
            let left = "Requests left at '127.0.0.1': 0 of 100 per minute, 199 of 200 per day.\n"
            #expect(outcome.errors.components(separatedBy: left).count == 3, "\(outcome.errors)")
            #expect(
                outcome.errors.contains("Waiting 1 s: '127.0.0.1' takes no more requests until then.\n"),
                "\(outcome.errors)")
            #expect(server.requests.count == 2)
        }
    }

    @Test func `a day's requests that are used up end the list, which keeps what came`() async throws {
        let answer = openverse(["X-RateLimit-Limit-a": "2/day", "X-RateLimit-Available-a": "0"])
        try await withGallery(of: "openverse", at: "v1", answer) { gallery, server, source in
            let outcome = try await gallery.run(
                ["search", "sea", "--range", "1-40", "--format", "jsonl"] + source)
            #expect(outcome.status == 75 && outcome.lines.count == 20, "\(outcome.all)")
            #expect(outcome.errors.contains("openverse asks to wait 43200 seconds."), "\(outcome.errors)")
            #expect(server.requests.count == 1)
        }
    }
}
