import Foundation
import GalleryTestSupport
import Testing

@testable import GalleryCore

/// Recorded answers, damaged field by field.
@Suite struct FiveHundredPixelsDamageTests {
    private let service = FiveHundredPixels(base: URL(string: "http://127.0.0.1/v1"), key: nil)

    /// As a list, as a batch and as one photo: whatever it was recorded as.
    private func read(_ body: Data) {
        let ids = ["1", "2"].map { PhotoID(service: "500px", value: $0) }
        expectAnswer { () throws(ServiceError) in
            var conversation = Conversation((suffix: "photos", status: 200, body: body))
            let slice = PageSlice(number: 1, size: 10)
            return try conversation.run(service.page(slice, of: .popular(), cursor: nil)).photos
        }
        // What the batch does not bring is read as one photo.
        expectAnswer { () throws(ServiceError) in
            var conversation = Conversation((suffix: "photos", status: 200, body: body))
            let details = try conversation.run(service.details(of: ids))
            return try ids.compactMap { details[$0] }.map { (result) throws(ServiceError) in
                IndexedPhoto(index: nil, photo: try result.get().photo)
            }
        }
    }

    private static func recordings() throws -> [String] {
        try Fixture.names(in: "500px").filter { $0.hasSuffix(".json") }
    }

    @Test(arguments: try recordings())
    func `every field replaced or removed gives photos or an error`(fixture: String) throws {
        let recording = try Recording(
            Fixture.data(fixture),
            in: { recorded in
                let isAlone = (recorded as? [String: Any])?["image_url"] != nil
                return isAlone ? ["photos": [recorded], "total_pages": 3] : recorded
            })
        for body in recording.damagedOnce() { read(body) }
        for body in recording.damagedOften(50, seed: 0x500) { read(body) }
    }

    @Test(arguments: try recordings())
    func `an answer cut anywhere gives an error`(fixture: String) throws {
        let whole = try Fixture.data(fixture)
        for length in stride(from: 0, to: whole.count, by: max(1, whole.count / 40)) {
            read(whole.prefix(length))
        }
    }
}
