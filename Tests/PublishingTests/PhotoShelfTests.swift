import Foundation
import PictureFiles
import Testing

@testable import GalleryCore
@testable import Publishing

/// The photos of a site as they are kept, packed.
@Suite struct PhotoShelfTests {
    /// A photo of which everything is known.
    private static func complete() throws -> PublishedPhoto {
        let size = try #require(PixelSize(width: 300, height: 200))
        let photo = Photo(
            id: PhotoID(service: "flickr", value: "1"), title: "Title – \u{1F3DE}\u{0}",
            author: Author(id: "7", name: "Ann", username: "ann"), page: URL(string: "https://h/1?a=%20b"),
            size: PixelSize(width: 4000, height: 3000), thumbnail: nil, full: nil, renditions: [], likes: -3,
            views: .max, rating: 97.4, stars: 5,
            publishedDate: WrittenDate(Date(timeIntervalSince1970: 0.25), offset: 0),
            takenDate: WrittenDate(Date(timeIntervalSince1970: -1e9), .month, offset: -3600),
            tags: ["a", "", "ä"], category: "Nature", license: "CC0",
            licenseURL: URL(string: "https://h/cc0"),
            attribution: "Ann", description: "One.\nTwo.", alt: "A tree", isGenerated: false, isAdult: true,
            pageCount: 3)
        var detail = PhotoDetail(photo: photo)
        (detail.camera, detail.lens, detail.focalLength) = ("Camera", "Lens", "50")
        (detail.iso, detail.shutterSpeed, detail.aperture) = ("100", "1/640", "f/8")
        (detail.colorProfile, detail.latitude, detail.longitude) = ("P3", -0.5, 179.9)
        (detail.comments, detail.incomplete) = (12, "it has no end")
        func picture(_ name: String) -> PublishedPicture {
            PublishedPicture(path: name, size: size, bytes: 5_000_000_000)
        }
        return PublishedPhoto(
            entry: IndexedPhoto(index: 7, photo: photo), detail: detail, name: "flickr_1",
            thumbnail: picture("thumbs/a b.jpg"), others: [picture("thumbs/b.jpg")],
            pictures: [picture("full/1.jpg"), picture("full/2.jpg")], larger: [1: picture("full/3.jpg")],
            original: picture("full/4.jpg"), address: URL(string: "https://h/full.jpg"))
    }

    /// Every value in `value` that is `nil`.
    private static func missing(in value: Any, _ name: String = "") -> [String] {
        if value is URL { return [] }
        let mirror = Mirror(reflecting: value)
        if mirror.displayStyle == .optional, mirror.children.isEmpty { return [name] }
        return mirror.children.flatMap { missing(in: $0.value, "\(name).\($0.label ?? "")") }
    }

    @Test func `a photo of which everything is known is the same when unpacked`() throws {
        let photo = try Self.complete()
        // What is added to a photo is to be added here.
        let files = [".entry.photo.thumbnail", ".entry.photo.full"]
        let ofDetail = [".detail.some.photo.thumbnail", ".detail.some.photo.full"]
        #expect(Self.missing(in: photo) == files + ofDetail)
        var packed = PackedBytes()
        packed.add(photo)
        #expect(packed.next(PublishedPhoto.self) == photo)
        var other = photo
        other.detail?.photo = try PublishingSamples.photo(title: "Other").photo
        packed.add(other)
        #expect(packed.next(PublishedPhoto.self) == other)
    }

    @Test(arguments: [Int.min, .max, 0, -1, 1, 63, 64, -64, -65, 1 << 32])
    func `numbers are the same when unpacked`(number: Int) {
        var packed = PackedBytes()
        packed.add(number, Double(number), "x")
        #expect(packed.next() == number)
        #expect(packed.next() == Double(number))
        #expect(packed.next() == "x")
    }

    @Test func `photos are the same, in whatever pieces they came`() throws {
        let photos = try PublishingSamples.catalogue().map { photo in
            var packed = PackedBytes()
            packed.add(photo)
            return packed.next(PublishedPhoto.self)
        }
        var shelf = PhotoShelf(Array(photos.prefix(5)))
        for part in [photos[5..<5], photos[5..<6], photos[6...]] { shelf.append(Array(part)) }
        #expect(Array(shelf) == photos)
        #expect(Array(shelf.ordered([3, 0])) == [photos[3], photos[0]])
        #expect(shelf.gridBytes == PhotoShelf(photos).gridBytes)
    }

    @Test func `names as many authors as fit, in the order of the photos`() throws {
        let photos = try (0..<40).map {
            try PublishingSamples.photo($0, title: "", author: $0 < 2 ? nil : "Author \($0 / 3)")
        }
        #expect(PhotoShelf(photos).authors(most: 3) == ["Author 0", "Author 1", "Author 2"])
        #expect(PhotoShelf(Array(photos.prefix(2))).authors(most: 3) == [])
    }
}
