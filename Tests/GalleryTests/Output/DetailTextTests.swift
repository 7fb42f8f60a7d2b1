import Foundation
import GalleryCore
import Testing

@testable import gallery

@Suite struct DetailTextTests {
    private static let page = URL(string: "https://photos.example/7")

    /// A photo of which everything is known that details tell.
    private static func whole() -> PhotoDetail {
        var detail = PhotoDetail(
            photo: Photo(
                id: PhotoID(service: "x", value: "7"), title: "Dunes", author: Author(name: "Grace"),
                page: page,
                size: PixelSize(width: 640, height: 427), likes: 5, views: 90, stars: 4,
                published: Date(timeIntervalSince1970: 0), taken: Date(timeIntervalSince1970: 0),
                tags: ["sea", "light"], category: "Travel", license: "CC0 1.0",
                description: "Sand.\nAnd wind."))
        (detail.camera, detail.lens, detail.focalLength) = ("Canon", "EF 50", "50")
        (detail.shutterSpeed, detail.aperture, detail.iso) = ("1/640", "8", "100")
        (detail.latitude, detail.longitude, detail.comments) = (1.5, -2.5, 3)
        detail.colorProfile = "Display P3"
        return detail
    }

    private static func labels(_ detail: PhotoDetail) -> [String] {
        DetailText(width: nil, style: Style(isOn: false))
            .lines(IndexedPhoto(index: 7, photo: detail.photo), detail)
            .map { $0.components(separatedBy: "  ").first ?? "" }
    }

    @Test func `details tell a person's facts in order, and identifiers and addresses last`() {
        #expect(
            Self.labels(Self.whole()) == [
                "7", "Sand.", "And wind.", "Author", "Taken", "Published", "Camera", "Lens",
                "Focal length 50",
                "Shutter", "Aperture", "ISO", "Place", "Tags", "License", "Stars", "Category", "Likes",
                "Views", "Comments", "Pixels", "Colors", "Service", "Id", "Page",
            ])
    }

    @Test func `what is not known has no line, and an empty or hostile value adds none`() {
        var detail = PhotoDetail(photo: Photo(id: PhotoID(service: "x", value: "7"), title: "Dunes"))
        (detail.camera, detail.lens) = ("", "A\nPage         https://evil.example\u{1B}[2J")
        let lines = DetailText(width: nil, style: Style(isOn: false))
            .lines(IndexedPhoto(index: nil, photo: detail.photo), detail)
        #expect(lines.count == 4 && lines[0] == "Dunes")
        #expect(lines[1].hasPrefix("Lens         A") && !lines[1].contains("\u{1B}"))
        #expect(lines[2...] == ["Service      x", "Id           7"])
    }
}
