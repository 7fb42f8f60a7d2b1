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

    /// Turns the photos that keys act on by so many quarters clockwise: 1 or 3.
    mutating func turn(by quarters: Int) {
        for entry in chosen { turns[entry.photo.id] = (turn(of: entry.photo.id) + quarters) % 4 }
        if mode != .grid { viewport.turn(by: quarters) }
        if !chosen.isEmpty {
            say(quarters == 1 ? "Turned right. L turns back." : "Turned left. R turns back.")
        }
    }
}
