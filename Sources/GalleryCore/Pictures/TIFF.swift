/// TIFF: directories of tagged values at offsets anywhere in the file. EXIF has the same form.
///
/// Source: TIFF 6.0, sections 2, 3 and 15; the BigTIFF proposal; Exif 2.32, 4.5.2 and 4.6.
struct TIFF {
    /// One tagged value.
    struct Entry: Hashable {
        let tag: Int
        /// 2 text, 3 and 4 whole numbers of two and four bytes, 5 a fraction …
        let type: Int
        /// How many values.
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

    /// Where offsets count from, and what they may not exceed.
    let range: Range<Int>
    let isLittleEndian: Bool
    /// BigTIFF, with numbers of eight bytes.
    private let isBig: Bool
    /// The first directory.
    private(set) var first = 0
    /// Entries that may still be read: directories can share or name each other.
    private var entriesLeft = 200_000

    /// The head of a TIFF that fills `range`; `nil` where there is none.
    init?<Bytes: PictureBytes>(_ bytes: inout Bytes, in range: Range<Int>) throws(Bytes.Failure) {
        let start = range.lowerBound
        // Olympus and Panasonic write the form with a number of their own.
        isLittleEndian = try bytes.matches("II*\0", "II+\0", "IIRO", "IIRS", "IIU\0", at: start)
        let isBigEndian = try bytes.matches("MM\0*", "MM\0+", "MMOR", at: start)
        guard isLittleEndian || isBigEndian else { return nil }
        isBig = try bytes.matches("II+\0", "MM\0+", at: start)
        self.range = range.clamped(to: 0..<bytes.count)
        guard let offset = try number(at: start + (isBig ? 8 : 4), isBig ? 8 : 4, &bytes),
            let first = absolute(offset)
        else { return nil }
        self.first = first
    }

    /// An offset in the file; `nil` outside the range.
    func absolute(_ offset: Int) -> Int? {
        offset >= 0 && offset < range.count ? range.lowerBound + offset : nil
    }

    func number<Bytes: PictureBytes>(
        at offset: Int, _ length: Int, _ bytes: inout Bytes
    ) throws(Bytes.Failure) -> Int? {
        guard offset >= range.lowerBound, offset <= range.upperBound - length else { return nil }
        return isLittleEndian
            ? try bytes.littleEndian(at: offset, bytes: length)
            : try bytes.bigEndian(at: offset, bytes: length)
    }

    // MARK: - Directories

    /// One directory's entries, and the offset of the next directory.
    struct Directory {
        let entries: [Entry]
        let next: Int?
        /// Whether all its entries are there, and their values.
        let isWhole: Bool

        subscript(_ tag: Int) -> Entry? { entries.first { $0.tag == tag } }
    }

    mutating func directory<Bytes: PictureBytes>(
        at start: Int, _ bytes: inout Bytes
    ) throws(Bytes.Failure) -> Directory {
        let (countBytes, entryBytes, fieldBytes) = isBig ? (8, 20, 8) : (2, 12, 4)
        guard let count = try number(at: start, countBytes, &bytes), count <= entriesLeft else {
            return Directory(entries: [], next: nil, isWhole: false)
        }
        entriesLeft -= count
        var (entries, isWhole): ([Entry], Bool) = ([], true)
        for index in 0..<count {
            let offset = start + countBytes + entryBytes * index
            guard let tag = try number(at: offset, 2, &bytes),
                let type = try number(at: offset + 2, 2, &bytes),
                let values = try number(at: offset + 4, fieldBytes, &bytes),
                let field = try number(at: offset + 4 + fieldBytes, fieldBytes, &bytes)
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
        let next = try number(at: start + countBytes + entryBytes * count, fieldBytes, &bytes)
        return Directory(entries: entries, next: next, isWhole: isWhole && next != nil)
    }

    /// Every directory of the chain, then those below them, each with whether it is there; at most 1,000.
    mutating func directories<Bytes: PictureBytes>(
        _ bytes: inout Bytes
    ) throws(Bytes.Failure) -> [Directory] {
        var found: [Directory] = []
        var seen: Set<Int> = []
        var next: Int? = first
        while let offset = next, found.count < 1000, seen.insert(offset).inserted {
            let directory = try directory(at: offset, &bytes)
            found.append(directory)
            guard let following = directory.next, following != 0 else { break }
            next = absolute(following)
            // A directory that is named and not there is a cut.
            if next == nil { found.append(Directory(entries: [], next: nil, isWhole: false)) }
        }
        for directory in found {
            for offset in try numbers(directory[Tag.subdirectories], &bytes, limit: 16)
            where found.count < 1000 {
                guard let start = absolute(offset) else {
                    found.append(Directory(entries: [], next: nil, isWhole: false))
                    continue
                }
                if seen.insert(start).inserted { found.append(try self.directory(at: start, &bytes)) }
            }
        }
        return found
    }

    /// The whole numbers of an entry, at most `limit` of them.
    func numbers<Bytes: PictureBytes>(
        _ entry: Entry?, _ bytes: inout Bytes, limit: Int = 1
    ) throws(Bytes.Failure) -> [Int] {
        guard let entry, [1, 3, 4, 13, 16, 18].contains(entry.type) else { return [] }
        var numbers: [Int] = []
        for index in 0..<min(entry.count, limit) {
            let offset = entry.offset + index * entry.valueBytes
            guard let number = try number(at: offset, entry.valueBytes, &bytes) else { break }
            numbers.append(number)
        }
        return numbers
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
    static func orientation<Bytes: PictureBytes>(
        _ bytes: inout Bytes, in range: Range<Int>
    ) throws(Bytes.Failure) -> Int? {
        guard var tiff = try TIFF(&bytes, in: range) else { return nil }
        return try tiff.orientation(tiff.directory(at: tiff.first, &bytes), &bytes)
    }

    func orientation<Bytes: PictureBytes>(
        _ directory: Directory, _ bytes: inout Bytes
    ) throws(Bytes.Failure) -> Int? {
        guard let entry = directory[Tag.orientation], entry.type == 3, entry.count == 1,
            let value = try numbers(entry, &bytes).first, (1...8).contains(value)
        else { return nil }
        return value
    }

    /// The size of the first page, or of the full picture below a first directory that is a preview.
    static func size<Bytes: PictureBytes>(_ bytes: inout Bytes) throws(Bytes.Failure) -> PixelSize? {
        guard var tiff = try TIFF(&bytes, in: 0..<bytes.count) else { return nil }
        let first = try tiff.directory(at: tiff.first, &bytes)
        let orientation = try tiff.orientation(first, &bytes)
        if try !tiff.isReduced(first, &bytes) {
            return try tiff.pixelSize(first, &bytes)?.upright(orientation)
        }
        return try tiff.largestSize(&bytes)?.upright(orientation)
    }

    /// The largest picture of any directory that is not marked as a preview.
    mutating func largestSize<Bytes: PictureBytes>(_ bytes: inout Bytes) throws(Bytes.Failure) -> PixelSize? {
        var largest: PixelSize?
        for directory in try directories(&bytes) where try !isReduced(directory, &bytes) {
            guard let size = try pixelSize(directory, &bytes) else { continue }
            if size.width * size.height > largest.map({ $0.width * $0.height }) ?? 0 { largest = size }
        }
        return largest
    }

    private func isReduced<Bytes: PictureBytes>(
        _ directory: Directory, _ bytes: inout Bytes
    ) throws(Bytes.Failure) -> Bool {
        try numbers(directory[Tag.kind], &bytes).first.map { $0 & 1 == 1 } ?? false
    }

    private func pixelSize<Bytes: PictureBytes>(
        _ directory: Directory, _ bytes: inout Bytes
    ) throws(Bytes.Failure) -> PixelSize? {
        let width = try numbers(directory[Tag.width], &bytes).first
        let height = try numbers(directory[Tag.height], &bytes).first
        guard let width, let height, width < 1 << 31, height < 1 << 31 else { return nil }
        return PixelSize(width: width, height: height)
    }

    // MARK: - End

    /// What is missing, or `nil`: every directory must be there, and every strip and tile it names.
    static func fault<Bytes: PictureBytes>(_ bytes: inout Bytes) throws(Bytes.Failure) -> String? {
        guard var tiff = try TIFF(&bytes, in: 0..<bytes.count) else {
            return "its first directory is missing"
        }
        var (hasPixels, partsLeft) = (false, 1_000_000)
        for directory in try tiff.directories(&bytes) {
            guard directory.isWhole else { return "it ends within a directory" }
            for (offsets, lengths) in Tag.pixels {
                guard let offsets = directory[offsets] else { continue }
                partsLeft -= offsets.count
                guard partsLeft >= 0 else { return "its directory is damaged" }
                guard try tiff.holds(offsets, directory[lengths], &bytes) else {
                    return "it ends within its pixels"
                }
                hasPixels = hasPixels || offsets.count > 0
            }
        }
        return hasPixels ? nil : "it has no pixels"
    }

    /// Whether every part lies in the file; one without a length must at least begin there.
    private func holds<Bytes: PictureBytes>(
        _ offsets: Entry, _ lengths: Entry?, _ bytes: inout Bytes
    ) throws(Bytes.Failure) -> Bool {
        for index in 0..<offsets.count {
            let at = offsets.offset + index * offsets.valueBytes
            guard offsets.valueBytes > 0, let start = try number(at: at, offsets.valueBytes, &bytes) else {
                return false
            }
            var length = 1
            if let lengths, index < lengths.count, lengths.valueBytes > 0 {
                let at = lengths.offset + index * lengths.valueBytes
                length = try number(at: at, lengths.valueBytes, &bytes) ?? 1
            }
            guard length >= 0, start <= range.count, length <= range.count - start else { return false }
        }
        return true
    }

    static func metadata<Bytes: PictureBytes>(_ bytes: inout Bytes) throws(Bytes.Failure) -> MetadataBlocks {
        var blocks = MetadataBlocks(exif: 0..<bytes.count)
        guard var tiff = try TIFF(&bytes, in: 0..<bytes.count) else { return blocks }
        let directory = try tiff.directory(at: tiff.first, &bytes)
        func content(_ tag: Int) -> Range<Int>? {
            directory[tag].map { $0.offset..<$0.offset + $0.count * $0.valueBytes }
        }
        blocks.xmp = content(0x2BC)
        blocks.iptc = content(0x83BB)
        blocks.photoshop = content(0x8649)
        return blocks
    }
}
