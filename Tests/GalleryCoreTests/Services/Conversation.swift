import Foundation

@testable import GalleryCore

/// Carries an exchange out with answers from a table, and keeps what was asked.
struct Conversation {
    /// The answer to a request, by what the address ends in; status 404 where nothing fits.
    var answers: [(suffix: String, status: Int, body: Data)] = []
    private(set) var asked: [[String]] = []

    init(_ answers: (suffix: String, status: Int, body: Data)...) {
        self.answers = answers
    }

    mutating func run<Value>(_ exchange: Exchange<Value>) throws(ServiceError) -> Value {
        switch exchange {
        case .done(let value): return value
        case .send(let requests, let read):
            asked.append(requests.map(\.url.absoluteString))
            return try run(read(requests.map { .success(reply(to: $0)) }))
        }
    }

    private func reply(to request: HTTPRequest) -> HTTPReply {
        let address = request.url.absoluteString
        let answer = answers.first { address.contains($0.suffix) }
        return HTTPReply(
            head: HTTPHead(status: answer?.status ?? 404, url: request.url), body: answer?.body ?? Data())
    }
}
