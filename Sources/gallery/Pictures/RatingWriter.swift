import Basics
import Foundation
import PictureFiles
import TerminalPictures

/// Writes ratings as `xmp:Rating` where other programs find them: into a picture by `exiftool`, where it can be proven
/// that nothing else changes, else into an XMP file beside it.
///
/// One that is there is edited, and the picture then left alone: whoever has one reads it first. No file is changed in
/// place; a picture keeps its time of modification, since it is the same picture.
struct RatingWriter: Sendable {
    let environment: [String: String]

    /// Rates the picture in `file`: from 1 to 5, or 0 to take its rating away.
    func write(_ rating: Int, to file: URL) async throws(FileEditFault) {
        let (name, path) = (file.lastPathComponent, file.deletingLastPathComponent().path)
        let found = await onThread {
            Result { () throws(SystemCall.Failure) in try RatedFiles(name, inFolderAt: path) }
        }
        let (folder, picture, sidecar): (Descriptor, EditedFile?, EditedFile?)
        do {
            let files = try found.get()
            (folder, picture, sidecar) = (files.folder, files.picture, files.sidecar)
        } catch {
            throw FileEditFault(name, "rated", error.reason)
        }
        if let sidecar {
            guard let edited = await edited(sidecar, rating) else {
                throw FileEditFault(
                    sidecar.name, "rated", "the rating in it cannot be changed without losing something")
            }
            return try await sidecar.replace(by: edited, keepsTime: false, in: folder, "rated")
        }
        if let picture, let edited = await rated(picture, rating) {
            return try await picture.replace(by: edited, keepsTime: true, in: folder, "rated")
        }
        let isRated = picture.map { PictureContent.rating(of: $0.bytes) ?? 0 } != 0
        guard rating > 0 || isRated else { return }
        try await EditedFile(new: name + XMPSidecar.ending).replace(
            by: XMPSidecar.packet(rating: rating), keepsTime: false, in: folder, "rated")
    }

    /// The picture with the rating; `nil` where it cannot be proven that it is the same one.
    private func rated(_ picture: EditedFile, _ rating: Int) async -> [UInt8]? {
        guard picture.isOwn, let type = PictureContent.provableType(of: picture.bytes),
            let edited = await picture.edited(
                ["-XMP-xmp:Rating=" + (rating == 0 ? "" : "\(rating)")], environment),
            await onThread({ PictureContent.isSame(edited, as: picture.bytes, type) { $0.rating = rating } })
        else { return nil }
        return edited
    }

    /// The XMP file with the rating; `nil` where something else would be lost.
    private func edited(_ sidecar: EditedFile, _ rating: Int) async -> [UInt8]? {
        if let edited = XMPSidecar.replacingRating(in: sidecar.bytes, by: rating) { return edited }
        guard let edited = await sidecar.edited(["-XMP-xmp:Rating=\(rating)"], environment),
            XMPSidecar.isEdited(edited, from: sidecar.bytes, rating: rating)
        else { return nil }
        return edited
    }
}

/// A picture's file, and what may say its rating instead.
private struct RatedFiles: Sendable {
    let folder: Descriptor
    /// `nil` where it cannot be read, is too large, or is a link: its file may be anybody's.
    let picture: EditedFile?
    let sidecar: EditedFile?

    init(_ name: String, inFolderAt path: String) throws(SystemCall.Failure) {
        folder = try SystemCall.openFolder(path)
        picture = try? EditedFile(name, in: folder, longest: EditedFile.longest)
        var sidecar: EditedFile?
        for name in XMPSidecar.names(of: name) {
            guard sidecar == nil, try SystemCall.status(of: name, in: folder) != nil else { continue }
            sidecar = try EditedFile(name, in: folder, longest: XMPSidecar.longest)
        }
        self.sidecar = sidecar
    }
}
