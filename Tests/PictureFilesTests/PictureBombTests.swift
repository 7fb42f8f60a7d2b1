import Foundation
import GalleryTestSupport
import PictureFiles
import ProductTestSupport
import Testing

/// A file of 1 GiB: some first bytes, then a pattern without end.
private struct Bomb: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let head: [UInt8]
    let pattern: [UInt8]

    init(_ description: String, _ head: some Sequence<UInt8>, then pattern: [UInt8] = [0]) {
        testDescription = description
        self.head = Array(head)
        self.pattern = pattern
    }

    /// Its bytes, none of which is anywhere.
    var bytes: BombBytes { BombBytes(self) }

    static let all = [
        Bomb("JPEG of zeros", [0xFF, 0xD8, 0xFF]),
        Bomb("JPEG of filler", [0xFF, 0xD8], then: [0xFF]),
        Bomb("JPEG of empty segments", [0xFF, 0xD8], then: [0xFF, 0xFE, 0, 2]),
        Bomb("PNG of zeros", SmallPicture.png[..<33]),
        Bomb(
            "PNG of empty chunks", SmallPicture.png[..<33],
            then: [0, 0, 0, 0] + Array("tEXt".utf8) + [0, 0, 0, 0]),
        Bomb("GIF of zeros", SmallPicture.gif[..<13]),
        Bomb("WebP of zeros", Array("RIFF\0\0\0\u{40}WEBPVP8X".utf8)),
        Bomb("AVIF of zeros", SmallPicture.avif[..<32]),
        Bomb("AVIF of empty boxes", SmallPicture.avif[..<32], then: box("free", [])),
        Bomb(
            "AVIF of boxes in boxes", SmallPicture.avif[..<32],
            then: [0, 0, 0, 0] + Array("meta".utf8) + [0, 0, 0, 0]),
        Bomb(
            "AVIF of tracks in tracks", SmallPicture.avif[..<32], then: [0, 0, 0, 0] + Array("moovtrak".utf8)),
        Bomb("AVIF of a million extents", HandmadeISO().bytes[..<24] + endlessExtents),
        Bomb("TIFF of zeros", Array("II*\0\u{8}\0\0\0".utf8)),
        Bomb(
            "TIFF of 65,535 entries", Array("II*\0\u{8}\0\0\0".utf8) + [0xFF, 0xFF],
            then: [1, 1, 3, 0, 1, 0, 0, 0, 7, 0, 0, 0]),
        Bomb(
            "BigTIFF of a million entries",
            Array("II+\0\u{8}\0\0\0".utf8) + little(16, 8) + little(1_000_000, 8),
            then: little(0x100, 2) + little(3, 2) + little(1, 8) + little(7, 8)),
        Bomb(
            "TIFF of directories without end", Array("II*\0\u{8}\0\0\0".utf8),
            then: [1, 0, 0, 1, 3, 0, 1, 0, 0, 0, 7, 0, 0, 0, 0, 0, 0, 0]),
        Bomb("TIFF of a thousand directories in one another", directoriesInOneAnother),
        Bomb("BMP of zeros", HandmadeBMP.bytes(7, 5)[..<54]),
        Bomb("JPEG XL of zeros", HandmadeJXL.container(7, 5)[..<32]),
        Bomb("JPEG XL of empty boxes", HandmadeJXL.container(7, 5)[..<32], then: box("free", [])),
        Bomb("RAF of zeros", Array("FUJIFILMCCD-RAW ".utf8)), Bomb("RW2 of zeros", Array("IIU\0".utf8)),
        Bomb("zeros", []), Bomb("text", [], then: Array("<a ".utf8)),
    ]

    /// Directories of 60,000 entries, each of which begins with an entry of the one before and is named by it.
    private static let directoriesInOneAnother: [UInt8] = {
        let (count, start) = (60_000, 8)
        return Array("II*\0".utf8) + little(start, 4)
            + (0..<count + 1000).flatMap { entry -> [UInt8] in
                let next = start + 12 * (entry - count + 1)
                let link = entry < count ? [1, 0, 1, 0] : little(next, 4)
                return little(count, 2) + link + [1, 0, 0, 0, 0, 0]
            }
    }()

    /// Items whose extents take no bytes at all: numbers of length 0, 65,535 to an item.
    private static let endlessExtents =
        big(0, 4) + Array("meta".utf8) + [0, 0, 0, 0] + big(1 << 20, 4) + Array("iloc".utf8) + [
            1, 0, 0, 0, 0, 0,
        ]
        + big(65_535, 2) + (0..<100).flatMap { _ in [0, 1, 0, 0, 0, 0, 0xFF, 0xFF] as [UInt8] }
}

/// A bomb's bytes, counted when they are looked at.
private final class BombBytes: CountedBytes {
    private let bomb: Bomb

    init(_ bomb: Bomb) {
        self.bomb = bomb
        super.init(descriptor: -1, length: 1 << 30)
    }

    override func byte(at offset: Int) -> UInt8? {
        _ = super.byte(at: -1)
        guard offset >= 0, offset < count else { return nil }
        let (head, pattern) = (bomb.head, bomb.pattern)
        return offset < head.count ? head[offset] : pattern[(offset - head.count) % pattern.count]
    }

    override func offset(of byte: UInt8, from start: Int, before end: Int) -> Int? {
        var offset = start
        while offset < end, let next = self.byte(at: offset) {
            if next == byte { return offset }
            offset += 1
        }
        return nil
    }
}

@Suite(.fewAtOnce) struct PictureBombTests {
    @Test(arguments: Thorough.cases(Bomb.all, few: 6))
    private func `a file made to cost time costs little`(bomb: Bomb) {
        let bytes = bomb.bytes
        _ = PictureFile.examine(bytes)
        // The most is 250,000 chunks of a PNG.
        #expect(bytes.looks < 6_000_000)
        let header = bomb.bytes
        if let type = ImageHeader(header)?.type {
            #expect(header.looks < 6_000_000)
            let metadata = bomb.bytes
            _ = PictureMetadata(metadata, type)
            #expect(metadata.looks < 6_000_000)
        }
    }

    /// Only where pixels begin is a JPEG read to its end, and once.
    @Test func `a JPEG of 256 MiB of zeros as pixels is read once`() throws {
        try withTemporaryDirectory { folder in
            let file = folder.appending(path: "zeros.jpg")
            let scan = try #require(SmallPicture.baselineJPEG.firstRange(of: [0xFF, 0xDA]))
            try Data(SmallPicture.baselineJPEG[..<scan.lowerBound] + [0xFF, 0xDA, 0, 2]).write(to: file)
            let handle = try FileHandle(forUpdating: file)
            try handle.truncate(atOffset: 1 << 28)
            let bytes = CountedBytes(descriptor: handle.fileDescriptor, length: 1 << 28)
            #expect(PictureFile.examine(bytes) == .damaged(reason: "its end marker is missing"))
            #expect(bytes.looks < 1 << 28 + 100_000)
        }
    }
}
