import Testing

@testable import GalleryTestSupport

@Suite struct LeftOutTests {
    @Test func `the end of a run has a line for each reason`() {
        let chafa = LeftOut.program("chafa")
        #expect(chafa.line(of: 14) == "skipped: 14 tests that need chafa, which is not installed")
        #expect(chafa.line(of: 1) == "skipped: 1 test that needs chafa, which is not installed")
        #expect(
            LeftOut.root.line(of: 2).hasPrefix("skipped: 2 tests that need an ordinary user, since root "))
        #expect(
            LeftOut.thoroughTest.line(of: 1).hasPrefix("quick tier: 1 test left out; GALLERY_THOROUGH=1 "))
        #expect(LeftOut.cases(seed: 41).line(of: 3).contains("few cases of 3 tests, chosen by seed 41;"))
    }

    @Test func `a few cases are spread over all of them, the same each time`() {
        let few = Thorough.sample(of: Array(0..<100), 4)
        #expect(few.map { $0 / 25 } == [0, 1, 2, 3])
        #expect(few == Thorough.sample(of: Array(0..<100), 4))
    }
}
