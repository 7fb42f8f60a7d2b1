import Foundation
import Testing

@testable import GalleryCore

@Suite struct ServicePolicyTests {
    @Test(
        arguments: [
            (.polite, 300, 3600, nil, 4), (.flickr, 600, 3600, 1000, 4),
            (.pixiv, 1800, 3600, 1000, 1), (.commons, 1800, 3600, 500, 1), (.local, nil, nil, nil, 4),
            (.polite, 300, 3600, nil, 4),
        ] as [(ServicePolicy, Int?, Int?, Int?, Int)])
    func `each service has its pace and its times`(
        policy: ServicePolicy, lists: Int?, details: Int?, interval: Int?, atOnce: Int
    ) {
        #expect(policy.lifetime(for: .list) == lists.map { .seconds($0) })
        #expect(policy.lifetime(for: .details) == details.map { .seconds($0) })
        #expect(policy.rate?.interval == interval.map { .milliseconds($0) })
        #expect(policy.requestsAtOnce == atOnce)
        // 500px's terms, the strictest: no longer than a day.
        #expect((policy.details ?? .zero) <= .seconds(CacheEntry.longestKept))
    }

    @Test func `policies are found by a service's name`() {
        for entry in ServiceCatalog.entries { #expect(ServicePolicy.named(entry.name) == entry.policy) }
        #expect(ServicePolicy.named("sample") == .local)
        #expect(ServicePolicy.named("500px") == .polite)
        #expect(ServicePolicy.named("another") == .polite)
    }

    @Test(arguments: [
        ("http://localhost:80/", false), ("http://127.0.0.1:8080/v1", false), ("http://[::1]:8080/", false),
        ("https://mirror.example.org/v1", true), ("https://127.example.org/", true),
    ])
    func `a server on this machine has no pace to keep`(base: String, isPaced: Bool) throws {
        let url = try #require(URL(string: base))
        #expect((ServicePolicy.named("pixiv", base: url).rate != nil) == isPaced)
        #expect(ServicePolicy.named("pixiv", base: url).requestsAtOnce == 1)
    }

    @Test(
        arguments: [
            (.polite, 200, #"{"photos":[]}"#, .good), (.polite, 200, " \n [1]", .good),
            (.polite, 200, "", .final), (.polite, 200, "  \r\n\t", .final),
            (.polite, 200, "\n<html>Log in to the hotel's network</html>", .final),
            (.polite, 200, #"{"error":"Deprecated","status":200}"#, .final),
            (.polite, 404, #"{"error":"No such photo"}"#, .final),
            (.polite, 401, "", .final),
            (.polite, 304, "", .final), (.polite, 206, "{}", .final),
            (.polite, 500, "", .passing(pause: nil)),
            (.polite, 429, "", .passing(pause: nil)),
            (.flickr, 200, #"{"photos":{"photo":[]},"stat":"ok"}"#, .good),
            (.flickr, 200, #"{"stat":"fail","code":1,"message":"Photo not found"}"#, .final),
            (.flickr, 200, #"{"stat":"fail","code":105,"message":"…"}"#, .passing(pause: nil)),
            (.flickr, 200, #"{"stat":"fail","code":"105"}"#, .passing(pause: nil)),
            (.polite, 200, #"{"stat":"fail","code":105}"#, .final),
            (.commons, 200, #"{"error":{"code":"maxlag","info":"…"}}"#, .passing(pause: 5)),
            (.commons, 200, #"{"error":{"code":"badvalue"}}"#, .final),
            (.commons, 200, #"{"error":{"code":"ratelimited"}}"#, .passing(pause: 5)),
            (.commons, 200, #"{"error":{"code":"readonly"}}"#, .passing(pause: 5)),
            (.commons, 200, #"{"error":{"code":"cirrussearch-too-busy-error"}}"#, .passing(pause: 5)),
            (.flickr, 200, #"{"stat":"fail","code":10,"message":"…"}"#, .passing(pause: nil)),
            (.flickr, 200, #"{"stat":"fail","code":100,"message":"…"}"#, .final),
            (.commons, 200, #"{"batchcomplete":true,"query":{"pages":[]}}"#, .good),
            (.pixiv, 200, #"{"error":false,"message":"","body":{}}"#, .good),
            (.pixiv, 200, #"{"error":true,"message":"","body":[]}"#, .final),
            (.pixiv, 200, #"{"error":null,"body":{}}"#, .good), (.pixiv, 200, #"{"error":""}"#, .good),
        ] as [(ServicePolicy, Int, String, ReplyVerdict)])
    func `a reply is judged before it is read`(
        policy: ServicePolicy, status: Int, body: String, verdict: ReplyVerdict
    ) {
        let reply = HTTPReply(
            head: HTTPHead(status: status, url: URL(filePath: "/")), body: Data(body.utf8))
        #expect(policy.verdict(on: reply) == verdict)
    }
}
