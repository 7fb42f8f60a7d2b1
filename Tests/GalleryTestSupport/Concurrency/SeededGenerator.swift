/// Random numbers that are the same on every run and system (SplitMix64).
///
/// Source: Steele, Lea and Flood, "Fast Splittable Pseudorandom Number
/// Generators", 2014. The standard library's generators cannot be seeded.
public struct SeededGenerator: RandomNumberGenerator, Sendable {
    private var state: UInt64

    /// Creates a generator; equal seeds give equal sequences. Any seed works, including zero.
    public init(seed: UInt64) {
        state = seed
    }

    /// The next number, from the whole range of `UInt64`.
    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
