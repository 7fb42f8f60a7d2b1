import GalleryCore

/// One picture, its size on the screen settled, painted by one of the ways.
struct PictureJob: Sendable {
    let picture: InspectedPicture
    let fit: PictureFit
    let support: TerminalPictureSupport
    let chafa: PictureChafa

    /// Pixels sent to kitty one by one. More are not worth what they take over a slow line.
    private static let mostRasterPixels = 1_500_000.0
    private static let mostSixelPixels = 4_000_000.0

    /// The file as it is. Its name is not sent.
    func iterm(at place: CellPosition?, takesParts: Bool) -> PaintedPicture {
        let arguments =
            "inline=1;size=\(picture.length);width=\(fit.columns);height=\(fit.rows);preserveAspectRatio=1"
        let clearing = PictureCells.clearing(columns: fit.columns, rows: fit.rows)
        guard let place else {
            return painted(
                .init(framing: .iterm(arguments: arguments), source: .file(picture)), clearing: clearing)
        }
        // tmux knows nothing of the picture and erases no cell that it takes for empty.
        let move = Array("\u{1B}7\u{1B}[\(place.row);\(place.column)H".utf8)
        let framing = PictureFraming.itermInTmux(
            arguments: arguments, place: place,
            isInParts: takesParts && picture.length > PictureTmux.longestFile)
        return PaintedPicture(
            columns: fit.columns, rows: fit.rows,
            clearing: PictureTmux.wrapped(move + clearing + PictureCells.restore), before: [], after: [],
            content: .init(framing: framing, source: .file(picture)))
    }

    /// A PNG as it is, everything else as pixels.
    func kitty(_ identity: PictureIdentity) async throws(PictureChafa.Fault) -> PaintedPicture {
        var format = "f=100"
        var source = PaintedPicture.Source.file(picture)
        if !support.shows(picture.type) {
            let (width, height) = Self.limited(fit, to: Self.mostRasterPixels)
            let raster = try await chafa.raster(picture, width: width, height: height)
            format = "f=32,s=\(raster.width),v=\(raster.height)"
            source = .bytes(raster.bytes)
        }
        let delete = Array("\u{1B}_Ga=d,d=I,i=\(identity.number),q=2;\u{1B}\\".utf8)
        let erase = PictureCells.clearing(columns: fit.columns, rows: fit.rows)
        guard support.isInTmux else {
            // One side only, so that kitty keeps the shape.
            let side = fit.isLimitedByWidth ? "c=\(fit.columns)" : "r=\(fit.rows)"
            let keys = "a=T,\(format),i=\(identity.number),\(side),C=1"
            return painted(
                .init(framing: .kitty(keys: keys, isInTmux: false), source: source), clearing: delete + erase)
        }
        let keys = "a=T,U=1,\(format),i=\(identity.number),c=\(fit.columns),r=\(fit.rows)"
        return PaintedPicture(
            columns: fit.columns, rows: fit.rows, clearing: PictureTmux.wrapped(delete) + erase, before: [],
            after: PictureCells.drawing(
                PicturePlaceholders.lines(identity, columns: fit.columns, rows: fit.rows)),
            content: .init(framing: .kitty(keys: keys, isInTmux: true), source: source))
    }

    /// Sixels, or characters where tmux would drop so many.
    func sixel() async throws(PictureChafa.Fault) -> PaintedPicture {
        let (width, height) = Self.limited(fit, to: Self.mostSixelPixels)
        let sequence = try await chafa.sixels(picture, width: width, height: height)
        if support.isInTmux, sequence.count > PictureTmux.longestSequence { return try await symbols() }
        return painted(sequence, clearing: PictureCells.clearing(columns: fit.columns, rows: fit.rows))
    }

    /// Colored characters.
    func symbols() async throws(PictureChafa.Fault) -> PaintedPicture {
        let lines = try await chafa.symbols(
            picture, columns: fit.columns, rows: fit.rows, colors: support.colors)
        return PaintedPicture(
            columns: fit.columns, rows: lines.count,
            clearing: PictureCells.clearing(columns: fit.columns, rows: lines.count),
            before: PictureCells.drawing(lines.map { $0 + Array("\u{1B}[0m".utf8) }), after: [],
            content: nil)
    }

    private func painted(_ content: PaintedPicture.Content, clearing: [UInt8]) -> PaintedPicture {
        PaintedPicture(
            columns: fit.columns, rows: fit.rows, clearing: clearing, before: PictureCells.save,
            after: PictureCells.restore, content: content)
    }

    private func painted(_ sequence: [UInt8], clearing: [UInt8]) -> PaintedPicture {
        PaintedPicture(
            columns: fit.columns, rows: fit.rows, clearing: clearing,
            before: PictureCells.save + sequence, after: PictureCells.restore, content: nil)
    }

    private static func limited(_ fit: PictureFit, to most: Double) -> (width: Int, height: Int) {
        let scale = min(1, (most / (Double(fit.width) * Double(fit.height))).squareRoot())
        return (max(1, Int(Double(fit.width) * scale)), max(1, Int(Double(fit.height) * scale)))
    }
}
