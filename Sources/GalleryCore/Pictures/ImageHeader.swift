/// The kinds of picture that are kept. What is none of them is never given a name.
public enum PictureType: String, Hashable, Sendable, CaseIterable {
    /// By the name of the format.
    case jpeg, png, gif, webp, avif

    /// How many first bytes tell the type.
    static let bytesNeeded = 64

    /// What the file's name ends in, without the dot.
    var fileExtension: String { self == .jpeg ? "jpg" : rawValue }

    /// The type by a file's first bytes, of which 64 are enough; `nil` for anything
    /// else. Nothing a server says about its file is asked.
    init?(firstBytes: some Collection<UInt8>) {
        var bytes = PicturePrefix(Array(firstBytes.prefix(Self.bytesNeeded)))
        self.init(&bytes)
    }

    init?<Bytes: PictureBytes>(_ bytes: inout Bytes) throws(Bytes.Failure) {
        if try bytes.bigEndian(at: 0, bytes: 3) == 0xFF_D8FF {
            self = .jpeg
        } else if try bytes.bigEndian(at: 0, bytes: 4) == 0x8950_4E47,
            try bytes.bigEndian(at: 4, bytes: 4) == 0x0D0A_1A0A
        {
            self = .png
        } else if try bytes.matches("GIF87a", "GIF89a", at: 0) {
            self = .gif
        } else if try bytes.matches("RIFF", at: 0), try bytes.matches("WEBPVP8", at: 8) {
            self = .webp
        } else if try Self.hasAVIFBrand(&bytes) {
            self = .avif
        } else {
            return nil
        }
    }

    /// HEIC pictures and MP4 videos begin alike: only the brands tell them apart.
    private static func hasAVIFBrand<Bytes: PictureBytes>(
        _ bytes: inout Bytes
    ) throws(Bytes.Failure) -> Bool {
        guard try bytes.matches("ftyp", at: 4), let length = try bytes.bigEndian(at: 0, bytes: 4) else {
            return false
        }
        // The major brand at 8, its version at 12, then the compatible brands.
        for place in [8] + Array(stride(from: 16, to: bytesNeeded, by: 4)) where place + 4 <= length {
            if try bytes.matches("avif", "avis", at: place) { return true }
        }
        return false
    }
}

/// What a picture's first bytes say of it.
public struct ImageHeader: Hashable, Sendable {
    /// How many first bytes are looked at: room for the colour profile, the preview
    /// and the camera's notes that may stand before a JPEG's size.
    public static let bytesNeeded = 256 * 1024

    /// What kind of picture it is.
    public let type: PictureType

    /// Its size as it is looked at, that is turned as its orientation says; `nil`
    /// where the bytes end before it or it is none.
    public let size: PixelSize?

    /// The header of a picture that begins with `prefix`, or `nil` for anything else.
    ///
    /// Any bytes will do, and the work is bounded by ``bytesNeeded``.
    public init?(prefix: some Collection<UInt8>) {
        var bytes = PicturePrefix(Array(prefix.prefix(Self.bytesNeeded)))
        self.init(&bytes)
    }

    /// The header of the first `length` bytes of an open file, or `nil` for anything else, or where
    /// reading fails.
    ///
    /// However much a JPEG puts before its size, it is found, with a few reads a segment. This blocks.
    public init?(descriptor: Int32, length: Int64) {
        var bytes = PictureFileBytes(descriptor: descriptor, length: length)
        guard let header = try? ImageHeader(&bytes) else { return nil }
        self = header
    }

    init?<Bytes: PictureBytes>(_ bytes: inout Bytes) throws(Bytes.Failure) {
        guard let type = try PictureType(&bytes) else { return nil }
        self.type = type
        size =
            switch type {
            case .jpeg: try Self.jpegSize(&bytes)
            case .png: try Self.pngSize(&bytes)
            case .gif: try Self.gifSize(&bytes)
            case .webp: try Self.webpSize(&bytes)
            case .avif: try Self.avifSize(&bytes)
            }
    }

    private static func pngSize<Bytes: PictureBytes>(
        _ bytes: inout Bytes
    ) throws(Bytes.Failure) -> PixelSize? {
        guard try bytes.matches("IHDR", at: 12) else { return nil }
        return PixelSize(
            width: try bytes.bigEndian(at: 16, bytes: 4), height: try bytes.bigEndian(at: 20, bytes: 4))
    }

    private static func gifSize<Bytes: PictureBytes>(
        _ bytes: inout Bytes
    ) throws(Bytes.Failure) -> PixelSize? {
        PixelSize(
            width: try bytes.littleEndian(at: 6, bytes: 2), height: try bytes.littleEndian(at: 8, bytes: 2))
    }

    /// Source: RFC 9649, 2.5 to 2.7 and 3.4; RFC 6386, 9.1.
    private static func webpSize<Bytes: PictureBytes>(
        _ bytes: inout Bytes
    ) throws(Bytes.Failure) -> PixelSize? {
        if try bytes.matches("VP8X", at: 12) {
            let width = try bytes.littleEndian(at: 24, bytes: 3)
            let height = try bytes.littleEndian(at: 27, bytes: 3)
            return PixelSize(width: width.map { $0 + 1 }, height: height.map { $0 + 1 })
        }
        if try bytes.matches("VP8L", at: 12), try bytes.byte(at: 20) == 0x2F {
            let bits = try bytes.littleEndian(at: 21, bytes: 4)
            return PixelSize(
                width: bits.map { $0 & 0x3FFF + 1 }, height: bits.map { $0 >> 14 & 0x3FFF + 1 })
        }
        if try bytes.matches("VP8 ", at: 12), try bytes.bigEndian(at: 23, bytes: 3) == 0x9D_012A {
            // The two highest bits ask for enlargement, which nobody does.
            let width = try bytes.littleEndian(at: 26, bytes: 2)
            let height = try bytes.littleEndian(at: 28, bytes: 2)
            return PixelSize(width: width.map { $0 & 0x3FFF }, height: height.map { $0 & 0x3FFF })
        }
        return nil
    }
}
