import Foundation
import GalleryCore
import GalleryTestSupport
import PictureFiles
import Testing

@testable import Publishing

/// Photos to publish: the bundled catalogue, and worse ones.
enum PublishingSamples {
    /// A moment for everything that depends on one.
    static let moment = Date(timeIntervalSince1970: 1_700_000_000)

    /// The bundled photographs, as if they had been downloaded.
    static func catalogue() throws -> [PublishedPhoto] {
        let list = try JSONDecoder().decode(List.self, from: Fixture.data("sample/photos.json"))
        return try list.photos.enumerated().map { offset, photo in
            let name = "sample_\(photo.id)"
            let full = try photo.images[1].picture("full/\(name).jpg")
            return PublishedPhoto(
                entry: IndexedPhoto(
                    index: offset + 1,
                    photo: Photo(
                        id: PhotoID(service: "sample", value: String(photo.id)), title: photo.name,
                        author: Author(name: photo.user.fullname),
                        size: PixelSize(width: photo.width, height: photo.height), tags: photo.tags,
                        license: photo.license)),
                name: name, thumbnail: try photo.images[0].picture("thumbs/\(name).jpg"), others: [full],
                pictures: [full])
        }
    }

    /// The catalogue's first photos for a collage: their thumbnails, so that it stays small.
    static func pictures(_ count: Int) throws -> [PublishedPhoto] {
        let list = try JSONDecoder().decode(List.self, from: Fixture.data("sample/photos.json"))
        return try list.photos.prefix(count).map { photo in
            collaged(
                photo.name, credit: "\(photo.user.fullname), \(photo.license)", file: photo.images[0].file,
                size: try #require(photo.images[0].size))
        }
    }

    /// A photo whose one picture is `file`.
    static func collaged(
        _ title: String, credit: String? = nil, file: URL, size: PixelSize, orientation: Int = 1
    ) -> PublishedPhoto {
        let picture = PublishedPicture(
            place: file.path(percentEncoded: false),
            type: PictureType(fileExtension: file.pathExtension) ?? .jpeg, size: size,
            orientation: orientation, bytes: 0, modified: moment)
        return PublishedPhoto(
            entry: IndexedPhoto(
                index: 1,
                photo: Photo(
                    id: PhotoID(service: "sample", value: "1"), title: title, attribution: credit)),
            name: "sample_1", thumbnail: picture, pictures: [picture])
    }

    /// A photo of any title.
    static func photo(
        _ number: Int = 1, title: String, author: String? = nil, page: String? = nil,
        license: String? = nil, description: String? = nil, alt: String? = nil
    ) throws -> PublishedPhoto {
        let size = try #require(PixelSize(width: 300, height: 200))
        return PublishedPhoto(
            entry: IndexedPhoto(
                index: number,
                photo: Photo(
                    id: PhotoID(service: "sample", value: "\(number)"), title: title,
                    author: author.map { Author(name: $0) }, page: page.flatMap { URL(string: $0) },
                    size: size, license: license, description: description, alt: alt)),
            name: "sample_\(number)",
            thumbnail: .init(path: "thumbs/sample_\(number).jpg", size: size, bytes: 5000),
            pictures: [.init(path: "full/sample_\(number).jpg", size: size, bytes: 500_000)])
    }

    /// Titles that would be more than text where they are not escaped.
    static let hostile = [
        "<script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "' onmouseover='alert(1)",
        "]]><script>1</script>", "--><svg onload=alert(1)>", "&lt;b&gt; &amp; &#60;", "\u{202E}gpj.exe",
        "a\u{0}b\u{1B}[31mc\u{85}d\u{FFFE}e", "line\nbreak\ttab", String(repeating: "long title ", count: 37),
    ]
}

extension PhotoSite {
    init(_ photos: [PublishedPhoto], icons: [PublishedPicture] = [], options: SiteOptions = SiteOptions()) {
        self.init(PhotoShelf(photos), icons: icons, options: options)
    }
}

extension PublishedPicture {
    /// A JPEG below a site's folder.
    init(path: String, size: PixelSize, bytes: Int64) {
        self.init(
            place: "/site/" + path, type: .jpeg, size: size, orientation: 1, bytes: bytes,
            modified: PublishingSamples.moment)
    }
}

private struct List: Decodable {
    struct Photo: Decodable {
        let id: Int
        let name: String
        let width: Int
        let height: Int
        let license: String
        let tags: [String]
        let images: [Image]
        let user: User
    }

    struct User: Decodable { let fullname: String }

    struct Image: Decodable {
        let url: String
        let width: Int
        let height: Int

        var file: URL { Fixture.url("sample/\(url)") }
        var size: PixelSize? { PixelSize(width: width, height: height) }

        func picture(_ path: String) throws -> PublishedPicture {
            let bytes = try Data(contentsOf: file).count
            return .init(path: path, size: try #require(size), bytes: Int64(bytes))
        }
    }

    let photos: [Photo]
}

/// A recorded file under `fixtures/`, compared with what is made now.
///
/// `GALLERY_RECORD=1 swift test --filter GoldenTests` records what is made instead.
func expectGolden(_ text: String, _ name: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
    let file = Fixture.url(name)
    if ProcessInfo.processInfo.environment["GALLERY_RECORD"] != nil {
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
    }
    let recorded = try String(contentsOf: file, encoding: .utf8)
    let difference = zip(
        text.split(separator: "\n", omittingEmptySubsequences: false),
        recorded.split(separator: "\n", omittingEmptySubsequences: false)
    ).first { $0 != $1 }
    #expect(
        text == recorded, "\(name): \(difference.map { "\($0.prefix(300))\n\($1.prefix(300))" } ?? "length")",
        sourceLocation: sourceLocation)
}
