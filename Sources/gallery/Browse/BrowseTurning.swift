import Foundation
import GalleryCore
import PictureFiles
import TerminalPictures

// Turning photos on the screen, while browsing lasts.

extension BrowseModel {
    /// By how many quarters a photo is turned clockwise, from 0 to 3.
    func turn(of photo: PhotoID) -> Int { turns[photo] ?? 0 }

    /// A photo's size as it is looked at; `nil` if unknown.
    func size(of photo: Photo) -> PixelSize? { photo.size?.turned(by: turn(of: photo.id)) }

    func picture(
        _ file: URL, of photo: PhotoID, in box: PictureBox, _ part: PicturePart = .whole
    ) -> Frame.Picture {
        Frame.Picture(file: file, box: box, part: part, quarters: turn(of: photo))
    }

    /// Handles the keys that turn photos; `nil` for others.
    mutating func pressTurning(_ letter: Character) -> [BrowseAction]? {
        guard letter == "R" || letter == "L" else { return nil }
        let quarters = letter == "R" ? 1 : 3
        for entry in chosen { turns[entry.photo.id] = (turn(of: entry.photo.id) + quarters) % 4 }
        if mode != .grid { viewport.turn(by: quarters) }
        let (word, other) = letter == "R" ? ("right", "L") : ("left", "R")
        if !chosen.isEmpty { notice = Notice(text: "Turned \(word). \(other) turns back.") }
        return []
    }
}
