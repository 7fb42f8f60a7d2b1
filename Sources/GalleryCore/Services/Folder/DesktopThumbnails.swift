import Foundation
import PictureFiles

/// Thumbnails of files on this machine, which its programs share.
///
/// Source: freedesktop.org, Thumbnail Managing Standard 0.9: a PNG of at most 128, 256, 512, or 1024 pixels, named by
/// the MD5 of the file's URI, which holds the URI and the file's modification time.
package struct DesktopThumbnails: Sendable {
    /// A folder of the standard.
    package struct Size: Hashable, Sendable {
        package let name: String
        /// The longest side of its thumbnails in pixels.
        package let side: Int
    }

    /// Those of the standard, smallest first.
    package static let sizes = [
        Size(name: "normal", side: 128), Size(name: "large", side: 256), Size(name: "x-large", side: 512),
        Size(name: "xx-large", side: 1024),
    ]

    static let own = DesktopThumbnails(ProcessInfo.processInfo.environment)

    private let folder: URL

    /// Those of the user whose variables these are.
    package init(_ environment: [String: String]) {
        let cache = environment["XDG_CACHE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        let home = environment["HOME"] ?? NSHomeDirectory()
        folder = URL(filePath: cache ?? home + "/.cache").appending(path: "thumbnails")
    }

    /// Where the thumbnail of the file that `note` is about is kept.
    package func file(_ size: Size, _ note: ThumbnailNote) -> URL {
        folder.appending(path: "\(size.name)/\(note.name)")
    }

    /// The thumbnail that is kept, and its pixels; `nil` where there is none of the file as it is now. This blocks.
    package func current(_ size: Size, _ note: ThumbnailNote) -> (file: URL, size: PixelSize)? {
        let kept = file(size, note)
        let handle = try? FileHandle(forReadingFrom: kept)
        defer { try? handle?.close() }
        guard let start = try? handle?.read(upToCount: 1 << 16), note.isCurrent(start),
            let pixels = PNG.size(PictureBytes(Array(start)))
        else { return nil }
        return (kept, pixels)
    }

    var areThere: Bool { access(folder.path, X_OK) == 0 }

    /// All that are kept of a file, smallest first. This blocks.
    func current(_ note: ThumbnailNote) -> [(size: Size, pixels: PixelSize)] {
        Self.sizes.compactMap { size in current(size, note).map { (size, $0.size) } }
    }

    /// The PNG kept of the file as it is now, without what it says of that; `nil` where there is none. This blocks.
    func png(_ size: Size, _ note: ThumbnailNote) -> [UInt8]? {
        current(size, note).flatMap { try? Data(contentsOf: $0.file) }.map { PNG.cleaned(Array($0)) }
    }
}

package struct ThumbnailNote: Hashable, Sendable {
    package let uri: String
    /// Seconds since 1970.
    package let modified: Int64

    package init(file: URL, modified: Int64) {
        // The characters that glib leaves alone: other programs look under the same name.
        uri = "file://" + PercentEncoding.encoded(file.standardizedFileURL.path, keeping: "!$&'()*+,;=:@/")
        self.modified = modified
    }

    package var name: String { MD5.hexadecimal(uri) + ".png" }

    private var texts: [(name: String, content: [UInt8])] {
        ["Thumb::URI\0\(uri)", "Thumb::MTime\0\(modified)"].map { ("tEXt", Array($0.utf8)) }
    }

    /// Whether a thumbnail that begins with these bytes is of this file as it is now.
    package func isCurrent(_ start: Data) -> Bool {
        texts.allSatisfy { name, content in
            let length = [24, 16, 8, 0].map { UInt8(content.count >> $0 & 0xFF) }
            return start.range(of: Data(length + Array(name.utf8) + content)) != nil
        }
    }

    package func added(to png: [UInt8]) -> Data { Data(PNG.adding(texts, to: png)) }
}

/// MD5, because the thumbnail standard names its files by it, and Foundation has none on Linux.
///
/// Source: RFC 1321.
package enum MD5 {
    /// The digest as 32 digits.
    package static func hexadecimal(_ text: String) -> String {
        var state: [UInt32] = [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476]
        let message = Array(text.utf8)
        let padding = [0x80] + [UInt8](repeating: 0, count: (119 - message.count % 64) % 64)
        let bytes = message + padding + littleEndian(UInt64(message.count) << 3)
        let words = stride(from: 0, to: bytes.count, by: 4).map { start in
            bytes[start..<start + 4].reversed().reduce(0 as UInt32) { $0 << 8 | UInt32($1) }
        }
        for start in stride(from: 0, to: words.count, by: 16) {
            var (a, b, c, d) = (state[0], state[1], state[2], state[3])
            for step in 0..<64 {
                let (mixed, word): (UInt32, Int) =
                    switch step / 16 {
                    case 0: (b & c | ~b & d, step)
                    case 1: (d & b | ~d & c, (5 * step + 1) % 16)
                    case 2: (b ^ c ^ d, (3 * step + 5) % 16)
                    default: (c ^ (b | ~d), 7 * step % 16)
                    }
                let sine = UInt32(abs(sin(Double(step + 1))) * 4_294_967_296)
                let sum = a &+ mixed &+ sine &+ words[start + word]
                let shift = shifts[step / 16][step % 4]
                (a, d, c, b) = (d, c, b, b &+ (sum << shift | sum >> (32 - shift)))
            }
            state = zip(state, [a, b, c, d]).map { $0 &+ $1 }
        }
        return state.flatMap(littleEndian).map { String(UInt16($0) + 256, radix: 16).dropFirst() }.joined()
    }

    private static func littleEndian(_ number: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: number.littleEndian) { Array($0) }
    }

    private static let shifts: [[UInt32]] = [
        [7, 12, 17, 22], [5, 9, 14, 20], [4, 11, 16, 23], [6, 10, 15, 21],
    ]
}
