extension PictureLayout {
    /// Pictures that are divided together: the ways to divide more are too many to look at.
    static let mosaicBlock = 7

    /// Pictures in their own proportions that fill a rectangle, divided again and again into columns and rows.
    ///
    /// The canvas is as high as the pictures need at its width, so that none is cropped but by the
    /// rounding of its edges. Of all ways to divide it, one close to 3:2 with pictures of similar size is
    /// chosen; pictures keep their order. More than seven make several such blocks, one below the other. There
    /// is no gap where the pictures have no room for it.
    static func mosaic(_ sizes: [PixelSize], width: Int, gap: Int) -> PictureLayout {
        let blocks = (sizes.count + mosaicBlock - 1) / mosaicBlock
        var frames: [LayoutFrame] = []
        var top = 0.0
        for block in 0..<blocks {
            let range = (sizes.count * block / blocks)..<(sizes.count * (block + 1) / blocks)
            let search = MosaicSearch(ratios: sizes[range].map(\.ratio), width: Double(max(1, width)))
            let (division, gap) = search.best(gap: Double(max(0, gap)))
            let height = division.height(width: search.width, gap: gap)
            frames += division.frames(left: 0, top: top, width: search.width, height: height, gap: gap)
            top = (top + height).rounded() + gap
        }
        return PictureLayout(frames: frames)
    }
}

/// A rectangle: one picture, or two parts side by side or one below the other.
private indirect enum Division {
    case picture(ratio: Double)
    case columns(Division, Division)
    case rows(Division, Division)

    /// Its width as a multiple of its height and a number of gaps: with gaps of fixed width a
    /// division's width grows with its height, not in proportion to it.
    var slope: (perHeight: Double, gaps: Double) {
        switch self {
        case .picture(let ratio): return (ratio, 0)
        case .columns(let left, let right):
            let (left, right) = (left.slope, right.slope)
            return (left.perHeight + right.perHeight, left.gaps + right.gaps + 1)
        case .rows(let upper, let lower):
            let (upper, lower) = (upper.slope, lower.slope)
            let inverse = 1 / upper.perHeight + 1 / lower.perHeight
            let gaps = upper.gaps / upper.perHeight + lower.gaps / lower.perHeight - 1
            return (1 / inverse, gaps / inverse)
        }
    }

    func height(width: Double, gap: Double) -> Double {
        let slope = slope
        return (width - slope.gaps * gap) / slope.perHeight
    }

    func frames(left: Double, top: Double, width: Double, height: Double, gap: Double) -> [LayoutFrame] {
        switch self {
        case .picture:
            return [LayoutFrame(left: left, top: top, right: left + width, bottom: top + height)]
        case .columns(let one, let other):
            let slope = one.slope
            let part = slope.perHeight * height + slope.gaps * gap
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
        switch self {
        case .picture: return [1]
        case .columns(let one, let other):
            let part = one.slope.perHeight / slope.perHeight
            return one.shares.map { $0 * part } + other.shares.map { $0 * (1 - part) }
        case .rows(let one, let other):
            let part = slope.perHeight / one.slope.perHeight
            return one.shares.map { $0 * part } + other.shares.map { $0 * (1 - part) }
        }
    }
}

/// Looks at the ways to divide a rectangle among a few pictures, and keeps the best.
private struct MosaicSearch {
    let ratios: [Double]
    let width: Double

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
        return roomy.map { ($0, gap) } ?? (all.first ?? .picture(ratio: 1), 0)
    }

    /// Divisions of all pictures, in a fixed order; of those with nearly one proportion the most even.
    private func divisions() -> [Division] {
        // By first picture and count.
        var known: [[[Candidate]]] = ratios.map { [[Candidate($0)]] }
        for count in stride(from: 2, through: ratios.count, by: 1) {
            for start in 0...(ratios.count - count) {
                var kept: [Int: Candidate] = [:]
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
        return known.first?.last?.map(\.division) ?? []
    }

    private func cost(_ division: Division) -> Double {
        let ratio = division.slope.perHeight / 1.5
        let miss = max(ratio, 1 / ratio) - 1
        let unevenness = division.shares.reduce(0) { sum, share in
            let relative = share * Double(ratios.count)
            let miss = max(relative, 1 / relative) - 1
            return sum + miss * miss
        }
        return miss * miss * 4 + unevenness / Double(ratios.count)
    }

    /// A division with what decides whether it is worth building on.
    private struct Candidate {
        let division: Division
        /// Width by height, without gaps.
        let ratio: Double
        /// The smallest picture's share of the area.
        let smallest: Double

        init(_ ratio: Double) {
            self.init(.picture(ratio: ratio), ratio: ratio, smallest: 1)
        }

        private init(_ division: Division, ratio: Double, smallest: Double) {
            self.division = division
            self.ratio = ratio
            self.smallest = smallest
        }

        func beside(_ other: Candidate) -> Candidate {
            let whole = ratio + other.ratio
            return Candidate(
                .columns(division, other.division), ratio: whole,
                smallest: min(smallest * ratio / whole, other.smallest * other.ratio / whole))
        }

        func above(_ other: Candidate) -> Candidate {
            let whole = 1 / (1 / ratio + 1 / other.ratio)
            return Candidate(
                .rows(division, other.division), ratio: whole,
                smallest: min(smallest * whole / ratio, other.smallest * whole / other.ratio))
        }

        /// Keeps the most even candidate for each step of proportions.
        func keep(in kept: inout [Int: Candidate]) {
            let step = Int((ratio >= 1 ? ratio : 2 - 1 / ratio) * 8)
            if let better = kept[step], better.smallest >= smallest { return }
            kept[step] = self
        }
    }
}
