import Foundation
import Testing

/// Which of two tiers runs: the quick one, which everybody runs, or the thorough one, which the gate runs besides.
///
/// `swift test` tries few cases of what takes long; `GALLERY_THOROUGH=1 swift test` tries all of them, and with a
/// larger number, such as `GALLERY_THOROUGH=20`, as many times more of what chance makes: mutations, faults, orders.
public enum Thorough {
    /// How many times more than usual the thorough tier tries; 0 in the quick tier.
    private static let times =
        ProcessInfo.processInfo.environment["GALLERY_THOROUGH"].flatMap { Int($0) } ?? 0
    /// What chooses the cases of the quick tier, the same in each run.
    private static let seed: UInt64 = 41

    /// Whether the thorough tier runs.
    public static var isOn: Bool { times > 0 }

    /// All of the cases, or in the quick tier a few of them: one, chosen by chance, from each of `few` equal spans.
    ///
    ///     @Test(arguments: Thorough.cases(try MutationTarget.all(), few: 8))
    public static func cases<Case>(
        _ all: some Collection<Case>, few: Int, at place: SourceLocation = #_sourceLocation
    ) -> [Case] {
        let all = Array(all)
        guard !isOn, few < all.count else { return all }
        LeftOut.note(.cases(seed: seed), at: place)
        var chance = SeededGenerator(seed: seed)
        return (0..<few).map { span in
            all[.random(in: all.count * span / few..<all.count * (span + 1) / few, using: &chance)]
        }
    }

    /// How many rounds to try of what chance makes: `many`, or in the quick tier `few`.
    public static func rounds(_ many: Int, few: Int, at place: SourceLocation = #_sourceLocation) -> Int {
        guard !isOn else { return many * times }
        LeftOut.note(.cases(seed: seed), at: place)
        return few
    }

    /// How many of something there are to be at once, such as items of one list: `large`, or in the quick tier `small`.
    public static func size(_ large: Int, small: Int, at place: SourceLocation = #_sourceLocation) -> Int {
        guard !isOn else { return large }
        LeftOut.note(.cases(seed: seed), at: place)
        return small
    }
}

extension Trait where Self == Condition {
    /// Runs in the thorough tier alone; the quick one, which everybody runs, leaves it out.
    public static var thorough: Self { Condition(.thoroughTest) { Thorough.isOn } }
}
