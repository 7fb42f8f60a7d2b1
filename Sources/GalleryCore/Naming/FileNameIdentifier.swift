extension FileName {
    /// A photo's identifier as a part of a name, at most 64 bytes.
    ///
    /// Different identifiers stay different, which cleaning alone would not do: `-5`
    /// and `5`, or two long ones that begin alike. One that had to be changed gets a
    /// digest of what it was.
    static func identifier(_ value: String) -> String {
        let longest = 64
        let name = component(value, fallback: "photo", limit: longest)
        if name.utf8.elementsEqual(value.utf8) { return name }
        let digest = digest(of: value)
        return shortened(name, to: longest - 1 - digest.utf8.count) + "~" + digest
    }

    /// Whether no other identifier gives the same name on any system, even where
    /// case does not count.
    static func isPlain(identifier value: String) -> Bool {
        let isPlain = value.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"): true
            case UInt8(ascii: "_"), UInt8(ascii: "-"): true
            default: false
            }
        }
        return isPlain && identifier(value).utf8.elementsEqual(value.utf8)
    }

    /// Eight hexadecimal digits that depend on every byte: FNV-1a, folded to 32 bits.
    ///
    /// Not meant against an attacker: who makes two photos share a name sees the
    /// later one numbered. Source: RFC 9923.
    private static func digest(of text: String) -> String {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in text.utf8 {
            hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
        }
        let digits = String(UInt32(truncatingIfNeeded: hash ^ hash >> 32), radix: 16)
        return String(repeating: "0", count: 8 - digits.utf8.count) + digits
    }
}
