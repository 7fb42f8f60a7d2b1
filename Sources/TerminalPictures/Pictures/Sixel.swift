import Basics

// DEC's sixels, which chafa makes. Source: xterm's ctlseqs.txt, XTSMGRAPHICS.

extension PictureProtocol {
    static let sixel = PictureProtocol(
        name: "sixel", needsPassthrough: false, needsChafa: true,
        isShown: {
            $0.answers?.hasSixel == true || $0.isSilent && ["foot", "foot-extra", "mlterm"].contains($0.term)
        },
        // Both have to: tmux answers for itself, and prints `SIXEL IMAGE` if its terminal has none.
        isShownInTmux: { $0.answers?.hasSixel == true && $0.tmux?.outerHasSixel == true }
    ) { job async throws(Chafa.Fault) -> [PaintedPicture] in
        let fit = job.sixelLimit.map { job.fit.limited(to: $0, cell: job.cell) } ?? job.fit
        // tmux drops sequences that are too long.
        if job.support.isInTmux, job.timeline != nil { return [] }
        let sixels = try await job.chafa.sixels(job, fit)
        if job.support.isInTmux, sixels.contains(where: { $0.sequence.count > Tmux.longestSequence }) {
            return try await PictureProtocol.symbols.paint(job)
        }
        return sixels.map { PaintedPicture(sixels: $0, fit, job) }
    }
}

extension PaintedPicture {
    /// A picture in as many cells as its pixels take, and the theme's color in what is left of them: some
    /// terminals show that in another one.
    fileprivate init(sixels: ChafaOutput.Sixels, _ fit: PictureFit, _ job: PictureJob) {
        let columns = min(fit.columns, (sixels.width + job.cell.width - 1) / job.cell.width)
        let rows = min(fit.rows, (sixels.height + job.cell.height - 1) / job.cell.height)
        let sixels = sixels.padded(
            width: columns * job.cell.width, height: rows * job.cell.height, color: job.box.background,
            registers: job.support.answers?.sixelRegisters ?? 256)
        let stream = PictureStream(source: .memory(sixels.sequence), bytesPerFrame: 1 << 15) { bytes, _, _ in
            bytes
        } closing: { isWhole in
            isWhole ? [] : [0x1B, 0x5C]
        }
        self.init(columns: columns, rows: rows, stream: stream)
    }
}

extension ChafaOutput.Sixels {
    /// The same with a margin to the right and below in `color`, such as `1c1c1c`; unchanged where that is `nil`, for
    /// the terminal's own, or no register is left for it.
    func padded(width wide: Int, height high: Int, color: String?, registers: Int) -> Self {
        guard wide >= width, high >= height, wide > width || high > height,
            let color = color.flatMap({ UInt32($0, radix: 16) }),
            let mark = sequence.firstIndex(of: UInt8(ascii: "\""))
        else { return self }
        let number = lastRegister + 1
        guard number < registers else { return self }
        let parts: [UInt32] = [color >> 16 & 0xFF, color >> 8 & 0xFF, color & 0xFF]
        let percents = parts.map { part in "\((part * 100 + 127) / 255)" }.joined(separator: ";")
        let body = sequence[(mark + 1)...].drop { (0x30...0x3B).contains($0) }.dropLast(2)
        let right = wide > width ? Array("$#\(number)!\(width)?!\(wide - width)~-".utf8) : [0x2D]
        var padded = Array(sequence[..<mark])
        padded.reserveCapacity(sequence.count + (height / 6 + 1) * right.count + high)
        padded += Array("\"1;1;\(wide);\(high)#\(number);2;\(percents)".utf8)
        // Bands of six lines, each of which ends by a hyphen; nothing but line ends after the last one is no band.
        var bands = body.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        if bands.last?.allSatisfy({ $0 == 0x0A || $0 == 0x0D }) == true { bands.removeLast() }
        for band in bands { padded += band + right }
        let below = high - height
        for _ in 0..<(below / 6) { padded += Array("#\(number)!\(wide)~-".utf8) }
        if below % 6 > 0 {
            let lines = UInt8(62) + (UInt8(1) << UInt8(below % 6))
            padded += Array("#\(number)!\(wide)".utf8) + [lines, 0x2D]
        }
        return Self(width: wide, height: high, sequence: padded + [0x1B, 0x5C])
    }

    /// The highest register that a color is given to.
    private var lastRegister: Int {
        sequence.withUnsafeBytes { bytes in
            var last = -1
            for mark in bytes.indices where bytes[mark] == UInt8(ascii: "#") {
                let digits = bytes[(mark + 1)...].prefix(5).prefix { (0x30...0x39).contains($0) }
                // `#1;2;…` gives a color; `#1` uses it.
                guard digits.count < 5, digits.endIndex < bytes.count,
                    bytes[digits.endIndex] == UInt8(ascii: ";")
                else { continue }
                last = max(last, digits.reduce(0) { $0 * 10 + Int($1) - 48 })
            }
            return last
        }
    }
}

/// The largest sixel picture a terminal shows, in pixels. xterm drops a larger one without a word. It reports the size
/// of its window if that is smaller, so a limit that equals the window says nothing about larger windows.
enum SixelLimit {
    /// What xterm allows unless configured otherwise, in either direction.
    private static let usual = 1000
    /// The most pixels of a sixel picture: more take terminals too long.
    static let mostPixels = 4_000_000

    /// The limit in a window now, by the terminal's answer when the window had the pixels `before`.
    static func size(reported: PixelSize, before: PixelSize?, now: PixelSize?) -> PixelSize? {
        func side(_ reported: Int, _ before: Int?, _ now: Int?) -> Int {
            guard let before, let now, now > before, reported >= before - 64 else { return reported }
            return max(reported, min(now, Self.usual))
        }
        return PixelSize(
            width: side(reported.width, before?.width, now?.width),
            height: side(reported.height, before?.height, now?.height))
    }
}
