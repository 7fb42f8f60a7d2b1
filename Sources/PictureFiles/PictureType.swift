/// The kinds of picture that are kept. A file of no such kind is never given a name.
package enum PictureType: String, Hashable, Sendable, CaseIterable {
    /// Formats that every browser shows.
    case jpeg, png, gif, webp, avif, bmp
    /// Formats of phones and archives.
    case heic, heif, jxl
    /// Cameras' raw files.
    case cr2, cr3, nef, arw, dng, raf, orf, rw2
    /// TIFF, last: some raw files begin as it does.
    case tiff

    /// Whether it is a camera's raw file, whose picture is the preview in it.
    package var isCameraRaw: Bool {
        switch self {
        case .cr2, .cr3, .nef, .arw, .dng, .raf, .orf, .rw2: true
        default: false
        }
    }

    /// What is known of the format. To add one: a case above, its row below, and its reader in its own file.
    package var format: PictureFormat { Self.formats[self] ?? row }

    private static let formats = Dictionary(uniqueKeysWithValues: allCases.map { ($0, $0.row) })

    private var row: PictureFormat {
        switch self {
        case .jpeg:
            .init(
                "JPEG", JPEG.self, isForWeb: true, ["jpg", "jpeg", "jpe", "jfif"], ["image/jpeg"],
                .bytes([0xFF, 0xD8, 0xFF]))
        case .png:
            .init(
                "PNG", PNG.self, isForWeb: true, ["png", "apng"], ["image/png", "image/apng"],
                .bytes([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]))
        case .gif:
            .init("GIF", GIF.self, isForWeb: true, ["gif"], ["image/gif"], .text("GIF87a"), .text("GIF89a"))
        case .webp:
            .init(
                "WebP", WebP.self, isForWeb: true, ["webp"], ["image/webp"],
                .text("RIFF", and: "WEBPVP8", at: 8))
        case .avif:
            .init(
                "AVIF", ISOMedia.self, isForWeb: true, ["avif", "avifs"],
                ["image/avif", "image/avif-sequence"], .brands(["avif", "avis"]))
        case .heic:
            .init(
                "HEIC", ISOMedia.self, ["heic", "heics", "hif"], ["image/heic", "image/heic-sequence"],
                .brands(["heic", "heix", "heim", "heis", "hevc", "hevx", "hevm", "hevs"]))
        case .heif:
            .init(
                "HEIF", ISOMedia.self, ["heif", "heifs"], ["image/heif", "image/heif-sequence"],
                .brands(["mif1", "msf1", "mif2"]))
        case .jxl:
            .init(
                "JPEG XL", JPEGXL.self, ["jxl"], ["image/jxl"], .bytes([0xFF, 0x0A]),
                .bytes([0, 0, 0, 12, 0x4A, 0x58, 0x4C, 0x20, 0x0D, 0x0A, 0x87, 0x0A]))
        case .bmp:
            .init("BMP", BMP.self, isForWeb: true, ["bmp", "dib"], ["image/bmp", "image/x-ms-bmp"], .bitmap)
        case .cr2:
            .init(
                "Canon CR2", CameraRaw.self, ["cr2"], ["image/x-canon-cr2"],
                .text("II*\0", and: "CR\u{2}", at: 8))
        case .cr3: .init("Canon CR3", CanonCR3.self, ["cr3"], ["image/x-canon-cr3"], .brands(["crx "]))
        // Only their content tells the next three.
        case .nef: .init("Nikon NEF", CameraRaw.self, ["nef"], ["image/x-nikon-nef"])
        case .arw: .init("Sony ARW", CameraRaw.self, ["arw"], ["image/x-sony-arw"])
        case .dng: .init("DNG", CameraRaw.self, ["dng"], ["image/x-adobe-dng"])
        case .raf:
            .init("Fujifilm RAF", FujifilmRAF.self, ["raf"], ["image/x-fuji-raf"], .text("FUJIFILMCCD-RAW "))
        case .orf:
            .init(
                "Olympus ORF", CameraRaw.self, ["orf"], ["image/x-olympus-orf"], .text("IIRO"),
                .text("IIRS"), .text("MMOR"))
        case .rw2:
            .init("Panasonic RW2", PanasonicRW2.self, ["rw2"], ["image/x-panasonic-rw2"], .text("IIU\0"))
        case .tiff:
            .init(
                "TIFF", TIFF.self, ["tif", "tiff"], ["image/tiff"], .text("II*\0"), .text("MM\0*"),
                .text("II+\0"), .text("MM\0+"))
        }
    }

    /// The extension given to files, without the dot.
    package var fileExtension: String { format.extensions.first ?? rawValue }

    /// The MIME type given to files.
    package var mediaType: String { format.mediaTypes.first ?? "application/octet-stream" }

    /// How many first bytes tell the type.
    package static let bytesNeeded = 64

    /// The type by a file's first bytes, of which 64 are enough; `nil` for anything else.
    ///
    /// What a server says about its file does not matter. A raw file without a signature of its own (NEF,
    /// ARW, DNG) is a ``tiff`` by its first bytes; ``ImageHeader`` tells which.
    package init?(firstBytes: some Collection<UInt8>) {
        self.init(PictureBytes(Array(firstBytes.prefix(Self.bytesNeeded))))
    }

    init?(_ bytes: PictureBytes) { self.init { $0.signatures.contains { $0.isAtStart(of: bytes) } } }

    /// The type that files with the extension `name`, in any case and without the dot, are said to be.
    package init?(fileExtension name: some StringProtocol) {
        guard let type = Self.byExtension[name.lowercased()] else { return nil }
        self = type
    }

    /// Of two types with the same extension, the first.
    private static let byExtension = Dictionary(
        allCases.flatMap { type in type.format.extensions.map { ($0, type) } }
    ) { first, _ in first }

    /// The type of a MIME type such as `image/jpeg`.
    package init?(mediaType: String) {
        self.init { [name = mediaType.lowercased()] in $0.mediaTypes.contains(name) }
    }

    private init?(where isWanted: (PictureFormat) -> Bool) {
        guard let type = Self.allCases.first(where: { isWanted($0.format) }) else { return nil }
        self = type
    }
}

/// What is known of one format: its names, how its files begin, and what reads them.
package struct PictureFormat: Sendable {
    /// The format's name, such as `JPEG`.
    package let name: String
    package let reader: any FormatReader.Type
    /// Whether every current browser shows it.
    package let isForWeb: Bool
    /// Extensions of its files, lowercase and without the dot; new files get the first.
    package let extensions: [String]
    /// MIME types; servers are told and tell the first.
    package let mediaTypes: [String]
    /// How its files begin; empty where only the content tells.
    let signatures: [PictureSignature]

    fileprivate init(
        _ name: String, _ reader: any FormatReader.Type, isForWeb: Bool = false, _ extensions: [String],
        _ mediaTypes: [String], _ signatures: PictureSignature...
    ) {
        self.name = name
        self.reader = reader
        self.isForWeb = isForWeb
        (self.extensions, self.mediaTypes, self.signatures) = (extensions, mediaTypes, signatures)
    }
}

enum PictureSignature: Sendable {
    case bytes([UInt8])
    /// A text, and another one further on.
    case text(StaticString, and: StaticString = "", at: Int = 0)
    /// A `ftyp` box that names one of these brands, the major one first.
    case brands([StaticString])
    /// A Windows bitmap, whose two letters alone might begin any text.
    case bitmap

    func isAtStart(of bytes: PictureBytes) -> Bool {
        switch self {
        case .bytes(let start): start.enumerated().allSatisfy { bytes.byte(at: $0) == $1 }
        case .text(let first, let second, let offset):
            bytes.matches(first, at: 0) && bytes.matches(second, at: offset)
        case .brands(let brands): Self.hasBrand(brands, bytes)
        case .bitmap: BMP.Header(bytes) != nil
        }
    }

    /// Pictures and videos begin alike: only the brands tell them apart. The major brand is at 8, its
    /// version at 12, then the compatible brands follow.
    private static func hasBrand(_ brands: [StaticString], _ bytes: PictureBytes) -> Bool {
        guard bytes.matches("ftyp", at: 4), let length = bytes.bigEndian(at: 0, bytes: 4) else {
            return false
        }
        let offsets = [8] + Array(stride(from: 16, to: PictureType.bytesNeeded, by: 4))
        return offsets.contains { offset in
            offset + 4 <= length && brands.contains { bytes.matches($0, at: offset) }
        }
    }
}

extension PictureType {
    /// Whether viewers rotate this type of picture by its EXIF orientation.
    package var heedsEXIFOrientation: Bool {
        switch self {
        case .jpeg, .png, .tiff, .cr2, .cr3, .nef, .arw, .dng, .raf, .orf, .rw2: true
        case .gif, .webp, .avif, .heic, .heif, .jxl, .bmp: false
        }
    }
}
