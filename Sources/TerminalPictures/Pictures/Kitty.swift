import Basics
import Foundation
import PictureFiles
import Synchronization

// kitty's protocol: pixels, placed over a rectangle of cells. Source: sw.kovidgoyal.net/kitty/graphics-protocol.

extension PictureProtocol {
    static let kitty = PictureProtocol(
        name: "kitty", needsPassthrough: true, needsChafa: false,
        isShown: { $0.answers?.hasKitty == true || $0.isSilent && $0.program.speaksKitty },
        // Characters that stand for a picture are text, which tmux can move about.
        isShownInTmux: { $0.passesThrough && $0.program.placesByText }
    ) { job async throws(Chafa.Fault) -> [PaintedPicture] in
        if case .view(let viewport) = job.part {
            return [try await job.support.isInTmux ? job.cut(viewport) : job.painted(viewport)]
        }
        if let timeline = job.timeline { return try await job.frames(timeline) }
        let fit =
            job.support.isInTmux
            ? PictureFit(job.picture.size, in: job.box.countable, cell: job.cell) : job.fit
        let identity = job.kitty.nextIdentity()
        let file = PictureStream.Source.file(job.picture)
        // kitty decodes a PNG itself that is small, and not much larger than it is shown.
        let isSentAsFile =
            job.picture.type == .png && job.picture.length <= 1 << 20
            && job.picture.size.width <= 2 * fit.width && job.picture.size.height <= 2 * fit.height
        if isSentAsFile { return [job.painted(file, "f=100", identity, fit)] }
        do throws(Chafa.Fault) {
            let pixels = try await job.kitty.pixels(fit.limited(toPixels: PictureJob.mostPixels), job)
            return [job.painted(.memory(pixels.bytes), pixels.keys, identity, fit)]
        } catch {
            guard error == .missing, job.picture.type == .png, job.picture.length <= 8 << 20 else {
                throw error
            }
            return [job.painted(file, "f=100", identity, fit)]
        }
    }
}

extension PictureJob {
    /// More pixels are not worth the time they take over a slow line.
    fileprivate static let mostPixels = 1_500_000
    /// The most pixels of an animation's frame, ten of which may be sent in a second.
    static let mostPixelsOfFrame = 400_000
    /// The same where tmux reads and writes all of it too: 22 ms each, not 81, with tmux 3.3 and kitty 0.41.
    private static let mostPixelsThroughTmux = 100_000

    fileprivate func frames(_ timeline: AnimationTimeline) async throws(Chafa.Fault) -> [PaintedPicture] {
        let isInTmux = support.isInTmux
        let fit =
            isInTmux ? PictureFit(picture.size.turned(by: quarters), in: box.countable, cell: cell) : self.fit
        let frames = try await pixels(
            of: timeline, fit, most: isInTmux ? Self.mostPixelsThroughTmux : Self.mostPixelsOfFrame)
        return frames.enumerated().map { painted(.memory($1.bytes), $1.keys, kitty.frameIdentity($0), fit) }
    }

    /// All frames as they are looked at, each of at most so many pixels.
    func pixels(
        of timeline: AnimationTimeline, _ fit: PictureFit, most: Int = PictureJob.mostPixelsOfFrame
    ) async throws(Chafa.Fault) -> [KittyPixels] {
        // Base64 of four bytes a pixel.
        let kept = min(
            picture.size.width * picture.size.height, AnimationKey.mostBytes / timeline.delays.count / 6)
        let (width, height) = fit.limited(toPixels: min(most, kept))
        let frames = try await chafa.pixels(
            picture, quarters % 2 == 0 ? (width, height) : (height, width), background: box.background,
            isAnimated: true)
        return quarters == 0 ? frames : frames.map { $0.turned(by: quarters) }
    }

    fileprivate func painted(
        _ source: PictureStream.Source, _ format: String, _ identity: KittyIdentity, _ fit: PictureFit
    ) -> PaintedPicture {
        let isInTmux = support.isInTmux
        // Older versions keep no aspect with one of `c` and `r` alone.
        let cells = fit.isExact && !isInTmux ? "" : ",c=\(fit.columns),r=\(fit.rows)"
        let place = "i=\(identity.number)\(cells)"
        let keys = isInTmux ? "a=T,U=1,\(format),\(place)" : "a=T,\(format),\(place),C=1"
        let delete = Array("\u{1B}_Ga=d,d=I,i=\(identity.number),q=2;\u{1B}\\".utf8)
        var painted = PaintedPicture(
            columns: fit.columns, rows: fit.rows, removal: isInTmux ? Tmux.wrapped(delete) : delete,
            identity: identity, stream: .kitty(source, keys: keys, isInTmux: isInTmux))
        if isInTmux {
            painted.before = []
            painted.after = PictureCells.drawing(
                KittyPlaceholders.lines(identity, columns: fit.columns, rows: fit.rows))
        }
        return painted
    }
}

extension PictureBox {
    /// As much of it as the marks of placeholders can count.
    fileprivate var countable: PictureBox {
        var box = self
        box.columns = min(columns, KittyPlaceholders.most)
        box.rows = min(rows, KittyPlaceholders.most)
        return box
    }
}

extension PictureStream {
    /// Sequences of at most 4096 characters, the most that kitty takes, the first one with the keys.
    fileprivate static func kitty(_ source: Source, keys: String, isInTmux: Bool = false) -> PictureStream {
        let frame = { @Sendable (bytes: [UInt8], isFirst: Bool, isLast: Bool) -> [UInt8] in
            let first = isFirst ? keys + "," : ""
            let frame = Array("\u{1B}_G\(first)q=2,m=\(isLast ? 0 : 1);".utf8) + bytes.base64 + [0x1B, 0x5C]
            return isInTmux ? Tmux.wrapped(frame) : frame
        }
        return PictureStream(source: source, bytesPerFrame: 3 << 10, frame: frame) { isWhole in
            isWhole ? [] : frame([], false, true)
        }
    }
}

// MARK: - Zoom

extension PictureJob {
    /// A part of the picture, all of whose pixels the terminal gets only once.
    fileprivate func painted(_ viewport: Viewport) async throws(Chafa.Fault) -> PaintedPicture {
        let source = try await kitty.source(self)
        let view = PictureView(of: picture.size, through: viewport, in: box, cell: cell)
        let part = view.source(width: source.width, height: source.height)
        let number = source.identity.number
        let placement =
            "\u{1B}_Ga=p,i=\(number),p=1,x=\(part.x),y=\(part.y),w=\(part.width),h=\(part.height),"
            + "c=\(view.columns),r=\(view.rows),C=1,q=2;\u{1B}\\"
        // The pixels stay, for the next part.
        let remove = Array("\u{1B}_Ga=d,d=i,i=\(number),q=2;\u{1B}\\".utf8)
        return PaintedPicture(
            columns: view.columns, rows: view.rows, removal: remove, identity: source.identity,
            source: source, after: Array(placement.utf8) + PictureCells.restore)
    }

    /// The same in tmux, where characters stand for a whole picture: the part is sent as one of its own.
    fileprivate func cut(_ viewport: Viewport) async throws(Chafa.Fault) -> PaintedPicture {
        let source = try await kitty.source(self)
        let view = PictureView(of: picture.size, through: viewport, in: box.countable, cell: cell)
        let part = view.source(width: source.width, height: source.height)
        guard let pixels = source.pixels?.part(part, most: Self.mostPixels) else { throw .failed }
        return painted(
            .memory(pixels.bytes), pixels.keys, kitty.nextIdentity(),
            PictureFit(columns: view.columns, rows: view.rows, cell: cell))
    }
}

/// A picture whose pixels the terminal holds, so that any part of it is shown at once.
package final class KittySource: Sendable {
    let identity: KittyIdentity
    let width: Int
    let height: Int

    /// `nil` once the terminal has them.
    private let pending: Mutex<KittyPixels?>

    /// The most pixels of a picture to zoom in: 43 MB on the line.
    static let mostPixels = 8_000_000

    fileprivate init(_ pixels: KittyPixels, _ identity: KittyIdentity) {
        self.identity = identity
        (width, height) = (pixels.width, pixels.height)
        pending = Mutex(pixels)
    }

    var pixels: KittyPixels? { pending.withLock(\.self) }

    /// What the terminal has to get before a part can be shown; `nil` for nothing.
    var stream: PictureStream? {
        pixels.map { .kitty(.memory($0.bytes), keys: "a=t,\($0.keys),i=\(identity.number)") }
    }

    func didSend() { pending.withLock { $0 = nil } }
}

/// What pictures for kitty have in common: their numbers, and pixels that can be shown again in another box.
package final class KittyMemory: Sendable {
    private struct Key: Hashable {
        let file: FileIdentity
        let background: String?

        init(_ job: PictureJob) { (file, background) = (job.picture.identity, job.box.background) }
    }

    /// The highest byte of the numbers of zoomed pictures and of animation frames, which no other picture gets.
    private let ownHigh: UInt8
    private let following: Mutex<KittyIdentity>
    private let kept = Mutex<[(key: Key, pixels: KittyPixels)]>([])
    /// The pixels of the pictures that were zoomed in last: two that are compared, and for each a smaller file, which
    /// stays until a larger one is there.
    private let sources = (0..<4).map { _ in LatestWork<Key, Result<KittySource, Chafa.Fault>>() }
    /// Their places, the one that was used last at the end.
    private let order = Mutex([0, 1, 2, 3])

    /// Numbers start at random unless `first` is given: other programs count in the same terminal. They are below
    /// 2^31, because Konsole takes larger ones for none.
    init(first: KittyIdentity?) {
        let start = first ?? KittyIdentity(high: .random(in: 1...126), low: .random(in: 1 ... .max))
        ownHigh = start.high >= 127 ? 1 : start.high + 1
        following = Mutex(start)
    }

    func nextIdentity() -> KittyIdentity {
        following.withLock { following in
            defer { following = following.next }
            return following
        }
    }

    /// The number of an animation's frame: two in turn, so that one stays until the next one is there.
    fileprivate func frameIdentity(_ frame: Int) -> KittyIdentity {
        KittyIdentity(high: ownHigh, low: 2 + UInt8(frame % 2))
    }

    /// A few in turn, so that the terminal forgets the others. Those of frames are left out.
    private func sourceIdentity(_ slot: Int) -> KittyIdentity {
        KittyIdentity(high: ownHigh, low: slot == 0 ? 1 : 3 + UInt8(slot))
    }

    /// Notes that a picture is still looked at, so that its pixels stay.
    package func use(_ source: KittySource) {
        order.withLock { order in
            if let slot = order.first(where: { sourceIdentity($0) == source.identity }) { order.use(slot) }
        }
    }

    /// The pixels to zoom in: those of the last picture if it is the same, else chafa's.
    fileprivate func source(_ job: PictureJob) async throws(Chafa.Fault) -> KittySource {
        let key = Key(job)
        let slot = order.withLock { order in
            let slot = sources.firstIndex { $0.key == key } ?? order[0]
            order.use(slot)
            return slot
        }
        let result = await sources[slot].value(for: key) { [identity = sourceIdentity(slot)] in
            let size = job.picture.size
            let limited = PictureFit.limited((size.width, size.height), toPixels: KittySource.mostPixels)
            do throws(Chafa.Fault) {
                let pixels = try await job.chafa.pixels(job.picture, limited, background: job.box.background)
                return .success(KittySource(pixels[0], identity))
            } catch {
                return .failure(error)
            }
        }
        if case .failure = result { sources[slot].forget() }
        return try result.get()
    }

    /// Forgets the pictures that were zoomed in, because the terminal may have lost them.
    package func loseSource() { for source in sources { source.forget() } }

    /// Makes the terminal forget the pictures that were zoomed in.
    var farewell: [UInt8] {
        sources.indices.filter { sources[$0].key != nil }.flatMap {
            Array("\u{1B}_Ga=d,d=I,i=\(sourceIdentity($0).number),q=2;\u{1B}\\".utf8)
        }
    }

    /// The pixels of a picture in about this size: kept ones if the terminal can scale them, else chafa's.
    fileprivate func pixels(
        _ size: (width: Int, height: Int), _ job: PictureJob
    ) async throws(Chafa.Fault) -> KittyPixels {
        let key = Key(job)
        let known = kept.withLock { kept in kept.first { $0.key == key && $0.pixels.serves(size) }?.pixels }
        if let known { return known }
        let pixels = try await job.chafa.pixels(job.picture, size, background: job.box.background)[0]
        kept.withLock { kept in
            kept.removeAll { $0.key == key && $0.pixels.width <= pixels.width }
            kept.append((key, pixels))
            while kept.count > 1, kept.reduce(0, { $0 + $1.pixels.bytes.count }) > 48 << 20 {
                kept.removeFirst()
            }
        }
        return pixels
    }
}

extension [Int] {
    fileprivate mutating func use(_ place: Int) {
        removeAll { $0 == place }
        append(place)
    }
}

package struct KittyIdentity: Hashable, Sendable {
    /// From 1: zero means no number.
    let high: UInt8
    let low: UInt8

    package init(high: UInt8, low: UInt8) { (self.high, self.low) = (high, low) }

    var number: UInt32 { UInt32(high) << 24 | UInt32(low) }

    /// The next number; starts over after 255 pictures.
    var next: KittyIdentity { KittyIdentity(high: high, low: low == .max ? 1 : low + 1) }
}

/// Characters that stand for a picture's cells, so that tmux can treat the picture as text. Source: kitty's graphics
/// protocol, "Unicode placeholders".
enum KittyPlaceholders {
    static let most = marks.count

    /// The lines of a picture, for ``PictureCells/drawing(_:)``. Its number is in the color, which is of the palette of
    /// 256 because tmux may change a true color, and in the third mark, which has its highest byte. Every cell has its
    /// own row and column, because tmux may draw any of them alone.
    static func lines(_ identity: KittyIdentity, columns: Int, rows: Int) -> [[UInt8]] {
        let high = marks[Int(identity.high)]
        return (0..<min(rows, most)).map { row in
            var line = "\u{1B}[38;5;\(identity.low)m"
            for column in 0..<min(columns, most) {
                line.unicodeScalars.append(contentsOf: ["\u{10EEEE}", marks[row], marks[column], high])
            }
            return Array((line + "\u{1B}[39m").utf8)
        }
    }

    /// Combining marks above that normalization leaves alone: class 230, no decomposition, Unicode 6.0.
    private static let marks: [Unicode.Scalar] = ranges.split(whereSeparator: \.isWhitespace).flatMap {
        range in
        let ends = range.split(separator: "-").compactMap { UInt32($0, radix: 16) }
        return (ends[0]...ends[ends.count - 1]).compactMap(Unicode.Scalar.init)
    }

    private static let ranges = """
        0305 030D-030E 0310 0312 033D-033F 0346 034A-034C 0350-0352 0357 035B 0363-036F 0483-0487
        0592-0595 0597-0599 059C-05A1 05A8-05A9 05AB-05AC 05AF 05C4 0610-0617 0657-065B 065D-065E
        06D6-06DC 06DF-06E2 06E4 06E7-06E8 06EB-06EC 0730 0732-0733 0735-0736 073A 073D 073F-0741 0743
        0745 0747 0749-074A 07EB-07F1 07F3 0816-0819 081B-0823 0825-0827 0829-082D 0951 0953-0954
        0F82-0F83 0F86-0F87 135D-135F 17DD 193A 1A17 1A75-1A7C 1B6B 1B6D-1B73 1CD0-1CD2 1CDA-1CDB 1CE0
        1DC0-1DC1 1DC3-1DC9 1DCB-1DCC 1DD1-1DE6 1DFE 20D0-20D1 20D4-20D7 20DB-20DC 20E1 20E7 20E9 20F0
        2CEF-2CF1 2DE0-2DFF A66F A67C-A67D A6F0-A6F1 A8E0-A8F1 AAB0 AAB2-AAB3 AAB7-AAB8 AABE-AABF AAC1
        FE20-FE26 10A0F 10A38 1D185-1D189 1D1AA-1D1AD 1D242-1D244
        """
}

/// A picture's pixels, row by row.
package struct KittyPixels: Sendable, Hashable {
    let width: Int
    let height: Int
    /// Whether each pixel has an opacity after its red, green, and blue.
    var hasOpacity = true
    let bytes: [UInt8]

    var keys: String { "f=\(hasOpacity ? 32 : 24),s=\(width),v=\(height)" }

    /// The same without opacities: a quarter less on the line.
    var opaque: KittyPixels {
        guard hasOpacity else { return self }
        let colors = [UInt8](unsafeUninitializedCapacity: width * height * 3) { colors, count in
            for pixel in 0..<width * height {
                for part in 0..<3 { colors[pixel * 3 + part] = bytes[pixel * 4 + part] }
            }
            count = width * height * 3
        }
        return KittyPixels(width: width, height: height, hasOpacity: false, bytes: colors)
    }

    func turned(by quarters: Int) -> KittyPixels {
        let (channels, quarters) = (hasOpacity ? 4 : 3, (quarters % 4 + 4) % 4)
        let (wide, high) = quarters % 2 == 0 ? (width, height) : (height, width)
        let turned = bytes.withUnsafeBufferPointer { bytes in
            [UInt8](unsafeUninitializedCapacity: bytes.count) { turned, count in
                for y in 0..<high {
                    for x in 0..<wide {
                        let (column, row) =
                            switch quarters {
                            case 1: (y, height - 1 - x)
                            case 2: (width - 1 - x, height - 1 - y)
                            case 3: (width - 1 - y, x)
                            default: (x, y)
                            }
                        for channel in 0..<channels {
                            turned[(y * wide + x) * channels + channel] =
                                bytes[(row * width + column) * channels + channel]
                        }
                    }
                }
                count = bytes.count
            }
        }
        return KittyPixels(width: wide, height: high, hasOpacity: hasOpacity, bytes: turned)
    }

    /// A part of them, of at most so many pixels: beyond that, each is the mean of a square.
    func part(_ part: (x: Int, y: Int, width: Int, height: Int), most: Int) -> KittyPixels {
        let channels = hasOpacity ? 4 : 3
        var side = 1
        while part.width / side * (part.height / side) > most { side += 1 }
        let (wide, high) = (max(1, part.width / side), max(1, part.height / side))
        let mean = bytes.withUnsafeBufferPointer { bytes in
            [UInt8](unsafeUninitializedCapacity: wide * high * channels) { mean, count in
                for y in 0..<high {
                    for x in 0..<wide {
                        for channel in 0..<channels {
                            var sum = 0
                            for line in y * side..<min(part.height, (y + 1) * side) {
                                for column in x * side..<min(part.width, (x + 1) * side) {
                                    let pixel = (part.y + line) * width + part.x + column
                                    sum += Int(bytes[pixel * channels + channel])
                                }
                            }
                            let area = min(side, part.width) * min(side, part.height)
                            mean[(y * wide + x) * channels + channel] = UInt8(sum / area)
                        }
                    }
                }
                count = wide * high * channels
            }
        }
        return KittyPixels(width: wide, height: high, hasOpacity: hasOpacity, bytes: mean)
    }

    /// Whether they look right in another size: neither blurred, nor far too many.
    func serves(_ size: (width: Int, height: Int)) -> Bool {
        width * 5 >= size.width * 4 && height * 5 >= size.height * 4
            && width <= size.width * 2 && height <= size.height * 2
    }
}
