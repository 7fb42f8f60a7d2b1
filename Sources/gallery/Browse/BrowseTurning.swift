import Foundation
import GalleryCore
import PictureFiles
import TerminalPictures

// Turning photos: on the screen, while browsing lasts, and where the user said so in the files of folders.

/// How a photo was turned.
struct PhotoTurn: Hashable, Sendable {
    /// Quarters clockwise, from 0 to 3, since the photo was listed.
    var quarters = 0
    /// How many of them its file has by now.
    var written = 0
    /// The size it was listed with.
    let size: PixelSize?

    /// Those that the file does not have.
    var pending: Int { (quarters - written + 4) % 4 }
}

extension BrowseModel {
    func turn(of photo: PhotoID) -> PhotoTurn { turns[photo] ?? PhotoTurn(size: nil) }

    /// A photo's size as it is looked at; `nil` if unknown.
    func size(of photo: Photo) -> PixelSize? {
        let turn = turn(of: photo.id)
        // One that was listed once more has the size of its file.
        return photo.size?.turned(by: turn.size == photo.size ? turn.quarters : turn.pending)
    }

    /// A file of a photo as a picture of the screen, turned as the photo is.
    func picture(
        _ file: URL, of photo: PhotoID, in box: PictureBox, _ part: PicturePart = .whole
    ) -> Frame.Picture {
        let turn = turn(of: photo)
        return Frame.Picture(
            file: file, box: box, part: part, quarters: turn.pending, edition: turn.written)
    }

    /// Handles the keys that turn photos; `nil` for others.
    mutating func pressTurning(_ letter: Character) -> [BrowseAction]? {
        guard letter == "R" || letter == "L" else { return nil }
        let quarters = letter == "R" ? 1 : 3
        for entry in chosen {
            var turn = turns[entry.photo.id] ?? PhotoTurn(size: entry.photo.size)
            turn.quarters = (turn.quarters + quarters) % 4
            turns[entry.photo.id] = turn
        }
        if mode != .grid { viewport.turn(by: quarters) }
        let (word, other) = letter == "R" ? ("right", "L") : ("left", "R")
        if !chosen.isEmpty { notice = Notice(text: "Turned \(word). \(other) turns back.") }
        let files = chosen.filter { $0.photo.ownFile != nil }
        return writesTurns && !files.isEmpty ? [.turn(files)] : []
    }
}

extension BrowseSession {
    /// Turns files as their photos are turned on the screen, and says what could not be.
    func turn(_ entries: [IndexedPhoto]) async {
        guard let writer = setup.turner else { return }
        for entry in entries {
            guard let file = entry.photo.ownFile, let turn = model.turns[entry.photo.id], turn.pending > 0
            else { continue }
            do throws(FileEditFault) {
                try await writer.turn(file, by: turn.pending)
            } catch {
                model.notice = .init(
                    text: "\(error.description) It is turned on the screen only.", isError: true)
                continue
            }
            // Its copy that is shown is not turned.
            _ = try? await setup.sources.fullFile(of: entry.photo, nil) { _ in }
            model.turns[entry.photo.id]?.written = turn.quarters
            model.thumbnails[entry.photo.id] = nil
            await thumbnails.renew(entry.photo.id)
        }
    }
}
