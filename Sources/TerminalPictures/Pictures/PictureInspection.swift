import Basics
import Foundation
import PictureFiles

/// An opened and inspected picture file. Nothing is shown, here or by a helper, without passing this. The file stays
/// open, so that what is written to the terminal is what was inspected, even if another file has taken its name.
package final class InspectedPicture: Sendable {
    let file: Descriptor
    /// Its absolute path, for helpers that open it themselves.
    let path: String
    package let type: PictureType
    /// In the orientation it is viewed in.
    package let size: PixelSize
    /// Tells files apart, and versions of a file.
    package let identity: FileIdentity

    /// Opens and inspects a file. This blocks.
    package init(_ url: URL, mostPixels: Int = PicturePainter.mostPixels) throws(PictureRefusal) {
        // Does not wait for the other end of a named pipe.
        guard let file = try? SystemCall.open(url.path, O_RDONLY | O_NONBLOCK) else {
            throw PictureRefusal(sentence: "The picture's file cannot be opened.")
        }
        guard let status = try? SystemCall.status(of: file), status.isRegular else {
            throw PictureRefusal(sentence: "The picture is not a regular file.")
        }
        let bytes = PictureBytes(descriptor: file.number, length: status.length)
        guard let header = ImageHeader(bytes, named: url.lastPathComponent) else {
            throw PictureRefusal(sentence: "The file is not a picture of a known format.")
        }
        guard let size = header.size else {
            throw PictureRefusal(sentence: "The picture's size cannot be read, so it is not shown.")
        }
        guard let largest = header.type == .gif ? GIF.extent(bytes) : size else {
            throw PictureRefusal(sentence: "The picture is broken, so it is not shown.")
        }
        let (pixels, isTooMany) = largest.width.multipliedReportingOverflow(by: largest.height)
        guard !isTooMany, pixels <= mostPixels else {
            throw PictureRefusal(
                sentence: "The picture has \(largest.width)×\(largest.height) pixels, too many to show here.")
        }
        (self.file, path, type, self.size) = (file, url.absoluteURL.path, header.type, size)
        identity = FileIdentity(status)
    }

    var length: Int { identity.length }

    /// What its headers say of its colors, among other things. This blocks.
    package var conversionSource: ConversionSource {
        ConversionSource(descriptor: file.number, length: Int64(length), type)
    }

    /// What the file says of itself. This blocks.
    var metadata: PictureMetadata {
        PictureMetadata(PictureBytes(descriptor: file.number, length: Int64(length)), type)
    }

    /// Its frames' times; `nil` for a still picture. This blocks.
    var timeline: AnimationTimeline? {
        AnimationTimeline(
            delays: type.frameDelays(
                descriptor: file.number, length: Int64(length), most: AnimationTimeline.mostFrames))
    }

    /// Whether xterm.js drops it silently: more than 20 MB or 2^24 pixels by default.
    var isBeyondXtermJS: Bool { length > 20_000_000 || size.width * size.height > 1 << 24 }
}

/// What tells a file from others, and from its own earlier contents.
package struct FileIdentity: Hashable, Sendable {
    private let device: UInt64
    private let inode: UInt64
    /// Bytes.
    let length: Int
    package let modified: Date

    init(_ status: stat) {
        device = UInt64(truncatingIfNeeded: status.st_dev)
        inode = UInt64(status.st_ino)
        length = Int(status.length)
        modified = status.lastModified
    }
}

/// Why a picture is not shown: a sentence that holds none of the file's own bytes.
package struct PictureRefusal: Error { let sentence: String }

/// How long each frame of an animated picture is shown.
package struct AnimationTimeline: Hashable, Sendable {
    /// Milliseconds, of two frames or more.
    let delays: [Int]

    /// No frame is shown for a shorter time, so that terminals keep up: ten frames a second.
    static let shortest = 100
    static let mostFrames = 400

    /// - Parameter delays: As the file has them. Like browsers, this takes 10 ms or less for 100 ms.
    /// - Returns: `nil` for less than two frames.
    init?(delays: [Int]) {
        guard delays.count > 1 else { return nil }
        self.delays = delays.map { $0 <= 10 ? 100 : $0 }
    }

    /// The frame to show after `frame`, and the milliseconds until then. Frames of a faster animation are left out, so
    /// that it keeps its pace.
    package func step(from frame: Int) -> (frame: Int, milliseconds: Int) {
        var (next, time) = (frame % delays.count, 0)
        repeat {
            time += delays[next]
            next = (next + 1) % delays.count
        } while time < Self.shortest && next != frame % delays.count
        return (next, max(time, Self.shortest))
    }
}

/// An animated picture that is being played, or paused.
package struct Playback: Hashable, Sendable {
    package let file: URL
    package let timeline: AnimationTimeline
    package var frame = 0
    package var isPaused = false

    package init(file: URL, timeline: AnimationTimeline) { (self.file, self.timeline) = (file, timeline) }
}
