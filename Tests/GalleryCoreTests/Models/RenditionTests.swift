import Foundation
import GalleryCore
import Testing

@Suite struct RenditionTests {
    /// A file by its size, as `800x600`, and `-` where that is unknown; cropped with a `c` behind it.
    private static func file(_ text: String, at address: String? = nil) -> Rendition {
        let sides = text.split(separator: "x").map { Int($0.trimmingSuffix { $0 == "c" }) }
        return Rendition(
            url: URL(filePath: "/\(address ?? text)"),
            size: sides.count == 2 ? PixelSize(width: sides[0], height: sides[1]) : nil,
            isCropped: text.hasSuffix("c"))
    }

    private static func photo(
        _ files: [String], full: String? = nil, thumbnail: String? = nil, of size: String? = nil
    ) -> Photo {
        Photo(
            id: PhotoID(service: "s", value: "1"), title: "", size: size.flatMap { file($0).size },
            thumbnail: thumbnail.map { file($0) }, full: full.map { file($0, at: "full") },
            renditions: files.map { file($0) })
    }

    private static func name(_ file: Rendition?) -> String? { file?.url.lastPathComponent }

    @Test(arguments: [
        (["320x200", "2048x1000", "1024x600"], 1024, "1024x600" as String?),
        (["320x200", "2048x1000", "1024x600"], 1025, "2048x1000"),
        (["320x200", "2048x1000", "1024x600"], 4000, "2048x1000"),
        (["320x200", "600x1024"], 1000, "600x1024"), (["320x200", "2048x2048c"], 1000, "320x200"),
        (["75x75c"], 10, nil), ([], 10, nil), (["-", "320x200"], 10, "320x200"),
        (["-", "320x200"], 1000, "320x200"), (["-"], 1000, "-"), (["0x0", "320x200"], 1, "320x200"),
        (["-5x9"], 1, "-5x9"), ([], 1, nil),
        (["320x200", "99999999999999999999x1"], 1000, "320x200"),
    ])
    func `the smallest whole file with as many pixels is chosen, else the largest`(
        files: [String], pixels: Int, chosen: String?
    ) {
        let shuffled = [files, files.reversed()].map { Self.photo($0) }
        for photo in shuffled {
            #expect(Self.name(photo.rendition(longestEdge: pixels)) == chosen, "\(photo.renditions)")
        }
    }

    @Test(arguments: [
        // Of unknown size it counts as large as the photo, and else as the largest.
        ("-", "6000x4000" as String?, ["320x200", "2048x1365"], 1000, "2048x1365"),
        ("-", "6000x4000", ["320x200", "2048x1365"], 3000, "full"),
        ("-", "6000x4000", ["320x200", "8000x5000"], 3000, "full"), ("-", nil, ["320x200"], 300, "320x200"),
        ("-", nil, ["320x200"], 1000, "full"), ("-", nil, ["-"], 1000, "full"), ("-", nil, [], 1, "full"),
        // The file that is sent as it was uploaded gives way to a smaller one of the same pixels.
        ("800x600", nil, ["800x600"], 700, "800x600"), ("800x600", nil, ["800x600"], 900, "full"),
        ("800x600c", nil, ["320x200"], 700, "full"),
    ])
    func `the full-size file takes part`(
        full: String, size: String?, files: [String], pixels: Int, chosen: String
    ) {
        let photo = Self.photo(files, full: full, of: size)
        #expect(Self.name(photo.rendition(longestEdge: pixels)) == chosen, "\(photo.renditions)")
    }

    @Test(arguments: [
        // Larger ones in turn, then the next smaller.
        (["330x220", "960x640", "1280x853"], nil as String?, 1000, "1280x853 960x640 330x220"),
        (["330x220", "960x640", "1280x853"], "2400x1600", 1000, "1280x853 full 960x640"),
        (["330x220", "960x640", "1280x853"], "2400x1600", 500, "960x640 1280x853 full"),
        // After three the full-size file is the last.
        (["20x13", "40x27", "60x40", "120x80", "330x220"], "2400x1600", 1, "20x13 40x27 60x40 full"),
        (["330x330c", "-"], "2400x1600", 300, "full -"), ([], "-", 300, "full"), (["75x75c"], nil, 300, ""),
    ])
    func `where a file is not there, the next larger one is tried, then the next smaller`(
        files: [String], full: String?, pixels: Int, tried: String
    ) {
        let photo = Self.photo(files, full: full)
        let ladder = PhotoDetail(photo: photo).ladders(.pixels(pixels))[0]
        #expect(ladder.compactMap { Self.name($0) }.joined(separator: " ") == tried)
        // Nothing passes for the original.
        #expect(PhotoDetail(photo: photo).ladders(.full).map(\.count) == (full == nil ? [] : [1]))
    }

    @Test func `what is preferred stands in first`() {
        let photo = Self.photo(["330x220", "500x333", "960x640", "1280x853"], full: "2400x1600")
        let ladder = PhotoDetail(photo: photo).ladders(.pixels(400)) { 330...1024 ~= $0.size?.width ?? 0 }[0]
        #expect(ladder.compactMap { Self.name($0) } == ["500x333", "960x640", "330x220", "1280x853", "full"])
    }

    @Test func `each address comes once, smallest first, with all that is said of it`() throws {
        let photo = Photo(
            id: PhotoID(service: "s", value: "1"), title: "",
            thumbnail: Self.file("-", at: "small"), full: Self.file("-", at: "full"),
            renditions: [
                Self.file("2000x1000", at: "full"), Self.file("900x450"), Self.file("100x100c", at: "small"),
                Rendition(url: URL(filePath: "/900x450"), size: PixelSize(width: 1, height: 1), bytes: 7),
                Self.file("500x500c"), Self.file("-"), Self.file("2000x1000", at: "like full"),
            ])
        let files = photo.renditions
        #expect(
            files.map { Self.name($0) } == ["-", "small", "500x500c", "900x450", "like full", "full"])
        #expect(files[3].size?.width == 900 && files[3].bytes == 7)
        #expect(photo.thumbnail == files[1] && files[1].isCropped)
        #expect(photo.full == files[5] && files[5].size?.width == 2000)
    }

    @Test func `a thousand files are sorted, and the right one found`() {
        let edges = (1...1000).map { "\($0 * 7919 % 1009)x1" }
        let photo = Self.photo(edges + edges)
        let found = photo.renditions.compactMap(\.size?.width)
        #expect(found.count == 1000 && found == found.sorted())
        #expect(Self.name(photo.rendition(longestEdge: 500)) == "500x1")
    }

    @Test func `details add files, and take the place of those of the same size`() {
        let list = Photo(
            id: PhotoID(service: "s", value: "1"), title: "", thumbnail: Self.file("100x100c", at: "old"),
            renditions: [Self.file("800x600", at: "old800"), Self.file("-", at: "any"), Self.file("640x480")])
        let details = Photo(
            id: list.id, title: "", full: Self.file("6000x4500", at: "full"),
            renditions: [Self.file("800x600", at: "new800"), Self.file("100x100", at: "whole100")])
        let photo = list.completed(by: details)
        #expect(
            photo.renditions.map { Self.name($0) }
                == ["any", "old", "whole100", "640x480", "new800", "full"])
        #expect(photo.thumbnail?.isCropped == true && Self.name(photo.full) == "full")
    }

    @Test(arguments: [
        ("full", PhotoFileSize.full as PhotoFileSize?), ("thumbnail", .thumbnail), ("2048", .pixels(2048)),
        ("1", .pixels(1)), ("0", nil), ("-1", nil), ("+5", nil), ("05", nil), ("2048px", nil), ("", nil),
        ("99999999999999999999", nil), ("Full", nil), ("none", nil),
    ])
    func `a size is a word or a number of pixels`(text: String, size: PhotoFileSize?) {
        #expect(PhotoFileSize(rawValue: text) == size)
        if let size { #expect(size.rawValue == text) }
    }
}

extension Substring {
    fileprivate func trimmingSuffix(while isCut: (Character) -> Bool) -> Substring {
        var rest = self
        while let last = rest.last, isCut(last) { rest.removeLast() }
        return rest
    }
}
