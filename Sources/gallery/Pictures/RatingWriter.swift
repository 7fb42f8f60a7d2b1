import Foundation
import GalleryCore

/// Writes ratings as `xmp:Rating` where other programs find them: into a picture by `exiftool`, where it can be proven
/// that nothing else changes, else into an XMP file beside it.
///
/// One that is there is edited, and the picture then left alone: whoever has one reads it first. No file is changed in
/// place; a picture keeps its time of modification, since it is the same picture.
struct RatingWriter: Sendable {
    let environment: [String: String]

    /// Rates the picture in `file`: from 1 to 5, or 0 to take its rating away.
    func write(_ rating: Int, to file: URL) async throws(RatingFault) {
        let (name, path) = (file.lastPathComponent, file.deletingLastPathComponent().path)
        let found = await onThread {
            Result { () throws(SystemCall.Failure) in try RatedFiles(name, inFolderAt: path) }
        }
        let (folder, picture, sidecar): (Descriptor, EditedFile?, EditedFile?)
        do {
            let files = try found.get()
            (folder, picture, sidecar) = (files.folder, files.picture, files.sidecar)
        } catch {
            throw RatingFault(name, error.reason)
        }
        if let sidecar {
            guard let edited = await edited(sidecar, rating) else {
                throw RatingFault(sidecar.name, "the rating in it cannot be changed without losing something")
            }
            return try await replace(sidecar, by: edited, keepsTime: false, in: folder)
        }
        if let picture, let edited = await rated(picture, rating) {
            return try await replace(picture, by: edited, keepsTime: true, in: folder)
        }
        let isRated = picture.map { PictureContent.rating(of: $0.bytes) ?? 0 } != 0
        guard rating > 0 || isRated else { return }
        let new = EditedFile(new: name + XMPSidecar.ending)
        try await replace(new, by: XMPSidecar.packet(rating: rating), keepsTime: false, in: folder)
    }

    /// The picture with the rating; `nil` where it cannot be proven that it is the same one.
    private func rated(_ picture: EditedFile, _ rating: Int) async -> [UInt8]? {
        guard picture.isOwn, let type = PictureContent.provableType(of: picture.bytes),
            let edited = await edit(picture, rating == 0 ? "" : "\(rating)"),
            await onThread({ PictureContent.isSame(edited, as: picture.bytes, type, rating: rating) })
        else { return nil }
        return edited
    }

    /// The XMP file with the rating; `nil` where something else would be lost.
    private func edited(_ sidecar: EditedFile, _ rating: Int) async -> [UInt8]? {
        if let edited = XMPSidecar.replacingRating(in: sidecar.bytes, by: rating) { return edited }
        guard let edited = await edit(sidecar, "\(rating)"),
            XMPSidecar.isEdited(edited, from: sidecar.bytes, rating: rating)
        else { return nil }
        return edited
    }

    private func edit(_ file: EditedFile, _ value: String) async -> [UInt8]? {
        guard let path = ProcessRun.find(ExifTool.program, in: environment), let descriptor = file.file else {
            return nil
        }
        // No configuration of the user's, which is a program.
        let words = ["-config", "", "-q", "-q", "-XMP-xmp:Rating=\(value)", "-o", "-", "-"]
        var run = ProcessRun(path, words, environment.forHelpers)
        run.input = descriptor
        run.memoryLimit = 1 << 30
        run.outputLimit = file.bytes.count + 1 << 20
        guard let outcome = try? await run.outcome(), outcome.succeeded, !outcome.output.isEmpty else {
            return nil
        }
        return outcome.output
    }

    private func replace(
        _ file: EditedFile, by bytes: [UInt8], keepsTime: Bool, in folder: Descriptor
    ) async throws(RatingFault) {
        let result = await onThread {
            Result { () throws(SystemCall.Failure) in
                try file.replace(by: bytes, keepsTime: keepsTime, in: folder)
            }
        }
        do { try result.get() } catch {
            throw RatingFault(
                file.name, error.code == EBUSY ? "another program has changed it" : error.reason)
        }
    }
}

/// A picture's file, and what may say its rating instead.
private struct RatedFiles: Sendable {
    let folder: Descriptor
    /// `nil` where it cannot be read, is too large, or is a link: its file may be anybody's.
    let picture: EditedFile?
    let sidecar: EditedFile?

    /// Larger pictures get an XMP file: the program's output is held in memory.
    private static let longest: Int64 = 128 << 20

    init(_ name: String, inFolderAt path: String) throws(SystemCall.Failure) {
        folder = try SystemCall.openFolder(path)
        picture = try? EditedFile(name, in: folder, longest: Self.longest)
        var sidecar: EditedFile?
        for name in XMPSidecar.names(of: name) {
            guard sidecar == nil, try SystemCall.status(of: name, in: folder) != nil else { continue }
            sidecar = try EditedFile(name, in: folder, longest: XMPSidecar.longest)
        }
        self.sidecar = sidecar
    }
}

/// A rating could not be written.
struct RatingFault: StatusError, Hashable {
    let description: String
    var hint: String? { nil }
    var status: ExitStatus { .inputOutput }

    init(_ name: String, _ reason: String) {
        description = "'\(PlainText.line(name))' could not be rated: \(reason)."
    }
}
