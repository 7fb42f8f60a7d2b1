import Foundation
import GalleryCore

/// Thumbnails of files on this machine, shared with other programs.
///
/// Source: freedesktop.org, Thumbnail Managing Standard 0.9: a PNG of at most 128, 256, 512, or 1024 pixels, named by
/// the MD5 of the file's URI, which holds the URI and the file's modification time.
struct ThumbnailStore: Sendable {
    private let folder: URL
    private let converter: PictureConverter

    /// The folders of the standard, and the longest side of their thumbnails in pixels.
    private static let sizes: [(name: String, side: Int)] = [
        ("normal", 128), ("large", 256), ("x-large", 512), ("xx-large", 1024),
    ]
    /// The smallest one to make: the one that desktops look for.
    private static let least = 1

    init(_ environment: [String: String]) {
        let cache = environment["XDG_CACHE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        let home = environment["HOME"] ?? NSHomeDirectory()
        folder = URL(filePath: cache ?? home + "/.cache").appending(path: "thumbnails")
        converter = PictureConverter(environment)
    }

    /// The thumbnails of files for `edge` pixels, made where there is none that is up to date and large enough, and
    /// whether they have as many; none of a file that has no picture.
    func thumbnails(of files: [URL], edge: Int = 256) async -> [URL: (file: URL, isSharp: Bool)] {
        let wanted = Self.sizes.firstIndex { $0.side >= edge } ?? Self.sizes.count - 1
        let size = Self.sizes[max(wanted, Self.least)]
        var found: [URL: (file: URL, isSharp: Bool)] = [:]
        var missing: [(file: URL, note: ThumbnailNote)] = []
        for file in files {
            guard let picture = try? await PicturePainter.inspected(file).get() else { continue }
            let note = ThumbnailNote(
                file: file, modified: Int64(picture.identity.modified.timeIntervalSince1970))
            // The standard: no thumbnail of a picture that is not larger than one.
            if picture.size.longestEdge <= size.side {
                found[file] = (file, true)
            } else if let kept = await kept(Array(wanted..<Self.sizes.count), note) {
                found[file] = (kept, true)
            } else {
                missing.append((file, note))
            }
        }
        let made = await converter.convert(missing.map(\.file), longestEdge: size.side, format: .png)
        for ((file, note), made) in zip(missing, made) {
            if let made, let stored = await store(made.bytes, size.name, note) {
                found[file] = (stored, true)
            } else {
                found[file] = await kept((0..<wanted).reversed(), note).map { ($0, false) }
            }
        }
        return found
    }

    /// The first of these sizes that is there and up to date.
    private func kept(_ sizes: [Int], _ note: ThumbnailNote) async -> URL? {
        await onThread {
            sizes.lazy.compactMap { size in
                let kept = folder.appending(path: "\(Self.sizes[size].name)/\(note.name)")
                let handle = try? FileHandle(forReadingFrom: kept)
                defer { try? handle?.close() }
                let start = (try? handle?.read(upToCount: 1 << 16)) ?? nil
                return start.flatMap { note.isCurrent($0) ? kept : nil }
            }.first
        }
    }

    private func store(_ png: [UInt8], _ size: String, _ note: ThumbnailNote) async -> URL? {
        let folder = folder.appending(path: size)
        let target = folder.appending(path: note.name)
        return await onThread { () -> URL? in
            do {
                try FileManager.default.createDirectory(
                    at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
                // Private, and under its name only when it is whole, as the standard wants.
                try PrivateFile.replace(target, with: note.added(to: png), isDurable: false)
            } catch {
                return nil
            }
            return target
        }
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
    private var texts: [(name: String, content: [UInt8])] {
        ["Thumb::URI\0\(uri)", "Thumb::MTime\0\(modified)"].map { ("tEXt", Array($0.utf8)) }
    }

    /// Whether a thumbnail that begins with these bytes is of this file as it is now.
    func isCurrent(_ start: Data) -> Bool {
        texts.allSatisfy { name, content in
            let length = [24, 16, 8, 0].map { UInt8(content.count >> $0 & 0xFF) }
            return start.range(of: Data(length + Array(name.utf8) + content)) != nil
        }
    }

    /// A PNG with this note.
    func added(to png: [UInt8]) -> Data { Data(PNG.adding(texts, to: png)) }
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
