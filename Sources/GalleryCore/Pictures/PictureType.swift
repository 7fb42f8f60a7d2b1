/// The kinds of picture that are kept. A file of no such kind is never given a name.
package enum PictureType: String, Hashable, Sendable, CaseIterable {
    /// Formats that every browser shows.
    case jpeg, png, gif, webp, avif
    /// Formats of phones and archives.
    case heic, heif, jxl, bmp
    /// Cameras' raw files.
    case cr2, cr3, nef, arw, dng, raf, orf, rw2
    /// TIFF, last: some raw files begin as it does.
    case tiff

    /// What is known of the format. To add a format: a case here, its row below, and its reader in a file
    /// of its own.
    package var format: PictureFormat {
        switch self {
        case .jpeg: .jpeg
        case .png: .png
        case .gif: .gif
        case .webp: .webp
        case .avif: .avif
        case .heic: .heic
        case .heif: .heif
        case .jxl: .jxl
        case .bmp: .bmp
        case .cr2: .cr2
        case .cr3: .cr3
        case .nef: .nef
        case .arw: .arw
        case .dng: .dng
        case .raf: .raf
        case .orf: .orf
        case .rw2: .rw2
        case .tiff: .tiff
        }
    }

    /// The extension given to files, without the dot.
    package var fileExtension: String { format.extensions.first ?? rawValue }

    /// The MIME type given to files.
    package var mediaType: String { format.mediaTypes.first ?? "application/octet-stream" }

    /// How many first bytes tell the type.
    static let bytesNeeded = 64

    /// The type by a file's first bytes, of which 64 are enough; `nil` for anything else.
    ///
    /// What a server says about its file does not matter. A raw file without a signature of its own (NEF,
    /// ARW, DNG) is a ``tiff`` by its first bytes; ``ImageHeader`` tells which.
    package init?(firstBytes: some Collection<UInt8>) {
        var bytes = PicturePrefix(Array(firstBytes.prefix(Self.bytesNeeded)))
        self.init(&bytes)
    }

    init?<Bytes: PictureBytes>(_ bytes: inout Bytes) throws(Bytes.Failure) {
        for type in Self.allCases {
            for signature in type.format.signatures where try signature.isAtStart(of: &bytes) {
                self = type
                return
            }
        }
        return nil
    }

    /// The type that files with the extension `name`, in any case and without the dot, are said to be.
    package init?(fileExtension name: String) {
        let name = name.lowercased()
        guard let type = Self.allCases.first(where: { $0.format.extensions.contains(name) }) else {
            return nil
        }
        self = type
    }

    /// The type of a MIME type such as `image/jpeg`.
    package init?(mediaType: String) {
        let name = mediaType.lowercased()
        guard let type = Self.allCases.first(where: { $0.format.mediaTypes.contains(name) }) else {
            return nil
        }
        self = type
    }
}

/// What is known of one format: its names, and how its files begin.
package struct PictureFormat: Sendable {
    /// The format's name, such as `JPEG`.
    package let name: String
    /// Extensions of its files, lowercase and without the dot; new files get the first.
    package let extensions: [String]
    /// MIME types; servers are told and tell the first.
    package let mediaTypes: [String]
    /// How its files begin; empty where only the content tells.
    let signatures: [PictureSignature]
    /// Whether every current browser shows it.
    package let isForWeb: Bool

    static let jpeg = PictureFormat(
        "JPEG", ["jpg", "jpeg", "jpe", "jfif"], ["image/jpeg"], [.bytes([0xFF, 0xD8, 0xFF])],
        isForWeb: true)
    static let png = PictureFormat(
        "PNG", ["png", "apng"], ["image/png", "image/apng"],
        [.bytes([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])],
        isForWeb: true)
    static let gif = PictureFormat(
        "GIF", ["gif"], ["image/gif"], [.text("GIF87a"), .text("GIF89a")],
        isForWeb: true)
    static let webp = PictureFormat(
        "WebP", ["webp"], ["image/webp"], [.text("RIFF", and: "WEBPVP8", at: 8)],
        isForWeb: true)
    static let avif = PictureFormat(
        "AVIF", ["avif", "avifs"], ["image/avif", "image/avif-sequence"], [.brands(["avif", "avis"])],
        isForWeb: true)
    static let heic = PictureFormat(
        "HEIC", ["heic", "heics", "hif"], ["image/heic", "image/heic-sequence"],
        [.brands(["heic", "heix", "heim", "heis", "hevc", "hevx", "hevm", "hevs"])],
        isForWeb: false)
    static let heif = PictureFormat(
        "HEIF", ["heif", "heifs"], ["image/heif", "image/heif-sequence"],
        [.brands(["mif1", "msf1", "mif2"])],
        isForWeb: false)
    static let jxl = PictureFormat(
        "JPEG XL", ["jxl"], ["image/jxl"],
        [.bytes([0xFF, 0x0A]), .bytes([0, 0, 0, 12, 0x4A, 0x58, 0x4C, 0x20, 0x0D, 0x0A, 0x87, 0x0A])],
        isForWeb: false)
    static let bmp = PictureFormat(
        "BMP", ["bmp", "dib"], ["image/bmp", "image/x-ms-bmp"], [.bitmap],
        isForWeb: false)
    static let tiff = PictureFormat(
        "TIFF", ["tif", "tiff"], ["image/tiff"],
        [.text("II*\0"), .text("MM\0*"), .text("II+\0"), .text("MM\0+")],
        isForWeb: false)
    static let cr2 = raw("Canon CR2", "cr2", "image/x-canon-cr2", [.text("II*\0", and: "CR\u{2}", at: 8)])
    static let cr3 = raw("Canon CR3", "cr3", "image/x-canon-cr3", [.brands(["crx "])])
    static let nef = raw("Nikon NEF", "nef", "image/x-nikon-nef", [])
    static let arw = raw("Sony ARW", "arw", "image/x-sony-arw", [])
    static let dng = raw("DNG", "dng", "image/x-adobe-dng", [])
    static let raf = raw("Fujifilm RAF", "raf", "image/x-fuji-raf", [.text("FUJIFILMCCD-RAW ")])
    static let orf = raw(
        "Olympus ORF", "orf", "image/x-olympus-orf", [.text("IIRO"), .text("IIRS"), .text("MMOR")])
    static let rw2 = raw("Panasonic RW2", "rw2", "image/x-panasonic-rw2", [.text("IIU\0")])

    /// Every extension of every format.
    package static let extensions = Set(PictureType.allCases.flatMap(\.format.extensions))

    private static func raw(
        _ name: String, _ fileExtension: String, _ mediaType: String, _ signatures: [PictureSignature]
    ) -> PictureFormat {
        PictureFormat(
            name, [fileExtension], [mediaType], signatures, isForWeb: false)
    }

    private init(
        _ name: String, _ extensions: [String], _ mediaTypes: [String], _ signatures: [PictureSignature],
        isForWeb: Bool
    ) {
        self.name = name
        self.extensions = extensions
        self.mediaTypes = mediaTypes
        self.signatures = signatures
        self.isForWeb = isForWeb
    }
}

/// How the files of a format begin.
enum PictureSignature: Sendable {
    /// These bytes.
    case bytes([UInt8])
    /// A text, and another one further on.
    case text(StaticString, and: StaticString = "", at: Int = 0)
    /// A `ftyp` box that names one of these brands, the major one first.
    case brands([StaticString])
    /// A Windows bitmap, whose two letters alone might begin any text.
    case bitmap

    func isAtStart<Bytes: PictureBytes>(of bytes: inout Bytes) throws(Bytes.Failure) -> Bool {
        switch self {
        case .bytes(let start):
            for (offset, byte) in start.enumerated() where try bytes.byte(at: offset) != byte {
                return false
            }
            return true
        case .text(let first, let second, let offset):
            guard try bytes.matches(first, at: 0) else { return false }
            return try bytes.matches(second, at: offset)
        case .brands(let brands): return try Self.hasBrand(brands, &bytes)
        case .bitmap: return try BMP.Header(&bytes) != nil
        }
    }

    /// Pictures and videos begin alike: only the brands tell them apart. The major brand is at 8, its
    /// version at 12, then the compatible brands follow.
    private static func hasBrand<Bytes: PictureBytes>(
        _ brands: [StaticString], _ bytes: inout Bytes
    ) throws(Bytes.Failure) -> Bool {
        guard try bytes.matches("ftyp", at: 4), let length = try bytes.bigEndian(at: 0, bytes: 4) else {
            return false
        }
        let offsets = [8] + Array(stride(from: 16, to: PictureType.bytesNeeded, by: 4))
        for offset in offsets where offset + 4 <= length {
            for brand in brands where try bytes.matches(brand, at: offset) {
                return true
            }
        }
        return false
    }
}
