import GalleryCore

// DEC's sixels, which chafa makes.
//
// Source: xterm's ctlseqs.txt, XTSMGRAPHICS.

extension PictureProtocol {
    static let sixel = PictureProtocol(
        name: "sixel", needsPassthrough: false, needsChafa: true,
        isSupported: { evidence in
            let hasSixel = evidence.answers?.hasSixel ?? false
            switch evidence.multiplexer {
            // Both have to: tmux answers for itself, and prints `SIXEL IMAGE` if its terminal has none.
            case .tmux: return hasSixel && evidence.tmux?.outerHasSixel == true
            case .opaque(isScreen: true): return false
            case .none, .opaque:
                return hasSixel
                    || evidence.isSilent && ["foot", "foot-extra", "mlterm"].contains(evidence.term)
            }
        }
    ) { job async throws(Chafa.Fault) -> PaintedPicture in
        let fit = job.sixelLimit.map { job.fit.limited(to: $0, cell: job.cell) } ?? job.fit
        let sixels = try await job.chafa.sixels(
            job.picture, width: fit.width, height: fit.height,
            registers: job.support.sixelRegisters, background: job.box.background)
        if job.support.isInTmux, sixels.sequence.count > Tmux.longestSequence {
            return try await job.paintSymbols()
        }
        let columns = min(fit.columns, (sixels.width + job.cell.width - 1) / job.cell.width)
        let rows = min(fit.rows, (sixels.height + job.cell.height - 1) / job.cell.height)
        return PaintedPicture(
            columns: columns, rows: rows, clearing: PictureCells.clearing(columns: columns, rows: rows),
            before: PictureCells.save,
            content: .sequences(
                .init(bytes: sixels.sequence, cut: .anywhere, ending: [0x1B, 0x5C], isInTmux: false)),
            after: PictureCells.restore)
    }
}

/// The largest sixel picture a terminal shows, in pixels.
///
/// xterm drops a larger one without a word. It reports the size of its window if that is smaller, so a limit
/// that equals the window says nothing about larger windows.
struct SixelLimit: Hashable, Sendable {
    let width: Int
    let height: Int

    /// What xterm allows unless configured otherwise, in either direction.
    private static let usual = 1000
    /// The most pixels of a sixel picture: more take terminals too long.
    static let mostPixels = 4_000_000

    /// The limit in a window now, by the terminal's answer in the window it was given in.
    ///
    /// - Parameters:
    ///   - reported: Width and height that the terminal reported.
    ///   - before: The window's pixels when it answered.
    ///   - now: The window's pixels now.
    init(reported: PixelSize, before: PixelSize?, now: PixelSize?) {
        func side(_ reported: Int, _ before: Int?, _ now: Int?) -> Int {
            guard let before, let now, now > before, reported >= before - 64 else { return reported }
            return max(reported, min(now, Self.usual))
        }
        width = side(reported.width, before?.width, now?.width)
        height = side(reported.height, before?.height, now?.height)
    }

    init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }
}
