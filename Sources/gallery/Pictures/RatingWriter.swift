import Basics
import Foundation
import GalleryCore
import PictureFiles
import TerminalPictures

/// Writes ratings as `xmp:Rating` into an XMP file beside a picture, new or edited. The picture is only read.
enum RatingWriter {
    /// Rates a picture from 1 to 5, or 0 for none; returns what stood in the way, in which case no file has changed.
    static func write(_ rating: Int, to file: URL) async -> FileEditFault? {
        await onThread { writeBlocking(rating, to: file) }
    }

    private static func writeBlocking(_ rating: Int, to file: URL) -> FileEditFault? {
        let picture = file.lastPathComponent
        var name = picture
        do throws(SystemCall.Failure) {
            let folder = try SystemCall.openFolder(file.deletingLastPathComponent().path)
            for sidecar in XMPSidecar.names(of: picture) {
                guard try SystemCall.status(of: sidecar, in: folder) != nil else { continue }
                name = sidecar
                let old = try EditedFile(sidecar, in: folder, longest: XMPSidecar.longest)
                guard let edited = XMPSidecar.setting(rating, in: old.bytes) else {
                    return FileEditFault(name, "the rating in it cannot be changed without losing something")
                }
                try old.replace(by: edited, keepsTime: false, in: folder)
                return nil
            }
            // There may be nothing to take away.
            guard rating > 0 || Folder.rating(of: file) ?? 0 > 0 else { return nil }
            name = picture + XMPSidecar.ending
            try EditedFile(new: name).replace(
                by: XMPSidecar.packet(rating: rating), keepsTime: false, in: folder)
            return nil
        } catch {
            let changed = "another program has changed it"
            let reasons = [EBUSY: changed, EEXIST: changed, ENOTSUP: "It has extended attributes"]
            return FileEditFault(name, reasons[error.code] ?? error.reason)
        }
    }
}

struct FileEditFault: StatusError, Hashable {
    let description: String
    var hint: String? { nil }
    var status: ExitStatus { .inputOutput }

    fileprivate init(_ name: String, _ reason: String) {
        description = "'\(PlainText.line(name))' could not be rated: \(reason)."
    }
}
