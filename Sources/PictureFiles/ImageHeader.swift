import Basics
import Foundation

/// A picture's type and size, read from its first bytes.
package struct ImageHeader: Hashable, Sendable {
    package let type: PictureType

    /// The size in which viewers show it, its orientation applied; `nil` where it is not found.
    package let size: PixelSize?

    /// The header of a picture, or `nil` for anything else, or where reading fails.
    ///
    /// A JPEG's size is found however many segments precede it, at a few reads a segment.
    ///
    /// - Parameter name: the file's name. A TIFF with a raw file's name is one, whatever its directories say.
    package init?(_ bytes: PictureBytes, named name: String = "") {
        guard let type = PictureType(bytes) else { return nil }
        self.type =
            type == .tiff ? CameraRaw.type(ofTIFF: bytes) ?? CameraRaw.type(ofTIFFNamed: name) ?? .tiff : type
        size = self.type.format.reader.size(bytes)
        if bytes.failure != nil { return nil }
    }
}

extension PixelSize {
    /// The size of the picture in `file`; `nil` where that cannot be read. This blocks.
    package init?(ofFile file: URL) {
        guard let opened = try? SystemCall.open(file.path, O_RDONLY | O_NONBLOCK),
            let status = try? SystemCall.status(of: opened), status.isRegular,
            let header = ImageHeader(
                PictureBytes(descriptor: opened.number, length: status.length), named: file.lastPathComponent),
            let size = header.size
        else { return nil }
        self = size
    }
}
