import Foundation
import GalleryTestSupport
import Testing

@testable import GalleryCore

@Suite struct EvictionPlanTests {
    struct Case: CustomTestStringConvertible {
        let testDescription: String
        /// Name, bytes, last use in seconds.
        var entries: [(String, Int64, Double)]
        let limit: Int64
        var oldest = -1e9
        let victims: [String]
    }

    @Test(arguments: [
        Case(testDescription: "nothing there", entries: [], limit: 0, victims: []),
        Case(
            testDescription: "within the limit", entries: [("a", 60, 1), ("b", 40, 2)], limit: 100,
            victims: []),
        Case(
            testDescription: "one byte over: the oldest goes", entries: [("b", 41, 2), ("a", 60, 1)],
            limit: 100, victims: ["a"]),
        Case(
            testDescription: "a tenth more goes than needed",
            entries: [("a", 5, 1), ("b", 5, 2), ("c", 5, 3), ("d", 86, 4)], limit: 100,
            victims: ["a", "b", "c"]),
        Case(
            testDescription: "equally old ones go by name",
            entries: [("b", 50, 1), ("a", 50, 1), ("c", 50, 1)],
            limit: 100, victims: ["a", "b"]),
        Case(
            testDescription: "one that alone is too much goes", entries: [("a", 200, 1)], limit: 100,
            victims: ["a"]),
        Case(
            testDescription: "what is unused for long goes within the limit too",
            entries: [("a", 1, 1), ("b", 1, 2), ("c", 1, 3)], limit: 100, oldest: 2.5, victims: ["a", "b"]),
        Case(
            testDescription: "no room at all", entries: [("a", 1, 1), ("b", 1, 2)], limit: 0,
            victims: ["a", "b"]),
        Case(testDescription: "empty files do no harm", entries: [("a", 0, 1)], limit: 0, victims: []),
    ])
    func `the least recently used go first`(test: Case) {
        let entries = test.entries.map {
            EvictionPlan.Entry(name: $0.0, bytes: $0.1, lastUse: Date(timeIntervalSince1970: $0.2))
        }
        let plan = EvictionPlan(
            entries, limit: test.limit, oldest: Date(timeIntervalSince1970: test.oldest))
        #expect(plan.victims == test.victims)
        let stay = entries.filter { !test.victims.contains($0.name) }
        #expect(plan.remaining == stay.reduce(0) { $0 + $1.bytes })
    }

    @Test func `whatever is there, the limit holds and nothing older than a victim stays`() {
        var chance = SeededGenerator(seed: 4)
        for _ in 0..<500 {
            let entries = (0..<Int.random(in: 0...40, using: &chance)).map { number in
                EvictionPlan.Entry(
                    name: "\(number)", bytes: .random(in: 0...100, using: &chance),
                    lastUse: Date(timeIntervalSince1970: .random(in: 0...50, using: &chance).rounded()))
            }
            let limit = Int64.random(in: 0...2000, using: &chance)
            let plan = EvictionPlan(entries, limit: limit, oldest: .distantPast)
            #expect(plan.remaining <= limit)
            let gone = entries.filter { plan.victims.contains($0.name) }
            let stay = entries.filter { !plan.victims.contains($0.name) }
            #expect(
                (gone.map(\.lastUse).max() ?? .distantPast) <= stay.map(\.lastUse).min() ?? .distantFuture)
        }
    }
}
