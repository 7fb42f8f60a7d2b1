import Foundation
import Testing

/// What a run of the tests left out. At its end a line for each reason says how much it was.
enum LeftOut: Hashable {
    /// Needs a program that is not installed.
    case program(String)
    /// Needs an ordinary user, not root.
    case root
    case thoroughTest
    /// Most cases of a test, which the thorough tier tries; those that were tried were chosen by `seed`.
    case cases(seed: UInt64)

    private static let places = Locked<[LeftOut: Set<SourceLocation>]>([:])

    /// Counts the test at `place`, however many of its cases are left out.
    static func note(_ reason: LeftOut, at place: SourceLocation) {
        places.withLock { places in
            if places.isEmpty { atexit { LeftOut.tell() } }
            places[reason, default: []].insert(place)
        }
    }

    /// The lines come after all that the tests have printed, since the process ends.
    private static func tell() {
        for line in places.withLock({ $0 }).map({ $0.line(of: $1.count) }).sorted() { print(line) }
        fflush(nil)
    }

    /// The line at the end of the run.
    func line(of count: Int) -> String {
        let (tests, need, them) = count == 1 ? ("1 test", "needs", "it") : ("\(count) tests", "need", "them")
        return switch self {
        case .program, .root: "skipped: \(tests) that \(need) \(comment)"
        case .thoroughTest: "quick tier: \(tests) left out; GALLERY_THOROUGH=1 swift test runs \(them)"
        case .cases(let seed):
            "quick tier: few cases of \(tests), chosen by seed \(seed); GALLERY_THOROUGH=1 swift test tries all"
        }
    }

    /// Why one test is left out.
    var comment: String {
        switch self {
        case .program(let name): "\(name), which is not installed"
        case .root: "an ordinary user, since root may read and write everything"
        case .thoroughTest, .cases: "runs with GALLERY_THOROUGH=1"
        }
    }
}
