/// A picture's pixels, row by row.
struct KittyPixels: Sendable, Hashable {
    let width: Int
    let height: Int
    /// Whether each pixel has an opacity after its red, green, and blue.
    var hasOpacity = true
    let bytes: [UInt8]

    /// How kitty's protocol describes them.
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

    /// Whether they look right in another size: neither blurred, nor far too many.
    func serves(_ size: (width: Int, height: Int)) -> Bool {
        width * 5 >= size.width * 4 && height * 5 >= size.height * 4
            && width <= size.width * 2 && height <= size.height * 2
    }
}
