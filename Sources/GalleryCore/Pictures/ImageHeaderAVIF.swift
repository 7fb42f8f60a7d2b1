/// One box of an AVIF file: a length, a name of four letters, and what is in it.
struct AVIFBox: Hashable {
    /// The four letters as a number, as in `AVIFBox.name("meta")`.
    let name: Int
    /// Where what is in it stands.
    let content: Range<Int>

    /// Four letters as the number they are in a file.
    static func name(_ text: StaticString) -> Int {
        (0..<text.utf8CodeUnitCount).reduce(0) { $0 << 8 | Int(text.utf8Start[$1]) }
    }

    /// The box at `place`; `nil` where it is none, or ends past `end`.
    ///
    /// Source: ISO/IEC 14496-12, 4.2.
    static func at<Bytes: PictureBytes>(
        _ place: Int, before end: Int, in bytes: inout Bytes
    ) throws(Bytes.Failure) -> AVIFBox? {
        guard place <= end - 8, let short = try bytes.bigEndian(at: place, bytes: 4),
            let name = try bytes.bigEndian(at: place + 4, bytes: 4)
        else { return nil }
        // 0 means up to the end, 1 that the length stands behind the name in 8 bytes.
        let long = short == 1 ? try bytes.bigEndian(at: place + 8, bytes: 8) : nil
        let length = short == 0 ? end - place : long ?? short
        let head = long == nil ? 8 : 16
        guard length >= head, length <= end - place else { return nil }
        return AVIFBox(name: name, content: place + head..<place + length)
    }

    /// The first box called `name` among those that fill `range`.
    static func first<Bytes: PictureBytes>(
        _ name: StaticString, within range: Range<Int>, in bytes: inout Bytes
    ) throws(Bytes.Failure) -> AVIFBox? {
        var place = range.lowerBound
        while let box = try at(place, before: range.upperBound, in: &bytes) {
            if box.name == Self.name(name) { return box }
            place = box.content.upperBound
        }
        return nil
    }
}

extension ImageHeader {
    /// The size of the primary item: a file holds tiles, previews and masks besides.
    ///
    /// Source: ISO/IEC 23008-12, 6.5.3 and 9.3; ISO/IEC 14496-12, 8.11.4 and 8.11.14.
    static func avifSize<Bytes: PictureBytes>(_ bytes: inout Bytes) throws(Bytes.Failure) -> PixelSize? {
        guard let meta = try AVIFBox.first("meta", within: 0..<bytes.count, in: &bytes) else { return nil }
        // Version and flags stand before the boxes in it.
        let items = meta.content.dropFirst(4)
        guard let primary = try AVIFBox.first("pitm", within: items, in: &bytes),
            let version = try bytes.byte(at: primary.content.lowerBound),
            let item = try bytes.bigEndian(at: primary.content.lowerBound + 4, bytes: version == 0 ? 2 : 4),
            let properties = try AVIFBox.first("iprp", within: items, in: &bytes),
            let values = try AVIFBox.first("ipco", within: properties.content, in: &bytes),
            let owners = try AVIFBox.first("ipma", within: properties.content, in: &bytes)
        else { return nil }
        let wanted = try propertyNumbers(of: item, in: owners.content, &bytes)
        return try size(amongProperties: wanted, of: values.content, &bytes)
    }

    /// The places, from 1, of the properties that belong to `item`.
    private static func propertyNumbers<Bytes: PictureBytes>(
        of item: Int, in content: Range<Int>, _ bytes: inout Bytes
    ) throws(Bytes.Failure) -> Set<Int> {
        guard let head = try bytes.bigEndian(at: content.lowerBound, bytes: 4),
            let items = try bytes.bigEndian(at: content.lowerBound + 4, bytes: 4)
        else { return [] }
        let idBytes = head >> 24 == 0 ? 2 : 4
        let numberBytes = head & 1 == 0 ? 1 : 2
        var place = content.lowerBound + 8
        for _ in 0..<items {
            guard place < content.upperBound, let id = try bytes.bigEndian(at: place, bytes: idBytes),
                let numbers = try bytes.byte(at: place + idBytes)
            else { return [] }
            place += idBytes + 1
            if id == item {
                var found: Set<Int> = []
                for offset in 0..<Int(numbers) {
                    let number = try bytes.bigEndian(at: place + offset * numberBytes, bytes: numberBytes)
                    // The highest bit says that the property must be understood.
                    if let number { found.insert(number & (numberBytes == 1 ? 0x7F : 0x7FFF)) }
                }
                return found
            }
            place += Int(numbers) * numberBytes
        }
        return []
    }

    private static func size<Bytes: PictureBytes>(
        amongProperties wanted: Set<Int>, of content: Range<Int>, _ bytes: inout Bytes
    ) throws(Bytes.Failure) -> PixelSize? {
        var (width, height, quarterTurns): (Int?, Int?, UInt8) = (nil, nil, 0)
        var (number, place) = (1, content.lowerBound)
        while let box = try AVIFBox.at(place, before: content.upperBound, in: &bytes) {
            if wanted.contains(number), box.name == AVIFBox.name("ispe") {
                width = try bytes.bigEndian(at: box.content.lowerBound + 4, bytes: 4)
                height = try bytes.bigEndian(at: box.content.lowerBound + 8, bytes: 4)
            } else if wanted.contains(number), box.name == AVIFBox.name("irot") {
                quarterTurns = try bytes.byte(at: box.content.lowerBound) ?? 0
            }
            number += 1
            place = box.content.upperBound
        }
        return quarterTurns & 1 == 0
            ? PixelSize(width: width, height: height) : PixelSize(width: height, height: width)
    }
}
