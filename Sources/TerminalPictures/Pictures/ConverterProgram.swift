import Basics
import Foundation
import PictureFiles

/// A program that converts pictures, and the words that tell it what to do. To add one: a row of ``all``. It reads a
/// path that none of its special forms of names has, and writes to standard output or to a file. Metadata that it
/// leaves is removed afterwards.
package struct ConverterProgram: Sendable {
    struct Order: Sendable {
        let source: ConversionSource
        let type: PictureType
        /// The size to make, as it is looked at.
        let size: PixelSize
        /// Whether the picture has more pixels than that, and both edges twice as many at least.
        let (isSmaller, isHalf): (Bool, Bool)
        /// A folder of this run alone.
        let folder: String
        /// How many frames of an animation to make; 1 for a still picture.
        var frames = 1

        var box: String { "\(max(size.width, size.height))x\(max(size.width, size.height))" }
        /// A file to write to, where a program cannot write to standard output.
        var output: String { folder + "/out" }
        /// The profile of sRGB, where a program has none.
        var profile: String { folder + "/srgb.icc" }
        /// The animation's own, where it has one.
        var ownProfile: String { folder + "/own.icc" }
    }

    package let program: HelperProgram
    let types: Set<PictureType>
    var writesFile = false
    /// The words for several pictures at once, from those for one: `inputs` are read, and each is written to the
    /// folder under its last component; `nil` where it takes one at a time.
    var several: (@Sendable (_ words: [String], _ inputs: [String], _ folder: String) -> [String])?
    /// The words; `nil` for a picture that it cannot read.
    let words: @Sendable (Order) -> [String]?

    /// All of them, best first: vips reads a large JPEG in less, needs little memory, and knows all color profiles.
    package static let all = [vips, imageMagick, ffmpeg, sips]

    /// The picture, as standard input: no program sees its name. Some read it again and again, so it is no pipe.
    package static let input = "/dev/fd/0"

    private static let vips = ConverterProgram(
        program: HelperProgram(names: ["vipsthumbnail"], product: "vips", beginnings: ["vips-"]),
        types: [.jpeg, .webp, .png],
        several: { words, inputs, folder in
            inputs + words.dropFirst().dropLast() + ["\(folder)/%s\(words.last ?? "")"]
        }
    ) { order in
        guard !order.source.isGIFInOwnColors else { return nil }
        let options =
            switch order.type {
            case .jpeg: "[Q=82,strip,optimize_coding,background=255]"
            case .webp where order.frames > 1: "[Q=82,strip,effort=0]"
            case .webp: "[Q=82,strip]"
            default: "[strip]"
            }
        let input = order.frames > 1 ? "\(input)[n=\(order.frames)]" : input
        // Where nothing changes, it would take a seventh of the time.
        return [input, "--size=\(order.box)>", "--vips-concurrency=1"]
            + (order.source.hasOwnColors ? ["--export-profile=srgb"] : [])
            + (order.source.type.heedsEXIFOrientation ? [] : ["--no-rotate"])
            + ["-o", ".\(order.type.fileExtension)\(options)"]
    }

    private static let imageMagick = ConverterProgram(
        program: HelperProgram(
            names: ["magick", "convert"], product: "ImageMagick", question: ["-version"],
            beginnings: ["Version: ImageMagick "]), types: [.jpeg, .webp, .png]
    ) { order in
        let type = order.source.type
        // It would hand those to other programs.
        guard !type.isCameraRaw else { return nil }
        let coder = type == .heif ? "heic" : type.rawValue
        let limits = [("thread", "1"), ("memory", "768MiB"), ("map", "768MiB"), ("disk", "2GiB")].flatMap {
            ["-limit", $0.0, $0.1]
        }
        let frames = order.frames > 1 ? ["\(coder):\(input)[0-\(order.frames - 1)]", "-coalesce"] : nil
        // With less than half as many, it reads a JPEG enlarged.
        return limits + (order.isHalf ? ["-define", "jpeg:size=\(order.box)"] : [])
            + (frames ?? ["\(coder):\(input)[0]"])
            + (order.source.type.heedsEXIFOrientation ? ["-auto-orient"] : [])
            + (order.source.animationProfile.map { _ in ["-profile", "icc:\(order.ownProfile)"] } ?? [])
            + ["-profile", "icc:\(order.profile)", "-strip", "-colorspace", "sRGB"]
            + (order.isSmaller ? ["-thumbnail", order.box] : [])
            + (order.type == .jpeg
                ? ["-background", "white", "-alpha", "remove", "-sampling-factor", "4:2:0"] : [])
            + ["-depth", "8", "-quality", order.type == .png ? "92" : "82", "\(order.type.rawValue):-"]
    }

    /// It hands a color profile on instead of heeding it.
    private static let ffmpeg = ConverterProgram(
        program: HelperProgram(
            names: ["ffmpeg"], product: "ffmpeg", question: ["-version"], beginnings: ["ffmpeg version "]),
        types: [.jpeg, .webp, .png]
    ) { order in
        // Of these it would enlarge a tiny preview. It reads no animated WebP.
        guard !order.source.type.isCameraRaw, order.frames == 1, !order.source.isGIFInOwnColors else {
            return nil
        }
        let turns = [
            2: "hflip", 3: "hflip,vflip", 4: "vflip", 5: "transpose=0", 6: "transpose=1", 7: "transpose=3",
            8: "transpose=2",
        ]
        let scale = "scale=\(order.size.width):\(order.size.height):flags=lanczos"
        let filters = [turns[order.source.orientation], scale].compactMap(\.self).joined(separator: ",")
        let codec =
            switch order.type {
            // About the same as quality 82 elsewhere.
            case .jpeg: ["mjpeg", "-q:v", "3", "-pix_fmt", "yuvj420p"]
            case .webp: ["libwebp", "-quality", "82"]
            default: ["png"]
            }
        return ["-v", "error", "-nostdin", "-threads", "1", "-protocol_whitelist", "file"]
            + (order.source.type.heedsEXIFOrientation ? ["-noautorotate"] : [])
            + ["-i", input, "-frames:v", "1", "-vf", filters, "-map_metadata", "-1", "-c:v"] + codec
            + ["-f", "image2pipe", "pipe:1"]
    }

    /// macOS's own. It turns nothing by itself.
    private static let sips = ConverterProgram(
        program: HelperProgram(names: ["sips"], product: "sips", place: "/usr/bin/sips"),
        types: [.jpeg, .png], writesFile: true
    ) { order in
        guard order.frames == 1 else { return nil }
        let turns = [
            2: ["-f", "horizontal"], 3: ["-r", "180"], 4: ["-f", "vertical"],
            5: ["-r", "90", "-f", "horizontal"],
            6: ["-r", "90"], 7: ["-r", "270", "-f", "horizontal"], 8: ["-r", "270"],
        ]
        return ["-s", "format", order.type.rawValue]
            + (order.type == .jpeg ? ["-s", "formatOptions", "82"] : [])
            + ["-m", "/System/Library/ColorSync/Profiles/sRGB Profile.icc"]
            + (turns[order.source.orientation] ?? [])
            + (order.isSmaller ? ["-Z", "\(order.box.prefix { $0 != "x" })"] : [])
            + [input, "--out", order.output]
    }

    /// A profile of sRGB for those that bring none.
    static let profile =
        Data(
            base64Encoded: """
                AAABqAAAAAAEIAAAbW50clJHQiBYWVogB+QAAQABAAAAAAAAYWNzcAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAPbW\
                AAEAAAAA0y0AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAJZGVzYwAAAPAAAAAk\
                Y3BydAAAARQAAAAid3RwdAAAATgAAAAUclhZWgAAAUwAAAAUZ1hZWgAAAWAAAAAUYlhZWgAAAXQAAAAUclRSQwAAAYgAAAAg\
                Z1RSQwAAAYgAAAAgYlRSQwAAAYgAAAAgbWx1YwAAAAAAAAABAAAADGVuVVMAAAAIAAAAHABzAFIARwBCbWx1YwAAAAAAAAAB\
                AAAADGVuVVMAAAAGAAAAHABDAEMAMAAAWFlaIAAAAAAAAPbWAAEAAAAA0y1YWVogAAAAAAAAb6IAADj1AAADkFhZWiAAAAAA\
                AABimQAAt4UAABjaWFlaIAAAAAAAACSgAAAPhAAAts9wYXJhAAAAAAADAAAAAmZmAADypwAADVkAABPQAAAKWw==
                """) ?? Data()
}

extension ConversionSource {
    /// Whether it is a GIF with a color profile, which ImageMagick alone reads.
    fileprivate var isGIFInOwnColors: Bool { type == .gif && hasOwnColors }
}
