import Foundation
import GalleryTestSupport
import Testing

@testable import GalleryCore

@Suite struct IIIFTests {
    private static let service = IIIF(api: WebAPI("iiif", at: URL(string: "http://127.0.0.1/manifest.json")))

    private func photos(_ name: String) throws -> [Photo] {
        var conversation = Conversation(
            (suffix: "/manifest.json", status: 200, body: try Fixture.data("iiif/\(name).json")))
        let page = try conversation.run(
            Self.service.page(PageSlice(number: 1, size: 100), of: .popular(), cursor: nil))
        return page.photos.map(\.photo)
    }

    @Test(
        arguments: [
            ("p3_0001_mvm_image", 1), ("p3_0005_image_service", 1), ("p3_0009_book_1", 5),
            ("p3_0033_choice", 2),
            ("p3_0036_composition_from_multiple_images", 2), ("p2_harvard_299843", 6),
            ("p2_llgc_license_html", 12), ("p2_artic_27992", 2),
        ])
    func `each picture of a manifest is a photo`(name: String, count: Int) throws {
        let photos = try photos(name)
        #expect(photos.count == count)
        #expect(photos.allSatisfy { $0.full != nil && !$0.title.isEmpty })
        #expect(Set(photos.map(\.id)).count == count)
    }

    @Test func `sizes are asked of the image server`() throws {
        let photo = try #require(photos("p3_0005_image_service").first)
        #expect(photo.full?.url.absoluteString.hasSuffix("/full/max/0/default.jpg") == true)
        #expect(photo.renditions.count > 1)
        #expect(photo.renditions.dropLast().allSatisfy { $0.url.path().contains("/full/") && $0.size != nil })
        let old = try #require(photos("p2_stanford_api11").first)
        #expect(old.full?.url.absoluteString.hasSuffix("/full/full/0/native.jpg") == true)
    }

    @Test func `a collection's manifests are opened in order, and one that is gone is left out`() throws {
        var conversation = Conversation(
            (suffix: "/1.json", status: 200, body: try Fixture.data("iiif/p3_0009_book_1.json")),
            (suffix: "/manifest.json", status: 200, body: Data(Self.collection.utf8)))
        let page = try conversation.run(
            Self.service.page(PageSlice(number: 1, size: 100), of: .popular(), cursor: nil))
        #expect(page.photos.count == 5)
        #expect(page.total == 5)
        #expect(page.leftOut.count == 1)
        #expect(conversation.asked.map { $0.count } == [1, 1, 1])
    }

    private static let collection = """
        {"type":"Collection","items":[{"id":"http://127.0.0.1/1.json","type":"Manifest"},
        {"id":"http://127.0.0.1/2.json","type":"Manifest"},{"id":"http://127.0.0.1/manifest.json","type":"Collection"}]}
        """
}
