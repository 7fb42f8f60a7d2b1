import Foundation

/// What a file on disk is found to be.
///
/// Only the end that a picture's own format gives it is asked for: pixels are not
/// decoded, and bytes behind the end are left alone, for cameras and image hosts
/// put their own there.
enum PictureFile: Hashable, Sendable {
    /// A picture with its end; `size` as ``ImageHeader/size``.
    case whole(PictureType, size: PixelSize?)
    /// The beginning of a picture. `reason` completes the sentence "The picture is
    /// broken: …" and holds nothing of the file's own bytes.
    case torso(reason: String)
    /// Something else; `found` says what it looks like, in words of our own.
    case notAPicture(found: String)

    /// Examines the first `length` bytes of an open file.
    ///
    /// Reads by `pread`, so the descriptor's position stays and two tasks may share
    /// it. At most 64 KiB are held, whatever the file's length. This blocks: a whole
    /// picture mostly costs three reads, a JPEG without its end all of the file.
    static func examine(descriptor: Int32, length: Int64) throws(PictureFileError) -> PictureFile {
        var bytes = PictureFileBytes(descriptor: descriptor, length: length)
        return try examine(&bytes)
    }

    /// Examines bytes wherever they are.
    static func examine<Bytes: PictureBytes>(_ bytes: inout Bytes) throws(Bytes.Failure) -> PictureFile {
        guard let header = try ImageHeader(&bytes) else {
            var start: [UInt8] = []
            while start.count < 1024, let byte = try bytes.byte(at: start.count) { start.append(byte) }
            return .notAPicture(found: ImageHeader.description(ofFirstBytes: start))
        }
        let fault =
            switch header.type {
            case .jpeg: try jpegFault(&bytes)
            case .png: try pngFault(&bytes)
            case .gif: try gifFault(&bytes)
            case .webp: try webpFault(&bytes)
            case .avif: try avifFault(&bytes)
            }
        return fault.map { .torso(reason: $0) } ?? .whole(header.type, size: header.size)
    }
}

/// Why a file could not be examined.
enum PictureFileError: Error, Hashable {
    /// Reading failed with the system's error number `code`.
    case unreadable(code: Int32)
}

/// The bytes of an open file, of which one stretch is at hand.
struct PictureFileBytes: PictureBytes {
    let count: Int
    private let descriptor: Int32
    private var stretch: [UInt8] = []
    private var start = 0

    init(descriptor: Int32, length: Int64) {
        self.descriptor = descriptor
        count = Int(clamping: length)
    }

    mutating func byte(at place: Int) throws(PictureFileError) -> UInt8? {
        if place >= start, place - start < stretch.count { return stretch[place - start] }
        guard place >= 0, place < count else { return nil }
        // A reader that comes to the end of a stretch goes on; one that leaps wants
        // a few bytes and leaps again.
        let goesOn = place == start + stretch.count && !stretch.isEmpty
        try read(from: place, length: min(count - place, goesOn ? 64 * 1024 : 4 * 1024))
        return stretch.first
    }

    private mutating func read(from place: Int, length: Int) throws(PictureFileError) {
        var code: Int32 = 0
        stretch = [UInt8](unsafeUninitializedCapacity: length) { buffer, filled in
            repeat {
                let received = pread(descriptor, buffer.baseAddress, length, off_t(place))
                code = received < 0 ? errno : 0
                filled = max(0, received)
            } while code == EINTR
        }
        start = place
        if code != 0 { throw .unreadable(code: code) }
    }
}
