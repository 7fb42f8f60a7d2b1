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

    /// The orientation, 1 to 8, in the first directory of a TIFF that fills `range`. As in browsers, it must be one
    /// whole number of two bytes.
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

    // MARK: - Cleaning

    /// Tags that show pixels, and how many numbers they have at most; 0 for one of each sample.
    private static let shown = [
        0xFE: 1, 0xFF: 1, 0x100: 1, 0x101: 1, 0x102: 0, 0x103: 1, 0x106: 1, 0x10A: 1, 0x112: 1, 0x115: 1,
        0x116: 1, 0x118: 0, 0x119: 0, 0x11A: 1, 0x11B: 1, 0x11C: 1, 0x124: 1, 0x125: 1, 0x128: 1, 0x13D: 1,
        0x13E: 2, 0x13F: 6, 0x140: 3 << 16, 0x142: 1, 0x143: 1, 0x14C: 1, 0x14E: 1, 0x150: 2, 0x152: 0,
        0x153: 0, 0x154: 0, 0x155: 0, 0x211: 3, 0x212: 2, 0x213: 1, 0x214: 6,
    ]
    /// Ways to pack pixels in which nothing else can be: none, those of faxes, LZW, JPEG, Deflate, PackBits …
    private static let packings: Set = [1, 2, 3, 4, 5, 7, 8, 32773, 32946, 34676, 34677, 34925, 50000]

    /// An entry as it is written, and where its value is already.
    private typealias Value = (tag: Int, type: Int, count: Int, bytes: [UInt8], place: Int?)

    /// A whole TIFF of its pages' pixels and what shows them, which stay where they are, with the texts of the EXIF block
    /// `exif` and the packet `xmp` if there are any.
    ///
    /// - Returns: `nil` for one that begins with a preview, or packs its pixels in a way that is not known here.
    static func cleaned(_ file: [UInt8], adding exif: [UInt8]?, _ xmp: [UInt8]?) -> [UInt8]? {
        guard let tiff = TIFF(PictureBytes(file)) else { return nil }
        var cleaned = [UInt8](repeating: 0, count: file.count)
        var (pages, end, next, seen) = ([[Value]](), tiff.isBig ? 16 : 8, tiff.first as Int?, Set<Int>())
        cleaned.replaceSubrange(0..<end, with: file[0..<end])
        while let place = next, seen.insert(place).inserted, seen.count <= 1000 {
            let page = tiff.directory(at: place)
            next = page.next.flatMap { $0 == 0 ? nil : tiff.absolute($0) }
            if tiff.isReduced(page), !pages.isEmpty { continue }
            guard !tiff.isReduced(page), let values = tiff.shown(page, of: file, &cleaned, &end) else {
                return nil
            }
            pages.append(values)
        }
        if let credits = exif.flatMap({ TIFF(PictureBytes($0)) }) {
            for entry in credits.directory(at: credits.first).entries where entry.type == 2 {
                pages[0].append((entry.tag, 2, entry.count, credits.raw(entry, entry.count), nil))
            }
        }
        if let xmp { pages[0].append((0x2BC, 1, xmp.count, xmp, nil)) }
        cleaned.removeSubrange(end...)
        var link = tiff.isBig ? 8 : 4
        for page in pages { tiff.write(page, to: &cleaned, &link) }
        return cleaned
    }

    private func raw(_ entry: Entry, _ count: Int) -> [UInt8] {
        bytes.array(entry.offset..<entry.offset + count * entry.valueBytes, limit: .max)
    }

    /// What shows a page. Its pixels and long values are put where they were, before `end`.
    private func shown(
        _ page: Directory, of file: [UInt8], _ cleaned: inout [UInt8], _ end: inout Int
    ) -> [Value]? {
        func put(_ bytes: [UInt8], at place: Int) {
            cleaned.replaceSubrange(place..<place + bytes.count, with: bytes)
            end = max(end, place + bytes.count)
        }
        let (packing, samples) = (number(page[Tag.compression]) ?? 1, number(page[0x115]) ?? 1)
        guard Self.packings.contains(packing), page[0x201] == nil else { return nil }
        var values: [Value] = []
        for entry in page.entries where !values.contains(where: { $0.tag == entry.tag }) {
            let isPlace = Tag.pixels.contains { [$0.0, $0.1].contains(entry.tag) }
            if [0x15B, 0x8773].contains(entry.tag) {
                let own = raw(entry, entry.count)
                guard
                    let kept = entry.tag == 0x15B ? JPEG.cleaned(own, adding: nil) : ColorProfile.cleaned(own)
                else { continue }
                values.append((entry.tag, 7, kept.count, kept, nil))
            } else if let most = isPlace ? .max : Self.shown[entry.tag],
                [1, 3, 4, 5, 6, 8, 9, 11, 12, 16].contains(entry.type)
            {
                let count = min(entry.count, most == 0 ? samples : most)
                let kept = raw(entry, count)
                let isFar = kept.count > (isBig ? 8 : 4)
                if isFar { put(kept, at: entry.offset) }
                values.append((entry.tag, entry.type, count, kept, isFar ? entry.offset : nil))
            }
        }
        for (offsets, lengths) in Tag.pixels {
            guard let parts = page[offsets] else { continue }
            guard let sizes = page[lengths], sizes.count == parts.count else { return nil }
            for index in 0..<parts.count {
                guard let start = value(index, of: parts), let length = value(index, of: sizes), start >= 0,
                    length >= 0, start <= file.count, length <= file.count - start
                else { return nil }
                let part = Array(file[start..<start + length])
                let kept = packing == 7 ? JPEG.cleaned(part, adding: nil) : part
                guard kept.count <= length else { return nil }
                put(kept, at: start)
                end = max(end, start + length)
            }
        }
        return values
    }

    /// Adds a directory, whose offset is written at `link`, which becomes the place for the next one's.
    private func write(_ values: [Value], to output: inout [UInt8], _ link: inout Int) {
        func bytes(_ number: Int, _ length: Int) -> [UInt8] {
            isLittleEndian ? [UInt8](little: number, length) : [UInt8](big: number, length)
        }
        if output.count % 2 == 1 { output.append(0) }
        let (start, wide) = (output.count, isBig ? 8 : 4)
        var (directory, far) = (bytes(values.count, isBig ? 8 : 2), [UInt8]())
        let end = start + directory.count + (4 + 2 * wide) * values.count
        for value in values.sorted(by: { $0.tag < $1.tag }) {
            directory += bytes(value.tag, 2) + bytes(value.type, 2) + bytes(value.count, wide)
            if value.bytes.count <= wide {
                directory += value.bytes + [UInt8](repeating: 0, count: wide - value.bytes.count)
            } else {
                directory += bytes(value.place ?? end + wide + far.count, wide)
                if value.place == nil {
                    far += value.bytes + [UInt8](repeating: 0, count: value.bytes.count % 2)
                }
            }
        }
        output.replaceSubrange(link..<link + wide, with: bytes(start, wide))
        output += directory + [UInt8](repeating: 0, count: wide) + far
        link = end
    }
}
