import Basics
import Foundation
import GalleryTestSupport
import Testing

@Suite struct HashIndexTests {
    @Test func `holds nothing at first`() {
        let index = HashIndex<Int>()
        #expect(index[0] == nil)
        #expect(!index.contains(.min))
        #expect(index.isEmpty)
    }

    @Test(arguments: [nil, [], ["/nowhere", NSTemporaryDirectory()], ["/proc"]])
    func `gives what was put in last, as a dictionary does`(folders: [String]?) {
        var generator = SeededGenerator(seed: 7)
        // Also where no file can be made.
        var index = folders.map { HashIndex<Int>(in: $0) } ?? HashIndex()
        var expected: [Int: Int] = [:]
        for number in 0..<20_000 {
            // Of so few hashes that many are put in again, the least and the greatest among them.
            let step = Int.random(in: -6_000...6_000, using: &generator)
            let hash = step == -6_000 ? .min : step == 6_000 ? .max : step &* 1_000_003
            index.put(number, at: hash)
            expected[hash] = number
        }
        #expect(expected.allSatisfy { index[$0.key] == $0.value })
        #expect((1...1_000).allSatisfy { !index.contains($0 &* 1_000_003 &+ 1) })
    }

    @Test(arguments: [1, 31, 32, 33, 4_096, 4_097, 4_128, 8_193, 8_194, 30_000], [true, false])
    func `keeps each of many, in whatever order they come`(count: Int, isAscending: Bool) {
        var index = HashIndex<Int>()
        for number in 0..<count { index.put(number, at: isAscending ? number : -number) }
        #expect((0..<count).allSatisfy { index[isAscending ? $0 : -$0] == $0 })
        #expect(index[count + 1] == nil)
    }

    @Test func `gives all where their number fills what is written at once`() {
        var index = HashIndex<Int>()
        // The second half of the first are among the next: three times 2,048 are settled in all.
        for number in 0..<4_097 { index.put(number, at: number) }
        for number in 2_047..<6_144 { index.put(-number, at: number) }
        #expect((0..<6_144).allSatisfy { index[$0] == ($0 < 2_047 ? $0 : -$0) })
        #expect(index[-1] == nil && index[6_144] == nil)
    }

    @Test func `copies go their own ways`() {
        var one = HashIndex<Int32>()
        for number in 0..<10_000 { one.put(Int32(number), at: number) }
        var other = one
        for number in 0..<10_000 {
            one.put(1, at: number)
            other.put(2, at: -number)
        }
        #expect((0..<10_000).allSatisfy { one[$0] == 1 && one[-$0] == ($0 == 0 ? 1 : nil) })
        #expect((1..<10_000).allSatisfy { other[$0] == Int32($0) && other[-$0] == 2 })
    }

    @Test func `values may be nothing, or of any size`() {
        struct Wide: Equatable {
            var one: Int8 = 1
            var other: Int
            var third: Int16 = 3
        }
        var (marks, wide) = (HashIndex<Void>(), HashIndex<Wide>())
        for number in 0..<9_000 {
            marks.put((), at: number &* 7_919)
            wide.put(Wide(other: number), at: number &* 7_919)
        }
        #expect((0..<9_000).allSatisfy { marks.contains($0 &* 7_919) && !marks.contains($0 &* 7_919 &+ 1) })
        #expect((0..<9_000).allSatisfy { wide[$0 &* 7_919] == Wide(other: $0) })
    }
}
