import Foundation
import GalleryTestSupport
import Testing

@testable import GalleryCore

/// Plays the site: what it answers to which path and query, and what it was asked.
struct PixivTape {
    /// A fixture, or any text, with a status.
    struct Answer: Sendable, ExpressibleByStringLiteral {
        var status = 200
        var body: Data

        init(_ status: Int, _ body: String) {
            self.status = status
            self.body = Data(body.utf8)
        }

        /// A recording by its name below `fixtures/pixiv`; `404 name` gives it that status.
        init(stringLiteral name: String) {
            let parts = name.split(separator: " ").map(String.init)
            if let number = parts.first.flatMap({ Int($0) }) { status = number }
            body = (try? Fixture.data("pixiv/\(parts.last ?? "").json")) ?? Data()
        }
    }

    static let session = Secret("31415926_Q7vX2mLp9KdR")

    var answers: [String: Answer]
    var session: Secret?

    init(_ answers: [String: Answer], session: Secret? = nil) {
        self.answers = answers
        self.session = session
    }

    var pixiv: Pixiv { Pixiv(base: URL(string: "http://pixiv.test"), session: session) }

    func page(_ feed: Feed, _ number: Int = 1, size: Int = 50) throws -> Page {
        try run(pixiv.page(PageSlice(number: number, size: size), of: feed, cursor: nil))
    }

    func detail(_ id: String) throws -> PhotoDetail {
        let id = PhotoID(service: "pixiv", value: id)
        return try #require(try run(pixiv.details(of: [id]))[id]).get()
    }

    /// Runs a conversation to its end; what is not on the tape is status 500.
    func run<Value>(_ exchange: Exchange<Value>) throws(ServiceError) -> Value {
        var exchange = exchange
        while true {
            switch exchange {
            case .done(let value): return value
            case .send(let requests, let read): exchange = try read(requests.map { .success(reply(to: $0)) })
            case .read: preconditionFailure("files are read by a loader")
            }
        }
    }

    func reply(to request: HTTPRequest) -> HTTPReply {
        let target = request.url.absoluteString.replacing("http://pixiv.test/", with: "")
        let path = target.split(separator: "?").first.map(String.init) ?? ""
        let answer = answers[target] ?? answers[path] ?? Answer(500, "")
        return HTTPReply(head: HTTPHead(status: answer.status, url: request.url), body: answer.body)
    }
}

extension Exchange {
    /// What is sent first.
    var requests: [HTTPRequest] {
        if case .send(let requests, _) = self { requests } else { [] }
    }
}
