import Testing

@testable import GalleryCore

struct SeenPhotosTests {
    @Test func `photos are new once`() {
        var seen = SeenPhotos()
        let photos = (0..<6_000).map { PhotoID(service: "test", value: "\($0)") }
        #expect(photos.allSatisfy { !seen.contains($0) && seen.isNew($0) && seen.contains($0) })
        #expect(!photos.contains { seen.isNew($0) })
    }
}
