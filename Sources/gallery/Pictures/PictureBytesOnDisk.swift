import Foundation
import GalleryCore

/// An open file's bytes by their place, of which one stretch is at hand.
struct PictureBytesOnDisk {
    private let descriptor: Int32
    private var stretch: [UInt8] = []
    private var start = 0

    init(_ descriptor: Int32) {
        self.descriptor = descriptor
    }

    /// At most `count` bytes at `place`; fewer only at the end.
    func bytes(at place: Int, count: Int) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var done = 0
        while done < count {
            let got = bytes.withUnsafeMutableBytes {
                pread(descriptor, $0.baseAddress.map { $0 + done }, count - done, off_t(place + done))
            }
            if got < 0, errno == EINTR { continue }
            if got <= 0 { break }
            done += got
        }
        bytes.removeLast(count - done)
        return bytes
    }

    private mutating func byte(at place: Int) -> UInt8? {
        if !(start..<start + stretch.count).contains(place) {
            start = place
            stretch = bytes(at: place, count: 1 << 14)
        }
        return stretch.indices.contains(place - start) ? stretch[place - start] : nil
    }

    private mutating func number(at place: Int) -> Int? {
        guard let low = byte(at: place), let high = byte(at: place + 1) else { return nil }
        return Int(high) << 8 | Int(low)
    }

    /// The smallest size that holds the screen and all frames; `nil` where the file ends before its first frame.
    ///
    /// A frame may exceed the screen that the header tells, and decoders make room for it: a GIF of
    /// 1×1 can cost hundreds of megabytes. Measured with chafa 1.12.
    ///
    /// Source: GIF89a specification, 18 to 26.
    mutating func largestGIFFrame(atLeast screen: PixelSize) -> PixelSize? {
        guard let flags = byte(at: 10) else { return nil }
        var place = 13 + colours(flags)
        var (width, height, frames) = (screen.width, screen.height, 0)
        while let kind = byte(at: place) {
            if kind == 0x2C {
                guard let left = number(at: place + 1), let top = number(at: place + 3),
                    let across = number(at: place + 5), let down = number(at: place + 7),
                    let flags = byte(at: place + 9)
                else { break }
                (width, height, frames) = (max(width, left + across), max(height, top + down), frames + 1)
                place = afterBlocks(place + 11 + colours(flags))
            } else if kind == 0x21 {
                place = afterBlocks(place + 2)
            } else {
                break
            }
        }
        return frames > 0 ? PixelSize(width: width, height: height) : nil
    }

    private func colours(_ flags: UInt8) -> Int { flags & 0x80 == 0 ? 0 : 3 << Int(flags & 7 + 1) }

    private mutating func afterBlocks(_ start: Int) -> Int {
        var place = start
        while let length = byte(at: place), length > 0 { place += 1 + Int(length) }
        return place + 1
    }
}
