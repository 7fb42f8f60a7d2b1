import Foundation
import GalleryTestSupport
import PictureFiles
import Testing

@testable import GalleryCore

/// What stands next to a folder's pictures.
@Suite(.fewAtOnce, .timeLimit(.minutes(1))) struct FilesBesideTests {
    private let plain = Pictures.png(width: 40, height: 30)

    private func xmp(_ properties: String) -> Data {
        Data(
            "\u{FEFF}<x:xmpmeta><rdf:RDF><rdf:Description>\(properties)</rdf:Description></rdf:RDF></x:xmpmeta>"
                .utf8)
    }

    private func takeout(_ description: String = "Grandma", seconds: String = "1500000000") -> Data {
        let text = """
            {"title":"IMG_1.jpg","description":"\(description)","photoTakenTime":{"timestamp":"\(seconds)"},
             "geoData":{"latitude":1.5,"longitude":-2.5}}
            """
        return Data(text.utf8)
    }

    private func sources(_ detail: PhotoDetail, _ field: MetadataField) -> [String] {
        detail.origins.filter { $0.has(field) }.map(\.source)
    }

    @Test func `an XMP file says everything, before the picture itself and what fetch wrote`() async throws {
        let everything = xmp(
            """
            <dc:title><rdf:Alt><rdf:li xml:lang="x-default">Sidecar</rdf:li></rdf:Alt></dc:title>
            <dc:description>Beside</dc:description><dc:creator><rdf:Seq><rdf:li>Bo</rdf:li></rdf:Seq></dc:creator>
            <dc:rights>Bo 2024</dc:rights><dc:subject><rdf:Bag><rdf:li>sidetag</rdf:li></rdf:Bag></dc:subject>
            <exif:DateTimeOriginal>2024-05-06T07:08:09+02:00</exif:DateTimeOriginal><xmp:Rating>4</xmp:Rating>
            <Iptc4xmpCore:AltTextAccessibility>A boat</Iptc4xmpCore:AltTextAccessibility>
            """)
        try await withAlbum { album in
            try album.add("a.jpg", Fixture.data("pictures/camera.jpg"), age: 1)
            try album.add("a.jpg.xmp", everything)
            let note = Photo(
                id: PhotoID(service: "flickr", value: "7"), title: "Fetched", author: Author(name: "Ada"),
                page: URL(string: "https://photos.example/7"), tags: ["sea"])
            try album.add("a.json", Data(IndexedPhoto(index: 3, photo: note).json.text.utf8))
            let detail = try await album.detail("a.jpg")
            let photo = detail.photo
            #expect(photo.title == "Sidecar" && photo.description == "Beside" && photo.author?.name == "Bo")
            #expect(photo.credit == "Bo 2024" && photo.tags == ["sidetag"] && photo.stars == 4)
            #expect(photo.takenText == "2024-05-06T05:08:09Z" && photo.alt == "A boat")
            #expect(photo.page == note.page)
            #expect(sources(detail, .title) == ["a.jpg.xmp", "a.json", "XMP"])
            #expect(sources(detail, .camera).last == "EXIF")
            #expect(try await album.list().photos.map(\.photo) == [photo])
            // Where nothing stands beside it, the file speaks.
            for name in ["a.jpg.xmp", "a.json"] {
                try FileManager.default.removeItem(at: album.folder.appending(path: name))
            }
            #expect(try await album.detail("a.jpg").photo.title == "A cup & saucer")
        }
    }

    @Test func `of two XMP files the one with the whole name counts, and the other fills gaps`() async throws
    {
        try await withAlbum { album in
            try album.add("a.png", plain)
            try album.add("a.png.xmp", xmp("<dc:title>One</dc:title><xmp:Rating>0</xmp:Rating>"))
            try album.add(
                "a.xmp", xmp("<dc:title>Two</dc:title><dc:rights>Bo</dc:rights><xmp:Rating>5</xmp:Rating>"))
            let detail = try await album.detail("a.png")
            #expect(detail.photo.title == "One" && detail.photo.credit == "Bo" && detail.photo.stars == nil)
            #expect(sources(detail, .title) == ["a.png.xmp", "a.xmp"])
            #expect(sources(detail, .rights) == ["a.xmp"])
        }
    }

    @Test(arguments: [
        ("IMG_1.jpg", "IMG_1.jpg.supplemental-metadata.json"),
        ("IMG_1.jpg", "IMG_1.jpg.supplemental-me.json"),
        ("IMG_1.jpg", "IMG_1.jpg.s.json"), ("IMG_1.jpg", "IMG_1.jpg..json"), ("IMG_1.jpg", "IMG_1.jpg.json"),
        ("IMG_1(2).jpg", "IMG_1.jpg.supplemental-metadata(2).json"),
        ("IMG_1(2).jpg", "IMG_1(2).jpg.supplemental-metadata.json"),
        ("IMG_1(2).jpg", "IMG_1.jpg.suppl(2).json"),
        ("IMG_1(2).jpg", "IMG_1.jpg(2).json"), ("IMG_1-edited.jpg", "IMG_1.jpg.supplemental-metadata.json"),
        ("IMG_1-edited(3).jpg", "IMG_1.jpg.supplemental-metadata(3).json"),
        (
            "20200101_120000_a_rather_long_name_of_a_file_by_a.jpg",
            "20200101_120000_a_rather_long_name_of_a_file_b.json"
        ),
        ("été.2020.jpg", "été.2020.jpg.supplemental-metadata.json"),
    ])
    func `Takeout's file is found by every name that it gets`(picture: String, json: String) async throws {
        try await withAlbum { album in
            try album.add(picture, plain)
            try album.add(json, takeout())
            let detail = try await album.detail(picture)
            #expect(detail.photo.description == "Grandma" && detail.photo.takenText == "2017-07-14T02:40:00Z")
            #expect(detail.latitude == 1.5 && detail.longitude == -2.5)
            #expect(detail.photo.title == FolderFile.stem(picture))
            #expect(sources(detail, .description) == [json])
            #expect(try await album.list().photos.map(\.photo) == [detail.photo])
            #expect(album.warnings.isEmpty)
        }
    }

    @Test func `Takeout fills gaps, and its files without a picture are counted`() async throws {
        try await withAlbum { album in
            try album.add("a.jpg", Fixture.data("pictures/camera.jpg"), age: 1)
            try album.add("a.jpg.supplemental-metadata.json", takeout())
            try album.add("b.png", plain, age: 2)
            try album.add("b.png.supplemental-metadata.json", takeout("", seconds: "-86400"))
            try album.add("c.png", plain, age: 3)
            try album.add("c.png.supplemental-metadata.json", takeout("Old", seconds: "0"))
            try album.add("gone.jpg.supplemental-metadata.json", takeout())
            let filled = try await album.detail("a.jpg")
            #expect(filled.photo.taken == Date(timeIntervalSince1970: 1_620_277_689))
            #expect(filled.photo.description == "Grandma" && filled.latitude == 48.5)
            #expect(try await album.detail("b.png").photo.takenText == "1969-12-31T00:00:00Z")
            #expect(try await album.detail("c.png").photo.taken == nil)
            #expect(try await album.paths(.popular(ranking: "taken")) == ["a.jpg", "b.png", "c.png"])
            #expect(album.warnings == ["folder has 1 document."])
        }
    }

    @Test func `files that cannot be read, lead outside, or are too long say nothing`() async throws {
        try await withTemporaryDirectory { outside in
            try xmp("<dc:title>Outside</dc:title>").write(to: outside.appending(path: "x.xmp"))
            try await withAlbum { album in
                let title = xmp("<dc:title>Title</dc:title>")
                let odd: [(picture: String, beside: String, content: Data?)] = [
                    ("long.png", "long.png.xmp", title + Data(count: 1 << 20)),
                    ("json.png", "json.png.json", takeout(String(repeating: "x", count: 300_000))),
                    ("cut.png", "cut.png.xmp", title.prefix(60)),
                    ("cut2.png", "cut2.json", takeout().prefix(40)),
                    ("utf16.png", "utf16.png.xmp", Data("<dc:title>T".utf16.flatMap { [UInt8($0), 0] })),
                    (
                        "entity.png", "entity.png.xmp",
                        xmp("<!DOCTYPE a [<!ENTITY b SYSTEM \"/etc/passwd\">]>&b;")
                    ),
                    ("nested.png", "nested.png.xmp", xmp(String(repeating: "<a>", count: 20_000))),
                    ("folder.png", "folder.png.xmp/x.txt", Data("text".utf8)),
                    ("link.png", "link.png.xmp", nil),
                    ("list.png", "list.png.json", Data("[{\"photoTakenTime\":1}]".utf8)),
                ]
                for (picture, beside, content) in odd {
                    try album.add(picture, plain)
                    if let content { try album.add(beside, content) }
                }
                try album.link("link.png.xmp", to: outside.appending(path: "x.xmp").path)
                #expect(mkfifo(album.folder.appending(path: "pipe.png.xmp").path, 0o600) == 0)
                #expect(mkfifo(album.folder.appending(path: "pipe.jpg").path, 0o600) == 0)
                try album.add("pipe.png", plain)
                let photos = try await album.list().photos.map(\.photo)
                #expect(photos.map(\.id.value).sorted() == (odd.map(\.picture) + ["pipe.png"]).sorted())
                for photo in photos {
                    let detail = try await album.detail(photo.id.value)
                    #expect(detail.photo.title == FolderFile.stem(photo.id.value))
                    #expect(detail.origins.isEmpty, "\(photo.id)")
                }
            }
        }
    }
}
