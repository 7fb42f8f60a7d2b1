import Basics
import Foundation
import GalleryTestSupport
import ProductTestSupport
import Testing

@testable import PictureFiles

/// What a picture is found to be when its bytes lie on disk.
func verdictOnDisk(_ bytes: [UInt8], named name: String = "picture") throws -> PictureFile {
    try withTemporaryDirectory { folder in
        let file = folder.appending(path: name)
        try Data(bytes).write(to: file)
        let handle = try FileHandle(forReadingFrom: file)
        return try PictureFile.examine(
            descriptor: handle.fileDescriptor, length: Int64(bytes.count), named: name)
    }
}

/// Bytes that are counted when they are looked at.
class CountedBytes: PictureBytes {
    private(set) var looks = 0

    override func byte(at offset: Int) -> UInt8? {
        looks += 1
        return super.byte(at: offset)
    }

    override func offset(of byte: UInt8, from start: Int, before end: Int) -> Int? {
        let found = super.offset(of: byte, from: start, before: end)
        looks += max(0, (found ?? min(end, count)) - start)
        return found
    }
}

extension ImageHeader {
    /// The header of a picture that begins with `prefix`.
    init?(prefix: some Collection<UInt8>) {
        self.init(PictureBytes(Array(prefix)))
    }
}

@Suite struct PictureFileDiskTests {
    private static let jpeg = SmallPicture.baselineJPEG
    private static let png = SmallPicture.png

    @Test(arguments: [
        ("", "nothing"), ("<html>Please sign in</html>", "an HTML page"), ("{\"error\":1}", "JSON"),
    ])
    func `a stranger is named`(text: String, found: String) throws {
        #expect(try verdictOnDisk(Array(text.utf8)) == .notAPicture(found: found))
    }

    @Test func `a file shorter than it was said to be is damaged`() throws {
        try withTemporaryDirectory { folder in
            let file = folder.appending(path: "picture.png")
            try Data(Self.png.dropLast(12)).write(to: file)
            let handle = try FileHandle(forReadingFrom: file)
            let found = try PictureFile.examine(
                descriptor: handle.fileDescriptor, length: Int64(Self.png.count), named: "picture.png")
            #expect(found == .damaged(reason: "its last chunk, IEND, is missing"))
        }
    }

    @Test func `a folder cannot be read, and says so`() throws {
        try withTemporaryDirectory { folder in
            let descriptor = open(folder.path, O_RDONLY)
            defer { close(descriptor) }
            #expect(throws: SystemCall.Failure(code: EISDIR)) {
                try PictureFile.examine(descriptor: descriptor, length: 4096, named: "picture")
            }
        }
    }

    @Test(arguments: [
        Sample("PNG", png[..<33] + [0x7F, 0xFF, 0xFF, 0xFF] + Array("IDAT".utf8)),
        Sample("JPEG", jpeg.dropLast(2)),
        Sample("AVIF", HandmadeISO().bytes + [0x80, 0, 0, 7] + Array("mdat".utf8)),
    ])
    func `2 GB of pixels are leapt over`(head: Sample) throws {
        try withTemporaryDirectory { folder in
            let file = folder.appending(path: "picture")
            try Data(head.bytes).write(to: file)
            let handle = try FileHandle(forUpdating: file)
            let length = UInt64(head.bytes.count) + 0x7FFF_FFFF
            try handle.truncate(atOffset: length)
            try handle.seek(toOffset: length)
            let isJPEG = head.bytes.first == 0xFF
            // What follows 2 GB less a byte: a checksum and the end, an end marker, or nothing.
            let end = isJPEG ? [0xFF, 0xD9] : head.bytes.first == 0x89 ? Array(Self.png.suffix(16)) : []
            try handle.write(contentsOf: Data(end))
            let bytes = CountedBytes(
                descriptor: handle.fileDescriptor, length: Int64(length) + Int64(end.count))
            let found = PictureFile.examine(bytes)
            guard case .whole = found else {
                Issue.record("\(found)")
                return
            }
            #expect(bytes.looks < 100_000)
        }
    }
}
