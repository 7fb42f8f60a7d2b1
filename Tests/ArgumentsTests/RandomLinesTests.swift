import GalleryTestSupport
import Testing

@testable import Arguments

@Suite(.fewAtOnce) struct RandomLinesTests {
    private static let words = """
        popular search fetch show web collage verify cache info clear help lab flags options words required on \
        --service -s sample --format json --per-page 3 -5 --jobs -j -j3 -qv -qs -qh -xyz --tag '' - -- --- -= --= \
        --= x --x=y --help -h --version --help-hidden --generate-completion-script zsh tcsh --table --mosaic -H -l \
        --no-color --twice four 猫 -é 👩‍👩‍👧 --größe=ß --date 2020-02-02 -old-style --a_b 18446744073709551616 nan
        """.words

    @Test(.timeLimit(.minutes(1)))
    func `no line crashes or hangs the parser`() async {
        var dice = SeededGenerator(seed: 500)
        for _ in 0..<Thorough.rounds(1000, few: 100) {
            let line = (0..<Int.random(in: 0...9, using: &dice)).map { _ in
                var word = Self.words.randomElement(using: &dice) ?? ""
                if Int.random(in: 0..<4, using: &dice) == 0,
                    let place = word.indices.randomElement(using: &dice)
                {
                    word.insert(contentsOf: Self.words.randomElement(using: &dice) ?? "", at: place)
                }
                return word
            }
            let answer = await Answer(to: line, columns: Int.random(in: 1...120, using: &dice))
            #expect([0, 1, 64, 66].contains(answer.status), "\(line)")
            #expect(answer.status == 0 || answer.status == 66 || answer.text.hasPrefix("Error: "), "\(line)")
        }
    }
}
