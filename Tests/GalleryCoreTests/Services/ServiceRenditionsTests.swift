import Foundation
import GalleryTestSupport
import Testing

@testable import GalleryCore

/// Every file that the services' answers name.
@Suite struct ServiceRenditionsTests {
    /// `280×280c path`: the size, a `c` if it is cropped, and the end of the address.
    private func text(_ files: [Rendition]?) -> [String] {
        (files ?? []).map { file in
            let size = file.size.map { "\($0.width)×\($0.height)" } ?? "-"
            return size + (file.isCropped ? "c " : " ") + file.url.lastPathComponent
        }
    }

    @Test func `500px: each size by what its number means`() throws {
        let images = [3, 2048, 440, 20, 6, 4, 31, 1].map { #"{"size":\#($0),"url":"https://h/\#($0)"}"# }
        let photo = #"{"id":1,"width":3000,"height":2000,"images":[\#(images.joined(separator: ","))]}"#
        let page = try FiveHundredPixelsImporter(service: "500px", files: nil).page(
            Data(#"{"photos":[\#(photo)]}"#.utf8), PageSlice(number: 1, size: 20))
        let found = try #require(page.photos.first?.photo)
        #expect(
            text(found.renditions) == [
                "70×70c 1", "280×280c 3", "440×440c 440", "450×300 20", "675×450 31", "900×600 4",
                "1620×1080 6", "2048×1365 2048",
            ])
        #expect(text([found.thumbnail].compactMap(\.self)) == ["280×280c 3"])
        #expect(text([found.full].compactMap(\.self)) == ["2048×1365 2048"])
        // Of a height the other side counts.
        #expect(text([found.rendition(longestEdge: 650)].compactMap(\.self)) == ["675×450 31"])
    }

    @Test func `Flickr: the fields of a list, and the labels of getSizes`() throws {
        let fields = ["sq": (75, 75), "q": (150, 150), "n": (320, 213), "z": (640, 427), "k": (2048, 1365)]
        let sizes = fields.map { name, size in
            #""url_\#(name)":"https://h/\#(name)","width_\#(name)":"\#(size.0)","height_\#(name)":\#(size.1)"#
        }
        let service = Flickr(base: nil, key: Secret("key"))
        let row = #"{"id":"1","title":"",\#(sizes.joined(separator: ","))}"#
        var conversation = Conversation(
            (suffix: "method=", status: 200, body: Data(#"{"photos":{"pages":1,"photo":[\#(row)]}}"#.utf8)))
        let list = try conversation.page(of: service)
        let expected = ["75×75c sq", "150×150c q", "320×213 n", "640×427 z", "2048×1365 k"]
        #expect(text(list.photos.first?.photo.renditions) == expected)
        let labels = ["Square", "Large Square", "Small 320", "Medium 640", "Large 2048"]
        let rows = zip(labels, expected).map { label, text in
            let parts = text.split(separator: " ")
            let sides = parts[0].split(separator: "×").map { $0.filter(\.isNumber) }
            return
                #"{"label":"\#(label)","source":"https://h/\#(parts[1])","width":"\#(sides[0])","height":\#(sides[1])}"#
        }
        let answer = Data(#"{"sizes":{"size":[\#(rows.joined(separator: ","))]}}"#.utf8)
        let detail = try service.files(PhotoID(service: "flickr", value: "1"), answer)
        #expect(text(detail.photo.renditions) == expected)
        #expect(text(detail.renditions(.full)) == ["2048×1365 k"])
    }

    @Test(arguments: [
        // On either host, with or without a query, and after a page's or a quality's prefix.
        (
            "https://thumb.wikimedia.org/wikipedia/commons/thumb/9/95/Sea.jpg/330px-Sea.jpg?utm_source=x",
            1000,
            "20 40 60 120 250 330 500 960 1000", "?utm_source=x"
        ),
        (
            "https://upload.wikimedia.org/wikipedia/commons/thumb/9/95/Sea.jpg/330px-Sea.jpg", 960,
            "20 40 60 120 250 330 500 960", ""
        ),
        ("https://upload.wikimedia.org/thumb/Sea.jpg/lossy-page1-330px-Sea.jpg", 40, "20 40 40", ""),
        (
            "https://upload.wikimedia.org/thumb/9/100px-5.jpg/330px-100px-5.jpg", 300,
            "20 40 60 120 250 300 300", ""
        ),
        (
            "https://upload.wikimedia.org/thumb/Sea.jpg/640px-Sea.jpg", 600,
            "20 40 60 120 250 330 500 600 600", ""
        ),
        (
            "https://upload.wikimedia.org/wikipedia/commons/9/95/Sea.jpg?utm=thumbnail_unscaled", 300,
            "300 300", ""
        ),
        ("https://upload.wikimedia.org/thumb/Sea.jpg/0px-Sea.jpg", 30, "- 20 30", ""),
        ("https://upload.wikimedia.org/thumb/Sea.jpg/99999999999999999999px-Sea.jpg", 30, "- 20 30", ""),
        ("https://upload.wikimedia.org/thumb/330px-Sea.jpg", 6000, "640 6000", ""),
        ("https://other.example/330px-Sea.jpg", 6000, "640 6000", ""),
    ])
    func `Commons: the widths that Wikimedia serves, below the original's`(
        address: String, width: Int, widths: String, query: String
    ) throws {
        let page = """
            {"pageid":1,"title":"File:Sea.jpg","imageinfo":[{"mime":"image/jpeg","size":5000,
            "url":"https://upload.wikimedia.org/wikipedia/commons/9/95/Sea.jpg?utm=original",
            "width":\(width),"height":\(width / 2),"thumburl":"\(address)","thumbwidth":640,"thumbheight":320}]}
            """
        let batch = try Commons(base: nil).answer(Data(#"{"query":{"pages":[\#(page)]}}"#.utf8))
        let files = try #require(
            Commons(base: nil).photos(batch, PageSlice(number: 1, size: 1)).first?.photo.renditions)
        #expect(files.map { $0.size.map { "\($0.width)" } ?? "-" }.joined(separator: " ") == widths)
        #expect(files.last?.bytes == 5000)
        for file in files.dropLast() where address.contains("/thumb/9/95/") {
            let size = try #require(file.size)
            #expect(
                file.url.absoluteString.hasSuffix("/thumb/9/95/Sea.jpg/\(size.width)px-Sea.jpg\(query)"))
            #expect(size.height == Int((Double(size.width) / 2).rounded()))
        }
    }

    @Test func `pixiv: four files of a page, and what a list's thumbnail tells of`() throws {
        let detail = try PixivTape([
            "ajax/illust/87598468": "made_illust_pages",
            "ajax/illust/87598468/pages": "made_illust_pages_pages",
        ]).detail("87598468")
        #expect(detail.pages.count == 3)
        for (page, files) in detail.pages.enumerated() {
            #expect(files.last?.url.path.contains("/img-original/") == true)
            #expect(files.allSatisfy { $0.url.lastPathComponent.contains("_p\(page)") })
            #expect(files.rendition(longestEdge: 1000)?.size?.longestEdge == 1200)
            #expect(files.rendition(longestEdge: 500)?.size?.longestEdge == 540)
            #expect(files.first?.isCropped == true)
        }
        #expect(
            detail.renditions(.pixels(1200)).map(\.url.lastPathComponent)
                == (0..<3).map {
                    "87598468_p\($0)_master1200.jpg"
                })
        // A work whose pages are unknown has none: its first page would pass for all of it.
        var unknown = PhotoDetail(photo: detail.photo)
        #expect(unknown.renditions(.pixels(1200)).isEmpty)
        unknown.pages = [detail.pages[0]]
        #expect(unknown.renditions(.pixels(1200)).count == 1)
    }

    @Test(arguments: [
        ("https://i.pximg.net/c/48x48/img-master/img/1_p0_square1200.jpg", "48×48c"),
        ("https://i.pximg.net/c/250x250_80_a2/custom-thumb/img/1_p0_custom1200.jpg", "250×250c"),
        ("https://i.pximg.net/c/540x540_70/img-master/img/1_p0_master1200.jpg", "540×270"),
        ("https://i.pximg.net/c/240x480/img-master/img/1_p0_master1200.jpg", "240×120"),
        ("https://i.pximg.net/img-master/img/1_p0_master1200.jpg", "1200×600"),
        ("https://i.pximg.net/img-original/img/1_p0.png", "3000×1500"),
        ("https://i.pximg.net/c/x/img-master/1_p0_master1200.jpg", "-"), ("https://i.pximg.net/1.jpg", "-"),
    ])
    func `pixiv: an address tells the size`(address: String, size: String) throws {
        let file = PixivAddress.file(address, of: PixelSize(width: 3000, height: 1500))
        #expect(text([file].compactMap(\.self)).first?.hasPrefix(size + " ") == true)
    }
}
