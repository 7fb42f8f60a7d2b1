import Foundation
import GalleryCore

/// Thumbnails of files on this machine, shared with other programs.
///
/// Source: freedesktop.org, Thumbnail Managing Standard 0.9: a PNG of at most 256 pixels, named by the MD5 of
/// the file's URI, which holds the URI and the file's modification time.
struct ThumbnailStore: Sendable {
    private let folder: URL
    private let chafa: Chafa

    /// The longest side of a thumbnail in the folder `large`, in pixels.
    private static let side = 256

    init(_ environment: [String: String]) {
        let cache = environment["XDG_CACHE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        let home = environment["HOME"] ?? NSHomeDirectory()
        folder = URL(filePath: cache ?? home + "/.cache").appending(path: "thumbnails")
        chafa = Chafa(environment)
    }

    /// The thumbnail of a file, which is made if there is none that is up to date; `nil` if that fails, or if
    /// the file itself is small enough to be its own.
    ///
    /// - Parameter makes: Whether one is made if there is none.
    func thumbnail(of file: URL, makes: Bool = true) async -> URL? {
        guard let picture = try? await PicturePainter.inspected(file).get() else { return nil }
        // The standard: no thumbnail of a picture that is not larger than one.
        guard max(picture.size.width, picture.size.height) > Self.side else { return file }
        let note = ThumbnailNote(file: file, modified: Int64(picture.identity.modified.timeIntervalSince1970))
        for size in ["large", "normal", "x-large"] {
            let kept = folder.appending(path: "\(size)/\(note.name)")
            if let bytes = try? Data(contentsOf: kept), note.isCurrent(bytes) { return kept }
        }
        return makes ? await make(picture, note) : nil
    }

    private func make(_ picture: InspectedPicture, _ note: ThumbnailNote) async -> URL? {
        let scale = Double(Self.side) / Double(max(picture.size.width, picture.size.height))
        let width = max(1, Int(Double(picture.size.width) * scale))
        let height = max(1, Int(Double(picture.size.height) * scale))
        let frames = try? await chafa.pixels(picture, (width, height), background: nil)
        guard let png = frames?.first.flatMap({ ThumbnailPNG.data($0, note) }) else { return nil }
        let large = folder.appending(path: "large")
        let target = large.appending(path: note.name)
        do {
            try FileManager.default.createDirectory(
                at: large, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            // Private, and under its name only when it is whole, as the standard wants.
            try PrivateFile.replace(target, with: png, isDurable: false)
        } catch {
            return nil
        }
        return target
    }
}

/// What a thumbnail says about its file.
struct ThumbnailNote: Hashable, Sendable {
    let uri: String
    /// Seconds since 1970.
    let modified: Int64

    init(file: URL, modified: Int64) {
        // The characters that glib leaves alone: other programs look under the same name.
        uri = "file://" + PercentEncoding.encoded(file.standardizedFileURL.path, keeping: "!$&'()*+,;=:@/")
        self.modified = modified
    }

    /// The thumbnail's file name.
    var name: String { MD5.hexadecimal(uri) + ".png" }

    /// What it is called in a PNG.
    fileprivate var texts: [[UInt8]] {
        ["Thumb::URI\0\(uri)", "Thumb::MTime\0\(modified)"].map { ThumbnailPNG.chunk("tEXt", Array($0.utf8)) }
    }

    /// Whether a thumbnail with these bytes is of this file as it is now.
    func isCurrent(_ png: Data) -> Bool {
        let start = png.prefix(1 << 16)
        return texts.allSatisfy { start.range(of: Data($0)) != nil }
    }
}

/// A PNG of pixels that chafa has scaled, without compression.
///
/// By hand, because chafa writes no PNG, and the programs that write one with a note need not be installed.
enum ThumbnailPNG {
    private static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    /// - Returns: `nil` for pixels without opacities.
    static func data(_ pixels: KittyPixels, _ note: ThumbnailNote) -> Data? {
        guard pixels.hasOpacity else { return nil }
        let size = [pixels.width, pixels.height].flatMap(number)
        let content = chunk("IDAT", stored(pixels.bytes, width: pixels.width))
        return Data(
            signature + chunk("IHDR", size + [8, 6, 0, 0, 0]) + note.texts.joined() + content
                + chunk("IEND", []))
    }

    static func chunk(_ type: String, _ content: [UInt8]) -> [UInt8] {
        let body = Array(type.utf8) + content
        return number(content.count) + body + number(Int(crc(body)))
    }

    /// Rows without a filter, in stored blocks of a zlib stream. Chafa's colors have the opacity multiplied in, PNG's
    /// have not.
    private static func stored(_ pixels: [UInt8], width: Int) -> [UInt8] {
        var rows: [UInt8] = []
        for pixel in stride(from: 0, to: pixels.count, by: 4) {
            if pixel % (width * 4) == 0 { rows.append(0) }
            let opacity = Int(pixels[pixel + 3])
            rows += pixels[pixel..<pixel + 3].map {
                opacity == 0 ? $0 : UInt8(min(255, Int($0) * 255 / opacity))
            }
            rows.append(pixels[pixel + 3])
        }
        var stream: [UInt8] = [0x78, 0x01]
        for start in stride(from: 0, to: rows.count, by: 0xFFFF) {
            let block = rows[start..<min(rows.count, start + 0xFFFF)]
            let (low, high) = (UInt8(block.count & 0xFF), UInt8(block.count >> 8))
            stream += [block.endIndex == rows.count ? 1 : 0, low, high, ~low, ~high] + block
        }
        // Adler-32.
        let (a, b) = rows.reduce((1, 0)) { sums, byte in
            let a = (sums.0 + Int(byte)) % 65521
            return (a, (sums.1 + a) % 65521)
        }
        return stream + number(b << 16 | a)
    }

    private static func number(_ value: Int) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(value >> $0 & 0xFF) }
    }

    private static func crc(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(0xFFFF_FFFF as UInt32) { crc, byte in
            (0..<8).reduce(crc ^ UInt32(byte)) { crc, _ in crc & 1 == 1 ? 0xEDB8_8320 ^ crc >> 1 : crc >> 1 }
        }
    }
}

/// MD5, because the thumbnail standard names its files by it, and Foundation has none on Linux.
///
/// Source: RFC 1321.
enum MD5 {
    /// The digest as 32 digits.
    static func hexadecimal(_ text: String) -> String {
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
