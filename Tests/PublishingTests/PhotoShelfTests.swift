import Foundation
import GalleryTestSupport
import PictureFiles
import Testing

@testable import GalleryCore
@testable import Publishing

/// The photos of a site in a file, as those of a long list are.
@Suite struct PhotoShelfTests {
    /// A photo of which everything is known.
    private static func complete() throws -> PublishedPhoto {
        let size = try #require(PixelSize(width: 300, height: 200))
        let photo = Photo(
            id: PhotoID(service: "flickr", value: "1"), title: "Title – \u{1F3DE}\u{0}",
            author: Author(id: "7", name: "Ann", username: "ann"), page: URL(string: "https://h/1?a=%20b"),
            size: PixelSize(width: 4000, height: 3000), thumbnail: nil, full: nil, renditions: [], likes: -3,
            views: .max, rating: 97.4, stars: 5, published: Date(timeIntervalSince1970: 0.25),
            taken: Date(timeIntervalSince1970: -1e9), isTakenInLocalTime: true, takenOffset: -3600,
            tags: ["a", "", "ä"], category: "Nature", license: "CC0",
            licenseURL: URL(string: "https://h/cc0"),
            attribution: "Ann", description: "One.\nTwo.", isAdult: true, pageCount: 3)
        var detail = PhotoDetail(photo: photo)
        (detail.camera, detail.lens, detail.focalLength) = ("Camera", "Lens", "50")
        (detail.iso, detail.shutterSpeed, detail.aperture) = ("100", "1/640", "f/8")
        (detail.colorProfile, detail.latitude, detail.longitude) = ("P3", -0.5, 179.9)
        detail.comments = 12
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

    @Test func `a photo of which everything is known is the same in the file`() throws {
        let photo = try Self.complete()
        // What is added to a photo is to be added here.
        let files = [".entry.photo.thumbnail", ".entry.photo.full"]
        let ofDetail = [".detail.some.photo.thumbnail", ".detail.some.photo.full"]
        #expect(Self.missing(in: photo) == files + ofDetail)
        var packed = PackedBytes()
        packed.add(photo)
        #expect(try packed.next(PublishedPhoto.self) == photo)
        var other = photo
        other.detail?.photo = try PublishingSamples.photo(title: "Other").photo
        packed.add(other)
        #expect(try packed.next(PublishedPhoto.self) == other)
        #expect(throws: PackingFault.self) { try packed.next(PublishedPhoto.self) }
    }

    @Test(arguments: [Int.min, .max, 0, -1, 1, 63, 64, -64, -65, 1 << 32])
    func `numbers are the same in the file`(number: Int) throws {
        var packed = PackedBytes()
        packed.add(number, Double(number), "x")
        #expect(try packed.next() == number)
        #expect(try packed.next() == Double(number))
        #expect(try packed.next() == "x")
    }

    @Test(arguments: [nil, AlbumRule.author, .month])
    func `a site of photos in a file is the same`(rule: AlbumRule?) async throws {
        try await withTemporaryDirectory { folder in
            let hostile = try PublishingSamples.hostile.enumerated().map {
                try PublishingSamples.photo(
                    100 + $0, title: $1, author: $1, page: "https://h/\($0)", license: $1, description: $1)
            }
            let photos = try PublishingSamples.catalogue() + [try Self.complete()] + hostile
            var shelf = try PhotoShelf(in: try SystemCall.openFolder(folder.path), at: folder)
            for part in [photos.prefix(5), photos.dropFirst(5)] { try await shelf.append(Array(part)) }
            // The file goes with the process.
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
            var options = SiteOptions()
            (options.hasMetadata, options.showsPlaces, options.photosPerPage) = (true, true, 7)
            options.albums = rule
            let (one, other) = (
                PhotoSite(photos, options: options), PhotoSite(shelf, options: options)
            )
            #expect(one.documents == other.documents && one.authors == other.authors)
            for document in one.documents {
                #expect(try one.text(of: document) == other.text(of: document))
            }
            #expect(one.photos.gridBytes == other.photos.gridBytes)
            one.forEachPicture { #expect(other.hasPicture(at: $0)) }
            #expect(!other.hasPicture(at: "thumbs/none.jpg"))
        }
    }

    @Test func `names as many authors as fit, in the order of the photos`() throws {
        let photos = try (0..<40).map {
            try PublishingSamples.photo($0, title: "", author: $0 < 2 ? nil : "Author \($0 / 3)")
        }
        #expect(PhotoShelf(photos).authors(most: 3) == ["Author 0", "Author 1", "Author 2"])
        #expect(PhotoShelf(Array(photos.prefix(2))).authors(most: 3) == [])
    }

    #if os(Linux)
        @Test func `where photos cannot be read again, the site before stays`() async throws {
            try await withTemporaryDirectory { folder in
                let publisher = SitePublisher(folder)
                try await publisher.publish(
                    PhotoSite([try PublishingSamples.photo(title: "Before")], options: SiteOptions()))
                let pictures = try await publisher.pictures(.safe, nil)
                var shelf = try pictures.shelf()
                try await shelf.append(
                    try (1...3).map { try PublishingSamples.photo($0, title: "After \($0)") })
                let before = try String(contentsOf: folder.appending(path: "index.html"), encoding: .utf8)
                // The file has no name any more, but for this one.
                let all = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").map {
                    "/proc/self/fd/\($0)"
                }
                let own = try #require(
                    all.first {
                        let path = try? FileManager.default.destinationOfSymbolicLink(atPath: $0)
                        return path?.hasPrefix(folder.path) == true && path?.hasSuffix("(deleted)") == true
                    })
                try #require(truncate(own, 10) == 0)
                let error = await #expect(throws: PublishError.self) {
                    try await publisher.publish(PhotoSite(shelf, options: SiteOptions()))
                }
                guard case .cannotRead? = error else {
                    Issue.record("\(String(describing: error))")
                    return
                }
                #expect(
                    try String(contentsOf: folder.appending(path: "index.html"), encoding: .utf8) == before)
            }
        }
    #endif
}
