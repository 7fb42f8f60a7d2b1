import Foundation
import GalleryCore

/// Turns JPEG files by the orientation in their EXIF, and changes nothing else: in most of them one byte. No file is
/// changed in place, and none but a user's own; each keeps its time of modification.
struct TurnWriter: Sendable {
    let environment: [String: String]

    /// Turns the picture in `file` clockwise by so many quarters.
    func turn(_ file: URL, by quarters: Int) async throws(FileEditFault) {
        let name = file.lastPathComponent
        let path = file.deletingLastPathComponent().path
        let opened = await onThread {
            Result { () throws(SystemCall.Failure) in
                let folder = try SystemCall.openFolder(path)
                return (folder, try EditedFile(name, in: folder, longest: EditedFile.longest))
            }
        }
        let (folder, picture): (Descriptor, EditedFile)
        do { (folder, picture) = try opened.get() } catch {
            throw FileEditFault(name, "turned", error.code == ELOOP ? "it is a link" : error.reason)
        }
        let turned = try await turned(picture, by: quarters)
        try await picture.replace(by: turned, keepsTime: true, in: folder, "turned")
        // They are of the same name and time, but not turned.
        DesktopThumbnails(environment).remove(of: file)
    }

    private func turned(_ picture: EditedFile, by quarters: Int) async throws(FileEditFault) -> [UInt8] {
        func fault(_ reason: String) -> FileEditFault { FileEditFault(picture.name, "turned", reason) }
        guard picture.isOwn else { throw fault("it is another user's") }
        guard picture.isWritable else { throw fault("it is read-only") }
        let (isJPEG, turned) = await onThread {
            (
                PictureContent.provableType(of: picture.bytes) == .jpeg,
                PictureContent.turned(picture.bytes, by: quarters)
            )
        }
        guard isJPEG else { throw fault("it is not a whole JPEG") }
        if let turned { return turned }
        let orientation = PictureContent.orientation(1, turnedBy: quarters)
        guard await ExifTool.program.path(in: environment) != nil else {
            throw fault("its EXIF says no orientation, and exiftool, which adds one, is not installed")
        }
        guard let edited = await picture.edited(["-n", "-EXIF:Orientation=\(orientation)"], environment),
            await onThread({
                PictureContent.isSame(edited, as: picture.bytes, .jpeg, turnedBy: quarters) {
                    $0.orientation = orientation
                }
            })
        else { throw fault("exiftool cannot add an orientation without changing more") }
        return edited
    }
}
