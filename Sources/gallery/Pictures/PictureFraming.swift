import Foundation

/// How the base64 of a picture is laid into a terminal's control sequences.
enum PictureFraming: Hashable, Sendable {
    /// iTerm2's: one sequence, as long as the file.
    case iterm(arguments: String)
    /// The same, for the terminal around tmux: placed by the outer screen's own cursor, which tmux
    /// moves at times of its own choosing. `isInParts`: in several sequences, as tmux takes only short ones.
    case itermInTmux(arguments: String, place: CellPosition, isInParts: Bool)
    /// kitty's: sequences of at most 4096 characters; the first one has the keys.
    case kitty(keys: String, isInTmux: Bool)

    /// Bytes of the file in one frame: a multiple of 3, so that base64 needs filling only in the last.
    var bytesPerFrame: Int {
        switch self {
        case .iterm, .itermInTmux: 3 << 14
        case .kitty: 3 << 10
        }
    }

    /// What comes before the first frame.
    var opening: [UInt8] {
        switch self {
        case .iterm(let arguments): Array("\u{1B}]1337;File=\(arguments):".utf8)
        case .itermInTmux(let arguments, let place, isInParts: false):
            PictureTmux.wrapped("\(Self.move(to: place))\u{1B}]1337;File=\(arguments):".utf8).dropLast(2)
        case .itermInTmux(let arguments, _, isInParts: true):
            PictureTmux.wrapped("\u{1B}]1337;MultipartFile=\(arguments)\u{7}".utf8)
        case .kitty: []
        }
    }

    /// A frame around `base64`.
    func frame(_ base64: some Sequence<UInt8>, isFirst: Bool, isLast: Bool) -> [UInt8] {
        switch self {
        case .iterm, .itermInTmux(_, _, isInParts: false): return Array(base64)
        case .itermInTmux(_, _, isInParts: true):
            return PictureTmux.wrapped("\u{1B}]1337;FilePart=".utf8 + Array(base64) + [0x07])
        case .kitty(let keys, let isInTmux):
            let first = isFirst ? keys + "," : ""
            let frame =
                Array("\u{1B}_G\(first)q=2,m=\(isLast ? 0 : 1);".utf8) + Array(base64) + [0x1B, 0x5C]
            return isInTmux ? PictureTmux.wrapped(frame) : frame
        }
    }

    /// What comes after the last frame, or after whichever was the last: then the sequence is ended all the
    /// same, so that what is written next is text.
    func closing(isWhole: Bool) -> [UInt8] {
        switch self {
        case .iterm: return [0x07]
        case .itermInTmux(_, _, isInParts: false): return [0x07] + Array("\u{1B}\u{1B}8\u{1B}\\".utf8)
        case .itermInTmux(_, let place, isInParts: true):
            return PictureTmux.wrapped("\(Self.move(to: place))\u{1B}]1337;FileEnd\u{7}\u{1B}8".utf8)
        case .kitty: return isWhole ? [] : frame([], isFirst: false, isLast: true)
        }
    }

    /// Saves the cursor and moves it; both closings restore it.
    private static func move(to place: CellPosition) -> String {
        "\u{1B}7\u{1B}[\(place.row);\(place.column)H"
    }
}

/// Cells of the screen, drawn and erased from their upper left one, where the cursor also ends.
enum PictureCells {
    /// Lines below each other, of any control sequences that do not move the cursor up or down.
    static func drawing(_ lines: [[UInt8]]) -> [UInt8] {
        var bytes = save
        for (row, line) in lines.enumerated() {
            // The saved cursor, not a line feed: the box need not begin in the first column.
            if row > 0 { bytes += Array("\u{1B}8\u{1B}[\(row)B".utf8) }
            bytes += line
        }
        return bytes + restore
    }

    static func clearing(columns: Int, rows: Int) -> [UInt8] {
        drawing(Array(repeating: Array("\u{1B}[\(columns)X".utf8), count: rows))
    }

    static let save = Array("\u{1B}7".utf8)
    static let restore = Array("\u{1B}8".utf8)
}
