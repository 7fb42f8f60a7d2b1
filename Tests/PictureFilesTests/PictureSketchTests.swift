import PictureFiles
import Testing

@Suite struct PictureSketchTests {
    /// A picture of lights and shadows in places that the seed decides, in eight rows of nine; as large as told, and as
    /// `brightness` makes it.
    private static func pixels(
        _ seed: Int, scale: Int = 4, isMirrored: Bool = false, _ brightness: (Int) -> Int = { $0 }
    ) -> [UInt8] {
        var (state, lights) = (UInt32(seed), [Int]())
        for _ in 0..<72 {
            state = state &* 1_664_525 &+ 1_013_904_223
            lights.append(60 + Int(state >> 24) / 2)
        }
        return (0..<8 * scale).flatMap { y in
            (0..<9 * scale).flatMap { x in
                let column = isMirrored ? 8 - x / scale : x / scale
                // Finer than what is looked at.
                let value = brightness(lights[y / scale * 9 + column] + (x + y) % 2 * 9)
                return Array(repeating: UInt8(min(255, max(0, value))), count: 3)
            }
        }
    }

    private static func sketch(
        _ pixels: [UInt8], scale: Int = 4, bytesPerPixel: Int = 3
    ) throws -> PictureSketch {
        try #require(
            PictureSketch(pixels, width: 9 * scale, height: 8 * scale, bytesPerPixel: bytesPerPixel))
    }

    @Test func `a picture looks like itself in another size, brighter, or with less contrast`() throws {
        for seed in 1...20 {
            let sketch = try Self.sketch(Self.pixels(seed))
            for other in [
                try Self.sketch(Self.pixels(seed, scale: 7), scale: 7),
                try Self.sketch(Self.pixels(seed) { $0 * 6 / 10 + 90 }),
                try Self.sketch(Self.pixels(seed) { $0 - 20 }),
            ] { #expect(sketch.looksLike(other) && other.looksLike(sketch), "\(seed)") }
        }
    }

    @Test func `another picture, or the same one mirrored, looks different`() throws {
        let sketches = try (1...12).map { try Self.sketch(Self.pixels($0)) }
        let pairs = sketches.indices.flatMap { first in
            sketches.indices.filter { $0 > first }.map { (sketches[first], sketches[$0]) }
        }
        #expect(!pairs.contains { $0.looksLike($1) })
        for seed in 1...12 {
            let mirrored = try Self.sketch(Self.pixels(seed, isMirrored: true))
            #expect(!sketches[seed - 1].looksLike(mirrored), "\(seed)")
        }
    }

    @Test func `opacities are left out, and there is none of too few pixels`() throws {
        let pixels = Self.pixels(3)
        let withOpacity = pixels.indices.flatMap { $0 % 3 == 2 ? [pixels[$0], UInt8.max] : [pixels[$0]] }
        #expect(try Self.sketch(withOpacity, bytesPerPixel: 4) == Self.sketch(pixels))
        #expect(PictureSketch(pixels, width: 8, height: 144, bytesPerPixel: 3) == nil)
        #expect(PictureSketch(pixels, width: 144, height: 7, bytesPerPixel: 3) == nil)
        #expect(PictureSketch(Array(pixels.dropLast()), width: 36, height: 32, bytesPerPixel: 3) == nil)
    }
}
