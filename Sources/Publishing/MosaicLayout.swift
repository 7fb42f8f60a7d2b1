import Basics

extension PictureLayout {
    /// Pictures that are divided together: the ways to divide more are too many to look at.
    static let mosaicBlock = 7

    /// Pictures in their own proportions that fill a rectangle, divided again and again into columns and rows.
    ///
    /// The canvas is as high as the pictures need at its width, so that none is cropped but by the
    /// rounding of its edges. Of all ways to divide it, one close to `ratio`, 3:2 where any will do, with pictures
    /// of similar size is chosen; pictures keep their order. More than seven make several such blocks, one below the other. There
    /// is no gap where the pictures have no room for it.
    static func mosaic(_ sizes: [PixelSize], width: Int, gap: Int, ratio: Double? = nil) -> PictureLayout {
        let blocks = (sizes.count + mosaicBlock - 1) / mosaicBlock
        var frames: [LayoutFrame] = []
        var top = 0.0
        for block in 0..<blocks {
            let range = (sizes.count * block / blocks)..<(sizes.count * (block + 1) / blocks)
            let search = MosaicSearch(
                ratios: sizes[range].map(\.ratio), width: Double(max(1, width)),
                ratio: ratio.map { $0 * Double(blocks) } ?? 1.5)
            let (division, gap) = search.best(gap: Double(max(0, gap)))
            let height = division.height(width: search.width, gap: gap)
            frames += division.frames(left: 0, top: top, width: search.width, height: height, gap: gap)
            top = (top + height).rounded() + gap
        }
        return PictureLayout(frames: frames)
    }
}

/// A rectangle: one picture, or two parts side by side or one below the other.
private struct Division {
    indirect enum Parts {
        case none
        case columns(Division, Division)
        case rows(Division, Division)
    }

    var parts = Parts.none
    /// Its width as a multiple of its height and of a number of gaps: with gaps of fixed width a division's
    /// width grows with its height, not in proportion to it.
    let perHeight: Double
    var gaps = 0.0
    /// The smallest picture's share of the area, gaps aside.
    var smallest = 1.0

    func beside(_ other: Division) -> Division {
        let whole = perHeight + other.perHeight
        return Division(
            parts: .columns(self, other), perHeight: whole, gaps: gaps + other.gaps + 1,
            smallest: min(smallest * perHeight / whole, other.smallest * other.perHeight / whole))
    }

    func above(_ other: Division) -> Division {
        let inverse = 1 / perHeight + 1 / other.perHeight
        let whole = 1 / inverse
        return Division(
            parts: .rows(self, other), perHeight: whole,
            gaps: (gaps / perHeight + other.gaps / other.perHeight - 1) / inverse,
            smallest: min(smallest * whole / perHeight, other.smallest * whole / other.perHeight))
    }

    func height(width: Double, gap: Double) -> Double { (width - gaps * gap) / perHeight }

    func frames(left: Double, top: Double, width: Double, height: Double, gap: Double) -> [LayoutFrame] {
        switch parts {
        case .none: return [LayoutFrame(left: left, top: top, right: left + width, bottom: top + height)]
        case .columns(let one, let other):
            let part = one.perHeight * height + one.gaps * gap
            return one.frames(left: left, top: top, width: part, height: height, gap: gap)
                + other.frames(
                    left: left + part + gap, top: top, width: width - part - gap, height: height, gap: gap)
        case .rows(let one, let other):
            let part = one.height(width: width, gap: gap)
            return one.frames(left: left, top: top, width: width, height: part, gap: gap)
                + other.frames(
                    left: left, top: top + part + gap, width: width, height: height - part - gap, gap: gap)
        }
    }

    /// The share of the area that each picture has, gaps aside.
    var shares: [Double] {
        switch parts {
        case .none: return [1]
        case .columns(let one, let other): return shares(one, other, one.perHeight / perHeight)
        case .rows(let one, let other): return shares(one, other, perHeight / one.perHeight)
        }
    }

    private func shares(_ one: Division, _ other: Division, _ part: Double) -> [Double] {
        one.shares.map { $0 * part } + other.shares.map { $0 * (1 - part) }
    }

    /// Keeps the most even division for each step of proportions.
    func keep(in kept: inout [Int: Division]) {
        let step = Int((perHeight >= 1 ? perHeight : 2 - 1 / perHeight) * 8)
        if let better = kept[step], better.smallest >= smallest { return }
        kept[step] = self
    }
}

/// Looks at the ways to divide a rectangle among a few pictures, and keeps the best.
private struct MosaicSearch {
    let ratios: [Double]
    let width: Double
    /// Width by height that the rectangle should have.
    let ratio: Double

    /// The most pleasing division at `gap`, and the gap; without one where no division has room for it.
    func best(gap: Double) -> (Division, gap: Double) {
        let all = divisions().sorted { cost($0) < cost($1) }
        let roomy = all.first { division in
            let height = division.height(width: width, gap: gap)
            guard height >= 1 else { return false }
            return zip(division.frames(left: 0, top: 0, width: width, height: height, gap: gap), ratios)
                // A frame squeezed to nothing has lost its proportions.
                .allSatisfy { frame, ratio in frame.crop(of: ratio) < 0.1 }
        }
        return roomy.map { ($0, gap) } ?? (all.first ?? Division(perHeight: 1), 0)
    }

    /// Divisions of all pictures, in a fixed order; of those with nearly one proportion the most even.
    private func divisions() -> [Division] {
        // By first picture and count.
        var known = ratios.map { [[Division(perHeight: $0)]] }
        for count in stride(from: 2, through: ratios.count, by: 1) {
            for start in 0...(ratios.count - count) {
                var kept: [Int: Division] = [:]
                for part in 1..<count {
                    for one in known[start][part - 1] {
                        for other in known[start + part][count - part - 1] {
                            one.beside(other).keep(in: &kept)
                            one.above(other).keep(in: &kept)
                        }
                    }
                }
                known[start].append(kept.sorted { $0.key < $1.key }.map(\.value))
            }
        }
        return known.first?.last ?? []
    }

    private func cost(_ division: Division) -> Double {
        func miss(_ ratio: Double) -> Double { max(ratio, 1 / ratio) - 1 }
        let unevenness = division.shares.map { share in
            let miss = miss(share * Double(ratios.count))
            return miss * miss
        }.reduce(0, +)
        let proportion = miss(division.perHeight / ratio)
        return proportion * proportion * 4 + unevenness / Double(ratios.count)
    }
}
