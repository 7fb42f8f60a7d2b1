import Foundation
import GalleryCore
import Testing

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
        case .read: preconditionFailure("files are read by a loader")
        }
    }

    private func reply(to request: HTTPRequest) -> HTTPReply {
        let address = request.url.absoluteString
        let answer = answers.first { address.contains($0.suffix) }
        return HTTPReply(
            head: HTTPHead(status: answer?.status ?? 404, url: request.url), body: answer?.body ?? Data())
    }
}

extension PhotoService {
    /// Why the first page of `feed` is none where every request is answered so.
    func complaint(
        about feed: Feed = .popular(), status: Int = 200, _ body: Data,
        sourceLocation: SourceLocation = #_sourceLocation
    ) -> ServiceError? {
        var conversation = Conversation((suffix: "/", status: status, body: body))
        return #expect(throws: ServiceError.self, sourceLocation: sourceLocation) {
            try conversation.run(page(PageSlice(number: 1, size: 20), of: feed, cursor: nil))
        }
    }
}
