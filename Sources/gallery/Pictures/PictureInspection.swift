import Foundation
import GalleryCore

/// An opened and inspected picture file. Nothing is shown, here or by a helper, without passing this.
///
/// The file stays open, so that what is written to the terminal is what was inspected, even if another file
/// has taken its name.
final class InspectedPicture: Sendable {
    let descriptor: Int32
    /// Its absolute path, for helpers that open it themselves.
    let path: String
    /// Bytes.
    let length: Int
    let type: PictureType
    /// In the orientation it is viewed in.
    let size: PixelSize
    /// Tells files apart, and versions of a file.
    let identity: FileIdentity

    /// Opens and inspects a file. This blocks.
    static func open(_ file: URL) -> Result<InspectedPicture, PictureRefusal> {
        // Does not wait for the other end of a named pipe.
        let descriptor = Foundation.open(file.path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        var information = stat()
        guard descriptor >= 0 else { return .failure(.init("The picture's file cannot be opened.")) }
        guard fstat(descriptor, &information) == 0, information.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            return .failure(.init("The picture is not a regular file."))
        }
        switch check(descriptor, Int64(information.st_size), file.lastPathComponent) {
        case .success(let header):
            return .success(
                InspectedPicture(
                    descriptor, file.absoluteURL.path, FileIdentity(information), header.type, header.size))
        case .failure(let refusal):
            close(descriptor)
            return .failure(refusal)
        }
    }

    private init(
        _ descriptor: Int32, _ path: String, _ identity: FileIdentity, _ type: PictureType,
        _ size: PixelSize
    ) {
        self.descriptor = descriptor
        self.path = path
        self.identity = identity
        length = identity.length
        self.type = type
        self.size = size
    }

    deinit { close(descriptor) }

    /// Whether xterm.js drops it silently: more than 20 MB or 2^24 pixels by default.
    var isBeyondXtermJS: Bool { length > 20_000_000 || size.width * size.height > 1 << 24 }

    private static func check(
        _ descriptor: Int32, _ length: Int64, _ name: String
    ) -> Result<(type: PictureType, size: PixelSize), PictureRefusal> {
        let bytes = PictureBytes(descriptor: descriptor, length: length)
        guard let header = ImageHeader(bytes, named: name) else {
            return .failure(.init("The file is not a picture of a known format."))
        }
        guard let size = header.size else {
            return .failure(.init("The picture's size cannot be read, so it is not shown."))
        }
        var largest = size
        if header.type == .gif {
            guard let frame = GIF.extent(bytes) else {
                return .failure(.init("The picture is broken, so it is not shown."))
            }
            largest = frame
        }
        let (pixels, isTooMany) = largest.width.multipliedReportingOverflow(by: largest.height)
        guard !isTooMany, pixels <= PicturePainter.mostPixels else {
            return .failure(
                .init(
                    "The picture has \(largest.width)×\(largest.height) pixels, too many to show here."))
        }
        return .success((header.type, size))
    }
}

/// What tells a file from others, and from its own earlier contents.
struct FileIdentity: Hashable, Sendable {
    let device: UInt64
    let inode: UInt64
    /// Bytes.
    let length: Int
    /// Nanoseconds since 1970.
    let modified: Int64

    init(_ information: stat) {
        device = UInt64(information.st_dev)
        inode = UInt64(information.st_ino)
        length = Int(information.st_size)
        #if canImport(Darwin)
            let time = information.st_mtimespec
        #else
            let time = information.st_mtim
        #endif
        modified = Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}

/// Why a picture is not shown: a sentence that holds none of the file's own bytes.
struct PictureRefusal: Error, Hashable {
    let sentence: String

    init(_ sentence: String) {
        self.sentence = sentence
    }
}
