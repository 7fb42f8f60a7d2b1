import Foundation
import GalleryCore
import Synchronization

// kitty's graphics protocol: pixels, placed over a rectangle of cells.
//
// Source: sw.kovidgoyal.net/kitty/graphics-protocol.

extension PictureProtocol {
    static let kitty = PictureProtocol(
        name: "kitty", needsPassthrough: true, needsChafa: false,
        isSupported: { evidence in
            let program = evidence.program
            switch evidence.multiplexer {
            // Characters that stand for a picture are text, which tmux can move about.
            case .tmux: return evidence.passesThrough && program.placesByText
            case .opaque(isScreen: true): return false
            case .none, .opaque:
                return evidence.answers?.hasKitty == true || evidence.isSilent && program.speaksKitty
            }
        },
        animate: { job, timeline throws(Chafa.Fault) in
            // Each frame would go through tmux as a whole.
            if job.support.isInTmux { return [] }
            let own = job.picture.size.width * job.picture.size.height
            // Base64 of four bytes a pixel.
            let most = min(own, AnimationFrames.mostBytes / timeline.delays.count / 6)
            let size = job.fit.limited(toPixels: min(most, KittyPlacement.mostPixelsOfFrame))
            let frames = try await job.chafa.pixelFrames(
                job.picture, width: size.width, height: size.height, background: job.box.background)
            return frames.enumerated().map { number, pixels in
                let identity = job.kitty.frameIdentity(number)
                return KittyPlacement(identity, job.fit, isInTmux: false).painted(pixels)
            }
        }
    ) { job async throws(Chafa.Fault) -> PaintedPicture in
        if case .view(let viewport) = job.part { return try await job.painted(viewport) }
        var fit = job.fit
        if job.support.isInTmux {
            // Marks cannot count more cells.
            var box = job.box
            box.columns = min(box.columns, KittyPlaceholders.most)
            box.rows = min(box.rows, KittyPlaceholders.most)
            fit = PictureFit(job.picture.size, in: box, cell: job.cell)
        }
        let identity = job.kitty.nextIdentity()
        let placement = KittyPlacement(identity, fit, isInTmux: job.support.isInTmux)
        if job.picture.isSentToKittyAsFile(fit) { return placement.painted(file: job.picture) }
        let size = fit.limited(toPixels: KittyPlacement.mostPixels)
        do throws(Chafa.Fault) {
            return placement.painted(try await job.kitty.pixels(of: job.picture, size, job))
        } catch {
            guard error == .missing, job.picture.type == .png, job.picture.length <= 8 << 20 else {
                throw error
            }
            return placement.painted(file: job.picture)
        }
    }
}

extension InspectedPicture {
    /// Whether kitty decodes the file itself: a PNG that is small, and not much larger than it is shown.
    fileprivate func isSentToKittyAsFile(_ fit: PictureFit) -> Bool {
        type == .png && length <= 1 << 20 && size.width <= 2 * fit.width
            && size.height <= 2 * fit.height
    }
}

/// Where a picture goes, and under which number.
private struct KittyPlacement {
    let identity: KittyIdentity
    let fit: PictureFit
    let isInTmux: Bool

    /// More pixels are not worth the time they take over a slow line.
    static let mostPixels = 1_500_000
    /// The most pixels of an animation's frame, ten of which may be sent in a second.
    static let mostPixelsOfFrame = 400_000

    init(_ identity: KittyIdentity, _ fit: PictureFit, isInTmux: Bool) {
        self.identity = identity
        self.fit = fit
        self.isInTmux = isInTmux
    }

    /// The keys of the first sequence. Older versions keep no aspect with one of `c` and `r` alone.
    private func keys(_ format: String) -> String {
        let cells = "c=\(fit.columns),r=\(fit.rows)"
        return isInTmux
            ? "a=T,U=1,\(format),i=\(identity.number),\(cells)"
            : "a=T,\(format),i=\(identity.number),\(cells),C=1"
    }

    func painted(file: InspectedPicture) -> PaintedPicture {
        painted(.file(file, KittyFraming(keys: keys("f=100"), isInTmux: isInTmux)))
    }

    func painted(_ pixels: KittyPixels) -> PaintedPicture {
        let first = Array("\u{1B}_G\(keys(pixels.keys)),q=2,m=1\u{1B}\\".utf8)
        return painted(
            .sequences(
                .init(
                    first: first, bytes: pixels.sequences, cut: .betweenSequences,
                    ending: Array("\u{1B}_Gq=2,m=0;\u{1B}\\".utf8), isInTmux: isInTmux)))
    }

    private func painted(_ content: PaintedPicture.Content) -> PaintedPicture {
        let delete = Array("\u{1B}_Ga=d,d=I,i=\(identity.number),q=2;\u{1B}\\".utf8)
        let erase = PictureCells.clearing(columns: fit.columns, rows: fit.rows)
        guard isInTmux else {
            return PaintedPicture(
                columns: fit.columns, rows: fit.rows, clearing: delete + erase, removal: delete,
                identity: identity, before: PictureCells.save, content: content,
                after: PictureCells.restore)
        }
        let lines = KittyPlaceholders.lines(identity, columns: fit.columns, rows: fit.rows)
        return PaintedPicture(
            columns: fit.columns, rows: fit.rows, clearing: Tmux.wrapped(delete) + erase,
            removal: Tmux.wrapped(delete), identity: identity, content: content,
            after: PictureCells.drawing(lines))
    }
}

/// Sequences of at most 4096 characters, the first one with the keys.
private struct KittyFraming: PictureFraming {
    let keys: String
    let isInTmux: Bool

    var bytesPerFrame: Int { KittyPixels.bytesPerSequence }
    var opening: [UInt8] { [] }

    func frame(_ base64: some Sequence<UInt8>, isFirst: Bool, isLast: Bool) -> [UInt8] {
        let first = isFirst ? keys + "," : ""
        let frame =
            Array("\u{1B}_G\(first)q=2,m=\(isLast ? 0 : 1);".utf8) + Array(base64) + [0x1B, 0x5C]
        return isInTmux ? Tmux.wrapped(frame) : frame
    }

    func closing(isWhole: Bool) -> [UInt8] { isWhole ? [] : frame([], isFirst: false, isLast: true) }
}

// MARK: - Zoom

extension PictureJob {
    /// A part of the picture, all of whose pixels the terminal gets only once.
    fileprivate func painted(_ viewport: Viewport) async throws(Chafa.Fault) -> PaintedPicture {
        let source = try await kitty.source(self)
        let view = viewport.view(of: picture.size, in: box, cell: cell)
        let part = view.source(width: source.width, height: source.height)
        let number = source.identity.number
        let placement =
            "\u{1B}_Ga=p,i=\(number),p=1,x=\(part.x),y=\(part.y),w=\(part.width),h=\(part.height),"
            + "c=\(view.columns),r=\(view.rows),C=1,q=2;\u{1B}\\"
        // The pixels stay, for the next part.
        let remove = Array("\u{1B}_Ga=d,d=i,i=\(number),q=2;\u{1B}\\".utf8)
        let erase = PictureCells.clearing(columns: view.columns, rows: view.rows)
        return PaintedPicture(
            columns: view.columns, rows: view.rows, clearing: remove + erase, removal: remove,
            identity: source.identity, before: PictureCells.save, content: .source(source),
            after: Array(placement.utf8) + PictureCells.restore)
    }
}

/// A picture whose pixels the terminal holds, so that any part of it is shown at once.
final class KittySource: Sendable {
    let identity: KittyIdentity
    let width: Int
    let height: Int

    private let keys: String
    /// `nil` once the terminal has them.
    private let pending: Mutex<[UInt8]?>

    /// The most pixels of a picture to zoom in: 43 MB on the line.
    static let mostPixels = 8_000_000

    fileprivate init(_ pixels: KittyPixels, _ identity: KittyIdentity) {
        self.identity = identity
        (width, height, keys) = (pixels.width, pixels.height, pixels.keys)
        pending = Mutex(pixels.sequences)
    }

    /// What the terminal has to get before a part can be shown; `nil` for nothing.
    var sequences: PictureSequences? {
        guard let bytes = pending.withLock(\.self) else { return nil }
        let first = "\u{1B}_Ga=t,\(keys),i=\(identity.number),q=2,m=1\u{1B}\\"
        return PictureSequences(
            first: Array(first.utf8), bytes: bytes, cut: .betweenSequences,
            ending: Array("\u{1B}_Gq=2,m=0;\u{1B}\\".utf8), isInTmux: false)
    }

    /// Notes that the terminal has the pixels.
    func didSend() { pending.withLock { $0 = nil } }
}

extension KittyMemory {
    /// The picture's pixels to zoom in: those of the last picture if it is the same, else chafa's.
    ///
    /// Those who ask at the same time get the same ones. All of them leave together, for another picture.
    fileprivate func source(_ job: PictureJob) async throws(Chafa.Fault) -> KittySource {
        let key = State.Key(job)
        let loading = state.withLock { state in
            if let (loaded, task) = state.loading, loaded == key, !task.isCancelled { return task }
            let task = Task { await load(job) }
            state.loading = (key, task)
            return task
        }
        let result = await withTaskCancellationHandler {
            await loading.value
        } onCancel: {
            loading.cancel()
        }
        if case .failure = result { forget(loading) }
        return try result.get()
    }

    private func load(_ job: PictureJob) async -> Result<KittySource, Chafa.Fault> {
        let (width, height) = (Double(job.picture.size.width), Double(job.picture.size.height))
        let scale = min(1, (Double(KittySource.mostPixels) / (width * height)).squareRoot())
        // Under the same number each time, so that the terminal forgets the last one. No other picture gets it.
        let identity = KittyIdentity(high: state.withLock(\.following).other, low: 1)
        do throws(Chafa.Fault) {
            let pixels = try await job.chafa.pixels(
                job.picture, width: max(1, Int(width * scale)), height: max(1, Int(height * scale)),
                background: job.box.background)
            return .success(KittySource(pixels, identity))
        } catch {
            return .failure(error)
        }
    }

    private func forget(_ loading: Task<Result<KittySource, Chafa.Fault>, Never>) {
        state.withLock { if $0.loading?.task == loading { $0.loading = nil } }
    }

    /// The number of an animation's frame: two in turn, so that one stays until the next one is there.
    fileprivate func frameIdentity(_ frame: Int) -> KittyIdentity {
        KittyIdentity(high: state.withLock(\.following).other, low: 2 + UInt8(frame % 2))
    }

    /// Forgets the picture that was zoomed in, because the terminal may have lost it.
    func loseSource() { state.withLock { $0.loading = nil } }

    /// Makes the terminal forget the picture that was zoomed in.
    var farewell: [UInt8] {
        let (other, isUsed) = state.withLock { ($0.following.other, $0.loading != nil) }
        let number = KittyIdentity(high: other, low: 1).number
        return isUsed ? Array("\u{1B}_Ga=d,d=I,i=\(number),q=2;\u{1B}\\".utf8) : []
    }
}

/// What pictures for kitty have in common: their numbers, and pixels that can be shown again in another box.
final class KittyMemory: Sendable {
    fileprivate struct State {
        var following: KittyIdentity
        /// The picture that was zoomed in last.
        var loading: (key: Key, task: Task<Result<KittySource, Chafa.Fault>, Never>)?
        var kept: [(key: Key, pixels: KittyPixels)] = []

        /// A picture before a background.
        struct Key: Hashable {
            let file: FileIdentity
            let background: String?

            init(_ job: PictureJob) {
                (file, background) = (job.picture.identity, job.box.background)
            }
        }
    }

    fileprivate let state: Mutex<State>

    /// The most bytes of pixels to keep.
    private static let limit = 48 << 20

    /// Numbers start at random unless `first` is given: other programs count in the same terminal. They are below
    /// 2^31, because Konsole takes larger ones for none.
    init(first: KittyIdentity?) {
        let start = first ?? KittyIdentity(high: .random(in: 1...126), low: .random(in: 1 ... .max))
        state = Mutex(State(following: start))
    }

    func nextIdentity() -> KittyIdentity {
        state.withLock { state in
            defer { state.following = state.following.next }
            return state.following
        }
    }

    /// The pixels of a picture in about this size: kept ones if the terminal can scale them, else chafa's.
    fileprivate func pixels(
        of picture: InspectedPicture, _ size: (width: Int, height: Int), _ job: PictureJob
    ) async throws(Chafa.Fault) -> KittyPixels {
        let key = State.Key(job)
        if let kept = state.withLock({
            $0.kept.first { $0.key == key && $0.pixels.serves(size) }
        }) {
            return kept.pixels
        }
        let pixels = try await job.chafa.pixels(
            picture, width: size.width, height: size.height, background: job.box.background)
        state.withLock { state in
            state.kept.removeAll { $0.key == key && $0.pixels.width <= pixels.width }
            state.kept.append((key, pixels))
            while state.kept.count > 1,
                state.kept.reduce(0, { $0 + $1.pixels.sequences.count }) > Self.limit
            {
                state.kept.removeFirst()
            }
        }
        return pixels
    }
}

/// A picture's number in kitty's protocol.
struct KittyIdentity: Hashable, Sendable {
    /// From 1: zero means no number.
    let high: UInt8
    let low: UInt8

    /// A highest byte that no following number has.
    fileprivate var other: UInt8 { high >= 127 ? 1 : high + 1 }

    var number: UInt32 { UInt32(high) << 24 | UInt32(low) }

    /// The next number; starts over after 255 pictures.
    var next: KittyIdentity { KittyIdentity(high: high, low: low == .max ? 1 : low + 1) }
}

/// Characters that stand for a picture's cells, so that tmux can treat the picture as text.
///
/// Source: kitty's graphics protocol, "Unicode placeholders".
enum KittyPlaceholders {
    /// The most rows or columns that the marks can count.
    static let most = marks.count

    /// The lines of a picture, for ``PictureCells/drawing(_:)``.
    ///
    /// The picture's number is in the color, which is of the palette of 256 because tmux may change a true
    /// color, and in the third mark, which has the number's highest byte. Every cell has its own row and
    /// column, because tmux may draw any of them alone.
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
    private static let marks: [Unicode.Scalar] = ranges.flatMap { $0.compactMap(Unicode.Scalar.init) }

    private static let ranges: [ClosedRange<UInt32>] = [
        0x0305...0x0305, 0x030D...0x030E, 0x0310...0x0310, 0x0312...0x0312, 0x033D...0x033F,
        0x0346...0x0346,
        0x034A...0x034C, 0x0350...0x0352, 0x0357...0x0357, 0x035B...0x035B, 0x0363...0x036F,
        0x0483...0x0487,
        0x0592...0x0595, 0x0597...0x0599, 0x059C...0x05A1, 0x05A8...0x05A9, 0x05AB...0x05AC,
        0x05AF...0x05AF,
        0x05C4...0x05C4, 0x0610...0x0617, 0x0657...0x065B, 0x065D...0x065E, 0x06D6...0x06DC,
        0x06DF...0x06E2,
        0x06E4...0x06E4, 0x06E7...0x06E8, 0x06EB...0x06EC, 0x0730...0x0730, 0x0732...0x0733,
        0x0735...0x0736,
        0x073A...0x073A, 0x073D...0x073D, 0x073F...0x0741, 0x0743...0x0743, 0x0745...0x0745,
        0x0747...0x0747,
        0x0749...0x074A, 0x07EB...0x07F1, 0x07F3...0x07F3, 0x0816...0x0819, 0x081B...0x0823,
        0x0825...0x0827,
        0x0829...0x082D, 0x0951...0x0951, 0x0953...0x0954, 0x0F82...0x0F83, 0x0F86...0x0F87,
        0x135D...0x135F,
        0x17DD...0x17DD, 0x193A...0x193A, 0x1A17...0x1A17, 0x1A75...0x1A7C, 0x1B6B...0x1B6B,
        0x1B6D...0x1B73,
        0x1CD0...0x1CD2, 0x1CDA...0x1CDB, 0x1CE0...0x1CE0, 0x1DC0...0x1DC1, 0x1DC3...0x1DC9,
        0x1DCB...0x1DCC,
        0x1DD1...0x1DE6, 0x1DFE...0x1DFE, 0x20D0...0x20D1, 0x20D4...0x20D7, 0x20DB...0x20DC,
        0x20E1...0x20E1,
        0x20E7...0x20E7, 0x20E9...0x20E9, 0x20F0...0x20F0, 0x2CEF...0x2CF1, 0x2DE0...0x2DFF,
        0xA66F...0xA66F,
        0xA67C...0xA67D, 0xA6F0...0xA6F1, 0xA8E0...0xA8F1, 0xAAB0...0xAAB0, 0xAAB2...0xAAB3,
        0xAAB7...0xAAB8,
        0xAABE...0xAABF, 0xAAC1...0xAAC1, 0xFE20...0xFE26, 0x10A0F...0x10A0F, 0x10A38...0x10A38,
        0x1D185...0x1D189, 0x1D1AA...0x1D1AD, 0x1D242...0x1D244,
    ]
}
