import Foundation
import GalleryTestSupport
import Testing

@testable import GalleryCore

/// Recorded answers, damaged field by field.
@Suite struct CommonsDamageTests {
    private let service = Commons(base: URL(string: "http://127.0.0.1/api.php"))

    private func recording(_ fixture: String) throws -> Recording {
        try Recording(
            Fixture.data(fixture),
            // One page alone, and the three parts as if each were the last.
            in: { recorded in
                guard var answer = recorded as? [String: Any], answer["error"] == nil else { return recorded }
                if answer["pageid"] != nil { return ["query": ["pages": [answer]]] }
                answer["batchcomplete"] = true
                return answer
            })
    }

    private func read(_ body: Data) {
        let id = PhotoID(service: "commons", value: "18263872")
        expectAnswer { () throws(ServiceError) in
            // Damage that makes a batch endless ends it after twenty answers.
            var conversation = Conversation((suffix: "action=query", status: 200, body: body))
            let feed = Feed.user("Someone")
            return try conversation.run(
                service.page(PageSlice(number: 1, size: 10), of: feed, cursor: nil)
            ).photos
        }
        expectAnswer { () throws(ServiceError) in
            var conversation = Conversation((suffix: "action=query", status: 200, body: body))
            guard let result = try conversation.run(service.details(of: [id]))[id] else { return [] }
            return [IndexedPhoto(index: nil, photo: try result.get().photo)]
        }
    }

    @Test(arguments: try Fixture.names(in: "commons"))
    func `every field replaced or removed gives photos or an error`(fixture: String) throws {
        let recording = try recording(fixture)
        for body in recording.damagedOnce() { read(body) }
        for body in recording.damagedOften(100, seed: 0xC0) { read(body) }
    }

    @Test(arguments: try Fixture.names(in: "commons"))
    func `an answer cut anywhere gives an error`(fixture: String) throws {
        let whole = try Fixture.data(fixture)
        for length in stride(from: 0, to: whole.count, by: max(1, whole.count / 40)) {
            read(whole.prefix(length))
        }
    }
}
