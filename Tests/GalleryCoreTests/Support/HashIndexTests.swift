import GalleryTestSupport
import Testing

@testable import GalleryCore

@Suite struct HashIndexTests {
    @Test func `holds nothing at first`() {
        let index = HashIndex<Int>()
        #expect(index[0] == nil)
        #expect(!index.contains(.min))
        #expect(index.all.isEmpty)
    }

    @Test func `gives what was put in last, as a dictionary does`() {
        var generator = SeededGenerator(seed: 7)
        var index = HashIndex<Int>()
        var expected: [Int: Int] = [:]
        for number in 0..<20_000 {
            // Of so few hashes that many are put in again, the least and the greatest among them.
            let step = Int.random(in: -6_000...6_000, using: &generator)
            let hash = step == -6_000 ? .min : step == 6_000 ? .max : step &* 1_000_003
            index.put(number, at: hash)
            expected[hash] = number
            if number % 2_000 == 0 { #expect(index.all.sorted() == expected.values.sorted()) }
        }
        #expect(expected.allSatisfy { index[$0.key] == $0.value })
        #expect((1...1_000).allSatisfy { !index.contains($0 &* 1_000_003 &+ 1) })
        #expect(index.all.sorted() == expected.values.sorted())
    }

    @Test(arguments: [1, 1_024, 1_025, 2_200, 3_400], [true, false])
    func `keeps each of many, in whatever order they come`(count: Int, isAscending: Bool) {
        var index = HashIndex<Int>()
        for number in 0..<count { index.put(number, at: isAscending ? number : -number) }
        #expect((0..<count).allSatisfy { index[isAscending ? $0 : -$0] == $0 })
        #expect(index[count + 1] == nil)
        #expect(index.all.sorted() == Array(0..<count))
    }

    @Test func `photos are new once`() {
        var seen = SeenPhotos()
        let photos = (0..<3_000).map { PhotoID(service: "test", value: "\($0)") }
        #expect(photos.allSatisfy { !seen.contains($0) && seen.isNew($0) && seen.contains($0) })
        #expect(!photos.contains { seen.isNew($0) })
    }
}
