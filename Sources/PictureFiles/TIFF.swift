import Basics

/// TIFF: directories of tagged values at offsets anywhere in the file. EXIF has the same form.
///
/// Source: TIFF 6.0, sections 2, 3 and 15; the BigTIFF proposal; Exif 2.32, 4.5.2 and 4.6.
final class TIFF: FormatReader {
    struct Entry: Hashable {
        let tag: Int
        /// 2 text, 3 and 4 whole numbers of two and four bytes, 5 a fraction …
        let type: Int
        let count: Int
        /// Where the first value is.
        let offset: Int

        /// The bytes of one value; 0 for an unknown type.
        var valueBytes: Int {
            let sizes = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4, 0, 0, 8, 8, 8]
            // 129 is text in UTF-8.
            return sizes.indices.contains(type) ? sizes[type] : type == 129 ? 1 : 0
        }
    }

    private let bytes: PictureBytes
    /// Where offsets count from, and what they may not exceed.
    let range: Range<Int>
    let isLittleEndian: Bool
    private let isBig: Bool
    private(set) var first = 0
    /// Entries that may still be read: directories can share or name each other.
    private var entriesLeft = 200_000

    /// The head of a TIFF that fills `range`, or the file; `nil` where there is none.
    init?(_ bytes: PictureBytes, in range: Range<Int>? = nil) {
        self.bytes = bytes
        self.range = (range ?? 0..<bytes.count).clamped(to: 0..<bytes.count)
        let start = range?.lowerBound ?? 0
        // Olympus and Panasonic write the form with a number of their own.
        isLittleEndian = bytes.matches("II*\0", "II+\0", "IIRO", "IIRS", "IIU\0", at: start)
        let isBigEndian = bytes.matches("MM\0*", "MM\0+", "MMOR", at: start)
        guard isLittleEndian || isBigEndian else { return nil }
        isBig = bytes.matches("II+\0", "MM\0+", at: start)
        guard let offset = number(at: start + (isBig ? 8 : 4), isBig ? 8 : 4), let first = absolute(offset)
        else { return nil }
        self.first = first
    }

    /// An offset in the file; `nil` outside the range.
    func absolute(_ offset: Int) -> Int? {
        offset >= 0 && offset < range.count ? range.lowerBound + offset : nil
    }

    func number(at offset: Int, _ length: Int) -> Int? {
        guard offset >= range.lowerBound, offset <= range.upperBound - length else { return nil }
        return isLittleEndian
            ? bytes.littleEndian(at: offset, bytes: length) : bytes.bigEndian(at: offset, bytes: length)
    }

    // MARK: - Directories

    /// One directory's entries, and the offset of the next directory.
    struct Directory {
        let entries: [Entry]
        let next: Int?
        /// Whether all its entries are there, and their values.
        let isWhole: Bool

        static let missing = Directory(entries: [], next: nil, isWhole: false)

        subscript(_ tag: Int) -> Entry? { entries.first { $0.tag == tag } }
    }

    func directory(at start: Int) -> Directory {
        let (countBytes, entryBytes, fieldBytes) = isBig ? (8, 20, 8) : (2, 12, 4)
        guard let count = number(at: start, countBytes), count <= entriesLeft else { return .missing }
        entriesLeft -= count
        var (entries, isWhole): ([Entry], Bool) = ([], true)
        for index in 0..<count {
            let offset = start + countBytes + entryBytes * index
            guard let tag = number(at: offset, 2), let type = number(at: offset + 2, 2),
                let values = number(at: offset + 4, fieldBytes),
                let field = number(at: offset + 4 + fieldBytes, fieldBytes)
            else { return Directory(entries: entries, next: nil, isWhole: false) }
            let inline = offset + 4 + fieldBytes
            let entry = Entry(tag: tag, type: type, count: values, offset: inline)
            let (length, isTooMuch) = entry.valueBytes.multipliedReportingOverflow(by: values)
            if !isTooMuch, length <= fieldBytes {
                entries.append(entry)
            } else if !isTooMuch, let far = absolute(field), length <= range.upperBound - far {
                entries.append(Entry(tag: tag, type: type, count: values, offset: far))
            } else {
                isWhole = false
            }
        }
        let next = number(at: start + countBytes + entryBytes * count, fieldBytes)
        return Directory(entries: entries, next: next, isWhole: isWhole && next != nil)
    }

    /// Every directory of the chain, then those below them, each with whether it is there; at most 1,000.
    func directories() -> [Directory] {
        var found: [Directory] = []
        var seen: Set<Int> = []
        var next: Int? = first
        while let offset = next, found.count < 1000, seen.insert(offset).inserted {
            let directory = directory(at: offset)
            found.append(directory)
            guard let following = directory.next, following != 0 else { break }
            next = absolute(following)
            // A directory that is named and not there is a cut.
            if next == nil { found.append(.missing) }
        }
        for directory in found {
            for offset in numbers(directory[Tag.subdirectories], limit: 16) where found.count < 1000 {
                guard let start = absolute(offset) else {
                    found.append(.missing)
                    continue
                }
                if seen.insert(start).inserted { found.append(self.directory(at: start)) }
            }
        }
        return found
    }

    /// The whole numbers of an entry, at most `limit` of them.
    private func numbers(_ entry: Entry?, limit: Int) -> [Int] {
        guard let entry, [1, 3, 4, 13, 16, 18].contains(entry.type) else { return [] }
        var numbers: [Int] = []
        while numbers.count < min(entry.count, limit), let number = value(numbers.count, of: entry) {
            numbers.append(number)
        }
        return numbers
    }

    func number(_ entry: Entry?) -> Int? { numbers(entry, limit: 1).first }

    private func value(_ index: Int, of entry: Entry) -> Int? {
        number(at: entry.offset + index * entry.valueBytes, entry.valueBytes)
    }

    enum Tag {
        static let width = 0x100
        static let height = 0x101
        static let kind = 0xFE
        static let compression = 0x103
        static let photometric = 0x106
        static let make = 0x10F
        static let orientation = 0x112
        static let subdirectories = 0x14A
        /// Offsets and lengths of strips, of tiles, and of an embedded JPEG.
        static let pixels = [(0x111, 0x117), (0x144, 0x145), (0x201, 0x202)]
        static let dngVersion = 0xC612
    }

    // MARK: - Orientation and size

    /// The orientation, 1 to 8, in the first directory of a TIFF that fills `range`.
    ///
    /// As in browsers, it must be one whole number of two bytes.
    static func orientation(_ bytes: PictureBytes, in range: Range<Int>) -> Int? {
        guard let tiff = TIFF(bytes, in: range) else { return nil }
        return tiff.orientation(tiff.directory(at: tiff.first))
    }

    func orientation(_ directory: Directory) -> Int? {
        guard let entry = directory[Tag.orientation], entry.type == 3, entry.count == 1,
            let value = number(entry), (1...8).contains(value)
        else { return nil }
        return value
    }

    /// The size of the first page, or of the full picture below a first directory that is a preview.
    static func size(_ bytes: PictureBytes) -> PixelSize? {
        guard let tiff = TIFF(bytes) else { return nil }
        let first = tiff.directory(at: tiff.first)
        let size = tiff.isReduced(first) ? tiff.largestSize() : tiff.pixelSize(first)
        return size?.upright(tiff.orientation(first))
    }

    /// The largest picture of any directory that is not marked as a preview.
    func largestSize() -> PixelSize? {
        var largest: PixelSize?
        for directory in directories() where !isReduced(directory) {
            guard let size = pixelSize(directory) else { continue }
            if size.width * size.height > largest.map({ $0.width * $0.height }) ?? 0 { largest = size }
        }
        return largest
    }

    private func isReduced(_ directory: Directory) -> Bool {
        number(directory[Tag.kind]).map { $0 & 1 == 1 } ?? false
    }

    private func pixelSize(_ directory: Directory) -> PixelSize? {
        guard let width = number(directory[Tag.width]), let height = number(directory[Tag.height]),
            width < 1 << 31, height < 1 << 31
        else { return nil }
        return PixelSize(width: width, height: height)
    }

    // MARK: - End

    /// Every directory must be there, and every strip and tile it names.
    static func fault(_ bytes: PictureBytes) -> String? {
        guard let tiff = TIFF(bytes) else { return "its first directory is missing" }
        var (hasPixels, partsLeft) = (false, 1_000_000)
        for directory in tiff.directories() {
            guard directory.isWhole else { return "it ends within a directory" }
            for (offsets, lengths) in Tag.pixels {
                guard let offsets = directory[offsets] else { continue }
                partsLeft -= offsets.count
                guard partsLeft >= 0 else { return "its directory is damaged" }
                guard tiff.holds(offsets, directory[lengths]) else { return "it ends within its pixels" }
                hasPixels = hasPixels || offsets.count > 0
            }
        }
        return hasPixels ? nil : "it has no pixels"
    }

    /// Whether every part lies in the file; one without a length must at least begin there.
    private func holds(_ offsets: Entry, _ lengths: Entry?) -> Bool {
        for index in 0..<offsets.count {
            guard offsets.valueBytes > 0, let start = value(index, of: offsets) else { return false }
            var length = 1
            if let lengths, index < lengths.count, lengths.valueBytes > 0 {
                length = value(index, of: lengths) ?? 1
            }
            guard length >= 0, start <= range.count, length <= range.count - start else { return false }
        }
        return true
    }

    /// Whether pixels are something else than light: inks, or Lab.
    static func hasInks(_ bytes: PictureBytes) -> Bool {
        guard let tiff = TIFF(bytes), let meaning = tiff.directory(at: tiff.first)[262] else { return false }
        return tiff.value(0, of: meaning).map { $0 == 5 || $0 >= 8 } ?? true
    }

    static func metadata(_ bytes: PictureBytes) -> MetadataBlocks {
        var blocks = MetadataBlocks(exif: 0..<bytes.count)
        guard let tiff = TIFF(bytes) else { return blocks }
        let directory = tiff.directory(at: tiff.first)
        func content(_ tag: Int) -> Range<Int>? {
            directory[tag].map { $0.offset..<$0.offset + $0.count * $0.valueBytes }
        }
        blocks.xmp = content(0x2BC)
        blocks.iptc = content(0x83BB)
        blocks.photoshop = content(0x8649)
        blocks.profile = content(0x8773)
        return blocks
    }
}
