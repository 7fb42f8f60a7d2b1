import Foundation
import GalleryCore
import TerminalPictures

/// Makes those of ``DesktopThumbnails`` that are not there.
struct ThumbnailStore: Sendable {
    private let thumbnails: DesktopThumbnails
    private let converter: PictureConverter

    private static let sizes = DesktopThumbnails.sizes
    /// The smallest one to make: the one that desktops look for.
    private static let least = 1

    init(_ environment: [String: String]) {
        thumbnails = DesktopThumbnails(environment)
        converter = PictureConverter(environment)
    }

    /// The thumbnails of files for `edge` pixels, and whether they have as many; if it `makes` any, where there is none
    /// that is up to date and large enough. None of a file that has no picture.
    func thumbnails(
        of files: [URL], edge: Int = 256, makes: Bool = true
    ) async -> [URL: (file: URL, isSharp: Bool)] {
        let wanted = Self.sizes.firstIndex { $0.side >= edge } ?? Self.sizes.count - 1
        let size = Self.sizes[max(wanted, Self.least)]
        var found: [URL: (file: URL, isSharp: Bool)] = [:]
        var missing: [(file: URL, note: ThumbnailNote)] = []
        for file in files {
            guard let picture = try? await PicturePainter.inspected(file).get() else { continue }
            let note = ThumbnailNote(
                file: file, modified: Int64(picture.identity.modified.timeIntervalSince1970))
            // The standard: no thumbnail of a picture that is not larger than one.
            if picture.size.longestEdge <= size.side {
                found[file] = (file, true)
            } else if let kept = await kept(Array(wanted..<Self.sizes.count), note) {
                found[file] = (kept, true)
            } else {
                missing.append((file, note))
            }
        }
        let made =
            makes
            ? await converter.convert(missing.map(\.file), longestEdge: size.side, format: .png)
            : missing.map { _ in nil }
        for ((file, note), made) in zip(missing, made) {
            if let made, let stored = await store(made.bytes, size, note) {
                found[file] = (stored, true)
            } else {
                found[file] = await kept((0..<wanted).reversed(), note).map { ($0, false) }
            }
        }
        return found
    }

    private func kept(_ sizes: [Int], _ note: ThumbnailNote) async -> URL? {
        await onThread { sizes.lazy.compactMap { thumbnails.current(Self.sizes[$0], note)?.file }.first }
    }

    private func store(_ png: [UInt8], _ size: DesktopThumbnails.Size, _ note: ThumbnailNote) async -> URL? {
        let target = thumbnails.file(size, note)
        return await onThread { () -> URL? in
            do {
                try FileManager.default.createDirectory(
                    at: target.deletingLastPathComponent(), withIntermediateDirectories: true,
                    attributes: [.posixPermissions: 0o700])
                // Private, and under its name only when it is whole, as the standard wants.
                try PrivateFile.replace(target, with: note.added(to: png), isDurable: false)
            } catch { return nil }
            return target
        }
    }
}
