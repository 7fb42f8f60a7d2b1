import Foundation

/// What of a picture's file is the picture: all of it but the blocks that hold XMP, EXIF, and comments.
///
/// Of formats whose files are a row of blocks; others may move what they hold about, so that nobody can tell.
package enum PictureContent {
    /// The type of a whole picture of which it can be proven that an edit has changed nothing else; `nil` for others.
    package static func provableType(of file: [UInt8]) -> PictureType? {
        guard case .whole(let type, _) = PictureFile.examine(PictureBytes(file)),
            blocks(of: file, type) != nil
        else { return nil }
        return type
    }

    /// The rating that a picture's file says, from 0 to 5; `nil` if it says none.
    package static func rating(of file: [UInt8]) -> Int? {
        let bytes = PictureBytes(file)
        return ImageHeader(bytes).flatMap { PictureMetadata(bytes, $0.type).rating }
    }

    /// Whether `edited` is the same picture as `original`, whole, with other metadata in nothing but what `change`
    /// changes.
    ///
    /// - Parameter quarters: How the change turns it.
    package static func isSame(
        _ edited: [UInt8], as original: [UInt8], _ type: PictureType, turnedBy quarters: Int = 0,
        change: (inout PictureMetadata) -> Void
    ) -> Bool {
        guard case .whole(type, let size?) = PictureFile.examine(PictureBytes(original)),
            case .whole(type, size.turned(by: quarters)) = PictureFile.examine(PictureBytes(edited)),
            let blocks = blocks(of: original, type), !blocks.isEmpty, self.blocks(of: edited, type) == blocks
        else { return false }
        var (before, after) = (
            PictureMetadata(PictureBytes(original), type), PictureMetadata(PictureBytes(edited), type)
        )
        change(&before)
        // No stars are said in two ways.
        (before.rating, after.rating) = (before.rating ?? 0, after.rating ?? 0)
        // Where the camera's thumbnail is may change, its bytes are EXIF's.
        (before.thumbnail, after.thumbnail) = (nil, nil)
        return before == after
    }

    /// The blocks of a file that are not metadata; `nil` where it is not built like one of its type.
    static func blocks(of file: [UInt8], _ type: PictureType) -> [ArraySlice<UInt8>]? {
        switch type {
        case .jpeg: jpeg(file)
        case .png:
            chunks(file, from: 8, sizeFirst: true) { ["iTXt", "tEXt", "zTXt", "eXIf", "tIME"].contains($0) }
        case .webp: chunks(file, from: 12, sizeFirst: false) { ["XMP ", "VP8X"].contains($0) }
        default: nil
        }
    }

    /// Segments up to the scan, which goes with all that follows it.
    private static func jpeg(_ file: [UInt8]) -> [ArraySlice<UInt8>]? {
        var (blocks, offset) = ([ArraySlice<UInt8>](), 2)
        while offset + 4 <= file.count, file[offset] == 0xFF {
            let marker = file[offset + 1]
            if marker == 0xFF {
                offset += 1
                continue
            }
            if marker == 0xDA { return blocks + [file[offset...]] }
            let end = offset + 2 + Int(file[offset + 2]) << 8 + Int(file[offset + 3])
            guard end <= file.count, end > offset + 3 else { return nil }
            if marker != 0xE1 { blocks.append(file[offset..<end]) }
            offset = end
        }
        return nil
    }

    /// Chunks of PNG, which begin with their length, or of RIFF, which begin with their name, padded to even lengths.
    private static func chunks(
        _ file: [UInt8], from start: Int, sizeFirst: Bool, isMetadata: (String) -> Bool
    ) -> [ArraySlice<UInt8>]? {
        var (blocks, offset) = ([ArraySlice<UInt8>](), start)
        while offset + 8 <= file.count {
            let (size, name) = sizeFirst ? (offset, offset + 4) : (offset + 4, offset)
            let bytes = file[size..<size + 4]
            let length = (sizeFirst ? Array(bytes) : bytes.reversed()).reduce(0) { $0 << 8 | Int($1) }
            let end = offset + (sizeFirst ? 12 + length : 8 + length + length % 2)
            guard end <= file.count else { return nil }
            if !isMetadata(String(decoding: file[name..<name + 4], as: UTF8.self)) {
                blocks.append(file[offset..<end])
            }
            offset = end
        }
        return offset == file.count ? blocks : nil
    }
}
