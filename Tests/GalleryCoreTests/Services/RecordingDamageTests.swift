import Foundation
import GalleryTestSupport
import Testing

@testable import GalleryCore

/// Recorded replies of every service, damaged field by field, and cut.
@Suite("Recorded replies, damaged field by field") struct RecordingDamageTests {
    @Test(arguments: try MutationTarget.all().filter(\.isJSON))
    func `every field replaced or removed gives photos or an error`(target: MutationTarget) async throws {
        let recording = try Recording(FlickrImporter.withoutCallback(target.recording()))
        let bodies = recording.damagedOnce() + recording.damagedOften(100, seed: 0xC0)
        #expect(bodies.count > 100)
        await target.expectAnswers(bodies.count) { bodies[$0] }
    }

    @Test(arguments: try MutationTarget.all())
    func `a reply cut anywhere gives an error`(target: MutationTarget) throws {
        let whole = try target.recording()
        for length in stride(from: 0, to: whole.count, by: max(1, whole.count / 40)) {
            let cut = whole.prefix(length)
            if target.isNeeded {
                #expect(throws: ServiceError.self, "cut at \(length)") { try target.read(cut) }
            } else {
                #expect(target.complaint(about: cut) == nil, "cut at \(length)")
            }
        }
    }
}
