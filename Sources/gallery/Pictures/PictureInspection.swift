import Foundation
import GalleryCore

/// A picture's file, opened and looked at: nothing is shown, here or by a helper, that has not passed this.
///
/// The file stays open, so that what is written to the terminal is what was looked at, even where another
/// file has taken its name.
final class InspectedPicture: Sendable {
    let descriptor: Int32
    /// Where it is, for helpers that open it themselves: an absolute path.
    let path: String
    /// Bytes.
    let length: Int
    let type: PictureType
    /// As it is looked at: turned as its orientation says.
    let size: PixelSize

    /// Opens and looks; the failure is one sentence for people. This blocks.
    static func open(_ file: URL) -> Result<InspectedPicture, PictureRefusal> {
        // Never waiting for the other end of a pipe that lies there.
        let descriptor = Foundation.open(file.path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        var information = stat()
        guard descriptor >= 0 else { return .failure(.init("The picture's file cannot be opened.")) }
        guard fstat(descriptor, &information) == 0, information.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            return .failure(.init("The picture is not a regular file."))
        }
        switch check(descriptor, Int64(information.st_size)) {
        case .success(let header):
            return .success(
                InspectedPicture(
                    descriptor, file.absoluteURL.path, Int(information.st_size), header.type, header.size))
        case .failure(let refusal):
            close(descriptor)
            return .failure(refusal)
        }
    }

    private init(_ descriptor: Int32, _ path: String, _ length: Int, _ type: PictureType, _ size: PixelSize) {
        self.descriptor = descriptor
        self.path = path
        self.length = length
        self.type = type
        self.size = size
    }

    deinit { close(descriptor) }

    /// Whether xterm.js would drop it without a word: more than 20 MB, or 2^24 pixels, by its defaults.
    var isBeyondXtermJS: Bool { length > 20_000_000 || size.width * size.height > 1 << 24 }

    private static func check(
        _ descriptor: Int32, _ length: Int64
    ) -> Result<(type: PictureType, size: PixelSize), PictureRefusal> {
        guard let header = ImageHeader(descriptor: descriptor, length: length) else {
            return .failure(.init("The file is not a picture of a known format."))
        }
        guard let size = header.size else {
            return .failure(.init("The picture's size cannot be read, so it is not shown."))
        }
        var largest = size
        if header.type == .gif {
            var bytes = PictureBytesOnDisk(descriptor)
            guard let frame = bytes.largestGIFFrame(atLeast: size) else {
                return .failure(.init("The picture is broken, so it is not shown."))
            }
            largest = frame
        }
        let (pixels, isTooMany) = largest.width.multipliedReportingOverflow(by: largest.height)
        guard !isTooMany, pixels <= PicturePainter.mostPixels else {
            return .failure(
                .init(
                    "The picture has \(largest.width)×\(largest.height) pixels, too many to show here."))
        }
        return .success((header.type, size))
    }
}

/// Why a picture is not shown: one sentence for people, nothing of the file's own bytes in it.
struct PictureRefusal: Error, Hashable {
    let sentence: String

    init(_ sentence: String) {
        self.sentence = sentence
    }
}

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
        var place = 13 + colors(flags)
        var (width, height, frames) = (screen.width, screen.height, 0)
        while let kind = byte(at: place) {
            if kind == 0x2C {
                guard let left = number(at: place + 1), let top = number(at: place + 3),
                    let across = number(at: place + 5), let down = number(at: place + 7),
                    let flags = byte(at: place + 9)
                else { break }
                (width, height, frames) = (max(width, left + across), max(height, top + down), frames + 1)
                place = afterBlocks(place + 11 + colors(flags))
            } else if kind == 0x21 {
                place = afterBlocks(place + 2)
            } else {
                break
            }
        }
        return frames > 0 ? PixelSize(width: width, height: height) : nil
    }

    private func colors(_ flags: UInt8) -> Int { flags & 0x80 == 0 ? 0 : 3 << Int(flags & 7 + 1) }

    private mutating func afterBlocks(_ start: Int) -> Int {
        var place = start
        while let length = byte(at: place), length > 0 { place += 1 + Int(length) }
        return place + 1
    }
}
