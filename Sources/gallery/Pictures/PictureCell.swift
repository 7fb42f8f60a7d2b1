import Foundation

/// A terminal's cell in pixels.
struct PictureCell: Hashable, Sendable {
    let width: Int
    let height: Int

    /// What is taken where the terminal does not say: small, so that a picture never exceeds its box.
    static let usual = PictureCell(known: 8, 16)

    /// A cell, or `nil` for what can be none: some terminals answer with zeros, or in other units.
    init?(width: Int, height: Int) {
        guard (2...200).contains(width), (2...400).contains(height), height < width * 5, width < height * 2
        else { return nil }
        self.init(known: width, height)
    }

    private init(known width: Int, _ height: Int) {
        self.width = width
        self.height = height
    }

    /// What the system knows of a terminal's cell; many fill in no pixels.
    static func ofTerminal(_ descriptor: Int32) -> PictureCell? {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
            return nil
        }
        return PictureCell(
            width: Int(size.ws_xpixel) / Int(size.ws_col), height: Int(size.ws_ypixel) / Int(size.ws_row))
    }
}
