/// How many pixels of a picture have each value, from 0 to 255.
package struct Histogram: Hashable, Sendable {
    package enum Channel: Hashable, Sendable, CaseIterable {
        case luminance, red, green, blue
    }

    /// Of each channel 256 counts.
    private var counts: [Channel: [Int]] = [:]
    /// How many pixels were counted.
    private let pixels: Int

    /// Counts pixels of three or four bytes each; those that are more transparent than not are left out.
    package init(_ bytes: [UInt8], bytesPerPixel: Int) {
        var counts = Array(repeating: Array(repeating: 0, count: 256), count: 4)
        var pixels = 0
        for start in stride(from: 0, through: bytes.count - bytesPerPixel, by: bytesPerPixel)
        where bytesPerPixel < 4 || bytes[start + 3] >= 128 {
            let (red, green, blue) = (Int(bytes[start]), Int(bytes[start + 1]), Int(bytes[start + 2]))
            // ITU-R BT.709, in whole numbers.
            counts[0][(2126 * red + 7152 * green + 722 * blue + 5000) / 10000] += 1
            counts[1][red] += 1
            counts[2][green] += 1
            counts[3][blue] += 1
            pixels += 1
        }
        self.pixels = pixels
        for (channel, counts) in zip(Channel.allCases, counts) { self.counts[channel] = counts }
    }

    /// The shares, from 0 to 1, of pixels that are black, and white: nothing can be told apart in them.
    package var clipped: (shadows: Double, highlights: Double) {
        let luminance = counts[.luminance] ?? []
        func share(_ counts: ArraySlice<Int>) -> Double {
            pixels == 0 ? 0 : Double(counts.reduce(0, +)) / Double(pixels)
        }
        // A value beside them is what scaling makes of them.
        return (share(luminance.prefix(2)), share(luminance.suffix(2)))
    }

    /// The heights of so many columns, from 0 to 1. What is black or white does not make the others low.
    package func heights(_ channel: Channel, columns: Int) -> [Double] {
        let columns = min(max(1, columns), 256)
        let counts = counts[channel] ?? []
        let sums = (0..<columns).map { column in
            let range = 256 * column / columns..<256 * (column + 1) / columns
            // A column of more values would be higher.
            return Double(counts[range].reduce(0, +)) / Double(range.count)
        }
        let inner = sums.dropFirst().dropLast().max() ?? 0
        let highest = inner > 0 ? inner : sums.max() ?? 0
        return sums.map { highest > 0 ? min(1, $0 / highest) : 0 }
    }
}
